//! Codes as bytes.

use std::{
    fs::File,
    io::{self, Read},
};

use lookalike_hamming::{Codes, Npy};

use crate::{Collection, Error, Input, Names};

/// Bytes that are read at a time.
const BLOCK: usize = 1 << 20;

/// Packed codes, one after the other until the file ends.
pub(crate) fn packed(input: &Input) -> Result<Collection, Error> {
    let file = || input.path.clone();
    let bits = input.bits.ok_or_else(|| Error::NoBits { file: file() })?;
    if !bits.is_multiple_of(8) {
        return Err(Error::Packed { bits });
    }
    let mut codes = Codes::new(bits)?;
    let mut from = open(input)?;
    let read = fill(&mut codes, u64::MAX, &mut from, input)?;
    let each = bits / 8;
    if read % each as u64 > 0 {
        let bytes = read as usize;
        let reason = lookalike_hamming::Error::Partial { bytes, bits, each };
        return Err(Error::Code {
            place: file(),
            reason,
        });
    }
    let names = Names::default();
    Ok(Collection { codes, names })
}

/// A NumPy array.
pub(crate) fn npy(input: &Input) -> Result<Collection, Error> {
    let file = || input.path.clone();
    let mut from = open(input)?;
    let mut head = Vec::new();
    let read = from.by_ref().take(Npy::MOST as u64).read_to_end(&mut head);
    read.map_err(wrong(input))?;
    let npy = Npy::parse(&head).map_err(|reason| Error::Code {
        place: file(),
        reason,
    })?;
    let mut codes = Codes::new(npy.bytes * 8)?;
    let mut from = io::Cursor::new(head.split_off(npy.start as usize)).chain(from);
    fill(&mut codes, npy.codes, &mut from, input)?;
    let found = codes.len() as u64;
    if found < npy.codes {
        return Err(Error::Truncated {
            file: file(),
            expected: npy.codes,
            found,
        });
    }
    if from.read(&mut [0]).map_err(wrong(input))? > 0 {
        let codes = npy.codes;
        return Err(Error::Longer {
            file: file(),
            codes,
        });
    }
    let names = Names::default();
    Ok(Collection { codes, names })
}

/// Whether a file starts as a NumPy array does.
pub(crate) fn is_npy(input: &Input) -> Result<bool, Error> {
    let mut start = Vec::new();
    let read = open(input)?.take(6).read_to_end(&mut start);
    read.map_err(wrong(input))?;
    Ok(Npy::is_npy(&start))
}

/// Reads up to so many codes; answers with the bytes that were read.
fn fill(codes: &mut Codes, most: u64, from: &mut impl Read, input: &Input) -> Result<u64, Error> {
    let each = codes.bit_length() / 8;
    let mut left = most.saturating_mul(each as u64);
    let mut block = Vec::with_capacity(BLOCK);
    let mut bytes = 0;
    loop {
        block.clear();
        let room = (BLOCK / each).max(1) * each;
        let wanted = left.min(room as u64);
        let read = from.by_ref().take(wanted).read_to_end(&mut block);
        let read = read.map_err(wrong(input))?;
        bytes += read as u64;
        left -= read as u64;
        codes.push_packed(&block[..read / each * each])?;
        // Less than was wanted: the end.
        if (read as u64) < wanted || left == 0 {
            return Ok(bytes);
        }
    }
}

fn open(input: &Input) -> Result<Box<dyn Read>, Error> {
    if input.path == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(&input.path).map_err(wrong(input))?;
    Ok(Box::new(file))
}

fn wrong(input: &Input) -> impl Fn(io::Error) -> Error {
    let file = input.path.clone();
    move |reason| Error::Read {
        file: file.clone(),
        reason,
    }
}
