//! The schema in a footer, as the parquet crate will read it.
//!
//! The crate knows fields by their numbers and does not look at the kinds they are written
//! with. So a known field of another kind is refused here: after it the crate would read on
//! at another place, and find children there that were not looked at.

use super::thrift::{Fault, Kind, Values};

/// Groups within groups.
const DEEPEST: usize = 64;

/// What a known field must be.
enum Shape {
    Boolean,
    Byte,
    Integer,
    Binary,
    Struct(&'static [(i64, Shape)]),
}

const EMPTY: Shape = Shape::Struct(&[]);

const UNIT: Shape = Shape::Struct(&[(1, EMPTY), (2, EMPTY), (3, EMPTY)]);

const TIME: Shape = Shape::Struct(&[(1, Shape::Boolean), (2, UNIT)]);

const LOGICAL: Shape = Shape::Struct(&[
    (1, EMPTY),
    (2, EMPTY),
    (3, EMPTY),
    (4, EMPTY),
    (
        5,
        Shape::Struct(&[(1, Shape::Integer), (2, Shape::Integer)]),
    ),
    (6, EMPTY),
    (7, TIME),
    (8, TIME),
    (10, Shape::Struct(&[(1, Shape::Byte), (2, Shape::Boolean)])),
    (11, EMPTY),
    (12, EMPTY),
    (13, EMPTY),
    (14, EMPTY),
    (15, EMPTY),
    (16, Shape::Struct(&[(1, Shape::Byte)])),
    (17, Shape::Struct(&[(1, Shape::Binary)])),
    (
        18,
        Shape::Struct(&[(1, Shape::Binary), (2, Shape::Integer)]),
    ),
]);

/// The number of children.
const CHILDREN: i64 = 5;

const ELEMENT: &[(i64, Shape)] = &[
    (1, Shape::Integer),
    (2, Shape::Integer),
    (3, Shape::Integer),
    (4, Shape::Binary),
    (CHILDREN, Shape::Integer),
    (6, Shape::Integer),
    (7, Shape::Integer),
    (8, Shape::Integer),
    (9, Shape::Integer),
    (10, LOGICAL),
];

/// How many children each element of the list that follows has.
pub(super) fn children(values: &mut Values<'_>) -> Result<Vec<usize>, Fault> {
    let (len, kind) = values.list()?;
    if kind != Kind::Struct && len > 0 {
        return Err(Fault::Malformed);
    }
    let mut all = Vec::new();
    for _ in 0..len {
        let mut children = 0;
        values.fields(|values, number, kind| {
            if (number, kind) == (CHILDREN, Kind::Integer) {
                children = values.small()? as usize;
                return Ok(true);
            }
            expect(values, ELEMENT, number, kind)
        })?;
        all.push(children);
    }
    Ok(all)
}

/// Refuses a known field of another kind, and says whether it was read.
fn expect(
    values: &mut Values<'_>,
    known: &'static [(i64, Shape)],
    number: i64,
    kind: Kind,
) -> Result<bool, Fault> {
    let shape = known.iter().find(|(of, _)| *of == number);
    match (shape.map(|(_, shape)| shape), kind) {
        (Some(Shape::Struct(known)), Kind::Struct) => {
            values.fields(|values, number, kind| expect(values, known, number, kind))?;
            Ok(true)
        }
        (None, _)
        | (Some(Shape::Boolean), Kind::True | Kind::False)
        | (Some(Shape::Byte), Kind::Byte)
        | (Some(Shape::Integer), Kind::Integer)
        | (Some(Shape::Binary), Kind::Binary) => Ok(false),
        _ => Err(Fault::Malformed),
    }
}

/// Whether these numbers of children, each node before its children, are those of one tree
/// that is not too deep.
pub(super) fn is_tree(children: &[usize]) -> bool {
    // Children that are still to come, at each level.
    let mut open = vec![1];
    for (place, &below) in children.iter().enumerate() {
        while open.last() == Some(&0) {
            open.pop();
        }
        match open.last_mut() {
            Some(left) => *left -= 1,
            None => return false,
        }
        if below > children.len() - place - 1 || open.len() > DEEPEST {
            return false;
        }
        open.push(below);
    }
    open.iter().all(|&left| left == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_one_tree() {
        assert!(is_tree(&[0]));
        assert!(is_tree(&[2, 0, 0]));
        assert!(is_tree(&[2, 1, 0, 3, 0, 0, 0]));
        assert!(!is_tree(&[]));
        assert!(!is_tree(&[2, 0]));
        assert!(!is_tree(&[1, 0, 0]));
        assert!(!is_tree(&[i32::MAX as usize, 0, 0]));
        let chain = |len: usize| [vec![1; len], vec![0]].concat();
        assert!(is_tree(&chain(DEEPEST - 1)));
        assert!(!is_tree(&chain(DEEPEST + 1)));
    }

    #[test]
    fn a_known_field_has_its_kind() {
        let read = |element: &[u8]| children(&mut Values::new(&[&[0x1C], element].concat()));
        // 4: name; 5: 2 children; 10: { 5: { 1: scale, 2: precision } }; 20: true.
        let element = [
            0x48, 1, b'a', 0x15, 4, 0x5C, 0x5C, 0x15, 2, 0x15, 4, 0, 0, 0xA1, 0,
        ];
        assert_eq!(read(&element), Ok(vec![2]));
        // The name as an integer, children as bytes, a precision as a double; in each case
        // another field of 5 could hide in what the crate reads.
        for (place, byte) in [
            (0, 0x45),
            (3, 0x18),
            (3, 0x13),
            (9, 0x17),
            (5, 0x58),
            (6, 0x53),
        ] {
            let mut other = element;
            other[place] = byte;
            assert_eq!(read(&other), Err(Fault::Malformed), "{place}: {byte:x}");
        }
        // Booleans have no list here, and an empty one no kind.
        assert_eq!(
            children(&mut Values::new(&[0x18, 0])),
            Err(Fault::Malformed)
        );
        assert_eq!(children(&mut Values::new(&[0])), Ok(vec![]));
    }
}
