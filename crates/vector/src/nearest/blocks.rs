use bytemuck::pod_read_unaligned;
use lookalike_memory::Large;

use super::{
    Bits,
    fastest::{Loop, fastest},
};

/// Codes in a block.
pub(super) const BLOCK: usize = 32;
/// Coordinates that are summed side by side.
const LANES: usize = 16;

/// How codes of vectors are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) bits: Bits,
    /// Coordinates of a turned vector.
    pub(super) dimensions: usize,
}

impl Layout {
    /// Groups of four bits in a code: a multiple of four, so that two bytes are looked up at a time.
    pub(super) fn nibbles(self) -> usize {
        self.dimensions
            .div_ceil(self.bits.per_nibble())
            .next_multiple_of(4)
    }

    /// Bytes of a code.
    pub(super) fn bytes(self) -> usize {
        self.nibbles() / 2
    }

    /// Bytes of a block: codes, then scales, then biases.
    pub(super) fn record(self) -> usize {
        BLOCK * (self.bytes() + 2 * size_of::<f32>())
    }
}

/// Codes of vectors in blocks of 32, each with a scale and a bias.
///
/// Let r be a vector seen from the centre of its cell, y the levels of its turned coordinates, and q a query, all turned.
/// Then
///
/// > −‖q − x‖²/2 ≈ −‖q − c‖²/2 + scale·⟨q, y⟩ + bias, where scale = ‖r‖²/⟨r, y⟩ and bias = −‖r‖²/2 − scale·⟨c, y⟩
///
/// so the products ⟨q, y⟩ of one query serve all cells, and the error is that of q − c.
pub(super) struct Blocks {
    pub(super) layout: Layout,
    /// For each block the bytes of its codes: byte 0 of all codes at the places of [`byte_of`], then byte 1, and so on.
    /// Then 32 scales and 32 biases, little-endian. Codes to spare have a bias of −∞.
    pub(super) records: Large<u8>,
    pub(super) spreads: Vec<Spread>,
}

/// How far off the estimates of a block can be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spread {
    /// The largest ‖r‖·√(1/ρ² − 1) of its vectors, where ρ is the cosine of r and y.
    pub(super) error: f32,
    /// The largest scale.
    pub(super) scale: f32,
}

/// Where the bytes of a code are among those of its block: bytes of one parity are widened together, and come out in the
/// order of codes.
pub(super) fn byte_of(lane: usize) -> usize {
    2 * (lane % 16) + lane / 16
}

impl Blocks {
    /// Blocks that have no codes yet.
    pub(super) fn new(layout: Layout, blocks: usize) -> Self {
        Self {
            layout,
            records: Large::zeroed(blocks * layout.record()),
            spreads: vec![Spread::default(); blocks],
        }
    }

    /// The bytes of a block.
    pub(super) fn block(&self, block: usize) -> &[u8] {
        let record = self.layout.record();
        &self.records[block * record..][..record]
    }

    /// Bytes in memory.
    pub(super) fn size(&self) -> usize {
        self.records.len() + size_of_val(&self.spreads[..])
    }

    /// The scale and the bias of a code.
    pub(super) fn factors(&self, place: usize) -> (f32, f32) {
        let (block, lane) = (self.block(place / BLOCK), place % BLOCK);
        let factors = &block[BLOCK * self.layout.bytes()..];
        let factor = |at: usize| pod_read_unaligned(&factors[4 * at..][..4]);
        (factor(lane), factor(BLOCK + lane))
    }
}

/// Writes codes of some vectors into the bytes of a block. `turned` are their coordinates, one vector after the other, and
/// `centre` those of the centre of their cell.
pub(super) fn write_block(
    layout: Layout,
    centre: &[f32],
    turned: &mut [f32],
    record: &mut [u8],
) -> Spread {
    fastest(Write {
        layout,
        centre,
        turned,
        record,
    })
}

struct Write<'a> {
    layout: Layout,
    centre: &'a [f32],
    turned: &'a mut [f32],
    record: &'a mut [u8],
}

