use lookalike_core::plugin::{Error, Generated, Generator};
use serde::{Deserialize, Serialize};

use super::DigestKind;
use crate::{Digests, generate::edited_files};

/// The digests of files that are made up: groups of a first file and copies of it with some words replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EditedFiles {
    /// Files that have nothing to do with each other.
    pub groups: u32,
    /// Edited copies of each.
    pub copies: u32,
    /// Words of a file.
    pub words: u32,
    /// The share of the words of a copy that are replaced.
    pub replaced: f64,
    /// Where all random draws come from.
    pub seed: u64,
}

impl Default for EditedFiles {
    fn default() -> Self {
        Self {
            groups: 500,
            copies: 3,
            words: 600,
            replaced: 0.02,
            seed: 1,
        }
    }
}

impl Generator for EditedFiles {
    const NAME: &'static str = "edited-files";
    const SUMMARY: &'static str = "digests of files and of copies with some words replaced";
    type Kind = DigestKind;

    fn generate(&self) -> Result<Generated<Digests>, Error> {
        if !(0.0..=1.0).contains(&self.replaced) {
            let message = format!("replaced is {}, but must be from 0 to 1", self.replaced);
            return Err(Error::new(message).about("replaced"));
        }
        let files = u64::from(self.groups) * (u64::from(self.copies) + 1);
        Generated::<Digests>::check_size(files, self.words.into())?;
        let words = self.words as usize;
        let digests = edited_files(self.groups, self.copies, words, self.replaced, self.seed);
        Ok(Generated::new(digests))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::Items;

    #[test]
    fn copies_are_near_their_file() {
        let made = EditedFiles::default().generate().unwrap().items;
        assert_eq!(made.count(), 2000);
        let digests = made.as_slice();
        let near = digests
            .chunks(4)
            .filter(|group| crate::distance(&group[0], &group[3]) <= 40)
            .count();
        assert!(near > 450, "{near}");
        let far = crate::distance(&digests[0], &digests[4]);
        assert!(far > 40, "{far}");
    }

    #[test]
    fn wrong_parameters_are_refused() {
        let made = |replaced, words| {
            let made = EditedFiles {
                replaced,
                words,
                ..EditedFiles::default()
            };
            made.generate()
        };
        assert_eq!(made(1.5, 100).unwrap_err().parameter(), Some("replaced"));
        assert!(made(f64::NAN, 100).is_err());
        assert!(made(0.1, u32::MAX).is_err());
        // Too short for digests.
        assert_eq!(made(0.1, 2).unwrap().items.count(), 0);
    }
}
