//! What a family does for a stored index, without its type: compiled once per distance, and not once per family.

use std::ops::Range;

use lookalike_core::{
    Bounds, Distances, Items, KeySource, Near, Payload,
    plugin::{self, Distance, Hit, ItemOf, ItemsOf, Kind, KindOf, Method},
};
use lookalike_engine::Brute;

use super::encoded::Encoded;
use crate::{
    Dataset, Error, Plan, Table,
    brute::Compares,
    erased::{AnyKeys, ErasedScratch, ErasedSource},
    slice::Slice,
    table::from_table,
};

/// A key under which an item is stored, or that a query asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Posting {
    pub(crate) band: u32,
    pub(crate) hash: u32,
    /// The payload as a number of as many bytes as it has.
    pub(crate) payload: u64,
}

/// An item that shares a key with a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Met {
    /// Its number among all that were met.
    pub(crate) number: u32,
    /// Which of the keys of the query.
    pub(crate) asked: u32,
    /// What was stored under the key.
    pub(crate) payload: u64,
    /// How many items have the key.
    pub(crate) bucket: u32,
}

/// The bytes of a payload, at most.
const PAYLOAD: usize = 8;

/// A family or method bound to a plan, for items that are not in memory.
pub(crate) trait Hashes: Send + Sync {
    /// How many bands there are; 0 for a method, which has no keys.
    fn bands(&self) -> usize;
    /// The bytes of a payload.
    fn payload(&self) -> usize;
    /// Everything that decides which keys an item has.
    fn describe(&self) -> &str;
    fn promise(&self, distance: f64) -> Option<Bounds>;
    /// How many of the items that a query meets are verified; `None`: all.
    fn verified(&self) -> Option<usize>;
    /// The bytes of an item, added to others.
    fn encode(&self, data: &Dataset, place: usize, bytes: &mut Vec<u8>) -> Result<(), Error>;
    /// Items as a dataset.
    fn decode(&self, items: &Encoded) -> Result<Dataset, Error>;
    /// Does the work of one thread.
    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error>;
    /// For each query at `places` the `k` nearest of some items within the limit, the nearest first, then by their place.
    fn scan(
        &self,
        items: &Encoded,
        queries: &Dataset,
        places: Range<usize>,
        k: usize,
        limit: f64,
    ) -> Result<Vec<Vec<Near>>, Error>;
}

/// What one thread needs.
pub(crate) trait Worker {
    /// The keys under which an item is stored.
    fn keys(&mut self, data: &Dataset, place: usize, keys: &mut Vec<Posting>) -> Result<(), Error>;
    /// The keys that a query asks.
    fn ask(&mut self, data: &Dataset, place: usize, keys: &mut Vec<Posting>) -> Result<(), Error>;
    /// The numbers of what was met by the query that asked last, the most promising first.
    fn rank(&mut self, met: &[Met]) -> Vec<u32>;
    /// The items within the limit of a query, by their places.
    fn near(
        &mut self,
        data: &Dataset,
        place: usize,
        items: &Encoded,
        limit: f64,
    ) -> Result<Vec<Near>, Error>;
}

/// Makes it for a plan.
pub(crate) type MakeHashes = fn(&Plan) -> Result<Box<dyn Hashes>, Error>;

/// A family under a distance.
pub(crate) struct FamilyHashes<D: Distance, P> {
    compares: Compares<D>,
    keys: Box<dyn AnyKeys<ItemOf<D>, P>>,
    source: ErasedSource<ItemOf<D>, P>,
    describe: String,
    plan: Plan,
}

impl<D: Distance, P: Payload> FamilyHashes<D, P> {
    pub(crate) fn new(
        plan: &Plan,
        distance: &D,
        keys: Box<dyn AnyKeys<ItemOf<D>, P>>,
    ) -> Result<Self, Error> {
        if P::BYTES > PAYLOAD {
            let message = format!(
                "{} stores {} bytes with each key, but an index has room for {PAYLOAD}",
                plan.family,
                P::BYTES
            );
            return Err(plugin::Error::new(message).into());
        }
        let source = keys.source(&plan.scheme, plan.seed)?;
        Ok(Self {
            compares: Compares::new(distance)?,
            describe: source.describe(),
            keys,
            source,
            plan: plan.clone(),
        })
    }
}

impl<D: Distance, P: Payload> Hashes for FamilyHashes<D, P> {
    fn bands(&self) -> usize {
        self.source.bands()
    }

