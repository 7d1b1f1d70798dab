/// A stored item that shares a key with a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit<P> {
    /// The stored item.
    pub id: u32,
    /// The band in which the two meet.
    pub band: u32,
    /// What the item stored under the key.
    pub stored: P,
    /// What the query asked with.
    pub asked: P,
    /// How many items are stored under the key. A key that few items have says more than one that many have.
    pub bucket: u32,
}