impl Loop for Write<'_> {
    type Answer = Spread;

    #[inline(always)]
    fn run(self) -> Spread {
        let Layout { bits, dimensions } = self.layout;
        let (codes, factors) = self.record.split_at_mut(BLOCK * self.layout.bytes());
        codes.fill(0);
        let (scales, biases) = factors.split_at_mut(BLOCK * size_of::<f32>());
        let mut of_lanes = [[0.0f32; BLOCK], [f32::NEG_INFINITY; BLOCK]];
        let mut spread = Spread::default();
        for (lane, vector) in self.turned.chunks_exact_mut(dimensions).enumerate() {
            let square = rest_of(vector, self.centre);
            // A vector that is its centre has nothing to estimate.
            if square > 0.0 {
                let byte = byte_of(lane);
                let factor = (dimensions as f32 / square).sqrt();
                let sums = match bits {
                    Bits::One => quantize::<1>(vector, self.centre, factor, codes, byte),
                    Bits::Two => quantize::<2>(vector, self.centre, factor, codes, byte),
                    Bits::Four => quantize::<4>(vector, self.centre, factor, codes, byte),
                };
                let scale = square / sums.with_rest;
                let inverse = square * sums.levels / (sums.with_rest * sums.with_rest);
                let error = (square * (inverse - 1.0).max(0.0)).sqrt();
                spread.scale = spread.scale.max(scale);
                spread.error = spread.error.max(error);
                of_lanes[0][lane] = scale;
                of_lanes[1][lane] = -0.5 * square - scale * sums.with_centre;
            } else {
                of_lanes[1][lane] = 0.0;
            }
        }
        for (bytes, numbers) in [(scales, of_lanes[0]), (biases, of_lanes[1])] {
            let numbers = numbers.map(f32::to_le_bytes);
            bytes.copy_from_slice(numbers.as_flattened());
        }
        spread
    }
}

/// Takes the centre off a vector; the squared length of what remains.
#[inline(always)]
fn rest_of(vector: &mut [f32], centre: &[f32]) -> f32 {
    let mut squares = [0.0f32; LANES];
    for (numbers, centre) in vector.chunks_mut(LANES).zip(centre.chunks(LANES)) {
        for ((number, centre), square) in numbers.iter_mut().zip(centre).zip(&mut squares) {
            *number -= centre;
            *square += *number * *number;
        }
    }
    squares.iter().sum()
}

/// Products of the levels of a code.
struct Sums {
    /// With themselves.
    levels: f32,
    /// With the rest that they stand for.
    with_rest: f32,
    /// With the centre.
    with_centre: f32,
}

/// Writes the code of a vector, seen from its centre, to the places of one lane. `factor` makes its coordinates about
/// normal.
#[inline(always)]
fn quantize<const BITS: u8>(
    rest: &[f32],
    centre: &[f32],
    factor: f32,
    codes: &mut [u8],
    byte: usize,
) -> Sums {
    let bits = match BITS {
        1 => Bits::One,
        2 => Bits::Two,
        _ => Bits::Four,
    };
    let (mut levels, mut with_rest, mut with_centre) =
        ([0.0f32; LANES], [0.0f32; LANES], [0.0f32; LANES]);
    let per_byte = 8 / usize::from(BITS);
    for (group, (rest, centre)) in rest.chunks(LANES).zip(centre.chunks(LANES)).enumerate() {
        let mut own = [0u8; LANES];
        for (lane, (number, centre)) in rest.iter().zip(centre).enumerate() {
            let code = bits.code(number * factor);
            let level = bits.level_of(code);
            own[lane] = code;
            levels[lane] += level * level;
            with_rest[lane] += level * number;
            with_centre[lane] += level * centre;
        }
        for (number, own) in own.chunks_exact(per_byte).enumerate() {
            let place = group * (LANES / per_byte) + number;
            // What lies beyond the last coordinate is multiplied by zero.
            if let Some(code) = codes.get_mut(place * BLOCK + byte) {
                let bits = own.iter().enumerate();
                *code = bits.fold(0, |all, (at, &code)| all | code << (BITS as usize * at));
            }
        }
    }
    Sums {
        levels: levels.iter().sum(),
        with_rest: with_rest.iter().sum(),
        with_centre: with_centre.iter().sum(),
    }
}
