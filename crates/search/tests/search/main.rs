//! Plugins that join a registry, and the index against the plain definition.

mod damage;
mod joining;
mod stored;
