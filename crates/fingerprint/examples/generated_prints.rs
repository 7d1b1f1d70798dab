//! Prints of made-up fingers as files, to try `lookalike fingerprint` on:
//!
//!     cargo run --release -p lookalike-fingerprint --example generated_prints -- prints
//!     cargo run --release -p lookalike-fingerprint --example generated_prints -- prints 100 8
//!     lookalike fingerprint evaluate prints --out result
//!
//! So many fingers, 40 if nothing is said, so many impressions of each, 4 if nothing is said: `17_2.xyt` is impression 2 of
//! finger 17. Everything is drawn from the numbers of finger and impression, so that the files are always the same.

use std::{env, fs, path::Path};

use lookalike_fingerprint::format::xyt;
use lookalike_fingerprint::generate::{Finger, Impression};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let mut given = env::args().skip(1);
    let folder = given.next().ok_or("give a folder to write to")?;
    let fingers = given.next().map_or(Ok(40), |text| text.parse())?;
    let impressions = given.next().map_or(Ok(4), |text| text.parse())?;
    let written = write(Path::new(&folder), fingers, impressions)?;
    println!("{written} prints of {fingers} fingers in {folder}");
    Ok(())
}

/// Writes the prints of fingers 1, 2, … to a folder; how many there are.
fn write(folder: &Path, fingers: u64, impressions: u64) -> Result<u64> {
    fs::create_dir_all(folder)?;
    let scanner = Impression::default();
    for number in 1..=fingers {
        let finger = Finger::new(number);
        for impression in 1..=impressions {
            let print = scanner.of(&finger, number * 1000 + impression);
            let name = format!("{number}_{impression}.xyt");
            fs::write(folder.join(name), xyt::write(&print))?;
        }
    }
    Ok(fingers * impressions)
}
