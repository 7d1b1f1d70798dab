//! The files in `configs` are understood, and say what they claim to say.

use std::{fs, path::Path};

use lookalike::dedup::{Config, Plan};

fn configs() -> impl Iterator<Item = (String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    })
}

#[test]
fn every_file_can_be_planned() {
    let mut count = 0;
    for (name, text) in configs() {
        let config = Config::parse(&text, &name).unwrap_or_else(|error| panic!("{error}"));
        Plan::new(&config).unwrap_or_else(|error| panic!("{name}: {error}"));
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn the_first_file_shows_the_defaults() {
    let (name, text) = configs().find(|(name, _)| name == "dedup.toml").unwrap();
    let mut config = Config::parse(&text, &name).unwrap();
    assert_eq!(config.recall, Some(lookalike::tune::RECALL));
    config.recall = None;
    config.data.inputs.clear();
    config.output.dir = None;
    assert_eq!(config, Config::default());
}
