//! Edit distances by furthest reaching diagonals: time O(length + limit²), memory O(limit).
//!
//! Ukkonen, *Algorithms for approximate string matching*, 1985; swaps of neighbours after Berghel and Roach, *An
//! extension of Ukkonen's enhanced dynamic programming ASM algorithm*, 1996. For each number of edits e and each
//! diagonal d = j − i the largest i is kept so that the first i letters of `a` become the first i + d letters of `b` by
//! e edits. A swap may start at the furthest point alone: from a nearer one a replacement reaches as far.

use crate::Variant;

/// Diagonals that are kept without asking for memory: those of up to 14 edits.
const FEW: usize = 31;

/// The distance if it is at most `limit`.
pub(crate) fn within<T: Copy + Eq>(
    variant: Variant,
    a: &[T],
    b: &[T],
    limit: usize,
) -> Option<usize> {
    let limit = limit.min(a.len() + b.len());
    let end = b.len() as isize - a.len() as isize;
    if end.unsigned_abs() > limit {
        return None;
    }
    let reach = limit as isize;
    // One place on either side, so that every diagonal has two neighbours.
    let place = |diagonal: isize| (diagonal + reach + 1) as usize;
    let width = 2 * limit + 3;
    let (mut few, mut many) = ([[NONE; FEW]; 2], Vec::new());
    let (mut before, mut now) = match few.each_mut().map(|row| row.get_mut(..width)) {
        [Some(before), Some(now)] => (before, now),
        _ => {
            many.resize(2 * width, NONE);
            many.split_at_mut(width)
        }
    };
    for edits in 0..=reach {
        // From further diagonals the end is out of reach.
        let left = reach - edits;
        for diagonal in (-edits).max(end - left)..=edits.min(end + left) {
            let start = match edits {
                0 => 0,
                _ => step(variant, a, b, before, place(diagonal), diagonal),
            };
            if start < 0 {
                now[place(diagonal)] = NONE;
                continue;
            }
            let (i, j) = (start as usize, (start + diagonal) as usize);
            let same = a[i..].iter().zip(&b[j..]).take_while(|(a, b)| a == b);
            let furthest = i + same.count();
            if diagonal == end && furthest == a.len() {
                return Some(edits as usize);
            }
            now[place(diagonal)] = furthest as isize;
        }
        std::mem::swap(&mut before, &mut now);
    }
    None
}

/// The place of a diagonal that is not reached.
const NONE: isize = isize::MIN / 2;

/// The furthest place on a diagonal by one more edit, before letters that agree; negative if it is not reached.
fn step<T: Copy + Eq>(
    variant: Variant,
    a: &[T],
    b: &[T],
    before: &[isize],
    place: usize,
    diagonal: isize,
) -> isize {
    let (inserted, same, deleted) = (before[place - 1], before[place], before[place + 1] + 1);
    let mut furthest = inserted.max(deleted);
    if variant != Variant::Indel {
        furthest = furthest.max(same + 1);
    }
    if variant == Variant::Osa && same >= 0 {
        let (i, j) = (same as usize, (same + diagonal) as usize);
        if let (Some(&[a1, a2]), Some(&[b1, b2])) = (
            a.get(i..i + 2).and_then(|it| it.first_chunk::<2>()),
            b.get(j..j + 2).and_then(|it| it.first_chunk::<2>()),
        ) && a1 == b2
            && a2 == b1
        {
            furthest = furthest.max(same + 2);
        }
    }
    // Not beyond the end of either string.
    let furthest = furthest
        .min(a.len() as isize)
        .min(b.len() as isize - diagonal);
    if furthest + diagonal < 0 {
        NONE
    } else {
        furthest
    }
}
