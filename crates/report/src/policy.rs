//! What a page may do: nothing but its own styles and the one script it was written with.
//!
//! A page shows texts from anywhere. They are escaped; should that ever fail, the policy still names the script by its
//! SHA-256, so that no other script runs, and forbids every request.

/// The script of every page.
pub(crate) const SCRIPT: &str = include_str!("page.js");

/// The content of the policy. The hash is a constant since the script is one: hashing it for every page would need the
/// code for it in every program. A test computes the hash and prints it where it differs.
pub(crate) const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
     script-src 'sha256-gSywSu0JnEo8q2hsX7rxfbK0AzKS8nvp6YPWqzOeO+g='; base-uri 'none'; form-action 'none'";

#[cfg(test)]
mod tests {
    use base64::{Engine, prelude::BASE64_STANDARD};
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_policy_names_the_script() {
        let hash = BASE64_STANDARD.encode(Sha256::digest(SCRIPT));
        let source = format!("script-src 'sha256-{hash}'");
        assert!(POLICY.contains(&source), "page.js was changed: {source}");
    }
}
