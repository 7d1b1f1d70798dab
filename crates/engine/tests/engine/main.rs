//! The engine against the plain definitions.

mod brute;
mod cluster;
mod given;
mod heavy;
mod index;
mod join;
mod verify;
