//! Sums of table entries, chosen by the bits of codes, for 64 codes at a time.
//!
//! Four bits of a code choose one of 16 entries of a table: a byte shuffle does that for 32 codes at once, or for 64 with
//! AVX-512. Entries have six bits, so that four of them add up in a byte before they are widened.

/// Codes in a block.
pub(super) const BLOCK: usize = 64;

/// Where the bytes of a code are among those of its block: bytes of one parity are widened together, and come out in the
/// order of codes.
fn byte_of(lane: usize) -> usize {
    2 * (lane % 32) + lane / 32
}

/// The largest entry of a table.
const LARGEST: f32 = 63.0;

/// What turns a sum of entries into a product.
#[derive(Clone, Copy, Default)]
pub(super) struct Product {
    pub(super) step: f32,
    pub(super) base: f32,
}

/// The same, and what an estimate must reach.
#[derive(Clone, Copy, Default)]
pub(super) struct Bars {
    pub(super) product: Product,
    pub(super) least: f32,
}

impl Product {
    /// Of a vector that is rounded to steps of this size.
    pub(super) fn new(step: f32, steps: &[i8]) -> Self {
        let all: u32 = steps
            .iter()
            .map(|steps| u32::from(steps.unsigned_abs()))
            .sum();
        Self {
            step: 2.0 * step,
            base: -step * all as f32,
        }
    }

    /// The size of a step to which the vector is rounded.
    pub(super) fn rounding(&self) -> f32 {
        0.5 * self.step
    }
}

/// Writes the codes of a block, each behind the first `skipped` bytes of a record, to their places: byte i of all codes at
/// the places of [`byte_of`], then byte i + 1.
pub(super) fn transpose(records: &[&[u8]], skipped: usize, to: &mut [u8]) {
    let bytes = to.len() / BLOCK;
    if records.len() < BLOCK || !bytes.is_multiple_of(8) {
        return plain_transpose(records, skipped, to);
    }
    // Eight bytes of eight codes at a time: those of four places, and of the four that stand between them.
    for byte in (0..bytes).step_by(8) {
        for lane in (0..BLOCK / 2).step_by(4) {
            let mut eight: [u64; 8] = std::array::from_fn(|code| {
                let record = records[lane + code / 2 + code % 2 * (BLOCK / 2)];
                let bytes = record[skipped + byte..].first_chunk();
                u64::from_le_bytes(*bytes.expect("eight bytes"))
            });
            for (apart, mask) in [
                (4, 0x0000_0000_FFFF_FFFF),
                (2, 0x0000_FFFF_0000_FFFF),
                (1, 0x00FF_00FF_00FF_00FF),
            ] {
                // The upper bytes of one word and the lower bytes of another change places.
                for low in (0..8).filter(|low| low & apart == 0) {
                    let differ = (eight[low] >> (8 * apart) ^ eight[low | apart]) & mask;
                    eight[low | apart] ^= differ;
                    eight[low] ^= differ << (8 * apart);
                }
            }
            for (number, eight) in eight.iter().enumerate() {
                let to = &mut to[(byte + number) * BLOCK + byte_of(lane)..][..8];
                to.copy_from_slice(&eight.to_le_bytes());
            }
        }
    }
}

fn plain_transpose(records: &[&[u8]], skipped: usize, to: &mut [u8]) {
    for (lane, record) in records.iter().enumerate() {
        for (byte, &code) in record[skipped..].iter().enumerate() {
            to[byte * BLOCK + byte_of(lane)] = code;
        }
    }
}

/// Codes in blocks: byte i of all codes of a block, at the places of [`byte_of`], then byte i + 1; a scale and a bias for
/// each code.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a> {
    pub(super) bytes: usize,
    pub(super) codes: &'a [u8],
    pub(super) scales: &'a [f32],
    pub(super) biases: &'a [f32],
}

/// One bit for each number that is not negative.
pub(super) fn signs(eight: &[f32; 8]) -> u8 {
    let bits = eight.iter().enumerate();
    bits.fold(0, |byte, (bit, &number)| {
        byte | u8::from(number >= 0.0) << bit
    })
}

