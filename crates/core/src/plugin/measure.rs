use super::{Error, Remedy, Setting};
use crate::tune;

/// A number by which users state how near is near: a flag, a TOML key, a keyword argument.
///
/// One distance may have several measures: an angle is stated in degrees or by its cosine.
///
/// ```
/// use lookalike_core::plugin::Measure;
///
/// let jaccard = Measure::similarity("jaccard", "Jaccard similarity");
/// assert_eq!(jaccard.limit(0.8)?, 0.2);
/// assert_eq!(jaccard.shown(0.2), 0.8);
/// assert!(jaccard.limit(1.5).is_err());
/// # Ok::<(), lookalike_core::plugin::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The flag: `jaccard`.
    pub flag: &'static str,
    /// What it is, for help and reports: `Jaccard similarity`.
    pub name: &'static str,
    /// Whether more is nearer.
    pub is_similarity: bool,
    /// Whether only whole numbers make sense.
    pub is_whole: bool,
    /// The threshold of an experiment that states none.
    pub usual: Option<f64>,
    range: (f64, f64),
    to_distance: fn(f64) -> f64,
    from_distance: fn(f64) -> f64,
}

fn same(x: f64) -> f64 {
    x
}

/// 1 − x, rounded to nine decimals, so that 1 − 0.8 is 0.2. A distance that is a fraction (3/10) equals the threshold's
/// decimal (1 − 0.7) only if the threshold is rounded; results never are.
fn complement(x: f64) -> f64 {
    ((1.0 - x) * 1e9).round() / 1e9
}

impl Measure {
    /// The distance as it is, 0 or more.
    #[must_use]
    pub const fn distance(flag: &'static str, name: &'static str) -> Self {
        Self {
            flag,
            name,
            is_similarity: false,
            is_whole: false,
            usual: None,
            range: (0.0, f64::MAX),
            to_distance: same,
            from_distance: same,
        }
    }

    /// A similarity s above 0 and up to 1; the distance is 1 − s.
    #[must_use]
    pub const fn similarity(flag: &'static str, name: &'static str) -> Self {
        Self {
            flag,
            name,
            is_similarity: true,
            is_whole: false,
            usual: None,
            range: (f64::MIN_POSITIVE, 1.0),
            to_distance: complement,
            from_distance: complement,
        }
    }

    /// A decreasing function of the distance and its inverse: a cosine, a score. Thresholds lie in `range`.
    #[must_use]
    pub const fn decreasing(
        flag: &'static str,
        name: &'static str,
        range: (f64, f64),
        to_distance: fn(f64) -> f64,
        from_distance: fn(f64) -> f64,
    ) -> Self {
        Self {
            flag,
            name,
            is_similarity: true,
            is_whole: false,
            usual: None,
            range,
            to_distance,
            from_distance,
        }
    }

    /// The same measure, for thresholds up to `most`: no angle is above 180 degrees.
    #[must_use]
    pub const fn up_to(self, most: f64) -> Self {
        Self {
            range: (self.range.0, most),
            ..self
        }
    }

    /// The same measure, for whole numbers only: a count of bits or edits.
    #[must_use]
    pub const fn whole(self) -> Self {
        Self {
            is_whole: true,
            ..self
        }
    }

    /// The same measure with a usual threshold, which experiments take if they state none.
    #[must_use]
    pub const fn usually(self, threshold: f64) -> Self {
        Self {
            usual: Some(threshold),
            ..self
        }
    }

    /// The largest distance that a threshold allows.
    ///
    /// # Errors
    /// If the threshold is not a value of this measure.
    pub fn limit(&self, threshold: f64) -> Result<f64, Error> {
        let (least, most) = self.range;
        // A similarity that rounds to 0 would match everything.
        let is_nothing = self.is_share() && (self.to_distance)(threshold) >= 1.0;
        let is_in_range = (least..=most).contains(&threshold) && !is_nothing;
        if is_in_range && (!self.is_whole || threshold.fract() == 0.0) {
            return Ok((self.to_distance)(threshold));
        }
        let number = if self.is_whole {
            "whole number"
        } else {
            "number"
        };
        let expected = match (least, most) {
            (f64::MIN_POSITIVE, most) => format!("a {number} above 0 and up to {most}"),
            (f64::MIN, f64::MAX) => format!("a finite {number}"),
            (least, f64::MAX) => format!("a {number}, {least} or more"),
            (least, most) => format!("a {number} from {least} to {most}"),
        };
        let message = format!("{} is {threshold}, but must be {expected}", self.flag);
        let error = Error::new(message);
        let is_percentage = self.is_share() && (2.0..=100.0).contains(&threshold);
        if is_percentage {
            let meant = (threshold / 100.0).to_string();
            let remedy = Remedy::with_value("for a percentage, give", Setting(self.flag), meant);
            return Err(error.remedy(remedy));
        }
        Err(error)
    }

