//! What the verbs can name.

use lookalike::search::Registry;

/// The plugins of `pairs` and `query`. Fingerprints have commands of their own.
pub(crate) fn searched(registry: &Registry) -> Registry {
    let registry = registry.clone();
    registry.without_kind("print").without_kind("squares")
}
