//! A folder with generated prints, and runs of the command in it.

use std::ops::Deref;

use lookalike::fingerprint::{
    Template,
    format::{View, fmr, xyt},
    generate::{Finger, Impression},
};

use crate::folder::{Folder, Said};

pub(crate) struct Scene(Folder);

impl Deref for Scene {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.0
    }
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self(Folder::new())
    }

    /// Some impressions of some fingers, as `prints/F_I.xyt`.
    pub(crate) fn with_prints(fingers: u64, impressions: u64) -> Self {
        let scene = Self::new();
        for finger in 0..fingers {
            for impression in 1..=impressions {
                let name = format!("prints/{finger}_{impression}.xyt");
                scene.write(&name, as_xyt(&print(finger, impression)));
            }
        }
        scene
    }

    /// Runs `lookalike fingerprint` with these words.
    pub(crate) fn run(&self, args: &str) -> Said {
        let words = ["fingerprint"].into_iter().chain(args.split_whitespace());
        self.lookalike(words, "")
    }

    /// What a run that must go well wrote.
    pub(crate) fn out(&self, args: &str) -> String {
        let said = self.run(args);
        assert_eq!(said.code, 0, "{args}: {said:?}");
        said.out
    }
}

/// An impression of a finger, the same for the same numbers.
pub(crate) fn print(finger: u64, impression: u64) -> Template {
    Impression::default().of(&Finger::new(finger), impression)
}

pub(crate) fn as_xyt(template: &Template) -> Vec<u8> {
    xyt::write(template).into()
}

pub(crate) fn as_iso(template: &Template) -> Vec<u8> {
    fmr::write(&[View::new(template.clone())]).unwrap()
}
