//! Every registered family and method, in every verb, against brute force.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Duration,
};

use lookalike::{
    Near, Pair, builtin,
    digest::{generate::edited_files, plugin::DigestKind},
    fingerprint::{
        Model,
        generate::{Finger, Impression},
        plugin::{Print, SquareSet, SquareSets},
    },
    hamming::{Codes, generate, plugin::Code},
    minhash::{
        Weights,
        generate::sets_with,
        plugin::{Hashed, Set, Sets, Text, Texts, WeightedSet},
    },
    plugin::{Generator, Kind, Recall},
    random,
    search::{Dataset, Entry, Id, Index, Plan, Registry, Request, Wanted},
    strings::{
        Strings,
        plugin::{StringKind, StringPairs},
    },
    vector::{Vectors, generate as vectors, plugin::Vector},
};
use rand::RngExt;

/// Items of one kind with pairs near a threshold, the threshold, and how the measure is called.
struct Case {
    measure: &'static str,
    threshold: f64,
    data: Dataset,
    queries: Dataset,
}

/// Pairs of sets around a Jaccard similarity of 0.6, and unrelated ones.
fn sets() -> Vec<Vec<u64>> {
    let mut sets = Vec::new();
    for number in 0..150u64 {
        let similarity = [0.5, 0.6, 0.6, 0.7, 0.9][number as usize % 5];
        let pair = sets_with(60, similarity, number).unwrap();
        sets.push(pair.a().to_vec());
        sets.push(pair.b().to_vec());
    }
    // Copies and empty sets.
    sets.push(sets[0].clone());
    sets.extend([Vec::new(), Vec::new()]);
    sets
}

fn set_items() -> Sets {
    let mut items = Sets::default();
    // Small numbers, so that permutations of all rows fit in memory.
    sets()
        .into_iter()
        .for_each(|set| items.push(set.into_iter().map(|x| x % 5000)));
    items
}

fn texts() -> Texts {
    let mut texts = Texts::default();
    for set in sets() {
        let words: Vec<String> = set
            .iter()
            .map(|word| format!("w{}", word % 100_000))
            .collect();
        texts.push(&words.join(" "));
    }
    texts
}

fn codes(bits: usize) -> Codes {
    let mut codes = generate::clustered(bits, 500, 100, 0.06, 1).unwrap();
    let first = codes.get(0).to_vec();
    codes.push(&first).unwrap();
    codes
}

/// Vectors around centres, a copy, and two without a direction.
fn embeddings() -> Vectors {
    let (mut embeddings, _) = vectors::clustered(16, 500, 100, 0.1, 1).unwrap();
    let first = embeddings.get(0).to_vec();
    for more in [&first[..], &[0.0; 16], &[0.0; 16]] {
        embeddings.push(more).unwrap();
    }
    embeddings
}

fn weights() -> Vec<Weights> {
    let weighted = |set: Vec<u64>| {
        let pairs = set
            .into_iter()
            .map(|element| (element, 1.0 + (element % 3) as f64));
        Weights::new(pairs).unwrap()
    };
    sets().into_iter().map(weighted).collect()
}

fn prints() -> Vec<lookalike::fingerprint::Template> {
    let print = |number: u64| Impression::default().of(&Finger::new(number / 3), number % 3);
    (0..60).map(print).collect()
}

fn squares() -> SquareSets {
    let mut items = SquareSets::default();
    for finger in 0..60 {
        let print = Model::BOOK.print(256, finger).unwrap();
        items.push(Model::BOOK.again(&print, finger)).unwrap();
        items.push(print).unwrap();
    }
    items
}

/// Pairs of strings, with copies, empty ones and strings of fewer letters than edits.
fn strings() -> Strings {
    let pairs = StringPairs {
        length: 24,
        distances: vec![1, 2, 3, 4],
        each: 60,
        others: 100,
        ..StringPairs::default()
    };
    let mut items = pairs.generate().unwrap().items;
    for string in ["", "", "é", "e\u{301}", "rose", "nose", "rose"] {
        items.push(string);
    }
    items
}

fn dataset<K: Kind>(make: impl Fn() -> K::Items) -> [Dataset; 2] {
    [make(), make()].map(Dataset::new::<K>)
}

