use lookalike_hamming::{Codes, Error};

/// Codes without their copies.
///
/// A thousand blank images have one hash, and half a million pairs among them that nobody need search for.
#[derive(Debug)]
pub(crate) struct Unique {
    /// Each code once, in the order of its first place.
    pub(crate) codes: Codes,
    /// The places of unique code u are `places[starts[u]..starts[u + 1]]`, ascending.
    places: Vec<u32>,
    starts: Vec<u32>,
}

impl Unique {
    pub(crate) fn new(all: &Codes) -> Result<Self, Error> {
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        let code = |place: &u32| all.get(*place as usize);
        order.sort_unstable_by(|a, b| code(a).cmp(code(b)).then(a.cmp(b)));
        let mut groups: Vec<&[u32]> = order.chunk_by(|a, b| code(a) == code(b)).collect();
        groups.sort_unstable_by_key(|group| group[0]);
        let mut unique = Self {
            codes: Codes::new(all.bit_length())?,
            places: Vec::with_capacity(all.len()),
            starts: vec![0],
        };
        unique.codes.reserve(groups.len());
        for group in groups {
            unique.codes.push(code(&group[0]))?;
            unique.places.extend_from_slice(group);
            unique.starts.push(unique.places.len() as u32);
        }
        Ok(unique)
    }

    /// Where a code stands among all.
    pub(crate) fn places(&self, code: u32) -> &[u32] {
        let starts = &self.starts[code as usize..];
        &self.places[starts[0] as usize..starts[1] as usize]
    }
}
