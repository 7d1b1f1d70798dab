use serde::Serialize;

/// How large the buckets of all bands are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Buckets {
    /// Keys that items are stored under, in all bands together.
    pub keys: u64,
    /// Buckets that hold something.
    pub count: u64,
    /// Items in the largest.
    pub largest: u64,
    /// How many there are by size, in steps that double.
    pub sizes: Vec<Size>,
}

/// Buckets of some sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// The fewest items.
    pub from: u64,
    /// The most.
    pub to: u64,
    /// How many buckets.
    pub buckets: u64,
}

impl Buckets {
    /// From the keys of each band, in any order.
    pub(crate) fn new(bands: impl Iterator<Item = Vec<u64>>) -> Self {
        let mut buckets = Self::default();
        // 1, 2, 3 to 4, 5 to 8, …
        let mut by_power: Vec<u64> = Vec::new();
        for mut keys in bands {
            keys.sort_unstable();
            buckets.keys += keys.len() as u64;
            for bucket in keys.chunk_by(|a, b| a == b) {
                let size = bucket.len() as u64;
                let power = size.next_power_of_two().trailing_zeros() as usize;
                if by_power.len() <= power {
                    by_power.resize(power + 1, 0);
                }
                by_power[power] += 1;
                buckets.count += 1;
                buckets.largest = buckets.largest.max(size);
            }
        }
        let sizes = (0u32..).zip(by_power).map(|(power, buckets)| Size {
            from: (1u64 << power) / 2 + 1,
            to: 1 << power,
            buckets,
        });
        buckets.sizes = sizes.collect();
        buckets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_double() {
        let bands = [vec![7, 7, 7, 1, 2, 2], vec![5; 9]];
        let buckets = Buckets::new(bands.into_iter());
        assert_eq!((buckets.keys, buckets.count, buckets.largest), (15, 4, 9));
        let sizes: Vec<_> = buckets
            .sizes
            .iter()
            .map(|it| (it.from, it.to, it.buckets))
            .collect();
        assert_eq!(
            sizes,
            [(1, 1, 1), (2, 2, 1), (3, 4, 1), (5, 8, 0), (9, 16, 1)]
        );
    }
}
