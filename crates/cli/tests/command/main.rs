//! The command as its users run it, in one program: it is linked once, and shares its folder of files.

mod audit;
mod cookbook;
mod curve;
mod dedup;
mod experiments;
mod explain;
mod faults;
mod fingerprint;
mod folder;
mod kinds;
mod lectures;
mod manuals;
mod printed;
mod readme;
mod search;
mod sensitivity;
mod trace;
mod tune;
mod usage;
