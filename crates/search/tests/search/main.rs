//! Plugins that join a registry, and the index against the plain definition.

mod joining;
mod stored;
