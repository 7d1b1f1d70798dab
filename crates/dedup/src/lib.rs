//! Near-duplicate text: from files to verified clusters.
