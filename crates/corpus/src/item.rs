//! The numbers of a row.

use crate::half::to_f32;
use crate::lines::Numbers;
use bytemuck::AnyBitPattern;
use lookalike_core::plugin::Value;

/// What the items of rows are, and how their bytes are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) number: Number,
    pub(crate) order: Order,
}

/// A type of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
}

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

impl Order {
    /// That of this machine.
    pub(crate) const NATIVE: Self = match cfg!(target_endian = "little") {
        true => Self::Little,
        false => Self::Big,
    };
}

impl Item {
    pub(crate) const BYTE: Self = Self::little(Number::U8);

    pub(crate) const fn little(number: Number) -> Self {
        Self {
            number,
            order: Order::Little,
        }
    }

    pub(crate) const fn bytes(self) -> usize {
        match self.number {
            Number::U8 | Number::I8 => 1,
            Number::U16 | Number::I16 | Number::F16 => 2,
            Number::U32 | Number::I32 | Number::F32 => 4,
            Number::U64 | Number::I64 | Number::F64 => 8,
        }
    }

    /// What the bytes of a row hold. Numbers are used where they are, if that is how this machine has them.
    pub(crate) fn value<'a>(self, bytes: &'a [u8], numbers: &'a mut Numbers) -> Value<'a> {
        let Numbers {
            naturals,
            signed,
            floats,
            doubles,
        } = numbers;
        let item = self;
        match self.number {
            Number::U8 => Value::Bytes(bytes),
            Number::U16 => {
                Value::Integers(item.convert(bytes, naturals, |b| u16::from_ne_bytes(b).into()))
            }
            Number::U32 => {
                Value::Integers(item.convert(bytes, naturals, |b| u32::from_ne_bytes(b).into()))
            }
            Number::U64 => Value::Integers(item.borrow(bytes, naturals, u64::from_ne_bytes)),
            Number::I8 => {
                Value::Signed(item.convert(bytes, signed, |b| i8::from_ne_bytes(b).into()))
            }
            Number::I16 => {
                Value::Signed(item.convert(bytes, signed, |b| i16::from_ne_bytes(b).into()))
            }
            Number::I32 => {
                Value::Signed(item.convert(bytes, signed, |b| i32::from_ne_bytes(b).into()))
            }
            Number::I64 => Value::Signed(item.borrow(bytes, signed, i64::from_ne_bytes)),
            Number::F16 => {
                Value::Floats(item.convert(bytes, floats, |b| to_f32(u16::from_ne_bytes(b))))
            }
            Number::F32 => Value::Floats(item.borrow(bytes, floats, f32::from_ne_bytes)),
            Number::F64 => Value::Doubles(item.borrow(bytes, doubles, f64::from_ne_bytes)),
        }
    }

    /// The numbers where they are, if their order and their place in memory allow it; else in the buffer.
    fn borrow<'a, const N: usize, T: AnyBitPattern>(
        self,
        bytes: &'a [u8],
        buffer: &'a mut Vec<T>,
        number: fn([u8; N]) -> T,
    ) -> &'a [T] {
        if self.order == Order::NATIVE
            && let Ok(numbers) = bytemuck::try_cast_slice(bytes)
        {
            return numbers;
        }
        self.convert(bytes, buffer, number)
    }

    /// The numbers in the buffer; `number` gets bytes in the order of this machine.
    fn convert<'a, const N: usize, T>(
        self,
        bytes: &[u8],
        buffer: &'a mut Vec<T>,
        number: impl Fn([u8; N]) -> T,
    ) -> &'a [T] {
        let (chunks, _) = bytes.as_chunks::<N>();
        buffer.clear();
        match self.order == Order::NATIVE {
            true => buffer.extend(chunks.iter().map(|&bytes| number(bytes))),
            false => buffer.extend(chunks.iter().map(|&bytes| {
                let mut swapped = bytes;
                swapped.reverse();
                number(swapped)
            })),
        }
        buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_the_same_wherever_they_are(
            doubles in prop::collection::vec(any::<f64>(), 0..9),
            offset in 0..8usize,
            is_little in any::<bool>(),
        ) {
            let order = match is_little { true => Order::Little, false => Order::Big };
            let bytes = |f: &f64| match is_little { true => f.to_le_bytes(), false => f.to_be_bytes() };
            let mut memory = vec![0; offset];
            memory.extend(doubles.iter().flat_map(bytes));
            let bits = |f: &f64| f.to_bits();
            let expected: Vec<u64> = doubles.iter().map(bits).collect();
            let mut numbers = Numbers::default();
            let item = Item { number: Number::F64, order };
            let Value::Doubles(found) = item.value(&memory[offset..], &mut numbers) else { panic!() };
            prop_assert_eq!(found.iter().map(bits).collect::<Vec<u64>>(), expected.clone());
            let item = Item { number: Number::U64, order };
            let Value::Integers(found) = item.value(&memory[offset..], &mut numbers) else { panic!() };
            prop_assert_eq!(found, &expected);
        }
    }
}
