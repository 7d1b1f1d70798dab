//! Which words of two texts are not at the same place in both.

/// Words of a text that are compared; a table of the square of it is filled.
const MOST: usize = 1500;

/// A stretch of a text, and whether it is in this one only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a str,
    pub(crate) alone: bool,
}

/// Both texts in pieces, by a longest common subsequence of their words. Texts that differ in too many words for that are
/// one piece each, as nothing would stand out in them.
pub(crate) fn pieces<'a>(left: &'a str, right: &'a str) -> [Vec<Piece<'a>>; 2] {
    let (a, b) = (words(left), words(right));
    let same = |(x, y): &(&(usize, &str), &(usize, &str))| x.1 == y.1;
    let before = a.iter().zip(&b).take_while(same).count();
    let (a_rest, b_rest) = (&a[before..], &b[before..]);
    let after = a_rest
        .iter()
        .rev()
        .zip(b_rest.iter().rev())
        .take_while(same)
        .count();
    let (a_middle, b_middle) = (
        &a_rest[..a_rest.len() - after],
        &b_rest[..b_rest.len() - after],
    );
    let mut shared = [vec![true; a.len()], vec![true; b.len()]];
    if a_middle.len().max(b_middle.len()) <= MOST {
        shared[0][before..before + a_middle.len()].fill(false);
        shared[1][before..before + b_middle.len()].fill(false);
        for (i, j) in common(a_middle, b_middle) {
            shared[0][before + i] = true;
            shared[1][before + j] = true;
        }
    }
    [cut(left, &a, &shared[0]), cut(right, &b, &shared[1])]
}

/// The words of a text with where they begin.
fn words(text: &str) -> Vec<(usize, &str)> {
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace()
        .map(|word| (start(word), word))
        .collect()
}

/// The places of a longest common subsequence.
fn common(a: &[(usize, &str)], b: &[(usize, &str)]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut longest = vec![0u16; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let (down, right) = (longest[(i + 1) * width + j], longest[i * width + j + 1]);
            longest[i * width + j] = if a[i].1 == b[j].1 {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                down.max(right)
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut places = Vec::new();
    while i < a.len() && j < b.len() {
        if a[i].1 == b[j].1 {
            places.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    places
}

/// A text cut where words begin or end to be shared; white space between words of one kind stays with them.
fn cut<'a>(text: &'a str, words: &[(usize, &str)], shared: &[bool]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut add = |to: usize, alone: bool| {
        if from < to {
            let text = &text[from..to];
            pieces.push(Piece { text, alone });
        }
        from = to;
    };
    let mut words = words.iter().zip(shared).peekable();
    while let Some((&(start, word), &in_both)) = words.next() {
        if in_both {
            continue;
        }
        add(start, false);
        let mut end = start + word.len();
        while let Some((&(start, word), _)) = words.next_if(|(_, in_both)| !**in_both) {
            end = start + word.len();
        }
        add(end, true);
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
    fn long_texts_are_left_as_they_are() {
        let (left, right) = ("a ".repeat(2000), "b ".repeat(2000));
        assert_eq!(shown(&left, &right), [left.clone(), right]);
        let (left, right) = ("a ".repeat(5000) + "x", "a ".repeat(5000) + "y");
        assert!(shown(&left, &right)[0].ends_with("[x]"));
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