/// Some items for each distance: a kind and the first of its measures.
fn case(kind: &str, measure: &'static str) -> Case {
    let (threshold, [data, queries]) = match (kind, measure) {
        ("text", "jaccard") => (0.3, dataset::<Text>(texts)),
        ("set", "jaccard") => (0.6, dataset::<Set>(set_items)),
        ("hashed", "jaccard") => (0.6, dataset::<Hashed>(set_items)),
        ("weighted-set", "jaccard") => (0.6, dataset::<WeightedSet>(weights)),
        ("code", "hamming") => (10.0, dataset::<Code>(|| codes(64))),
        ("digest", "tlsh") => (
            30.0,
            dataset::<DigestKind>(|| edited_files(60, 4, 400, 0.02, 1)),
        ),
        ("print", "score") => (10.0, dataset::<Print>(prints)),
        ("squares", "uncommon") => (0.9, dataset::<SquareSet>(squares)),
        ("squares", "jaccard") => (0.5, dataset::<SquareSet>(squares)),
        ("vector", "cosine") => (0.98, dataset::<Vector>(embeddings)),
        ("vector", "euclidean") => (0.6, dataset::<Vector>(embeddings)),
        ("vector", "l1") => (2.0, dataset::<Vector>(embeddings)),
        ("vector", "dot") => (18.0, dataset::<Vector>(embeddings)),
        ("string", "edits") => (3.0, dataset::<StringKind>(strings)),
        other => panic!("no items for {other:?}: a new distance gets some here"),
    };
    Case {
        measure,
        threshold,
        data,
        queries,
    }
}

/// The distance of a family or method, as [`case`] takes it.
fn distance(entry: &Entry) -> (&'static str, &'static str) {
    (entry.kind, entry.measures[0].flag)
}

/// Whether there are no pairs of a distance: queries and stored items play different parts.
fn is_for_queries(case: &Case) -> bool {
    case.measure == "dot"
}

fn pairs(registry: &Registry, case: &Case, plan: &Plan) -> Vec<(Pair, u64)> {
    if is_for_queries(case) {
        let answers = answers(registry, case, plan, usize::MAX);
        let answers = (0..).zip(answers).flat_map(|(id, near)| {
            let near = near.into_iter();
            near.filter_map(move |(other, distance)| Some((Pair::new(id, other)?, distance)))
        });
        let mut pairs: Vec<(Pair, u64)> = answers.collect();
        pairs.sort_unstable_by_key(|&(pair, distance)| (distance, pair));
        pairs.dedup();
        return pairs;
    }
    let search = registry.search(&case.data, plan).unwrap();
    let pairs = search.pairs(None).unwrap();
    let found: Vec<(Pair, u64)> = pairs
        .iter()
        .map(|found| (found.pair, found.distance.to_bits()))
        .collect();
    assert_eq!(pairs.count(), found.len() as u64);
    found
}

fn answers(registry: &Registry, case: &Case, plan: &Plan, k: usize) -> Vec<Vec<(u32, u64)>> {
    let search = registry.search(&case.data, plan).unwrap();
    let asker = search.asker().unwrap();
    // In two batches, to see that places are places.
    let (all, half) = (case.queries.len(), case.queries.len() / 2);
    let mut answers = asker.ask(&case.queries, 0..half, k).unwrap();
    answers.extend(asker.ask(&case.queries, half..all, k).unwrap());
    let bits = |near: &Near| (near.id, near.distance.to_bits());
    answers
        .iter()
        .map(|near| near.iter().map(bits).collect())
        .collect()
}

fn asking(case: &Case) -> Request {
    let mut request = Request::new(case.measure, case.threshold);
    request.queries = is_for_queries(case).then(|| case.queries.len());
    request
}

fn request(entry: &Entry, case: &Case) -> Request {
    let request = asking(case).family(entry.name);
    match (entry.kind, entry.name) {
        // Few of the book's functions agree even for prints of one finger.
        (_, "grid-squares") => request.scheme("or:400".parse().unwrap()),
        // Without a promise nothing can be tuned.
        ("print", "fast-similarity") => request.scheme("and:2,or:100".parse().unwrap()),
        _ => request,
    }
}

