//! The engine against the plain definitions.

mod cluster;
mod gate;
mod given;
mod index;
mod join;
mod verify;
