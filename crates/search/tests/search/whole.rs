//! Whole corpora: build, add, remove, scan.

use std::{fs, path::PathBuf};

use lookalike_minhash::generate::{Corpus, Vocabulary, ZipfText};
use lookalike_search::{Ask, Error, Settings, SimilarText, TextIndex, add, build, remove, scan};
use lookalike_search::{TextFamily, TextInput};
use tempfile::TempDir;

struct Scene(TempDir);

impl Scene {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The settings to read a file with these lines.
    fn data(&self, name: &str, text: impl AsRef<str>) -> TextInput {
        fs::write(self.path(name), text.as_ref()).unwrap();
        TextInput {
            inputs: vec![self.path(name).display().to_string()],
            ..TextInput::default()
        }
    }
}

/// Generated documents as records, from one number to another; a third are copies of earlier ones.
fn records(from: u64, to: u64) -> String {
    let text = ZipfText::new(Vocabulary::new(3000, 1).unwrap(), 1.0).unwrap();
    let corpus = Corpus::new(text, 5)
        .copies(0.3)
        .unwrap()
        .words(60, 5)
        .unwrap();
    let record = |number: u64| {
        let text = corpus.document(number).text;
        format!("{{\"id\": {number}, \"text\": \"{text}\"}}\n")
    };
    (from..to).map(record).collect()
}

fn certain() -> Settings {
    Settings {
        bands: Some(64),
        rows: Some(1),
        ..Settings::default()
    }
}

fn ask() -> Ask {
    Ask {
        k: 5,
        min: 0.4,
        ..Ask::default()
    }
}

#[test]
fn an_index_answers_as_a_scan_does() {
    let scene = Scene::new();
    let data = scene.data("all.jsonl", records(0, 400));
    let path = scene.path("index");
    build(&certain(), &data, &path, false, &()).unwrap();
    let index = TextIndex::load(&path).unwrap();
    let texts: Vec<String> = (0..400)
        .map(|id| index.text(&id.into()).unwrap().unwrap())
        .collect();
    let queries: Vec<&str> = texts.iter().map(String::as_str).step_by(3).collect();
    let scanned = scan(&data, &TextFamily::default(), &queries, &ask(), &()).unwrap();
    let mut found = 0;
    for (query, scanned) in queries.iter().zip(scanned) {
        let hits = index.searcher().ask(query, &ask()).unwrap().hits;
        let by_scan: Vec<SimilarText> = scanned.iter().map(|found| found.hit.clone()).collect();
        assert_eq!(hits, by_scan);
        for found in &scanned {
            assert_eq!(
                Some(&*found.text),
                index.text(&found.hit.id).unwrap().as_deref()
            );
        }
        found += hits.len();
    }
    assert!(found > queries.len() * 5 / 4, "{found}: copies are found");
}

#[test]
fn the_file_is_the_same_for_every_number_of_threads_and_way_to_make_it() {
    let scene = Scene::new();
    let all = scene.data("all.jsonl", records(0, 300));
    let first = scene.data("first.jsonl", records(0, 200));
    let rest = scene.data("rest.jsonl", records(200, 300));
    let more = scene.data("more.jsonl", records(300, 320));
    let files = [1, 2, 7].map(|threads| {
        let path = scene.path(&threads.to_string());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| match threads {
            1 => _ = build(&certain(), &all, &path, false, &()).unwrap(),
            _ => {
                build(&certain(), &first, &path, false, &()).unwrap();
                assert_eq!(add(&path, &rest, &()).unwrap().documents, 100);
                // What comes and goes leaves no trace.
                add(&path, &more, &()).unwrap();
                let gone: Vec<String> = (300..320).map(|id| id.to_string()).collect();
                let stats = remove(&path, &gone, &()).unwrap();
                assert_eq!(stats.documents, 300);
            }
        });
        fs::read(path).unwrap()
    });
    assert!(files[0] == files[1] && files[1] == files[2]);
}

