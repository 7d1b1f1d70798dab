//! What the registry refuses when a plugin joins.
//!
//! Names are constants of a plugin's types: a wrong one is a mistake of its author, the same in every run, and no caller
//! could act on an error. So these are panics at the start of the program, which its first run shows. Rejected: the last
//! plugin that joins wins. A flag would then mean something else without a word.

use crate::{
    Registry,
    dataset::KindEntry,
    entry::{DistanceEntry, Entry},
};

/// Names that no measure may have, because a setting has them: flags of the verbs, keys of a
/// [`Request`](crate::Request) and of the files of experiments, with dashes for underscores.
pub const RESERVED: &[&str] = &[
    "against",
    "allow-mass-removal",
    "amplify",
    "avoid",
    "bag",
    "bands",
    "bits",
    "budget",
    "by",
    "chart",
    "cluster",
    "compress",
    "confidence",
    "config",
    "copies-only",
    "data",
    "dimensions",
    "dry-run",
    "estimate",
    "exact",
    "exclude",
    "family",
    "field",
    "file",
    "format",
    "functions",
    "help",
    "html",
    "id",
    "id-field",
    "ids",
    "ignore-ids",
    "include",
    "index",
    "inputs",
    "item-width",
    "json",
    "k",
    "keep",
    "kind",
    "limit",
    "longest_query",
    "max-bucket",
    "max-expansion",
    "max-record",
    "max-removed",
    "max-window",
    "mean",
    "measure",
    "measures",
    "memory",
    "min",
    "mode",
    "new",
    "no-chart",
    "normalize",
    "num-perm",
    "on-error",
    "out",
    "output",
    "overwrite",
    "parameters",
    "preset",
    "queries",
    "quiet",
    "radius",
    "rare",
    "recall",
    "replace",
    "rows",
    "scheme",
    "seed",
    "seeds",
    "self",
    "set",
    "shingle",
    "short",
    "skip",
    "small",
    "squares",
    "stdout",
    "stop-words",
    "svg",
    "sweep",
    "symmetric",
    "tables",
    "target",
    "text",
    "text-field",
    "texts",
    "threads",
    "threshold",
    "tokens",
    "top",
    "truth",
    "verify",
    "version",
    "vote",
    "wait",
    "wanted",
    "width",
    "with-self",
    "within",
];

impl Registry {
    /// Refuses a distance whose names are wrong, reserved or taken.
    pub(crate) fn check_distance(&self, distance: &DistanceEntry, kind: &KindEntry) {
        let name = kind.name;
        check_name("kind", name);
        let mut kinds = self.kinds.iter();
        if let Some(known) = kinds.find(|known| known.name == name) {
            let (old, new) = (known.type_name, kind.type_name);
            assert!(
                known.type_id == kind.type_id,
                "two kinds are called `{name}`, {old} and {new}: rename one of them"
            );
        }
        let new = distance.type_name;
        assert!(
            !distance.measures.is_empty(),
            "the distance {new} has no measures, so that nobody can name it: give it one"
        );
        for (place, measure) in distance.measures.iter().enumerate() {
            let flag = measure.flag;
            check_name("measure", flag);
            assert!(
                !RESERVED.contains(&flag),
                "the distance {new} has the measure `{flag}`, but that is the name of a setting: choose another name"
            );
            let mut earlier = distance.measures[..place].iter();
            assert!(
                !earlier.any(|earlier| earlier.flag == flag),
                "the distance {new} has the measure `{flag}` twice: rename one of them"
            );
            for known in &self.distances {
                let Some(same) = known.measure(flag) else {
                    continue;
                };
                let old = known.type_name;
                assert!(
                    known.kind != name,
                    "two distances over the kind `{name}` have the measure `{flag}`, {old} and {new}: rename one of them"
                );
                // A flag has one meaning, whatever kind its items are of.
                assert!(
                    same.is_similarity == measure.is_similarity
                        && same.is_whole == measure.is_whole,
                    "the measure `{flag}` means something else for {old} than for {new}: both must be similarities or \
                     both distances, and take whole numbers or any: rename one of them"
                );
            }
        }
    }

    /// Refuses a family or a method whose name is wrong or taken.
    pub(crate) fn check_entry(&self, entry: &Entry) {
        let name = entry.name;
        check_name("family or method", name);
        let is_same = |known: &Entry| known.distance == entry.distance && known.name == name;
        assert!(
            !self.entries.iter().any(is_same),
            "two families or methods over one distance of the kind `{}` are called `{name}`: rename one of them, or \
             let it join once",
            entry.kind
        );
    }
}

/// Names are typed on command lines and written in files.
fn check_name(what: &str, name: &str) {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_right = name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && name.bytes().all(is_plain);
    assert!(
        is_right,
        "the {what} `{name}` must be called by lower-case letters, digits and dashes, starting with a letter"
    );
}
