//! The index against the plain definition: all documents, compared one by one.

mod files;
mod frozen;
mod gate;
mod given;
mod joining;
mod model;
mod stored;
mod whole;