    /// A distance as users state it.
    #[must_use]
    pub fn shown(&self, distance: f64) -> f64 {
        (self.from_distance)(distance)
    }

    /// Whether it is a similarity between 0 and 1, and 1 − it the distance.
    #[must_use]
    pub fn is_share(&self) -> bool {
        self.is_similarity && self.range == (f64::MIN_POSITIVE, 1.0)
    }

    /// A distance at which candidates should be rare, derived from the threshold.
    #[must_use]
    pub fn far(&self, threshold: f64) -> f64 {
        let limit = (self.to_distance)(threshold);
        if self.is_share() {
            return (self.to_distance)(tune::rare_below(threshold));
        }
        if self.is_whole {
            return (2.0 * limit).max(limit + 1.0);
        }
        let far = if limit > 0.0 {
            2.0 * limit
        } else {
            limit + 1.0
        };
        far.min(self.farthest()).max(limit.next_up())
    }

    /// What the distance is called, if this measure states it or 1 − this measure does.
    ///
    /// ```
    /// use lookalike_core::plugin::Measure;
    ///
    /// let jaccard = Measure::similarity("jaccard", "Jaccard similarity");
    /// assert_eq!(jaccard.distance_name().as_deref(), Some("Jaccard distance"));
    /// ```
    #[must_use]
    pub fn distance_name(&self) -> Option<String> {
        if !self.is_similarity {
            return Some(self.name.to_owned());
        }
        let named = self.name.strip_suffix("similarity");
        self.is_share().then(|| match named {
            Some(start) => format!("{start}distance"),
            None => format!("1 − {}", self.name),
        })
    }

    /// The largest distance that a threshold can state; `f64::MAX` if there is no largest.
    #[must_use]
    pub fn farthest(&self) -> f64 {
        let (least, most) = self.range;
        (self.to_distance)(if self.is_similarity { least } else { most })
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Remedied, *};

    #[test]
    fn thresholds_are_rounded_so_that_fractions_reach_them() {
        let jaccard = Measure::similarity("jaccard", "Jaccard similarity");
        for (common, union) in [(7, 10), (2, 5), (4, 5), (9, 10), (3, 10), (1, 1)] {
            let threshold = f64::from(common) / f64::from(union);
            let distance = f64::from(union - common) / f64::from(union);
            assert!(distance <= jaccard.limit(threshold).unwrap(), "{threshold}");
        }
    }

    #[test]
    fn what_is_out_of_range_is_refused_with_what_would_do() {
        let jaccard = Measure::similarity("jaccard", "Jaccard similarity");
        let wrong = jaccard.limit(80.0).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "jaccard is 80, but must be a number above 0 and up to 1"
        );
        let remedies = wrong.remedies();
        assert_eq!(
            remedies[0].to_string(),
            "for a percentage, give `jaccard = 0.8`"
        );
        for threshold in [0.0, 1e-17, 1e-300, -0.1, 1.5, f64::NAN, f64::INFINITY] {
            let wrong = jaccard.limit(threshold).unwrap_err();
            assert!(wrong.remedies().is_empty(), "{threshold}");
        }
        let hamming = Measure::distance("hamming", "Hamming distance").whole();
        assert_eq!(hamming.limit(0.0).unwrap(), 0.0);
        assert_eq!(
            hamming.limit(2.5).unwrap_err().to_string(),
            "hamming is 2.5, but must be a whole number, 0 or more"
        );
        let cosine = Measure::decreasing("cosine", "cosine", (-1.0, 1.0), f64::acos, f64::cos);
        assert!(cosine.limit(-1.0).is_ok() && cosine.limit(1.01).is_err());
    }

    #[test]
    fn far_lies_beyond_the_limit() {
        let jaccard = Measure::similarity("jaccard", "Jaccard similarity");
        let hamming = Measure::distance("hamming", "Hamming distance");
        let cosine = Measure::decreasing("cosine", "cosine", (-1.0, 1.0), f64::acos, f64::cos);
        for measure in [jaccard, hamming, hamming.whole(), cosine] {
            for threshold in [0.01, 0.3, 0.8, 1.0] {
                let Ok(limit) = measure.limit(threshold) else {
                    continue;
                };
                assert!(measure.far(threshold) > limit);
            }
        }
        // Twice as far, whatever the unit of the distance is.
        assert_eq!(hamming.far(0.001), 0.002);
        assert_eq!(hamming.far(0.0), 1.0);
        assert_eq!(hamming.whole().far(0.0), 1.0);
        // No farther than can be.
        let angle = Measure::distance("angle", "angle").up_to(180.0);
        assert_eq!([30.0, 100.0].map(|it| angle.far(it)), [60.0, 180.0]);
        assert!(angle.limit(181.0).is_err());
        assert!((cosine.far(-0.5) - std::f64::consts::PI).abs() < 1e-12);
        let product = Measure::decreasing("dot", "product", (f64::MIN, f64::MAX), |x| -x, |x| -x);
        assert_eq!(product.far(5.0), -4.0);
    }
}
