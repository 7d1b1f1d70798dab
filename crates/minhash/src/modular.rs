use std::{fmt, str::FromStr};

use lookalike_core::{LshFunctions, random};
use rand::RngExt;

use crate::{Error, MinValue, value_of};

/// The textbook's hash function of row numbers: h(x) = ((a·x + b) mod p) mod n.
///
/// p is a prime that is not below n, and a is no multiple of p: then different rows below p differ
/// before the last step, and h can stand for a permutation of the rows.
///
/// ```
/// use lookalike_minhash::Modular;
///
/// let h = Modular::new(3, 1, 5, 5)?; // 3x + 1 mod 5
/// assert_eq!([0, 1, 2, 3, 4].map(|row| h.hash(row)), [1, 4, 2, 0, 3]);
/// assert!(Modular::new(3, 1, 6, 5).is_err()); // 6 is not prime
/// assert_eq!("3x + 1 mod 5".parse(), Ok(h));
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
///
/// Carter and Wegman 1979; the textbook's section on computing minhash signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modular {
    a: u64,
    b: u64,
    p: u64,
    n: u64,
}

impl Modular {
    /// The function ((a·x + b) mod p) mod n.
    pub fn new(a: u64, b: u64, p: u64, n: u64) -> Result<Self, Error> {
        if !is_prime(p) {
            return Err(Error::parameter("p", p, "a prime"));
        }
        if n == 0 || n > p {
            return Err(Error::parameter("n", n, format!("from 1 to p = {p}")));
        }
        if a.is_multiple_of(p) {
            return Err(Error::parameter("a", a, format!("no multiple of p = {p}")));
        }
        Ok(Self { a, b, p, n })
    }

    /// Functions that keep the rows from 0 to `largest` apart: a and b are random, and n = p is the smallest prime above.
    ///
    /// Rows beyond the largest prime below 2^64 have none above, and that prime does instead.
    #[must_use]
    pub fn draw(largest: u64, k: usize, seed: u64) -> Vec<Self> {
        const LARGEST_PRIME: u64 = u64::MAX - 58;
        let p = (largest.clamp(1, LARGEST_PRIME - 1) + 1..)
            .find(|n| is_prime(*n))
            .expect("the largest is one");
        let function = |function| {
            let mut rng = random::stream(seed, function);
            let (a, b) = (rng.random_range(1..p), rng.random_range(0..p));
            Self { a, b, p, n: p }
        };
        (0..k as u64).map(function).collect()
    }

    /// h(x), below n.
    #[must_use]
    pub fn hash(self, x: u64) -> u64 {
        let [a, b, p, x] = [self.a, self.b, self.p, x].map(u128::from);
        // a·x + b ≤ (2^64 − 1)² + 2^64 − 1 fits.
        let modulo_p = (a * x + b) % p;
        modulo_p as u64 % self.n
    }
}

/// As the textbook writes it: 3x + 1 mod 5, or (3x + 1 mod 7) mod 5.
impl fmt::Display for Modular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { a, b, p, n } = self;
        let factor = if *a == 1 {
            String::new()
        } else {
            a.to_string()
        };
        let constant = if *b == 0 {
            String::new()
        } else {
            format!(" + {b}")
        };
        if n == p {
            write!(f, "{factor}x{constant} mod {p}")
        } else {
            write!(f, "({factor}x{constant} mod {p}) mod {n}")
        }
    }
}

/// With or without brackets, spaces and a sign of multiplication.
impl FromStr for Modular {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refused = || {
            let expected = "such as 3x+1 mod 5, with a prime after mod";
            Error::parameter("function", text, expected)
        };
        let number = |text: &str| text.parse::<u64>().map_err(|_| refused());
        let bare: String = text
            .chars()
            .filter(|c| !c.is_whitespace() && !"()*·".contains(*c))
            .collect();
        let mut parts = bare.split("mod");
        let (Some(sum), Some(p), n, None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(refused());
        };
        let (a, b) = sum.split_once('x').ok_or_else(refused)?;
        let a = if a.is_empty() { 1 } else { number(a)? };
        let b = match b.strip_prefix('+') {
            Some(b) => number(b)?,
            None if b.is_empty() => 0,
            None => return Err(refused()),
        };
        let p = number(p)?;
        let n = n.map_or(Ok(p), number)?;
        Self::new(a, b, p, n)
    }
}

/// Minhash by given functions of row numbers, as in the textbook's examples.
///
/// An item is a column of the matrix: the numbers of the rows that hold a 1.
///
/// ```
/// use lookalike_core::LshFunctions;
/// use lookalike_minhash::{Modular, ModularFunctions, value_of};
///
/// let functions = ModularFunctions::with(vec![Modular::new(1, 1, 5, 5)?, Modular::new(3, 1, 5, 5)?]);
/// let mut signature = [None; 2];
/// functions.hash_into(&[1, 3, 4], &mut (), &mut signature);
/// assert_eq!(signature, [value_of(0), value_of(0)]);
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModularFunctions {
    functions: Vec<Modular>,
}

impl ModularFunctions {
    /// Exactly these functions.
    #[must_use]
    pub fn with(functions: Vec<Modular>) -> Self {
        Self { functions }
    }

    /// The functions, in their order.
    #[must_use]
    pub fn functions(&self) -> &[Modular] {
        &self.functions
    }
}

impl LshFunctions for ModularFunctions {
    type Item = [u64];
    type Key = MinValue;
    type Scratch = ();

    fn len(&self) -> usize {
        self.functions.len()
    }