#[test]
fn every_family_and_method_agrees_with_brute_force() {
    let registry = builtin();
    let distances: BTreeSet<_> = registry.entries().iter().map(distance).collect();
    for (kind, measure) in distances {
        let case = case(kind, measure);
        let brute = asking(&case).family("brute-force").recall(1.0);
        let brute = registry.plan(&brute, &case.data).unwrap().plan;
        assert_eq!(brute.recall, Recall::Proved(1.0));
        let all_pairs = pairs(&registry, &case, &brute);
        let all_answers = answers(&registry, &case, &brute, usize::MAX);
        let count = all_pairs.len();
        assert!(count > 20, "{kind} {measure}: {count} pairs");
        let is_of = |entry: &&Entry| distance(entry) == (kind, measure);
        for entry in registry.entries().iter().filter(is_of) {
            let request = request(entry, &case);
            check_exact(&registry, &case, &request, &all_pairs, &all_answers);
            check_recall(&registry, &case, &request, &all_pairs, &all_answers);
        }
    }
}

/// With `--exact` the same as brute force, or a message.
fn check_exact(
    registry: &Registry,
    case: &Case,
    request: &Request,
    all_pairs: &[(Pair, u64)],
    all_answers: &[Vec<(u32, u64)>],
) {
    let name = request.family.as_deref().unwrap();
    match registry.plan(&request.clone().recall(1.0), &case.data) {
        Ok(planned) => {
            assert_eq!(planned.plan.recall, Recall::Proved(1.0), "{name}");
            assert_eq!(pairs(registry, case, &planned.plan), all_pairs, "{name}");
            let found = answers(registry, case, &planned.plan, usize::MAX);
            assert_eq!(found, all_answers, "{name}");
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains("cannot promise"), "{name}: {message}");
            assert_ne!(name, "brute-force");
        }
    }
}