#[test]
fn many_copies_of_a_text_are_stored_and_compared_once() {
    let scene = Scene::new();
    let same = |id: usize| format!("{{\"id\": {id}, \"text\": \"one two three four five six\"}}\n");
    let copies: String = (0..5000).rev().map(same).collect();
    let path = scene.path("index");
    let data = scene.data("copies.jsonl", copies);
    let stats = build(&Settings::default(), &data, &path, false, &()).unwrap();
    assert_eq!((stats.documents, stats.texts), (5000, 1));
    let index = TextIndex::load(&path).unwrap();
    let answer = index
        .searcher()
        .ask("one two three four five six", &ask())
        .unwrap();
    assert_eq!((answer.candidates, answer.compared), (1, 1));
    let ids: Vec<String> = answer.hits.iter().map(|hit| hit.id.to_string()).collect();
    assert_eq!(ids, ["0", "1", "2", "3", "4"]);
    let gone: Vec<String> = (0..4999).map(|id| id.to_string()).collect();
    assert_eq!(remove(&path, &gone, &()).unwrap().texts, 1);
    assert_eq!(remove(&path, &["4999".into()], &()).unwrap().texts, 0);
}

#[test]
fn candidates_over_the_limit_are_not_compared_and_counted() {
    let mut index = TextIndex::new(&certain()).unwrap();
    let words = |from: usize| -> String { (from..from + 30).map(|n| format!("w{n} ")).collect() };
    for id in 0..600 {
        index.insert(id, &words(id as usize % 20)).unwrap();
        index
            .insert(1000 + id, &(words(0) + &format!("end{id}")))
            .unwrap();
    }
    let fresh = index.searcher().ask(&words(0), &Ask::default()).unwrap();
    let scene = Scene::new();
    index.save(scene.path("index")).unwrap();
    let mut searcher = index.searcher();
    let all = searcher.ask(&words(0), &Ask::default()).unwrap();
    assert_eq!(all.hits, fresh.hits);
    assert!(
        all.candidates > 600 && all.compared == all.candidates,
        "{all:?}"
    );
    let few = Ask {
        limit: 10,
        ..Ask::default()
    };
    let some = searcher.ask(&words(0), &few).unwrap();
    assert_eq!((some.candidates, some.compared), (all.candidates, 10));
    // Those that share the most buckets come first.
    assert_eq!(some.hits[0], all.hits[0]);
    assert_eq!(some.hits[0].similarity, 1.0);
}

#[test]
fn ids_must_be_unique() {
    let scene = Scene::new();
    let path = scene.path("index");
    let twice = "{\"id\": 1, \"text\": \"a\"}\n{\"text\": \"b\"}\n{\"id\": 1, \"text\": \"c\"}\n";
    let data = scene.data("twice.jsonl", twice);
    let message = build(&certain(), &data, &path, false, &())
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("twice.jsonl:3: the id 1 is that of "),
        "{message}"
    );
    assert!(message.contains("twice.jsonl:1 too"), "{message}");
    assert!(!path.exists());
    let by_line = TextInput {
        ignore_ids: true,
        ..data
    };
    build(&certain(), &by_line, &path, false, &()).unwrap();
    let message = add(&path, &by_line, &()).unwrap_err().to_string();
    assert!(message.contains("is in the index already"), "{message}");
    assert_eq!(TextIndex::load(&path).unwrap().len(), 3);
}

#[test]
fn an_id_that_is_not_there_is_refused_with_those_that_are_near() {
    let scene = Scene::new();
    let path = scene.path("index");
    let mut index = TextIndex::new(&certain()).unwrap();
    for id in ["book-1", "book-2", "letter", "17"] {
        index.insert(id, id).unwrap();
    }
    index.insert(17, "seventeen").unwrap();
    index.insert(18, "eighteen").unwrap();
    index.save(&path).unwrap();
    let refuse = |ids: &[&str]| {
        let ids: Vec<String> = ids.iter().map(|id| id.to_string()).collect();
        let error = remove(&path, &ids, &()).unwrap_err();
        assert_eq!(TextIndex::load(&path).unwrap().len(), 6);
        error
    };
    let message = refuse(&["letter", "bok-1"]).to_string();
    assert_eq!(
        message,
        "no document has the id bok-1; did you mean book-1 or book-2?"
    );
    assert!(
        refuse(&["nothing like it"])
            .to_string()
            .ends_with("nothing like it")
    );
    assert!(matches!(refuse(&["17"]), Error::Ambiguous { .. }));
    // Twice is once.
    let gone = ["\"17\"", "18", "18"].map(String::from);
    assert_eq!(remove(&path, &gone, &()).unwrap().documents, 4);
    let left = TextIndex::load(&path).unwrap();
    assert!(left.contains(&17.into()).unwrap() && !left.contains(&"17".into()).unwrap());
}
