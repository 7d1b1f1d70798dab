//! How likely sampled bits are among those that differ: what families over codes of bits promise by.

/// The probability that of `rows` distinct bits, drawn from `bits`, at most `flips` are among the `differ` that differ:
/// the hypergeometric sum of C(d, j)·C(n−d, r−j) / C(n, r) over j ≤ f.
///
/// With one table it is the recall of asking for all keys within `flips`.
///
/// ```
/// use lookalike_core::sampled::within_flips;
///
/// // 20 of 64 bits, of which 6 differ: not (58/64)^20 = 0.140.
/// assert!((within_flips(64, 6, 20, 0) - 0.0941).abs() < 0.0001);
/// ```
#[must_use]
pub fn within_flips(bits: u32, differ: u32, rows: u32, flips: u32) -> f64 {
    if rows.min(differ) <= flips {
        return 1.0;
    }
    let sum: f64 = (0..=flips)
        .map(|hit| exactly(bits, differ, rows, hit))
        .sum();
    sum.min(1.0)
}

/// The same with exactly `hit` of the sampled bits among those that differ.
#[must_use]
pub fn exactly(bits: u32, differ: u32, rows: u32, hit: u32) -> f64 {
    if hit > rows || hit > differ || rows - hit > bits - differ {
        return 0.0;
    }
    let agree = bits - differ;
    // C(r, j) of the orders in which j hits can come, each as likely as hits first. Small factors go with large ones.
    let mut p = 1.0;
    for i in 0..hit {
        p *= f64::from(rows - i) / f64::from(i + 1) * f64::from(differ - i) / f64::from(bits - i);
    }
    for i in 0..rows - hit {
        p *= f64::from(agree - i) / f64::from(bits - hit - i);
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn choose(n: u32, k: u32) -> f64 {
        if k > n {
            return 0.0;
        }
        (0..k)
            .map(|i| f64::from(n - i) / f64::from(i + 1))
            .product()
    }

    proptest! {
        #[test]
        fn it_is_the_hypergeometric_sum(
            bits in 1u32..120, differ in 0u32..120, rows in 1u32..40, flips in 0u32..4,
        ) {
            let (differ, rows) = (differ.min(bits), rows.min(bits));
            let term = |j| choose(differ, j) * choose(bits - differ, rows - j) / choose(bits, rows);
            let wanted: f64 = (0..=flips.min(rows)).map(term).sum();
            let found = within_flips(bits, differ, rows, flips);
            prop_assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
        }
    }
}
