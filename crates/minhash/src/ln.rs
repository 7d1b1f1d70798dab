//! The natural logarithm, the same on every machine.
//!
//! `f64::ln` is whatever the platform's library gives, and its last digit differs between them. Here
//! a last digit can decide a bucket, and buckets are stored.

/// ln x for a positive, finite x, within one unit of the last place.
///
/// x = 2^k · m with m from √½ to √2; with s = (m − 1)/(m + 1), ln m = 2s + s·R(s²), R a polynomial.
/// After `log` of Sun's fdlibm (1993).
#[inline]
pub(crate) fn ln(x: f64) -> f64 {
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const ODD: [f64; 4] = [
        6.666_666_666_666_735e-1,
        2.857_142_874_366_239e-1,
        1.818_357_216_161_805e-1,
        1.479_819_860_511_658_6e-1,
    ];
    const EVEN: [f64; 3] = [
        3.999_999_999_940_942e-1,
        2.222_219_843_214_978_4e-1,
        1.531_383_769_920_937_3e-1,
    ];
    const EXPONENT: u64 = 0x3ff << 52;
    /// The bits of √½, rounded.
    const ROOT: u64 = 0x3fe6_a09e << 32;
    debug_assert!(x > 0.0 && x.is_finite());
    // The least numbers have no exponent of their own.
    let (x, scale) = if x < f64::MIN_POSITIVE {
        (x * (1u64 << 54) as f64, -54.0)
    } else {
        (x, 0.0)
    };
    let shifted = x.to_bits() + (EXPONENT - ROOT);
    let k = (shifted >> 52) as f64 - 1023.0 + scale;
    let f = f64::from_bits((shifted & ((1 << 52) - 1)) + ROOT) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (EVEN[0] + w * (EVEN[1] + w * EVEN[2]));
    let odd = z * (ODD[0] + w * (ODD[1] + w * (ODD[2] + w * ODD[3])));
    let half = 0.5 * f * f;
    s * (half + odd + even) + k * LN_2_LOW - half + f + k * LN_2_HIGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(x: f64) -> bool {
        let (ours, theirs) = (ln(x), x.ln());
        (ours - theirs).abs() <= 2.0 * f64::EPSILON * theirs.abs()
    }

    #[test]
    fn known_values() {
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln(2.0), std::f64::consts::LN_2);
        assert_eq!(ln(10.0), std::f64::consts::LN_10);
        for x in [
            5e-324,
            f64::MIN_POSITIVE,
            f64::MAX,
            1.0 - f64::EPSILON,
            1.0 + f64::EPSILON,
            0.5f64.sqrt(),
        ] {
            assert!(near(x), "{x}");
        }
    }

    proptest! {
        #[test]
        fn it_is_the_logarithm(bits in 1u64..0x7ff0 << 48, fraction in 0.0f64..1.0) {
            for x in [f64::from_bits(bits), 1.0 - fraction, 1.0 + fraction, (1.0 - fraction) * 1e-300] {
                prop_assert!(x == 0.0 || near(x), "{}", x);
            }
        }
    }
}