    fn hash_into(&self, rows: &[u64], (): &mut (), keys: &mut [MinValue]) {
        for (key, function) in keys.iter_mut().zip(&self.functions) {
            let minimum = rows.iter().map(|&row| function.hash(row)).min();
            *key = minimum.and_then(value_of);
        }
    }
}

/// The test of Miller and Rabin, exact below 2^64 with the first twelve primes as bases
/// (Sorenson and Webster 2015).
fn is_prime(p: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if p < 2 {
        return false;
    }
    if BASES.iter().any(|&base| p.is_multiple_of(base)) {
        return BASES.contains(&p);
    }
    let times = |x: u64, y: u64| (u128::from(x) * u128::from(y) % u128::from(p)) as u64;
    let power = |base: u64, exponent: u64| {
        let bits = (0..u64::BITS - exponent.leading_zeros()).rev();
        bits.fold(1, |power, bit| {
            let square = times(power, power);
            if exponent >> bit & 1 == 1 {
                times(square, base)
            } else {
                square
            }
        })
    };
    // p − 1 = odd · 2^twos
    let twos = (p - 1).trailing_zeros();
    let odd = (p - 1) >> twos;
    BASES.iter().all(|&base| {
        let mut x = power(base, odd);
        // 1 at once, or −1 on the way up.
        x == 1
            || (0..twos).any(|_| {
                let minus_one = x == p - 1;
                x = times(x, x);
                minus_one
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn primes() {
        let by_definition = |n: u64| n > 1 && (2..n).all(|d| !n.is_multiple_of(d));
        for n in 0..2000 {
            assert_eq!(is_prime(n), by_definition(n), "{n}");
        }
        for prime in [u64::MAX - 58, (1 << 61) - 1, (1 << 31) - 1, 4_294_967_311] {
            assert!(is_prime(prime), "{prime}");
        }
        // Strong pseudoprimes to many bases, a Carmichael number, squares and products of primes.
        for composite in [
            u64::MAX,
            3_825_123_056_546_413_051,
            341_550_071_728_321,
            825_265,
            ((1 << 31) - 1) * ((1 << 31) - 1),
            4_294_967_279 * 4_294_967_291,
        ] {
            assert!(!is_prime(composite), "{composite}");
        }
    }

    #[test]
    fn only_sound_functions_exist() {
        let message = |a, b, p, n| Modular::new(a, b, p, n).unwrap_err().to_string();
        assert_eq!(message(1, 1, 9, 5), "p is 9, but must be a prime");
        assert_eq!(message(1, 1, 5, 6), "n is 6, but must be from 1 to p = 5");
        assert_eq!(message(1, 1, 5, 0), "n is 0, but must be from 1 to p = 5");
        assert_eq!(
            message(10, 1, 5, 5),
            "a is 10, but must be no multiple of p = 5"
        );
    }

    #[test]
    fn functions_are_read_and_written() {
        for (given, written) in [
            ("x mod 5", "x mod 5"),
            ("x+1 mod 5", "x + 1 mod 5"),
            ("(3x + 1) mod 5", "3x + 1 mod 5"),
            ("2*x+1mod5", "2x + 1 mod 5"),
            ("(3·x+4 mod 11) mod 7", "(3x + 4 mod 11) mod 7"),
        ] {
            let function: Modular = given.parse().unwrap();
            assert_eq!(function.to_string(), written);
            assert_eq!(written.parse(), Ok(function));
        }
        for wrong in [
            "",
            "x",
            "5",
            "x+1",
            "x mod",
            "y+1 mod 5",
            "x-1 mod 5",
            "x1 mod 5",
            "x mod 5 mod 5 mod 5",
            "-x mod 5",
        ] {
            let error = wrong.parse::<Modular>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "function is {wrong}, but must be such as 3x+1 mod 5, with a prime after mod"
                )
            );
        }
        let error = "x+1 mod 6".parse::<Modular>().unwrap_err().to_string();
        assert_eq!(error, "p is 6, but must be a prime");
    }

    #[test]
    fn value_stability() {
        let drawn = Modular::draw(6, 3, 7).into_iter();
        let drawn: Vec<String> = drawn.map(|function| function.to_string()).collect();
        assert_eq!(drawn, ["6x + 6 mod 7", "4x + 4 mod 7", "x + 5 mod 7"]);
        for largest in [0, 1, 6, 7, u64::MAX] {
            let p = Modular::draw(largest, 1, 0)[0].p;
            assert!(is_prime(p) && p >= largest.min(u64::MAX - 58), "{largest}");
        }
    }

    #[test]
    fn an_empty_column_has_no_minimum() {
        let functions = ModularFunctions::with(vec![Modular::new(1, 0, 2, 2).unwrap()]);
        let mut signature = [value_of(0)];
        functions.hash_into(&[], &mut (), &mut signature);
        assert_eq!(signature, [None]);
    }

    proptest! {
        #[test]
        fn rows_below_p_stay_apart(a in 1u64..101, b: u64) {
            let h = Modular::new(a, b, 101, 101).unwrap();
            let mut places: Vec<u64> = (0..101).map(|row| h.hash(row)).collect();
            places.sort_unstable();
            prop_assert!(places.into_iter().eq(0..101));
        }

        #[test]
        fn nothing_overflows(a: u64, b: u64, x: u64) {
            let p = u64::MAX - 58;
            prop_assume!(a % p != 0);
            let h = Modular::new(a, b, p, p).unwrap();
            let modulo = |x: u64| u128::from(x % p);
            let expected = (modulo(a) * modulo(x) % u128::from(p) + modulo(b)) % u128::from(p);
            prop_assert_eq!(u128::from(h.hash(x)), expected);
        }
    }
}