/// At a recall a subset of what brute force finds, and not less than what was stated, over 20 seeds.
fn check_recall(
    registry: &Registry,
    case: &Case,
    request: &Request,
    all_pairs: &[(Pair, u64)],
    all_answers: &[Vec<(u32, u64)>],
) {
    let name = request.family.as_deref().unwrap();
    let all: BTreeSet<&(Pair, u64)> = all_pairs.iter().collect();
    let (mut shares, mut stated) = (Vec::new(), Recall::Unknown);
    for seed in 0..20 {
        let planned = registry
            .plan(&request.clone().seed(seed), &case.data)
            .unwrap();
        stated = planned.plan.recall;
        let found = pairs(registry, case, &planned.plan);
        assert!(
            found.iter().all(|pair| all.contains(pair)),
            "{name}: not a subset"
        );
        assert!(
            found.is_sorted_by_key(|found| found.1),
            "{name}: not the nearest first"
        );
        shares.push(found.len() as f64 / all_pairs.len() as f64);
        if seed < 3 {
            let found = answers(registry, case, &planned.plan, usize::MAX);
            for (found, all) in found.iter().zip(all_answers) {
                let all: BTreeSet<_> = all.iter().collect();
                assert!(found.iter().all(|near| all.contains(near)), "{name}: query");
            }
        }
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    let variance = shares
        .iter()
        .map(|share| (share - mean).powi(2))
        .sum::<f64>();
    let standard_error = (variance / (19.0 * 20.0)).sqrt();
    match stated.share() {
        Some(stated) => assert!(
            mean >= stated - 4.0 * standard_error.max(1e-12),
            "{name} over {}: stated {stated}, found {mean} ± {standard_error}",
            case.data.kind()
        ),
        None => assert!(mean > 0.0, "{name} finds something"),
    }
}

/// Adds and removes documents at random, in memory and in the file; which item each id has in the end.
fn change(registry: &Registry, path: &Path, case: &Case, seed: u64) -> BTreeMap<u64, usize> {
    let mut rng = random::stream(8, seed);
    let mut index = Index::open(registry, path).unwrap();
    let mut model = BTreeMap::new();
    for _ in 0..80 {
        let (id, place) = (
            rng.random_range(0..60),
            rng.random_range(0..case.data.len()),
        );
        match rng.random_range(0..20) {
            0 => index.commit(Duration::ZERO, &()).unwrap(),
            1 => {
                index.commit(Duration::ZERO, &()).unwrap();
                Index::compact(registry, path, Duration::ZERO, &()).unwrap();
                index = Index::open(registry, path).unwrap();
            }
            2..8 => {
                let removed = index.remove(&Id::from(id)).unwrap();
                assert_eq!(removed, model.remove(&id).is_some());
            }
            _ if !model.contains_key(&id) => {
                index.insert(&Id::from(id), &case.data, place).unwrap();
                model.insert(id, place);
            }
            _ => {}
        }
    }
    index.commit(Duration::ZERO, &()).unwrap();
    model
}

/// What an index answers, to the last bit.
fn asked(index: &Index, case: &Case) -> String {
    let mut asker = index.asker().unwrap();
    let mut said = String::new();
    for (k, limit) in [
        (3, f64::INFINITY),
        (usize::MAX, index.plan().limit.unwrap()),
    ] {
        let wanted = Wanted {
            k,
            limit,
            ..Wanted::default()
        };
        for place in (0..case.queries.len()).step_by(5) {
            let answer = asker.ask(&case.queries, place, &wanted).unwrap();
            said += &format!("{:?} {}\n", answer.found, answer.has_keys);
        }
    }
    said
}

#[test]
fn an_index_with_a_history_answers_like_a_new_one() {
    let registry = builtin();
    let folder = tempfile::tempdir().unwrap();
    for (number, entry) in registry.entries().iter().enumerate() {
        let (kind, measure) = distance(entry);
        let case = case(kind, measure);
        let request = request(entry, &case).queries(1000);
        let plan = registry.plan(&request, &case.data).unwrap().plan;
        for seed in 0..2 {
            let path = folder.path().join(format!("{number}-{seed}.idx"));
            let new = || Index::new(&registry, &plan).unwrap();
            new().save(&path, false, &()).unwrap();
            let model = change(&registry, &path, &case, seed);
            let built = new();
            for (&id, &place) in &model {
                built.insert(&Id::from(id), &case.data, place).unwrap();
            }
            let changed = Index::open(&registry, &path).unwrap();
            changed.check().unwrap();
            let name = entry.name;
            assert_eq!(
                asked(&changed, &case),
                asked(&built, &case),
                "{name} over {kind}, seed {seed}"
            );
        }
    }
}

#[test]
fn plans_come_back_bit_for_bit() {
    let registry = builtin();
    let mut rng = random::stream(7, 0);
    for entry in registry.entries() {
        let (kind, measure) = distance(entry);
        let case = case(kind, measure);
        let mut request = request(entry, &case).seed(rng.next_u64());
        if case.measure == "jaccard" {
            // Thresholds with many digits: the limit must not move by one bit.
            request.threshold = Some(0.4 + 0.5 * rng.unit());
        }
        let plan = registry.plan(&request, &case.data).unwrap().plan;
        let json = serde_json::to_string(&plan).unwrap();
        let again: Plan = serde_json::from_str(&json).unwrap();
        assert_eq!(again, plan);
        assert_eq!(
            again.limit.unwrap().to_bits(),
            plan.limit.unwrap().to_bits()
        );
        assert_eq!(serde_json::to_string(&again).unwrap(), json);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let registry = builtin();
    for entry in registry.entries() {
        let (kind, measure) = distance(entry);
        let case = case(kind, measure);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let plan = registry
                    .plan(&request(entry, &case), &case.data)
                    .unwrap()
                    .plan;
                let (pairs, answers) = (
                    pairs(&registry, &case, &plan),
                    answers(&registry, &case, &plan, 5),
                );
                (plan, pairs, answers)
            })
        };
        let one = run(1);
        assert_eq!(run(2), one, "{}", entry.name);
        assert_eq!(run(7), one, "{}", entry.name);
    }
}

