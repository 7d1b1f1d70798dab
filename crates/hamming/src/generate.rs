//! Codes for tests, examples and measurements: random ones, with neighbours planted at a distance, and clusters.

use lookalike_core::random::{self, Stream};

use crate::{Codes, Error};

/// `count` random codes.
pub fn random(bits: usize, count: usize, seed: u64) -> Result<Codes, Error> {
    let mut codes = Codes::new(bits)?;
    codes.reserve(count);
    let mut rng = stream(seed, 0);
    let mut code = vec![0; bits.div_ceil(64)];
    for _ in 0..count {
        fill(&mut code, bits, &mut rng);
        codes.push(&code)?;
    }
    Ok(codes)
}

/// Queries that each have a neighbour among `codes`: at the given distance from the code at the returned place.
pub fn neighbours(
    codes: &Codes,
    distance: u32,
    count: usize,
    seed: u64,
) -> Result<(Codes, Vec<u32>), Error> {
    let bits = codes.bit_length();
    if distance as usize > bits {
        let expected = format!("at most {bits}, the bits of a code");
        return Err(Error::parameter("distance", distance, expected));
    }
    let mut rng = stream(seed, 1);
    let mut queries = Codes::new(bits)?;
    let mut places = Vec::with_capacity(count);
    for _ in 0..if codes.is_empty() { 0 } else { count } {
        let place = random::below(codes.len() as u32, &mut rng);
        let mut code = codes.get(place as usize).to_vec();
        flip(&mut code, bits, distance, &mut rng);
        queries.push(&code)?;
        places.push(place);
    }
    Ok((queries, places))
}

/// `count` codes in clusters: random centres, each bit of a member flipped with the probability `noise`, the sizes of the
/// clusters by Zipf's law.
pub fn clustered(
    bits: usize,
    count: usize,
    clusters: usize,
    noise: f64,
    seed: u64,
) -> Result<Codes, Error> {
    if !(0.0..=1.0).contains(&noise) {
        return Err(Error::parameter("noise", noise, "from 0 to 1"));
    }
    let centres = random(bits, clusters.max(1), seed)?;
    let mut reach = Vec::with_capacity(centres.len());
    let mut total = 0.0;
    for rank in 1..=centres.len() {
        total += 1.0 / rank as f64;
        reach.push(total);
    }
    let mut rng = stream(seed, 2);
    let mut codes = Codes::new(bits)?;
    codes.reserve(count);
    for _ in 0..count {
        let at = rng.unit() * total;
        let cluster = reach.partition_point(|&reach| reach <= at);
        let mut code = centres.get(cluster.min(centres.len() - 1)).to_vec();
        for place in 0..bits {
            code[place / 64] ^= u64::from(rng.unit() < noise) << (place % 64);
        }
        codes.push(&code)?;
    }
    Ok(codes)
}

/// Not the streams that functions are drawn from: data and functions of one seed must have nothing to do with each other.
fn stream(seed: u64, number: u64) -> Stream {
    const DATA: u64 = u64::from_le_bytes(*b"the data");
    random::stream(random::derive(seed, DATA), number)
}

fn fill(code: &mut [u64], bits: usize, rng: &mut Stream) {
    code.fill_with(|| rng.next_u64());
    if !bits.is_multiple_of(64) {
        code[bits / 64] &= (1 << (bits % 64)) - 1;
    }
}

/// Flips `count` different bits.
fn flip(code: &mut [u64], bits: usize, count: u32, rng: &mut Stream) {
    let mut flipped = vec![false; bits];
    for last in bits as u32 - count..bits as u32 {
        let chosen = random::below(last + 1, rng);
        let chosen = if flipped[chosen as usize] {
            last
        } else {
            chosen
        } as usize;
        flipped[chosen] = true;
        code[chosen / 64] ^= 1 << (chosen % 64);
    }
}
