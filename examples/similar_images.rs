//! Near-duplicate images by a perceptual hash of 64 bits.
//!
//!     cargo run --release --example similar_images
//!
//! Images are drawn here: scenes of soft blobs. Of some there are copies as they happen on the web: brighter,
//! noisier, smaller, cropped by a few pixels. A hash of 64 bits keeps what the eye sees first, so that copies have hashes
//! that differ in few bits, and other images in about half of them. Which hashes are near each other
//! is a question for bit sampling.

use lookalike::engine::{Columns, Join, Pair, cluster};
use lookalike::hamming::{BitSampling, CodeTask, Codes, distance};
use lookalike::{LshFamily, random};
use rand::{Rng, RngExt};

/// Bits in which the hashes of copies may differ.
const RADIUS: u32 = 10;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 3000 scenes; every tenth has four copies.
    let mut rng = random::stream(1, 0);
    let mut images = Vec::new();
    for scene in 0..3000 {
        let image = Image::draw(&mut rng);
        if scene % 10 == 0 {
            let copies = [
                image.brighter(1.3),
                image.noisy(12.0, &mut rng),
                image.smaller(2),
                image.cropped(2),
            ];
            images.extend(copies.map(|copy| (scene, copy)));
        }
        images.push((scene, image));
    }

    let mut hashes = Codes::new(64)?;
    for (_, image) in &images {
        hashes.push(&[image.hash()])?;
    }

    // How to search: the tables that find 99% of the hashes at the radius for the least work.
    let wish = CodeTask {
        bits: 64,
        codes: hashes.len(),
        queries: hashes.len(),
        radius: RADIUS,
        recall: Some(0.99),
        memory: 1 << 30,
        distances: &[],
    };
    let plan = wish.plan()?;
    println!("{} images; planned: {:?}", images.len(), plan.method);

    // The same by hand: 12 bits a table, and as many tables as it takes.
    let family = BitSampling::new(64)?;
    let tables = (1..)
        .find(|&tables| {
            family
                .and(12)
                .or(tables)
                .promise(RADIUS.into())
                .lower()
                .value()
                >= 0.99
        })
        .expect("enough tables find anything");
    let source = family.and(12).or(tables).draw(7)?;
    let columns = Columns::build(&source, &hashes)?;
    let near = |pair: Pair| {
        let distance = distance(hashes.get(pair.a() as usize), hashes.get(pair.b() as usize));
        (distance <= RADIUS).then(|| f64::from(distance))
    };
    let joined = Join::new(&columns).matches(&near);
    let matches = joined.found;
    println!(
        "{tables} tables of 12 bits: {} of {} pairs were compared, {} are near",
        joined.summary.candidates,
        images.len() * (images.len() - 1) / 2,
        matches.len()
    );

    let right = |pair: &Pair| images[pair.a() as usize].0 == images[pair.b() as usize].0;
    let found = matches.iter().filter(|found| right(&found.pair)).count();
    let pairs = 300 * (5 * 4 / 2);
    println!(
        "{found} of {pairs} pairs of copies, and {} others",
        matches.len() - found
    );

    // Of each group one image stays, the first.
    let clusters = cluster::star(&matches, |image| image);
    let copies: usize = clusters.iter().map(|cluster| cluster.members.len()).sum();
    println!(
        "{} groups; without {copies} copies {} images stay",
        clusters.len(),
        images.len() - copies
    );

    assert!(found * 10 > pairs * 9, "most copies are found");
    assert!(matches.len() - found < found / 10, "and little else");
    Ok(())
}

/// Brightness from 0 to 255, row by row.
struct Image {
    width: usize,
    pixels: Vec<f64>,
}

impl Image {
    /// Forty soft blobs on a gradient.
    fn draw(rng: &mut impl Rng) -> Self {
        let width = 64;
        let mut one = || rng.random_range(0.0..1.0);
        let (slope_x, slope_y) = (one() - 0.5, one() - 0.5);
        let blobs: Vec<[f64; 4]> = (0..40)
            .map(|_| [one(), one(), 0.03 + 0.05 * one(), 2.0 * one() - 1.0])
            .collect();
        let pixel = |place: usize| {
            let x = (place % width) as f64 / width as f64;
            let y = (place / width) as f64 / width as f64;
            let light = |&[at_x, at_y, size, light]: &[f64; 4]| {
                let apart = (x - at_x).powi(2) + (y - at_y).powi(2);
                light * (-apart / (2.0 * size * size)).exp()
            };
            let sum: f64 = blobs.iter().map(light).sum();
            128.0 + 60.0 * (slope_x * x + slope_y * y) + 80.0 * sum
        };
        let pixels = (0..width * width).map(pixel).collect();
        Self { width, pixels }
    }

    /// A hash by differences: shrunk to 9 × 8 pixels, a bit says whether a pixel is brighter than the next in its row.
    fn hash(&self) -> u64 {
        let mean = |column: usize, row: usize| {
            let span =
                |at: usize, parts: usize| at * self.width / parts..(at + 1) * self.width / parts;
            let (columns, rows) = (span(column, 9), span(row, 8));
            let count = columns.len() * rows.len();
            let row_sum = |y: usize| {
                self.pixels[y * self.width..][columns.clone()]
                    .iter()
                    .sum::<f64>()
            };
            rows.map(row_sum).sum::<f64>() / count as f64
        };
        let bit = |place: usize| mean(place % 8, place / 8) > mean(place % 8 + 1, place / 8);
        (0..64).fold(0, |hash, place| hash | u64::from(bit(place)) << place)
    }

    fn brighter(&self, times: f64) -> Self {
        let pixels = self.pixels.iter().map(|pixel| (pixel * times).min(255.0));
        self.with(self.width, pixels.collect())
    }

    fn noisy(&self, most: f64, rng: &mut impl Rng) -> Self {
        let mut noise = || rng.random_range(-most..most);
        let pixels = self.pixels.iter().map(|pixel| pixel + noise());
        self.with(self.width, pixels.collect())
    }

    fn smaller(&self, times: usize) -> Self {
        let width = self.width / times;
        let pixel = |place: usize| {
            let (x, y) = (place % width * times, place / width * times);
            self.pixels[y * self.width + x]
        };
        self.with(width, (0..width * width).map(pixel).collect())
    }

    fn cropped(&self, edge: usize) -> Self {
        let width = self.width - 2 * edge;
        let pixel = |place: usize| {
            let (x, y) = (place % width + edge, place / width + edge);
            self.pixels[y * self.width + x]
        };
        self.with(width, (0..width * width).map(pixel).collect())
    }

    fn with(&self, width: usize, pixels: Vec<f64>) -> Self {
        Self { width, pixels }
    }
}
