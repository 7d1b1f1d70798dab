//! From one file to many runs.
//!
//! `[sweep]` has lists of values for any keys, and means a run for each combination of them; `[[sweep]]` is a list of such
//! tables, one after the other, for runs that differ in several keys at once. In both, a list is always a list of
//! alternatives: a setting that is a list itself stands in a list. A second way to name runs was rejected, as a table
//! without lists is one run already.

use crate::{
    Error,
    tree::{Source, Tree, Value},
};

/// The most runs of one file.
const RUNS: usize = 1000;

/// One run: what sets it apart, and all that the file says for it.
#[derive(Clone, Debug)]
pub(crate) struct Case<'a> {
    /// Such as `bands=20 rows=5`; empty for the only run of a file.
    pub(crate) label: String,
    pub(crate) tree: Tree<'a>,
}

/// Puts the small form of an experiment over it, if it is asked for, and forgets it otherwise.
pub(crate) fn shrink<'a>(
    source: Source<'a>,
    tree: &mut Tree<'a>,
    small: bool,
) -> Result<(), Error> {
    let Some(value) = tree.remove("small") else {
        return Ok(());
    };
    let span = value.span();
    let Some(form) = Tree::of(value) else {
        return Err(source.wrong(span, "small is a table of settings: [small]"));
    };
    if small {
        for (path, value) in form.leaves() {
            let set = tree.set(&path, value);
            set.map_err(|error| form.located(source, error))?;
        }
    }
    Ok(())
}

/// The runs of a file, in its order.
pub(crate) fn cases<'a>(source: Source<'a>, mut tree: Tree<'a>) -> Result<Vec<Case<'a>>, Error> {
    let Some(sweep) = tree.remove("sweep") else {
        let label = String::new();
        return Ok(vec![Case { label, tree }]);
    };
    let span = sweep.span();
    let grids = match sweep.get_ref().as_array() {
        Some(grids) => grids.iter().cloned().collect(),
        None => vec![sweep],
    };
    let mut cases = Vec::new();
    for grid in grids {
        let here = grid.span();
        let Some(grid) = Tree::of(grid) else {
            let message = "sweep is a table of lists, [sweep], or a list of tables, [[sweep]]";
            return Err(source.wrong(here, message));
        };
        cases.extend(combinations(source, &tree, &grid)?);
        if cases.len() > RUNS {
            let message = format!("the sweep has more than {RUNS} runs");
            return Err(source.wrong(span, message));
        }
    }
    if cases.is_empty() {
        return Err(source.wrong(span, "the sweep has no values"));
    }
    Ok(cases)
}

/// A run for each combination of the values of a grid; the last key varies fastest.
fn combinations<'a>(
    source: Source<'a>,
    tree: &Tree<'a>,
    grid: &Tree<'a>,
) -> Result<Vec<Case<'a>>, Error> {
    let mut cases = vec![Case {
        label: String::new(),
        tree: tree.clone(),
    }];
    for (path, value) in grid.leaves() {
        let span = value.span();
        if ["sweep", "small", "output"]
            .iter()
            .any(|key| path == *key || path.starts_with(&format!("{key}.")))
        {
            let message = format!("{path} is the same for all runs of a file");
            return Err(source.wrong(span, message));
        }
        let alternatives: Vec<Value<'a>> = match value.get_ref().as_array() {
            Some(array) => array.iter().cloned().collect(),
            None => vec![value],
        };
        if alternatives.is_empty() {
            return Err(source.wrong(span, format!("no values for {path}")));
        }
        if cases.len() * alternatives.len() > RUNS {
            return Err(source.wrong(span, format!("the sweep has more than {RUNS} runs")));
        }
        let mut next = Vec::with_capacity(cases.len() * alternatives.len());
        for case in &cases {
            for value in &alternatives {
                let mut case = case.clone();
                if !case.label.is_empty() {
                    case.label.push(' ');
                }
                case.label += &label(&path, source.said(value.span()));
                let set = case.tree.set(&path, value.clone());
                set.map_err(|error| grid.located(source, error))?;
                next.push(case);
            }
        }
        cases = next;
    }
    Ok(cases)
}