/// The cheapest proposal that meets the request wins, and the printed plan says why.
#[test]
fn the_plan_says_why() {
    let registry = builtin();
    let case = case("code", "hamming");
    let planned = registry
        .plan(&Request::new("hamming", 6.0).recall(1.0), &case.data)
        .unwrap();
    let shown = planned.to_string();
    assert!(
        shown.contains("501 codes of width 64, Hamming distance at most 6"),
        "{shown}"
    );
    assert!(shown.contains("finds everything"), "{shown}");
    assert!(
        shown.contains("cheapest by estimate") && shown.contains("brute-force"),
        "{shown}"
    );
    let cheapest = planned.bids.iter().map(|bid| bid.seconds).reduce(f64::min);
    assert_eq!(Some(planned.bids[0].seconds), cheapest);
    assert_eq!(planned.bids[0].family, planned.plan.family);
}

/// The most similar pairs alone.
#[test]
fn the_top_pairs_are_the_first_of_all() {
    let registry = builtin();
    for (kind, measure) in [
        ("text", "jaccard"),
        ("set", "jaccard"),
        ("weighted-set", "jaccard"),
        ("code", "hamming"),
        ("squares", "jaccard"),
        ("string", "edits"),
    ] {
        let case = case(kind, measure);
        let request = Request::new(case.measure, case.threshold);
        let plan = registry.plan(&request, &case.data).unwrap().plan;
        let search = registry.search(&case.data, &plan).unwrap();
        let all: Vec<_> = search.pairs(None).unwrap().iter().collect();
        let some: Vec<_> = search.pairs(Some(10)).unwrap().iter().take(10).collect();
        assert_eq!(some, all[..10], "{kind}");
    }
}

/// The same limit, stated as a distance and as a similarity.
#[test]
fn squares_are_measured_by_what_is_common_or_not() {
    let registry = builtin();
    let case = case("squares", "uncommon");
    let found = |measure: &str, threshold| {
        let request = Request::new(measure, threshold).family("brute-force");
        let plan = registry.plan(&request, &case.data).unwrap().plan;
        pairs(&registry, &case, &plan)
    };
    assert_eq!(found("common", 0.1), found("uncommon", 0.9));
}

/// What a name means if no kind is given: the first family of that name.
#[test]
fn the_first_of_a_name_is_the_usual_one() {
    let registry = builtin();
    for (name, kind) in [
        ("fast-similarity", "text"),
        ("universal", "text"),
        ("permutation", "set"),
        ("one-pass", "set"),
        ("consistent-weighted", "weighted-set"),
        ("bit-sampling", "code"),
        ("multi-probe", "code"),
        ("blocks", "code"),
        ("hyperplanes", "vector"),
        ("random-lines", "vector"),
        ("grid-squares", "squares"),
        ("local-triples", "print"),
        ("deletions", "string"),
        ("partitions", "string"),
        ("cgk", "string"),
        ("order-minhash", "string"),
        ("brute-force", "text"),
    ] {
        let first = registry.entries().iter().find(|entry| entry.name == name);
        assert_eq!(first.unwrap().kind, kind, "{name}");
    }
    let of_prints = registry.entries().iter().filter(|it| it.kind == "print");
    let of_prints: BTreeSet<&str> = of_prints.map(|entry| entry.name).collect();
    let expected = [
        "brute-force",
        "fast-similarity",
        "grid-squares",
        "local-triples",
    ];
    assert!(of_prints.into_iter().eq(expected));
}

/// Families that promise nothing say what they need.
#[test]
fn prints_under_a_grid_need_a_scheme() {
    let registry = builtin();
    let case = case("print", "score");
    for name in ["grid-squares", "fast-similarity"] {
        let request = Request::new("score", 10.0).family(name);
        let wrong = registry.plan(&request, &case.data).unwrap_err().to_string();
        assert!(wrong.contains("needs bands and rows"), "{name}: {wrong}");
    }
    let plan = registry.plan(&Request::new("score", 10.0), &case.data);
    assert_eq!(plan.unwrap().plan.family, "local-triples");
}

