//! The engine against the plain definitions.

mod cluster;
mod given;
mod index;
mod join;
mod verify;
