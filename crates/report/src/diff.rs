//! Which words of two texts are not at the same place in both.

use imara_diff::{Algorithm, Diff, InternedInput};

/// A stretch of a text, and whether it is in this one only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a str,
    pub(crate) alone: bool,
}

/// Both texts in pieces, by the differences of their words that Myers' algorithm finds. If the texts differ so much that a
/// shortest list of differences would take too long, the list is somewhat longer.
pub(crate) fn pieces<'a>(left: &'a str, right: &'a str) -> [Vec<Piece<'a>>; 2] {
    let mut words = InternedInput::default();
    words.update_before(left.split_whitespace());
    words.update_after(right.split_whitespace());
    let diff = Diff::compute(Algorithm::Myers, &words);
    [
        cut(left, |word| diff.is_removed(word)),
        cut(right, |word| diff.is_added(word)),
    ]
}

/// A text cut where words begin or end to be in both; white space between words of one kind stays with them.
fn cut(text: &str, is_alone: impl Fn(u32) -> bool) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut add = |to: usize, alone: bool| {
        if from < to {
            let text = &text[from..to];
            pieces.push(Piece { text, alone });
        }
        from = to;
    };
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let mut words = (0..).zip(text.split_whitespace()).peekable();
    while let Some((place, word)) = words.next() {
        if !is_alone(place) {
            continue;
        }
        add(start(word), false);
        let mut last = word;
        while let Some((_, word)) = words.next_if(|&(place, _)| is_alone(place)) {
            last = word;
        }
        add(start(last) + last.len(), true);
    }
    add(text.len(), false);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(left: &str, right: &str) -> [String; 2] {
        pieces(left, right).map(|pieces| {
            let marked = pieces.iter().map(|piece| match piece.alone {
                true => format!("[{}]", piece.text),
                false => piece.text.into(),
            });
            marked.collect()
        })
    }

    #[test]
    fn what_differs_is_marked() {
        assert_eq!(
            shown(
                "the dog which chased the cat",
                "the dog that chased the cat"
            ),
            [
                "the dog [which] chased the cat",
                "the dog [that] chased the cat"
            ]
        );
        assert_eq!(shown("a  b c", "d a"), ["a  [b c]", "[d] a"]);
        assert_eq!(shown("", "new words"), ["", "[new words]"]);
        assert_eq!(shown(" same ", "same"), [" same ", "same"]);
    }

    #[test]
    fn long_texts_are_compared_too() {
        let numbers = |from: u32| (from..from + 100_000).map(|n| format!("{n} ")).collect();
        let (left, right): (String, String) = (numbers(0), numbers(7));
        let [left, right] = shown(&left, &right);
        assert!(left.starts_with("[0 1 2 3 4 5 6] 7") && !left[20..].contains('['));
        assert!(right.ends_with(" [100000 100001 100002 100003 100004 100005 100006] "));
        let apart = shown(&"a ".repeat(100_000), &"b ".repeat(100_000));
        assert!(
            apart
                .iter()
                .all(|text| text.starts_with('[') && text.ends_with("] "))
        );
    }

    proptest! {
        #[test]
        fn pieces_are_the_text(left in "[ab ]{0,20}", right in "[ab ]{0,20}") {
            let [a, b] = pieces(&left, &right);
            let whole = |pieces: &[Piece]| pieces.iter().map(|piece| piece.text).collect::<String>();
            prop_assert_eq!(whole(&a), &left[..]);
            prop_assert_eq!(whole(&b), &right[..]);
            let kept = |pieces: &[Piece]| {
                let shared = pieces.iter().filter(|piece| !piece.alone);
                shared.flat_map(|piece| piece.text.split_whitespace()).map(str::to_owned).collect::<Vec<_>>()
            };
            prop_assert_eq!(kept(&a), kept(&b));
        }
    }
}
