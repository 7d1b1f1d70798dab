//! The paths under which outputs mirror the inputs.

use crate::Format;
use crate::inputs::Input;
use lookalike_core::plugin::shown;
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// What a file is called: its path as it is seen from the base.
pub(crate) fn given(path: &Path, base: Option<&Path>) -> String {
    let name = shown(path);
    let below = base.and_then(|base| {
        // As text, so that `./a` stays what it is.
        let below = name.strip_prefix(shown(base).trim_end_matches('/'))?;
        below.strip_prefix('/').map(str::to_owned)
    });
    below.unwrap_or(name)
}

/// The name without what says that it is compressed.
pub(crate) fn uncompressed(path: &Path) -> PathBuf {
    match path.extension().and_then(|e| e.to_str()) {
        Some(e)
            if ["gz", "zst", "zstd"]
                .iter()
                .any(|c| e.eq_ignore_ascii_case(c)) =>
        {
            path.with_extension("")
        }
        _ => path.to_owned(),
    }
}

/// A relative path for every input, all different.
///
/// Files keep the part of their path below the deepest folder that holds all of them. A
/// name that is taken, as `a.jsonl` beside `a.jsonl.gz`, gets a number: `a-2.jsonl`.
/// Names that differ by case alone count as taken, since some file systems think so.
pub(crate) fn mirrors(files: &[(&Input, Format)]) -> Vec<PathBuf> {
    let wanted: Vec<Vec<String>> = below_common_folder(files);
    let folders: HashSet<String> = wanted
        .iter()
        .flat_map(|parts| (1..parts.len()).map(|n| folded(&parts[..n])))
        .collect();
    let mut taken = HashSet::new();
    wanted
        .into_iter()
        .map(|mut parts| {
            let name = parts.pop().unwrap_or_default();
            let mut number = 1u64;
            loop {
                parts.push(numbered(&name, number));
                let key = folded(&parts);
                if !folders.contains(&key) && taken.insert(key) {
                    return parts.iter().collect();
                }
                parts.pop();
                number += 1;
            }
        })
        .collect()
}

fn folded(parts: &[String]) -> String {
    parts.join("/").to_lowercase()
}

fn numbered(name: &str, number: u64) -> String {
    if number == 1 {
        return name.to_owned();
    }
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => format!("{stem}-{number}.{extension}"),
        _ => format!("{name}-{number}"),
    }
}

/// The parts of each path below the folder that holds all.
fn below_common_folder(files: &[(&Input, Format)]) -> Vec<Vec<String>> {
    let paths: Vec<Option<Vec<String>>> = files
        .iter()
        .map(|(input, _)| input.path().map(parts))
        .collect();
    let mut common: Option<&[String]> = None;
    for path in paths.iter().flatten() {
        let folder = &path[..path.len().saturating_sub(1)];
        common = Some(match common {
            None => folder,
            Some(common) => {
                let same = common
                    .iter()
                    .zip(folder)
                    .take_while(|(a, b)| a == b)
                    .count();
                &common[..same]
            }
        });
    }
    let skip = common.map_or(0, <[String]>::len);
    paths
        .iter()
        .zip(files)
        .map(|(path, (_, format))| match path {
            Some(path) => path[skip..].to_vec(),
            None => vec![format!("stdin.{}", format.layout().facts().stdin_extension)],
        })
        .collect()
}

/// The names along an absolute path; what is not Unicode in them is replaced.
fn parts(path: &Path) -> Vec<String> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut parts = Vec::new();
    for component in uncompressed(&path).components() {
        match component {
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::ParentDir => {
                parts.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    if parts.is_empty() {
        parts.push("input".to_owned());
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(paths: &[&str]) -> Vec<String> {
        let inputs: Vec<Input> = paths
            .iter()
            .map(|p| match *p {
                "-" => Input::Stdin,
                p => Input::File(p.into()),
            })
            .collect();
        let files: Vec<_> = inputs.iter().map(|i| (i, Format::Jsonl)).collect();
        mirrors(&files)
            .iter()
            .map(|p| p.to_str().unwrap().replace('\\', "/"))
            .collect()
    }

    #[test]
    fn a_mirror_is_the_path_below_the_common_folder() {
        assert_eq!(of(&["/d/a.jsonl"]), ["a.jsonl"]);
        assert_eq!(
            of(&["/d/x/a.jsonl", "/d/y/a.jsonl.gz"]),
            ["x/a.jsonl", "y/a.jsonl"]
        );
        assert_eq!(of(&["/d/../e/a.txt.ZST", "/e/b"]), ["a.txt", "b"]);
        assert_eq!(
            of(&["/d/a", "-", "/e/f/g"]),
            ["d/a", "stdin.jsonl", "e/f/g"]
        );
        assert_eq!(of(&["../a", "./b"]).len(), 2);
    }

    #[test]
    fn no_two_mirrors_are_the_same_or_in_each_others_way() {
        assert_eq!(
            of(&[
                "/d/a.jsonl",
                "/d/a.jsonl.gz",
                "/d/A.jsonl.zst",
                "/d/a-2.jsonl"
            ]),
            ["a.jsonl", "a-2.jsonl", "A-3.jsonl", "a-2-2.jsonl"]
        );
        assert_eq!(of(&["/d/a.gz", "/d/a/b"]), ["a-2", "a/b"]);
        assert_eq!(
            of(&["-", "/d/stdin.jsonl"]),
            ["stdin.jsonl", "stdin-2.jsonl"]
        );
        assert_eq!(of(&["/d/.gz", "/d/x"]), [".gz", "x"]);
    }
}
