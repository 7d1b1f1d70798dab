use super::{
    Bits,
    blocks::Layout,
    fastest::{Loop, fastest},
};

/// What a query adds to a product for each choice of four bits of a code: 16 entries for every four bits, rounded to
/// bytes.
#[derive(Default)]
pub(super) struct Table {
    /// 16 for each four bits of a code.
    pub(super) entries: Vec<u8>,
    /// The product is step·Σ entries + base.
    pub(super) step: f32,
    pub(super) base: f32,
    /// What entries have added to them, so that they are not negative, in units of the product.
    lifts: Vec<f32>,
}

/// Sums of entries fit 16 bits.
const LARGEST_SUM: f32 = 65_000.0;

/// Bits of an entry. Entries of six bits are added four at a time before they are widened, those of seven two at a time.
pub(super) fn bits_of_entries(bits: Bits) -> u32 {
    match bits {
        // Rounding adds one hundredth to the variance of the estimate.
        Bits::One | Bits::Two => 6,
        // With six bits it would add more than half.
        Bits::Four => 7,
    }
}

impl Table {
    /// Makes the table of a turned query, in the memory of another.
    pub(super) fn fill(&mut self, layout: Layout, turned: &[f32]) {
        let levels = layout.bits.levels();
        self.entries.resize(layout.nibbles() * 16, 0);
        self.lifts.resize(layout.nibbles(), 0.0);
        match layout.bits {
            Bits::One => fastest(Fill::<4>::new(self, layout, turned, &levels)),
            Bits::Two => fastest(Fill::<2>::new(self, layout, turned, &levels)),
            Bits::Four => fastest(Fill::<1>::new(self, layout, turned, &levels)),
        }
    }

    /// How wrong a product can be because entries are rounded.
    pub(super) fn rounding(&self) -> f32 {
        0.5 * self.step * (self.entries.len() / 16) as f32
    }
}

/// Fills a table whose four bits have `PER` coordinates.
struct Fill<'a, const PER: usize> {
    table: &'a mut Table,
    turned: &'a [f32],
    levels: &'a [[f32; 16]; PER],
    top: f32,
    largest: f32,
}

impl<'a, const PER: usize> Fill<'a, PER> {
    fn new(
        table: &'a mut Table,
        layout: Layout,
        turned: &'a [f32],
        levels: &'a [[f32; 16]],
    ) -> Self {
        Self {
            table,
            turned,
            levels: levels.first_chunk().expect("levels of each coordinate"),
            top: layout.bits.top(),
            largest: ((1u32 << bits_of_entries(layout.bits)) - 1) as f32,
        }
    }
}

impl<const PER: usize> Loop for Fill<'_, PER> {
    type Answer = ();

    #[inline(always)]
    fn run(self) {
        let Table {
            entries,
            step,
            base,
            lifts,
        } = self.table;
        let coordinates = |place: usize| -> [f32; PER] {
            let own = self.turned.get(place * PER..).unwrap_or(&[]);
            match own.first_chunk() {
                Some(own) => *own,
                None => std::array::from_fn(|at| own.get(at).copied().unwrap_or(0.0)),
            }
        };
        let (mut most, mut sum) = (0.0f32, 0.0f32);
        for (place, lift) in lifts.iter_mut().enumerate() {
            *lift = self.top * coordinates(place).iter().map(|it| it.abs()).sum::<f32>();
            most = most.max(*lift);
            sum += *lift;
        }
        *step = (2.0 * most / self.largest)
            .max(2.0 * sum / LARGEST_SUM)
            .max(f32::MIN_POSITIVE);
        *base = -sum;
        let per_unit = 1.0 / *step;
        for (place, (entries, lift)) in entries
            .as_chunks_mut::<16>()
            .0
            .iter_mut()
            .zip(lifts)
            .enumerate()
        {
            let mut products = [*lift; 16];
            for (coordinate, levels) in coordinates(place).iter().zip(self.levels) {
                for (product, level) in products.iter_mut().zip(levels) {
                    *product += coordinate * level;
                }
            }
            for (entry, product) in entries.iter_mut().zip(products) {
                // At 1.5 · 2^23 floats are whole numbers, and the low bits are the nearest one.
                *entry = (product * per_unit + 12_582_912.0).to_bits() as u8;
            }
        }
    }
}
