//! Near-duplicate images by their pixels.
//!
//!     cargo run --release --example near_duplicate_images
//!     cargo run --release --example near_duplicate_images -- images.npy 0.97
//!
//! An image is a vector of its pixels, and two images are near-duplicates if the cosine of their vectors is high: a
//! brighter copy has the same direction. A row of the file is an image, such as the 784 pixels of one of Fashion-MNIST.
//! Without a file, images are drawn here, some of them with brighter and noisier copies.

use lookalike::corpus::Options;
use lookalike::random;
use lookalike::search::{Dataset, Request, Source};
use lookalike::vector::{Vectors, plugin::Vector};
use rand::RngExt;

/// Pixels of a side of a drawn image.
const SIDE: usize = 20;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let cosine = given.get(1).map_or(Ok(0.97), |text| text.parse())?;
    near_duplicates(given.first().map(String::as_str), cosine)
}

/// Prints the nearest pairs of the images of a file, or of drawn ones.
pub(crate) fn near_duplicates(
    path: Option<&str>,
    cosine: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let registry = lookalike::builtin();
    let (data, copies) = match path {
        Some(path) => {
            let source = Source::new(&[path.to_owned()], Options::default(), &["vector"]);
            (registry.read(&source, &mut |_, _| ())?, None)
        }
        None => {
            let (images, copies) = drawn()?;
            (Dataset::new::<Vector>(images), Some(copies))
        }
    };
    // The cheapest way that finds 95 of 100 pairs at the threshold, and more of nearer ones.
    let planned = registry.plan(&Request::new("cosine", cosine), &data)?;
    println!("{planned}");
    let measure = registry.measure(&planned.plan)?;
    let pairs = registry.search(&data, &planned.plan)?.pairs(None)?;
    println!("{} pairs, the nearest first", pairs.count());
    for found in pairs.iter().take(10) {
        let [a, b] = [found.pair.a(), found.pair.b()];
        println!(
            "  {:.4}  image {a} and image {b}",
            measure.shown(found.distance)
        );
    }

    // Who drew the images knows the copies.
    let Some(copies) = copies else {
        return Ok(());
    };
    let is_copy = |a: u32, b: u32| copies[a as usize] == copies[b as usize];
    let right = pairs
        .iter()
        .filter(|it| is_copy(it.pair.a(), it.pair.b()))
        .count();
    println!(
        "{right} of them are copies of one image; there are {}",
        3 * COPIED
    );
    assert!(right as f64 > 0.95 * (3 * COPIED) as f64);
    assert_eq!(right as u64, pairs.count());
    Ok(())
}

/// Images, and those of them that have two copies.
const IMAGES: usize = 2000;
const COPIED: usize = 200;

/// Soft blobs on a dark ground, and for each image the number of its scene.
fn drawn() -> Result<(Vectors, Vec<usize>), lookalike::vector::Error> {
    let mut rng = random::stream(3, 0);
    let mut images = Vectors::new(SIDE * SIDE)?;
    let mut scenes = Vec::new();
    for scene in 0..IMAGES {
        let blobs: Vec<[f32; 4]> = (0..6)
            .map(|_| {
                let [x, y] = [(); 2].map(|()| rng.random_range(0.0..SIDE as f32));
                [
                    x,
                    y,
                    rng.random_range(2.0..12.0),
                    rng.random_range(0.3..1.0),
                ]
            })
            .collect();
        let image: Vec<f32> = (0..SIDE * SIDE).map(|pixel| light(&blobs, pixel)).collect();
        images.push(&image)?;
        scenes.push(scene);
        if scene < COPIED {
            let brighter: Vec<f32> = image.iter().map(|light| 1.3 * light + 0.02).collect();
            let noisy: Vec<f32> = image
                .iter()
                .map(|light| light + rng.random_range(-0.05..0.05))
                .collect();
            for copy in [brighter, noisy] {
                images.push(&copy)?;
                scenes.push(scene);
            }
        }
    }
    Ok((images, scenes))
}

/// The light of all blobs at a pixel.
fn light(blobs: &[[f32; 4]], pixel: usize) -> f32 {
    let (x, y) = ((pixel % SIDE) as f32, (pixel / SIDE) as f32);
    let of_blob = |[at_x, at_y, size, light]: &[f32; 4]| {
        let apart = (x - at_x).powi(2) + (y - at_y).powi(2);
        light * (-apart / size).exp()
    };
    blobs.iter().map(of_blob).sum()
}