    fn payload(&self) -> usize {
        P::BYTES
    }

    fn describe(&self) -> &str {
        &self.describe
    }

    fn promise(&self, distance: f64) -> Option<Bounds> {
        self.keys.promise(&self.plan.scheme, distance)
    }

    fn verified(&self) -> Option<usize> {
        self.keys.verified()
    }

    fn encode(&self, data: &Dataset, place: usize, bytes: &mut Vec<u8>) -> Result<(), Error> {
        encode::<KindOf<D>>(data, place, bytes)
    }

    fn decode(&self, items: &Encoded) -> Result<Dataset, Error> {
        Ok(Dataset::new::<KindOf<D>>(decoded::<KindOf<D>>(items)?))
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
        Ok(Box::new(FamilyWorker {
            of: self,
            scratch: ErasedScratch::default(),
            asked: Vec::new(),
        }))
    }

    fn scan(
        &self,
        items: &Encoded,
        queries: &Dataset,
        places: Range<usize>,
        k: usize,
        limit: f64,
    ) -> Result<Vec<Vec<Near>>, Error> {
        scan(
            &self.compares,
            self.plan.width,
            items,
            (queries, places),
            k,
            limit,
        )
    }
}

struct FamilyWorker<'a, D: Distance, P: Payload> {
    of: &'a FamilyHashes<D, P>,
    scratch: ErasedScratch<P>,
    /// The keys of the last query.
    asked: Vec<(u32, P)>,
}

impl<D: Distance, P: Payload> Worker for FamilyWorker<'_, D, P> {
    fn keys(&mut self, data: &Dataset, place: usize, keys: &mut Vec<Posting>) -> Result<(), Error> {
        let item = item::<KindOf<D>>(data, place, self.of.plan.width)?;
        let emit = |band, key, payload: P| keys.push(posting(band, key, payload));
        let emitted = self.of.source.keys(item, &mut self.scratch, emit);
        Ok(emitted.map_err(lookalike_engine::Error::Query)?)
    }

    fn ask(&mut self, data: &Dataset, place: usize, keys: &mut Vec<Posting>) -> Result<(), Error> {
        let item = item::<KindOf<D>>(data, place, self.of.plan.width)?;
        let asked = &mut self.asked;
        asked.clear();
        let emit = |band, key, payload: P| {
            keys.push(posting(band, key, payload));
            asked.push((band, payload));
        };
        let emitted = self.of.source.probes(item, &mut self.scratch, emit);
        Ok(emitted.map_err(lookalike_engine::Error::Query)?)
    }

    fn rank(&mut self, met: &[Met]) -> Vec<u32> {
        let hit = |met: &Met| {
            let (band, asked) = self.asked[met.asked as usize];
            Hit {
                id: met.number,
                band,
                stored: P::fetch(&met.payload.to_le_bytes()[..P::BYTES]),
                asked,
                bucket: met.bucket,
            }
        };
        let hits: Vec<Hit<P>> = met.iter().map(hit).collect();
        self.of.keys.rank(&hits)
    }

    fn near(
        &mut self,
        data: &Dataset,
        place: usize,
        items: &Encoded,
        limit: f64,
    ) -> Result<Vec<Near>, Error> {
        near(
            &self.of.compares,
            self.of.plan.width,
            items,
            (data, place),
            limit,
        )
    }
}

fn posting<P: Payload>(band: u32, key: u64, payload: P) -> Posting {
    let mut bytes = [0; PAYLOAD];
    payload.store(&mut bytes[..P::BYTES]);
    Posting {
        band,
        hash: super::lists::hash_of(key),
        payload: u64::from_le_bytes(bytes),
    }
}

/// A method under a distance. What is stored are the items; every query is compared with all of them.
pub(crate) struct MethodHashes<M: Method> {
    compares: Compares<M::Distance>,
    describe: String,
    width: usize,
}

impl<M: Method> MethodHashes<M> {
    pub(crate) fn new(plan: &Plan) -> Result<Self, Error> {
        let distance: M::Distance = from_table(&plan.parameters)?;
        let table: &Table = &plan.parameters;
        let parameters = serde_json::to_string(table).expect("parameters have a JSON form");
        Ok(Self {
            compares: Compares::new(&distance)?,
            describe: format!("{} {parameters}", M::NAME),
            width: plan.width,
        })
    }
}

impl<M: Method> Hashes for MethodHashes<M> {
    fn bands(&self) -> usize {
        0
    }

    fn payload(&self) -> usize {
        0
    }