/// Rounds numbers to whole steps, so small that a step more or less hardly changes a product, and so large that the steps
/// of every four numbers add up to at most [`LARGEST`]. Returns the size of a step.
pub(super) fn round(numbers: &[f32], steps: &mut [i8]) -> f32 {
    let (fours, _) = numbers.as_chunks::<4>();
    let range = |four: &[f32; 4]| four.iter().map(|number| number.abs()).sum::<f32>();
    let widest = fours.iter().map(range).fold(0.0, f32::max);
    // Each of the four may be rounded up by a half.
    let step = (widest / (LARGEST - 2.0)).max(f32::MIN_POSITIVE);
    let per_number = 1.0 / step;
    for (steps, number) in steps.iter_mut().zip(numbers) {
        // At 1.5 · 2^23 floats are whole numbers, and the low bits are the nearest one.
        *steps = (number * per_number + 12_582_912.0).to_bits() as i8;
    }
    step
}

/// For every four numbers and any four bits: the steps of those numbers whose sign is that of their bit, without the
/// sign. The product of the numbers with the signs is twice that, less the steps of all.
pub(super) fn fill_table(steps: &[i8], table: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[expect(
            unsafe_code,
            reason = "as fast as to read a finished table, which is four times as long"
        )]
        // SAFETY: the processor has AVX2.
        return unsafe { x86::fill_with_avx2(steps, table) };
    }
    plain_fill(steps, table);
}

fn plain_fill(steps: &[i8], table: &mut [u8]) {
    let (fours, _) = steps.as_chunks::<4>();
    for (four, entries) in fours.iter().zip(table.as_chunks_mut::<16>().0) {
        for (bits, entry) in (0u8..).zip(entries) {
            let of_bit = (0..).zip(four).map(|(bit, &steps)| match bits >> bit & 1 {
                1 => steps.max(0) as u8,
                _ => steps.saturating_neg().max(0) as u8,
            });
            *entry = of_bit.sum();
        }
    }
}

/// Rows that are next to each other: the table of each, one after the other, and the bars of each.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    /// The place of the first row.
    pub(super) first: usize,
    pub(super) tables: &'a [u8],
    pub(super) bars: &'a [Bars],
}

/// For each row, adds the places after it and before `end` whose estimate, scaled and with its bias, is at least the least:
/// pairs of places.
pub(super) fn scan(rows: Rows<'_>, blocks: Blocks<'_>, end: usize, passed: &mut Vec<[u32; 2]>) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "20 to 30 times as fast as the plain loop")]
    {
        if is_x86_feature_detected!("avx512bw") {
            // SAFETY: the processor has AVX-512 with bytes.
            return unsafe { x86::scan_with_avx512(rows, blocks, end, passed) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { x86::scan_with_avx2(rows, blocks, end, passed) };
        }
    }
    plain_scan(rows, blocks, end, passed);
}