/// A family that cannot use a scheme leaves it to those that can.
#[test]
fn a_given_scheme_is_used_by_a_family_that_takes_it() {
    let registry = builtin();
    let case = case("code", "hamming");
    let request = Request::new("hamming", 6.0).scheme("and:12,or:10".parse().unwrap());
    let plan = registry.plan(&request, &case.data).unwrap().plan;
    assert_eq!(
        (&*plan.family, plan.scheme),
        ("bit-sampling", request.scheme.unwrap())
    );
}

/// What a request cannot have is refused with what would do.
#[test]
fn wrong_requests_are_refused() {
    let registry = builtin();
    let case = case("code", "hamming");
    let wrong = |request: Request| registry.plan(&request, &case.data).unwrap_err();
    let message = |request: Request| {
        let error = wrong(request);
        let remedies = lookalike::plugin::Remedied::remedies(&error);
        let remedies: Vec<String> = remedies.iter().map(ToString::to_string).collect();
        format!("{error}: {}", remedies.join(", or "))
    };
    let hamming = |threshold| Request::new("hamming", threshold);
    assert!(message(Request::new("haming", 6.0)).contains("did you mean `hamming`?"));
    assert!(
        message(Request::new("jaccard", 0.5)).contains("items of the kind code have no jaccard")
    );
    assert!(message(hamming(64.0)).contains("must be below 64"));
    assert!(message(hamming(-1.0)).contains("must be a whole number, 0 or more"));
    assert!(message(hamming(6.5)).contains("whole number"));
    assert!(message(hamming(6.0).family("block")).contains("did you mean `blocks`?"));
    assert!(message(hamming(6.0).with("flip", 1)).contains("did you mean `flips`?"));
    assert!(
        message(hamming(6.0).family("bit-sampling").with("flips", 1)).contains("unknown parameter")
    );
    assert!(message(hamming(6.0).with("flips", "x")).contains("flips is \"x\""));
    assert!(message(hamming(6.0).family("bit-sampling").recall(1.0)).contains("cannot promise"));
    assert!(message(hamming(6.0).recall(0.0)).contains("above 0 and up to 1"));
    assert!(message(hamming(6.0).recall(f64::NAN)).contains("above 0 and up to 1"));
    assert!(message(Request::nearest("hamming").family("blocks")).contains("needs a threshold"));
    assert!(
        registry
            .plan(&Request::nearest("hamming"), &case.data)
            .is_ok()
    );
}

/// Inner products have no pairs, and say so; without a family, too.
#[test]
fn pairs_by_inner_product_are_refused() {
    let registry = builtin();
    let case = case("vector", "dot");
    for request in [
        Request::new("dot", 18.0),
        Request::new("dot", 18.0).family("hyperplanes"),
    ] {
        let wrong = registry.plan(&request, &case.data).unwrap_err().to_string();
        assert_eq!(
            wrong,
            "inner product is between queries and stored items, so there are no pairs of it: give queries"
        );
    }
}

/// Several keys a table are for queries, and never where candidates must share stored keys.
#[test]
fn vectors_are_probed_by_queries_alone() {
    let registry = builtin();
    for measure in ["cosine", "euclidean", "l1"] {
        let case = case("vector", measure);
        for family in [
            "hyperplanes",
            "cross-polytope",
            "random-lines",
            "cauchy-lines",
        ] {
            let mut request = Request::new(measure, case.threshold).family(family);
            let Ok(planned) = registry.plan(&request, &case.data) else {
                continue;
            };
            assert_eq!(planned.plan.parameters["probes"], 1, "{family}");
            request.queries = Some(5000);
            let planned = registry.plan(&request, &case.data).unwrap();
            let probes = planned.plan.parameters["probes"].as_u64().unwrap();
            assert!(probes >= 1, "{family}");
            request.symmetric = true;
            let planned = registry.plan(&request, &case.data).unwrap();
            assert_eq!(planned.plan.parameters["probes"], 1, "{family}");
            assert!(
                registry
                    .plan(&request.with("probes", 8), &case.data)
                    .is_err()
            );
        }
    }
}

