//! What the command can name.

use std::sync::LazyLock;

use lookalike::search::Registry;

/// The kinds, distances, families and methods of `pairs` and `query`. Fingerprints have commands of their own.
pub(crate) fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        lookalike::builtin()
            .without_kind("print")
            .without_kind("squares")
    });
    &REGISTRY
}
