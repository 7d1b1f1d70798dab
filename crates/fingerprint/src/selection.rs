use serde::{Deserialize, Serialize};

use crate::{Minutia, Template};

/// Which minutiae of a template are looked at: the best ones.
///
/// Extractors report much that is no minutia, at the borders of a print above all, and say so by its quality. Minutiae that
/// nobody has judged are taken for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selection {
    /// The lowest quality, from 0 to 100.
    pub quality: u8,
    /// How many at the most, up to 255.
    pub most: u8,
}

impl Default for Selection {
    /// Quality 20 or better, at most 80.
    fn default() -> Self {
        Self {
            quality: 20,
            most: 80,
        }
    }
}

impl Selection {
    /// The selected minutiae at [`DPI`](crate::DPI), the best first, equally good ones in their order.
    #[must_use]
    pub fn of(self, template: &Template) -> Vec<Minutia> {
        let quality = |minutia: &Minutia| minutia.quality.unwrap_or(100);
        let good = template
            .at_500_dpi()
            .filter(|minutia| quality(minutia) >= self.quality);
        let mut selected: Vec<Minutia> = good.collect();
        selected.sort_by_key(|minutia| std::cmp::Reverse(quality(minutia)));
        selected.truncate(self.most.into());
        selected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_taken_in_their_order() {
        let judged = [Some(30), None, Some(19), Some(90), Some(30), Some(20)];
        let minutiae = judged.iter().zip(0u8..).map(|(&quality, x)| Minutia {
            quality,
            ..Minutia::new(x.into(), 0.0, 0.0)
        });
        let template = Template::new(minutiae.collect(), 1000.0).unwrap();
        let places = |selection: Selection| -> Vec<f32> {
            let selected = selection.of(&template);
            // At 1000 dots an inch a pixel is half as large.
            selected.iter().map(|minutia| minutia.x * 2.0).collect()
        };
        assert_eq!(places(Selection::default()), [1.0, 3.0, 0.0, 4.0, 5.0]);
        let few = Selection {
            most: 3,
            ..Selection::default()
        };
        assert_eq!(places(few), [1.0, 3.0, 0.0]);
    }
}
