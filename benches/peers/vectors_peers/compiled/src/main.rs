//! All pairs above a cosine by a blocked matrix product: half of the matrix, block by block, on one thread.
//!
//! usage: vectors-peers FILE DIMENSIONS COSINE OUT
//!
//! FILE has 32-bit floats of unit vectors, row by row. OUT gets the pairs as `u32`. Prints the CPU seconds and the pairs
//! as JSON.

use std::{env, fs};

/// Rows and columns of a block: its products stay in the cache while they are looked at.
const BLOCK: usize = 512;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, dimensions, cosine, out] = &arguments[..] else {
        panic!("usage: vectors-peers FILE DIMENSIONS COSINE OUT");
    };
    let dimensions: usize = dimensions.parse().expect("dimensions");
    let cosine: f32 = cosine.parse().expect("a cosine");
    let bytes = fs::read(file).expect("a file");
    let (numbers, _) = bytes.as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|it| f32::from_ne_bytes(*it)).collect();
    let start = cpu();
    let pairs = pairs(&numbers, dimensions, cosine);
    let seconds = cpu() - start;
    let bytes: Vec<u8> = pairs
        .iter()
        .flatten()
        .flat_map(|id| id.to_ne_bytes())
        .collect();
    fs::write(out, bytes).expect("a place for pairs");
    println!("{{\"seconds\": {seconds}, \"pairs\": {}}}", pairs.len());
}

fn pairs(numbers: &[f32], dimensions: usize, cosine: f32) -> Vec<[u32; 2]> {
    let rows = numbers.len() / dimensions;
    let mut products = vec![0.0f32; BLOCK * BLOCK];
    let mut found = Vec::new();
    for a in (0..rows).step_by(BLOCK) {
        for b in (a..rows).step_by(BLOCK) {
            let [height, width] = [a, b].map(|first| BLOCK.min(rows - first));
            let [left, right] = [a, b].map(|first| numbers[first * dimensions..].as_ptr());
            let d = dimensions as isize;
            // SAFETY: `left` has `height` rows and `right` `width` rows of `dimensions` numbers, and `products` has
            // room for rows of BLOCK numbers.
            unsafe {
                gemm::gemm(
                    height,
                    width,
                    dimensions,
                    products.as_mut_ptr(),
                    1,
                    BLOCK as isize,
                    false,
                    left,
                    1,
                    d,
                    right,
                    d,
                    1,
                    0.0,
                    1.0,
                    false,
                    false,
                    false,
                    gemm::Parallelism::None,
                );
            }
            for (row, products) in products.chunks_exact(BLOCK).take(height).enumerate() {
                look(&products[..width], cosine, |column| {
                    if a + row < b + column {
                        found.push([(a + row) as u32, (b + column) as u32]);
                    }
                });
            }
        }
    }
    found
}

/// Calls `is_near` with the places of products at or above the cosine. Few are, so sixteen at a time are passed over.
fn look(products: &[f32], cosine: f32, mut is_near: impl FnMut(usize)) {
    for (number, some) in products.chunks(16).enumerate() {
        if some
            .iter()
            .fold(false, |any, &product| any | (product >= cosine))
        {
            let near = some
                .iter()
                .enumerate()
                .filter(|(_, product)| **product >= cosine);
            near.for_each(|(place, _)| is_near(16 * number + place));
        }
    }
}

/// Seconds that this thread has run.
fn cpu() -> f64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = told.split(' ').next().and_then(|it| it.parse::<f64>().ok());
    nanoseconds.expect("a number") / 1e9
}