/// The same for any processor, with the same sums and the same rounding.
fn plain_scan(rows: Rows<'_>, blocks: Blocks<'_>, end: usize, passed: &mut Vec<[u32; 2]>) {
    let tables = rows.tables.chunks_exact(blocks.bytes * 32);
    for (row, (table, bars)) in (rows.first..).zip(tables.zip(rows.bars)) {
        for place in row + 1..end {
            let (block, lane) = (place / BLOCK, place % BLOCK);
            let codes = &blocks.codes[block * BLOCK * blocks.bytes..][..BLOCK * blocks.bytes];
            let mut sum = 0u16;
            for (byte, entries) in table.as_chunks::<32>().0.iter().enumerate() {
                let code = codes[byte * BLOCK + byte_of(lane)];
                sum += u16::from(entries[usize::from(code & 15)]);
                sum += u16::from(entries[16 + usize::from(code >> 4)]);
            }
            let product = f32::from(sum) * bars.product.step + bars.product.base;
            if product * blocks.scales[place] + blocks.biases[place] >= bars.least {
                passed.push([row as u32, place as u32]);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions of x86")]
mod x86 {
    use std::arch::x86_64::*;

    use super::*;

    /// For each bit, where the steps of its number are if the bit is set, and 4 bytes later if not.
    const OF_BIT: [[i8; 32]; 4] = {
        let mut places = [[0; 32]; 4];
        let mut bit = 0;
        while bit < 4 {
            let mut entry = 0;
            while entry < 32 {
                let is_set = entry >> bit & 1 == 1;
                places[bit][entry] = bit as i8 + if is_set { 0 } else { 4 };
                entry += 1;
            }
            bit += 1;
        }
        places
    };

    #[target_feature(enable = "avx2")]
    pub(super) fn fill_with_avx2(steps: &[i8], table: &mut [u8]) {
        /// Four numbers twice, of the first half for the lower entries, of the second for the upper.
        const TWICE: [i8; 32] = {
            let mut places = [0; 32];
            let mut place = 0;
            while place < 32 {
                places[place] = (place % 4 + place / 16 * 4) as i8;
                place += 1;
            }
            places
        };
        const NEGATED: i64 = i64::from_le_bytes([1, 1, 1, 1, 255, 255, 255, 255]);
        // SAFETY: lists of 32 bytes.
        let load = |list: &[i8; 32]| unsafe { _mm256_loadu_si256(list.as_ptr().cast()) };
        let (twice, of_bit) = (load(&TWICE), OF_BIT.each_ref().map(load));
        let (negated, zero) = (_mm256_set1_epi64x(NEGATED), _mm256_setzero_si256());
        let (eights, _) = steps.as_chunks::<8>();
        for (eight, entries) in eights.iter().zip(table.as_chunks_mut::<32>().0) {
            let eight = _mm256_set1_epi64x(i64::from_le_bytes(eight.map(|steps| steps as u8)));
            let signed = _mm256_sign_epi8(_mm256_shuffle_epi8(eight, twice), negated);
            let counted = _mm256_max_epi8(signed, zero);
            let of = of_bit.map(|places| _mm256_shuffle_epi8(counted, places));
            let all = _mm256_add_epi8(_mm256_add_epi8(of[0], of[1]), _mm256_add_epi8(of[2], of[3]));
            // SAFETY: a list of 32 bytes.
            unsafe { _mm256_storeu_si256(entries.as_mut_ptr().cast(), all) };
        }
    }

    /// A register of bytes, or of 16-bit sums.
    ///
    /// # Safety
    /// Methods may be called on processors with the instructions, from functions that are compiled for them.
    trait Register: Copy {
        /// How many bytes it has.
        const BYTES: usize;

        unsafe fn zero() -> Self;
        unsafe fn load(bytes: &[u8]) -> Self;
        /// The same 16 bytes again and again.
        unsafe fn repeated(bytes: &[u8; 16]) -> Self;
        /// The lower four bits of each byte, and the upper four.
        unsafe fn halves(self) -> [Self; 2];
        /// For each byte of `places`, the byte at that place of 16.
        unsafe fn look_up(self, places: Self) -> Self;
        unsafe fn add_bytes(self, other: Self) -> Self;
        unsafe fn add_sums(self, other: Self) -> Self;
        /// 256 times each 16-bit number taken off the other's.
        unsafe fn less_high(self, other: Self) -> Self;
        /// The upper byte of each 16-bit number.
        unsafe fn high(self) -> Self;
        /// One bit for each sum whose estimate is at least the least.
        unsafe fn reached(self, bars: &Bars, scales: &[f32], biases: &[f32]) -> u32;
    }

    /// Rows that are compared with codes at the same time, so that codes are loaded and split once.
    const GROUP: usize = 2;

    #[inline(always)]
    unsafe fn scan_with<T: Register>(
        rows: Rows<'_>,
        blocks: Blocks<'_>,
        end: usize,
        passed: &mut Vec<[u32; 2]>,
    ) {
        let tables = rows.tables.chunks(GROUP * blocks.bytes * 32);
        let groups = tables.zip(rows.bars.chunks(GROUP));
        for (first, (tables, bars)) in (rows.first..).step_by(GROUP).zip(groups) {
            let group = Rows {
                first,
                tables,
                bars,
            };
            // SAFETY: of the caller.
            unsafe {
                match bars.len() {
                    GROUP => scan_group::<T, GROUP>(group, blocks, end, passed),
                    _ => scan_group::<T, 1>(group, blocks, end, passed),
                }
            }
        }
    }

    /// Compares N rows with all blocks after the first of them.
    #[inline(always)]
    unsafe fn scan_group<T: Register, const N: usize>(
        rows: Rows<'_>,
        blocks: Blocks<'_>,
        end: usize,
        passed: &mut Vec<[u32; 2]>,
    ) {
        let mut tables = rows.tables.chunks_exact(blocks.bytes * 32);
        let tables: [&[[u8; 64]]; N] = std::array::from_fn(|_| {
            let table = tables.next().expect("one table per row");
            table.as_chunks().0
        });
        let bars: &[Bars; N] = rows.bars.first_chunk().expect("bars of each row");
        let (codes, _) = blocks.codes.as_chunks::<BLOCK>();
        let (scales, _) = blocks.scales.as_chunks::<BLOCK>();
        let (biases, _) = blocks.biases.as_chunks::<BLOCK>();
        for block in (rows.first + 1) / BLOCK..end.div_ceil(BLOCK) {
            let codes = &codes[block * blocks.bytes..][..blocks.bytes];
            let mut hits = [0u64; N];
            for part in 0..BLOCK / T::BYTES {
                // SAFETY: the caller's processor has the instructions.
                let [all, odd] = unsafe { sums::<T, N>(&tables, codes, part * T::BYTES) };
                for row in 0..N {
                    // SAFETY: the same.
                    let even = unsafe { all[row].less_high(odd[row]) };
                    // Codes of even places come out first.
                    for (sums, first) in [(even, 0), (odd[row], BLOCK / 2)] {
                        let first = first + part * T::BYTES / 2;
                        let (scales, biases) = (&scales[block][first..], &biases[block][first..]);
                        // SAFETY: the same.
                        let reached = unsafe { sums.reached(&bars[row], scales, biases) };
                        hits[row] |= u64::from(reached) << first;
                    }
                }
            }
            for (row, mut hits) in (rows.first..).zip(hits) {
                while hits != 0 {
                    let place = block * BLOCK + hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    if (row + 1..end).contains(&place) {
                        passed.push([row as u32, place as u32]);
                    }
                }
            }
        }
    }

    /// For each row, the sums of table entries for the codes from a place of their block on, as 16-bit numbers: those of
    /// even places with 256 times those of odd places, and those of odd places.
    #[inline(always)]
    unsafe fn sums<T: Register, const N: usize>(
        tables: &[&[[u8; 64]]; N],
        codes: &[[u8; BLOCK]],
        first: usize,
    ) -> [[T; N]; 2] {
        // SAFETY: of the caller.
        unsafe {
            let (mut all, mut odd) = ([T::zero(); N], [T::zero(); N]);
            for (step, codes) in codes.as_chunks::<2>().0.iter().enumerate() {
                let [a, b] = codes
                    .each_ref()
                    .map(|codes| T::load(&codes[first..]).halves());
                for row in 0..N {
                    let (entries, _) = tables[row][step].as_chunks();
                    let found = |at: usize, places| T::repeated(&entries[at]).look_up(places);
                    let first = found(0, a[0]).add_bytes(found(1, a[1]));
                    let four = first.add_bytes(found(2, b[0]).add_bytes(found(3, b[1])));
                    all[row] = all[row].add_sums(four);
                    odd[row] = odd[row].add_sums(four.high());
                }
            }
            [all, odd]
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx2")]
    pub(super) fn scan_with_avx512(
        rows: Rows<'_>,
        blocks: Blocks<'_>,
        end: usize,
        passed: &mut Vec<[u32; 2]>,
    ) {
        // SAFETY: the function is compiled for these instructions.
        unsafe { scan_with::<__m512i>(rows, blocks, end, passed) };
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn scan_with_avx2(
        rows: Rows<'_>,
        blocks: Blocks<'_>,
        end: usize,
        passed: &mut Vec<[u32; 2]>,
    ) {
        // SAFETY: the function is compiled for these instructions.
        unsafe { scan_with::<__m256i>(rows, blocks, end, passed) };
    }

    // SAFETY of all methods: see the trait; lists are checked to be long enough.
    impl Register for __m512i {
        const BYTES: usize = 64;

        #[inline(always)]
        unsafe fn zero() -> Self {
            unsafe { _mm512_setzero_si512() }
        }

        #[inline(always)]
        unsafe fn load(bytes: &[u8]) -> Self {
            let bytes: &[u8; 64] = bytes.first_chunk().expect("64 bytes");
            unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
        }

        #[inline(always)]
        unsafe fn repeated(bytes: &[u8; 16]) -> Self {
            unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
        }

        #[inline(always)]
        unsafe fn halves(self) -> [Self; 2] {
            unsafe {
                let low = _mm512_set1_epi8(15);
                let high = _mm512_and_si512(_mm512_srli_epi16::<4>(self), low);
                [_mm512_and_si512(self, low), high]
            }
        }

        #[inline(always)]
        unsafe fn look_up(self, places: Self) -> Self {
            unsafe { _mm512_shuffle_epi8(self, places) }
        }

        #[inline(always)]
        unsafe fn add_bytes(self, other: Self) -> Self {
            unsafe { _mm512_add_epi8(self, other) }
        }

        #[inline(always)]
        unsafe fn add_sums(self, other: Self) -> Self {
            unsafe { _mm512_add_epi16(self, other) }
        }

        #[inline(always)]
        unsafe fn less_high(self, other: Self) -> Self {
            unsafe { _mm512_sub_epi16(self, _mm512_slli_epi16::<8>(other)) }
        }

        #[inline(always)]
        unsafe fn high(self) -> Self {
            unsafe { _mm512_srli_epi16::<8>(self) }
        }

        #[inline(always)]
        unsafe fn reached(self, bars: &Bars, scales: &[f32], biases: &[f32]) -> u32 {
            let scales: &[f32; 32] = scales.first_chunk().expect("32 scales");
            let biases: &[f32; 32] = biases.first_chunk().expect("32 biases");
            unsafe {
                let halves = [
                    _mm512_castsi512_si256(self),
                    _mm512_extracti64x4_epi64::<1>(self),
                ];
                let mut reached = 0;
                for (half, sums) in halves.into_iter().enumerate() {
                    let sums = _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(sums));
                    let product = _mm512_mul_ps(sums, _mm512_set1_ps(bars.product.step));
                    let product = _mm512_add_ps(product, _mm512_set1_ps(bars.product.base));
                    let scale = _mm512_loadu_ps(scales[16 * half..].as_ptr());
                    let bias = _mm512_loadu_ps(biases[16 * half..].as_ptr());
                    let estimate = _mm512_add_ps(_mm512_mul_ps(product, scale), bias);
                    let least = _mm512_set1_ps(bars.least);
                    let bits = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(estimate, least);
                    reached |= u32::from(bits) << (16 * half);
                }
                reached
            }
        }
    }

    // SAFETY of all methods: see the trait; lists are checked to be long enough.
    impl Register for __m256i {
        const BYTES: usize = 32;

        #[inline(always)]
        unsafe fn zero() -> Self {
            unsafe { _mm256_setzero_si256() }
        }

        #[inline(always)]
        unsafe fn load(bytes: &[u8]) -> Self {
            let bytes: &[u8; 32] = bytes.first_chunk().expect("32 bytes");
            unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
        }

        #[inline(always)]
        unsafe fn repeated(bytes: &[u8; 16]) -> Self {
            unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
        }

        #[inline(always)]
        unsafe fn halves(self) -> [Self; 2] {
            unsafe {
                let low = _mm256_set1_epi8(15);
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self), low);
                [_mm256_and_si256(self, low), high]
            }
        }

        #[inline(always)]
        unsafe fn look_up(self, places: Self) -> Self {
            unsafe { _mm256_shuffle_epi8(self, places) }
        }

        #[inline(always)]
        unsafe fn add_bytes(self, other: Self) -> Self {
            unsafe { _mm256_add_epi8(self, other) }
        }

        #[inline(always)]
        unsafe fn add_sums(self, other: Self) -> Self {
            unsafe { _mm256_add_epi16(self, other) }
        }

        #[inline(always)]
        unsafe fn less_high(self, other: Self) -> Self {
            unsafe { _mm256_sub_epi16(self, _mm256_slli_epi16::<8>(other)) }
        }

        #[inline(always)]
        unsafe fn high(self) -> Self {
            unsafe { _mm256_srli_epi16::<8>(self) }
        }

        #[inline(always)]
        unsafe fn reached(self, bars: &Bars, scales: &[f32], biases: &[f32]) -> u32 {
            let scales: &[f32; 16] = scales.first_chunk().expect("16 scales");
            let biases: &[f32; 16] = biases.first_chunk().expect("16 biases");
            unsafe {
                let halves = [
                    _mm256_castsi256_si128(self),
                    _mm256_extracti128_si256::<1>(self),
                ];
                let mut reached = 0;
                for (half, sums) in halves.into_iter().enumerate() {
                    let sums = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(sums));
                    let product = _mm256_mul_ps(sums, _mm256_set1_ps(bars.product.step));
                    let product = _mm256_add_ps(product, _mm256_set1_ps(bars.product.base));
                    let scale = _mm256_loadu_ps(scales[8 * half..].as_ptr());
                    let bias = _mm256_loadu_ps(biases[8 * half..].as_ptr());
                    let estimate = _mm256_add_ps(_mm256_mul_ps(product, scale), bias);
                    let least = _mm256_set1_ps(bars.least);
                    let bits = _mm256_cmp_ps::<_CMP_GE_OQ>(estimate, least);
                    reached |= (_mm256_movemask_ps(bits) as u32) << (8 * half);
                }
                reached
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::random;
    use proptest::prelude::*;

    /// The table of some numbers, and what turns a sum of its entries into a product.
    fn filled(numbers: &[f32], table: &mut [u8]) -> Bars {
        let mut steps = vec![0; numbers.len()];
        let step = round(numbers, &mut steps);
        fill_table(&steps, table);
        Bars {
            product: Product::new(step, &steps),
            least: 0.0,
        }
    }

    proptest! {
        #[test]
        fn codes_are_laid_out_byte_by_byte(
            bytes in prop::sample::select(vec![2usize, 4, 8, 16, 40]), count in 0..=BLOCK, seed in any::<u64>(),
        ) {
            const SKIPPED: usize = 3;
            let mut rng = random::stream(seed, 0);
            let records: Vec<Vec<u8>> = (0..count)
                .map(|_| (0..SKIPPED + bytes).map(|_| rng.next_u64() as u8).collect())
                .collect();
            let records: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
            let (mut fast, mut plain) = (vec![0; bytes * BLOCK], vec![0; bytes * BLOCK]);
            transpose(&records, SKIPPED, &mut fast);
            plain_transpose(&records, SKIPPED, &mut plain);
            prop_assert_eq!(fast, plain);
        }

        #[test]
        fn every_processor_lets_the_same_codes_pass(
            bytes in 1usize..20, rows in 1usize..6, count in 1usize..200, first in 0usize..200, seed in any::<u64>(),
        ) {
            let bytes = 2 * bytes;
            let mut rng = random::stream(seed, 0);
            let mut number = || rng.unit() as f32 - 0.5;
            let mut tables = vec![0; rows * bytes * 32];
            let mut bars = Vec::new();
            for table in tables.chunks_exact_mut(bytes * 32) {
                let numbers: Vec<f32> = (0..bytes * 8).map(|_| number()).collect();
                bars.push(filled(&numbers, table));
                prop_assert!(table.iter().all(|&entry| f32::from(entry) <= LARGEST));
                let mut steps = vec![0; numbers.len()];
                round(&numbers, &mut steps);
                let mut plain = vec![0; table.len()];
                plain_fill(&steps, &mut plain);
                prop_assert_eq!(&plain, table);
            }
            let padded = count.next_multiple_of(BLOCK);
            let scales: Vec<f32> = (0..padded).map(|_| number() + 1.0).collect();
            let biases: Vec<f32> = (0..padded).map(|_| number()).collect();
            let codes: Vec<u8> = (0..padded * bytes).map(|_| (number() * 255.0) as i32 as u8).collect();
            let blocks = Blocks { bytes, codes: &codes, scales: &scales, biases: &biases };
            let first = first.min(count - 1);
            let rows = Rows { first, tables: &tables, bars: &bars };
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            scan(rows, blocks, count, &mut fast);
            plain_scan(rows, blocks, count, &mut plain);
            plain.sort_unstable();
            let check = |mut found: Vec<[u32; 2]>| {
                found.sort_unstable();
                prop_assert_eq!(&found, &plain);
                Ok(())
            };
            check(fast)?;
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                let mut avx2 = Vec::new();
                #[expect(unsafe_code, reason = "also where there is something better")]
                // SAFETY: the processor has AVX2.
                unsafe { x86::scan_with_avx2(rows, blocks, count, &mut avx2) };
                check(avx2)?;
            }
        }

        #[test]
        fn sums_of_entries_are_products_with_signs(
            numbers in prop::collection::vec(-1f32..1.0, 32), signs_of in prop::collection::vec(-1f32..1.0, 32),
        ) {
            let mut table = vec![0; 32 * 4];
            let Product { step, base } = filled(&numbers, &mut table).product;
            let code: Vec<u8> = signs_of.as_chunks::<8>().0.iter().map(signs).collect();
            let mut sum = 0.0;
            for (byte, entries) in code.iter().zip(table.as_chunks::<32>().0) {
                sum += f32::from(entries[usize::from(byte & 15)]) + f32::from(entries[16 + usize::from(byte >> 4)]);
            }
            let sign = |number: f32| if number >= 0.0 { 1.0 } else { -1.0 };
            let product: f32 = numbers.iter().zip(&signs_of).map(|(a, &b)| a * sign(b)).sum();
            // Half a step for each number; the step of bars counts twice.
            prop_assert!((sum * step + base - product).abs() <= 0.25 * step * 32.0 + 1e-5);
        }
    }
}
