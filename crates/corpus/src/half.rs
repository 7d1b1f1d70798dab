/// The number that 16 bits stand for as a float of IEEE 754 (binary16): 1 bit of sign, 5 of exponent, 10 of fraction.
///
/// Every such number is one of 32 bits, too: the fraction and the exponent move 13 bits up, and a product with 2^112
/// corrects the bias of the exponent from 15 to 127. That also makes tiny numbers right, whose exponent bits are all 0.
pub(crate) fn to_f32(half: u16) -> f32 {
    const BIAS: f32 = f32::from_bits((127 + 112) << 23);
    const INFINITE: u16 = 0x7C00;
    let sign = u32::from(half & 0x8000) << 16;
    let magnitude = half & 0x7FFF;
    let moved = u32::from(magnitude) << 13;
    let finite = (f32::from_bits(moved) * BIAS).to_bits();
    // What is not finite has all bits of the exponent.
    let bits = match magnitude >= INFINITE {
        true => moved | f32::INFINITY.to_bits(),
        false => finite,
    };
    f32::from_bits(sign | bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: (−1)^s · 2^(e − 15) · (1 + f / 1024), and 2^(−14) · f / 1024 if e = 0.
    fn defined(half: u16) -> f64 {
        let exponent = i32::from(half >> 10 & 31);
        let fraction = f64::from(half & 1023) / 1024.0;
        let magnitude = match exponent {
            0 => fraction * 2f64.powi(-14),
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (1.0 + fraction) * 2f64.powi(exponent - 15),
        };
        match half >> 15 {
            0 => magnitude,
            _ => -magnitude,
        }
    }

    #[test]
    fn every_half_is_what_it_is_defined_to_be() {
        for half in 0..=u16::MAX {
            let (found, expected) = (f64::from(to_f32(half)), defined(half));
            let is_same = found == expected || (found.is_nan() && expected.is_nan());
            let has_sign = found.is_sign_negative() == (half >> 15 == 1);
            assert!(is_same && has_sign, "{half:04x}: {found} {expected}");
        }
        assert_eq!(to_f32(0x3555), 0.333_251_95);
        assert_eq!(to_f32(0x7BFF), 65504.0);
    }
}