/// Copies are found at a distance of 0, by every family that can.
#[test]
fn copies_of_vectors_are_found_at_zero() {
    let registry = builtin();
    for (measure, threshold) in [
        ("cosine", 1.0),
        ("angle", 0.0),
        ("euclidean", 0.0),
        ("l1", 0.0),
    ] {
        let case = Case {
            measure,
            threshold,
            ..case("vector", "cosine")
        };
        for entry in registry.entries() {
            if !entry.measures.iter().any(|it| it.flag == measure) {
                continue;
            }
            let request = Request::new(measure, threshold).family(entry.name);
            let plan = registry.plan(&request, &case.data).unwrap().plan;
            let found = pairs(&registry, &case, &plan);
            let copy = Pair::ordered(0, 500);
            assert!(
                found.iter().any(|it| it.0 == copy),
                "{} {measure}",
                entry.name
            );
        }
    }
}

/// Vectors that only sketches answer cheaply, and queries from the same clusters.
fn many_vectors() -> [Vectors; 2] {
    let (all, _) = vectors::clustered(32, 21_000, 1000, 0.5, 3).unwrap();
    let mut sets = [(); 2].map(|()| Vectors::new(32).unwrap());
    for (place, vector) in all.rows().enumerate() {
        sets[usize::from(place % 21 == 0)].push(vector).unwrap();
    }
    sets
}

#[test]
fn the_nearest_of_many_vectors_are_found_by_sketches_with_the_stated_recall() {
    let registry = builtin();
    let [data, queries] = many_vectors().map(Dataset::new::<Vector>);
    let queries_to_come = 100_000;
    for request in [
        Request::nearest("cosine").top(10),
        Request::nearest("euclidean").top(10).recall(0.9),
        Request::new("cosine", 0.8).top(10),
    ] {
        let request = request.queries(queries_to_come);
        let planned = registry.plan(&request, &data).unwrap();
        assert_eq!(planned.plan.family, "sketches", "{planned}");
        let Recall::Calibrated { recall, .. } = planned.plan.recall else {
            panic!("{planned}");
        };
        let wanted = request.recall.unwrap_or(0.95);
        assert!(recall >= wanted, "{planned}");
        let answers = |plan: &Plan| {
            let search = registry.search(&data, plan).unwrap();
            let asker = search.asker().unwrap();
            asker.ask(&queries, 0..queries.len(), 10).unwrap()
        };
        let exact = registry.plan(&request.clone().recall(1.0), &data).unwrap();
        assert_eq!(exact.plan.family, "brute-force");
        let (found, truth) = (answers(&planned.plan), answers(&exact.plan));
        let shares = found.iter().zip(&truth).filter_map(|(found, truth)| {
            let farthest = truth.last()?.distance;
            let hits = found
                .iter()
                .filter(|near| near.distance <= farthest)
                .count();
            Some(hits as f64 / truth.len() as f64)
        });
        let shares: Vec<f64> = shares.collect();
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        let apart = shares.iter().map(|share| (share - mean).powi(2));
        let error = apart.sum::<f64>().sqrt() / shares.len() as f64;
        assert!(mean >= wanted - 3.0 * error, "{planned}: {mean} ± {error}");
        // The plan is all that decides.
        let again: Plan =
            serde_json::from_str(&serde_json::to_string(&planned.plan).unwrap()).unwrap();
        assert_eq!(answers(&again), found);
    }
}

#[test]
fn sketches_that_scan_everything_are_proved_and_files_do_not_store_them() {
    let registry = builtin();
    let [data, _] = many_vectors().map(Dataset::new::<Vector>);
    let request = Request::nearest("cosine")
        .top(5)
        .family("sketches")
        .queries(10);
    let proved = request.clone().with("partition", "none").recall(0.97);
    let recall = registry.plan(&proved, &data).unwrap().plan.recall;
    assert!(
        matches!(recall, Recall::Proved(recall) if (0.97..0.9701).contains(&recall)),
        "{recall:?}"
    );
    for (name, value) in [
        ("bits", 3.into()),
        ("cells", 0.into()),
        ("deviations", serde_json::json!(-1.0)),
    ] {
        let error = registry
            .plan(&request.clone().with(name, value), &data)
            .unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
    }
    let stored = Request::new("cosine", 0.9).family("sketches");
    let error = registry.plan_index(&stored, &data).unwrap_err();
    assert!(error.to_string().contains("sketches"), "{error}");
}