    fn describe(&self) -> &str {
        &self.describe
    }

    fn promise(&self, _: f64) -> Option<Bounds> {
        None
    }

    fn verified(&self) -> Option<usize> {
        None
    }

    fn encode(&self, data: &Dataset, place: usize, bytes: &mut Vec<u8>) -> Result<(), Error> {
        encode::<KindOf<M::Distance>>(data, place, bytes)
    }

    fn decode(&self, items: &Encoded) -> Result<Dataset, Error> {
        let items = decoded::<KindOf<M::Distance>>(items)?;
        Ok(Dataset::new::<KindOf<M::Distance>>(items))
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>, Error> {
        Ok(Box::new(MethodWorker(self)))
    }

    fn scan(
        &self,
        items: &Encoded,
        queries: &Dataset,
        places: Range<usize>,
        k: usize,
        limit: f64,
    ) -> Result<Vec<Vec<Near>>, Error> {
        scan(
            &self.compares,
            self.width,
            items,
            (queries, places),
            k,
            limit,
        )
    }
}

struct MethodWorker<'a, M: Method>(&'a MethodHashes<M>);

impl<M: Method> Worker for MethodWorker<'_, M> {
    fn keys(&mut self, data: &Dataset, place: usize, _: &mut Vec<Posting>) -> Result<(), Error> {
        item::<KindOf<M::Distance>>(data, place, self.0.width).map(drop)
    }

    fn ask(&mut self, data: &Dataset, place: usize, _: &mut Vec<Posting>) -> Result<(), Error> {
        item::<KindOf<M::Distance>>(data, place, self.0.width).map(drop)
    }

    fn rank(&mut self, _: &[Met]) -> Vec<u32> {
        Vec::new()
    }

    fn near(
        &mut self,
        data: &Dataset,
        place: usize,
        items: &Encoded,
        limit: f64,
    ) -> Result<Vec<Near>, Error> {
        near(&self.0.compares, self.0.width, items, (data, place), limit)
    }
}

/// An item, which must be of this kind and width.
fn item<K: Kind>(data: &Dataset, place: usize, width: usize) -> Result<&K::Item, Error> {
    let items = data.items::<K>()?;
    let found = K::width(items);
    if found != width {
        let message = format!(
            "items of the kind {} and width {found}, but the index has items of width {width}",
            K::NAME
        );
        return Err(plugin::Error::new(message).into());
    }
    Ok(items.item(place))
}

fn encode<K: Kind>(data: &Dataset, place: usize, bytes: &mut Vec<u8>) -> Result<(), Error> {
    let items = data.items::<K>()?;
    K::encode(items.item(place), K::width(items), bytes);
    Ok(())
}

fn decoded<K: Kind>(encoded: &Encoded) -> Result<K::Items, Error> {
    let mut items = K::Items::default();
    for (place, bytes) in encoded.iter().enumerate() {
        K::decode(bytes, &mut items)?;
        if items.count() != place + 1 {
            let message = format!("a stored item is not one item of the kind {}", K::NAME);
            return Err(plugin::Error::new(message).into());
        }
    }
    Ok(items)
}

fn near<D: Distance>(
    compares: &Compares<D>,
    width: usize,
    items: &Encoded,
    (data, place): (&Dataset, usize),
    limit: f64,
) -> Result<Vec<Near>, Error> {
    let query = item::<KindOf<D>>(data, place, width)?;
    let items = decoded::<KindOf<D>>(items)?;
    let places: Vec<u32> = (0..items.count() as u32).collect();
    let mut found = Vec::new();
    if !places.is_empty() {
        compares.with(&items, &mut |items| {
            items.near(query, &places, limit, &mut found)
        });
    }
    Ok(found)
}

fn scan<D: Distance>(
    compares: &Compares<D>,
    width: usize,
    items: &Encoded,
    (data, places): (&Dataset, Range<usize>),
    k: usize,
    limit: f64,
) -> Result<Vec<Vec<Near>>, Error> {
    let queries = Slice::<KindOf<D>>::new(data, places, width)?;
    let items: ItemsOf<D> = decoded::<KindOf<D>>(items)?;
    let mut found = vec![Vec::new(); queries.count()];
    if items.count() > 0 {
        compares.with(&items, &mut |items: &dyn Distances<ItemOf<D>>| {
            found = Brute::new(items).map_or(Vec::new(), |brute| brute.nearest(&queries, k, limit));
        });
    }
    Ok(found)
}
