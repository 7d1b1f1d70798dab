//! The engine finds what the definition says, for both problems of the textbook.

use lookalike_core::{LshFamily, LshFunctions, Scheme};
use lookalike_engine::{BucketIndex, Columns, Join, Joined};
use lookalike_fingerprint::{GridSquares, Model, SquareFunctions, Squares};

const TOTAL: u32 = 256;

/// Two prints of each of 40 fingers, and two that hold nothing.
fn prints() -> Vec<Squares> {
    let empty = Squares::none(TOTAL).unwrap();
    let fingers = (0..40).flat_map(|finger| {
        let one = Model::BOOK.print(TOTAL, finger).unwrap();
        let again = Model::BOOK.again(&one, finger);
        [one, again]
    });
    fingers.chain([empty.clone(), empty]).collect()
}

/// The definition, word for word: in each group, a function whose squares hold minutiae of both prints.
fn meet(functions: &SquareFunctions, groups: usize, a: &Squares, b: &Squares) -> bool {
    let all: Vec<&[u32]> = functions.squares().collect();
    let both = |squares: &&[u32]| squares.iter().all(|&s| a.contains(s) && b.contains(s));
    all.chunks(all.len() / groups)
        .all(|group| group.iter().any(&both))
}

#[test]
fn many_to_many_and_many_to_one() {
    let prints = prints();
    for (steps, groups) in [("or:300", 1), ("or:1024,and:2", 2)] {
        let scheme: Scheme = steps.parse().unwrap();
        let source = GridSquares::new(TOTAL)
            .unwrap()
            .amplify(scheme)
            .draw(5)
            .unwrap();
        let met = |a: usize, b: usize| meet(source.functions(), groups, &prints[a], &prints[b]);
        assert_eq!(source.functions().len() % groups, 0);

        // Many-to-many: everything inside each bucket, a pair once.
        let wanted: Vec<(usize, usize)> = (0..prints.len())
            .flat_map(|b| (0..b).map(move |a| (a, b)))
            .filter(|&(a, b)| met(a, b))
            .collect();
        let columns = Columns::build(&source, &prints).unwrap();
        let Joined { found, summary } = Join::new(&columns).candidates();
        let mut found: Vec<_> = found
            .iter()
            .map(|pair| (pair.a() as usize, pair.b() as usize))
            .collect();
        found.sort_unstable_by_key(|&(a, b)| (b, a));
        assert_eq!(found, wanted, "{steps}");
        assert_eq!(summary.heavy_buckets, 0);
        assert!(wanted.len() > 20, "{} pairs show something", wanted.len());

        // Many-to-one: the buckets of the database are computed in advance.
        let (database, scene) = prints.split_at(50);
        let index = BucketIndex::build(source.clone(), database).unwrap();
        let mut query = index.query();
        for (place, print) in (50..).zip(scene) {
            let wanted = (0..50u32).filter(|&id| met(id as usize, place));
            assert!(query.candidates(print).unwrap().iter().copied().eq(wanted));
        }
    }
}

#[test]
fn a_print_in_no_bucket_meets_nobody() {
    let prints = prints();
    let source = GridSquares::new(TOTAL)
        .unwrap()
        .or(1024)
        .and(2)
        .draw(5)
        .unwrap();
    let columns = Columns::build(&source, &prints).unwrap();
    let empty = prints.len() as u32 - 1;
    assert!(columns.keys(0, empty).is_empty());
    let candidates = Join::new(&columns).candidates().found;
    assert!(candidates.iter().all(|pair| pair.b() < empty - 1));
    let index = BucketIndex::build(source, &prints).unwrap();
    assert!(
        index
            .query()
            .candidates(&prints[empty as usize])
            .unwrap()
            .is_empty()
    );
}
