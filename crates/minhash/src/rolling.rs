//! The hash of a shingle, from that of the one before.

/// Leaves in `recent` the last `k` of what was in it and of what comes.
pub(crate) fn keep_last(recent: &mut Vec<u64>, comes: &[u64], k: usize) {
    recent.extend_from_slice(&comes[comes.len().saturating_sub(k)..]);
    recent.drain(..recent.len().saturating_sub(k));
}

/// The base of the polynomial: odd, and without a pattern.
pub(crate) const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of some tokens and one more.
#[inline(always)]
pub(crate) fn appended(hash: u64, token: u64) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(token)
}

/// Adds the hash of each next shingle to a list, and gives the last: tokens come, and others go that were
/// appended when the base had the power that gives `leaving`.
///
/// Two at a time: each waits for the one before the last, not for the last.
pub(crate) fn slide(
    mut hash: u64,
    come: &[u64],
    go: &[u64],
    leaving: u64,
    list: &mut Vec<u64>,
) -> u64 {
    let change = |(come, go): (&u64, &u64)| come.wrapping_sub(go.wrapping_mul(leaving));
    let (come, last_come) = come.as_chunks::<2>();
    let (go, last_go) = go[..2 * come.len() + last_come.len()].as_chunks::<2>();
    let twice = BASE.wrapping_mul(BASE);
    list.extend(come.iter().zip(go).flat_map(|(come, go)| {
        let (first, second) = (change((&come[0], &go[0])), change((&come[1], &go[1])));
        let next = appended(hash, first);
        hash = hash
            .wrapping_mul(twice)
            .wrapping_add(appended(first, second));
        [next, hash]
    }));
    list.extend(last_come.iter().zip(last_go).map(|last| {
        hash = appended(hash, change(last));
        hash
    }));
    hash
}

/// The hash of a shingle by its definition.
pub(crate) fn of_tokens(tokens: &[u64]) -> u64 {
    tokens.iter().fold(0, |hash, &token| appended(hash, token))
}