/// What a key and its value are called: `bands=20`, `amplify=or:4,and:2`; a family by its name alone.
fn label(path: &str, said: &str) -> String {
    const LONGEST: usize = 60;
    let quotes = ['"', '\''];
    let mut said = match said.starts_with(quotes) {
        true => said.trim_matches(quotes).to_owned(),
        false => {
            let apart = said.replace([' ', '\n'], "").replace("],[", ";");
            let brackets = ['[', ']', '{', '}', '"', '\''];
            apart.replace(brackets, "").replace('=', ":")
        }
    };
    if let Some((end, _)) = said.char_indices().nth(LONGEST) {
        said.truncate(end);
        said.push('…');
    }
    match path.rsplit('.').next().unwrap_or_default() {
        "name" => said,
        key => format!("{key}={said}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Result<Vec<String>, String> {
        let source = Source {
            name: "x.toml",
            text,
        };
        let tree = Tree::parse(source).map_err(|error| error.to_string())?;
        let cases = cases(source, tree).map_err(|error| error.to_string())?;
        Ok(cases.into_iter().map(|case| case.label).collect())
    }

    #[test]
    fn a_grid_has_every_combination() {
        let text = "[sweep]\nfamily.name = [\"a\", \"b\"]\nbands = [1, 2]";
        let wanted = ["a bands=1", "a bands=2", "b bands=1", "b bands=2"];
        assert_eq!(labels(text).unwrap(), wanted);
        assert_eq!(labels("seed = 1").unwrap(), [""]);
        let lists = "[sweep]\nfamily.permutations = [[[2, 1],\n [1, 2]]]";
        assert_eq!(labels(lists).unwrap(), ["permutations=2,1;1,2"]);
    }

    #[test]
    fn a_list_of_grids_is_one_after_the_other() {
        let text = "[[sweep]]\nbands = 50\nrows = 2\n[[sweep]]\namplify = [[{ and = 2 }]]";
        assert_eq!(labels(text).unwrap(), ["bands=50 rows=2", "amplify=and:2"]);
    }

    #[test]
    fn values_keep_their_place() {
        let text = "bands = 1\n[sweep]\nbands = [7,\n  8]";
        let source = Source {
            name: "x.toml",
            text,
        };
        let cases = cases(source, Tree::parse(source).unwrap()).unwrap();
        let span = cases[1].tree.get("bands").unwrap().span();
        assert_eq!(source.said(span), "8");
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let refused = |text: &str| labels(text).unwrap_err();
        assert_eq!(
            refused("[sweep]\nbands = []"),
            "x.toml:2:9: no values for bands"
        );
        assert!(refused("sweep = 3").contains("x.toml:1:9: sweep is a table of lists"));
        assert!(refused("[sweep]\noutput.dir = [\"a\", \"b\"]").contains("the same for all runs"));
        let many = format!("[sweep]\na = {0:?}\nb = {0:?}", (0..40).collect::<Vec<_>>());
        assert!(refused(&many).contains("more than 1000 runs"));
        let through = "bands = 1\n[sweep]\nbands.few = [1]";
        assert!(refused(through).contains("which is no table"));
    }

    #[test]
    fn the_small_form_goes_over_the_file() {
        let text = "seeds = 200\n[data.generate.pairs]\neach = 40\n[small]\nseeds = 2\ndata.generate.pairs.each = 3";
        let source = Source {
            name: "x.toml",
            text,
        };
        for (small, wanted) in [(false, ["200", "40"]), (true, ["2", "3"])] {
            let mut tree = Tree::parse(source).unwrap();
            shrink(source, &mut tree, small).unwrap();
            let said = ["seeds", "data.generate.pairs.each"]
                .map(|path| source.said(tree.get(path).unwrap().span()));
            assert_eq!(said, wanted);
            assert!(tree.get("small").is_none());
        }
    }
}
