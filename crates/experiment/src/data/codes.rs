use lookalike_core::plugin::Kind;
use lookalike_corpus::{FieldPath, Format, Options};
use lookalike_hamming::{
    Codes as Bits, generate, hex,
    plugin::{BitSampling, Code},
};
use lookalike_search::{Registry, Source};
use serde::{Deserialize, Serialize};

use super::{Data, Group, Loaded, few_enough, one_place};
use crate::Error;

/// Bit vectors of one length. Files are those of `lookalike pairs --hamming`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Codes {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Written>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<FieldPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<FieldPath>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generate: Option<Generate>,
}

/// How codes are written.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Written {
    Hex,
    Bin,
    Npy,
    Jsonl,
    Csv,
    Parquet,
}

/// Codes that are made up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Generate {
    /// Random codes, some of them with neighbours at distances.
    Pairs(Pairs),
    /// Codes around centres.
    Clusters(Clusters),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Pairs {
    bits: usize,
    distances: Vec<u32>,
    each: usize,
    /// Codes without a neighbour.
    others: usize,
    seed: u64,
}

impl Default for Pairs {
    fn default() -> Self {
        Self {
            bits: 64,
            distances: vec![2, 4, 6, 8, 12, 16, 24],
            each: 20,
            others: 500,
            seed: 0,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Clusters {
    bits: usize,
    count: usize,
    clusters: usize,
    noise: f64,
    seed: u64,
}

impl Default for Clusters {
    fn default() -> Self {
        Self {
            bits: 64,
            count: 2000,
            clusters: 400,
            noise: 0.03,
            seed: 0,
        }
    }
}

impl Data for Codes {
    const KIND: &'static str = "codes";
    type Item = [u64];
    type Items = Bits;

    fn load(&self) -> Result<Loaded<Bits>, Error> {
        let generate = self.generate.is_some();
        one_place(!self.inputs.is_empty(), !self.items.is_empty(), generate)?;
        match &self.generate {
            Some(Generate::Pairs(pairs)) => pairs.make(),
            Some(Generate::Clusters(it)) => {
                let words = (it.bits as u64).div_ceil(64);
                few_enough("data.generate.clusters", it.count as u64, words)?;
                let made = generate::clustered(it.bits, it.count, it.clusters, it.noise, it.seed);
                Ok(Loaded::new(made?))
            }
            None if self.inputs.is_empty() => self.given(),
            None => self.read(),
        }
    }

    /// Its bits, the first ones first, at most 256.
    fn show(item: &[u64]) -> String {
        let words = item
            .iter()
            .take(4)
            .map(|word| format!("{:064b}", word.reverse_bits()));
        words.collect::<Vec<String>>().join(" ")
    }
}

impl Codes {
    fn given(&self) -> Result<Loaded<Bits>, Error> {
        let mut codes: Option<Bits> = None;
        for item in &self.items {
            let wrong = |error| Error::setting("data.items", format!("`{item}`: {error}"));
            let bytes = hex(item).map_err(wrong)?;
            let codes = match &mut codes {
                Some(codes) => codes,
                none => none.insert(Bits::new(bytes.len() * 8).map_err(wrong)?),
            };
            codes.push_bytes(&bytes).map_err(wrong)?;
        }
        Ok(Loaded::new(codes.expect("there are items")))
    }

    fn read(&self) -> Result<Loaded<Bits>, Error> {
        let [path] = &self.inputs[..] else {
            let message = "codes come from one file, folder or glob";
            return Err(Error::setting("data.inputs", message));
        };
        let format = self.format.map(|format| match format {
            Written::Hex => Format::Lines,
            Written::Bin => Format::Packed,
            Written::Npy => Format::Npy,
            Written::Jsonl => Format::Jsonl,
            Written::Csv => Format::Csv,
            Written::Parquet => Format::Parquet,
        });
        let field = self.field.clone();
        let options = Options {
            format,
            text: field.unwrap_or_else(|| Code::FIELD.parse().expect("a field")),
            id: self.id.clone(),
            record_bytes: self.bits.map(|bits| bits.div_ceil(8) as u32),
            ..Options::default()
        };
        let mut source = Source::new(std::slice::from_ref(path), options, &[Code::NAME]);
        // Digits are hexadecimal, whatever they look like: the file of an experiment has no other.
        source.reading.insert("digits".into(), "hex".into());
        if let Some(bits) = self.bits {
            source.reading.insert("bits".into(), bits.into());
        }
        let registry = Registry::default().with::<BitSampling>();
        let data = registry.read(&source, &mut |_, _| ())?;
        let codes = data
            .items::<Code>()
            .map_err(lookalike_search::Error::from)?;
        let names = 0..data.len() as u32;
        let names = names.map(|code| data.names().text(code)).collect();
        Ok(Loaded {
            names,
            ..Loaded::new(codes.clone())
        })
    }
}

impl Pairs {
    fn make(&self) -> Result<Loaded<Bits>, Error> {
        let near = (2 * self.distances.len() as u64).saturating_mul(self.each as u64);
        let all = near.saturating_add(self.others as u64);
        few_enough("data.generate.pairs", all, (self.bits as u64).div_ceil(64))?;
        let lonely = generate::random(self.bits, self.others, self.seed)?;
        let mut loaded = Loaded::new(lonely);
        for (number, &distance) in (1..).zip(&self.distances) {
            let seed = lookalike_core::random::derive(self.seed, number);
            let originals = generate::random(self.bits, self.each, seed)?;
            let (copies, places) = generate::neighbours(&originals, distance, self.each, seed)?;
            let first = loaded.items.len() as u32;
            let after = first + originals.len() as u32;
            loaded.items.append(originals)?;
            loaded.items.append(copies)?;
            let pairs = (after..)
                .zip(places)
                .map(|(copy, place)| (first + place, copy));
            loaded.groups.push(Group {
                name: format!("{distance} bits"),
                pairs: pairs.collect(),
            });
        }
        Ok(loaded)
    }
}
