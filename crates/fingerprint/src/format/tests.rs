//! What is written is read again, and what is read is written again; no bytes are a panic.

use std::f32::consts::{PI, TAU};

use proptest::{collection::vec, prelude::*, sample::select};

use super::*;
use crate::{Minutia, MinutiaKind, Size, Template, minutia::turn};

fn quality() -> impl Strategy<Value = Option<u8>> {
    prop_oneof![Just(None), (1..=100u8).prop_map(Some)]
}

fn minutia(size: Size) -> impl Strategy<Value = Minutia> {
    let kinds = select(vec![
        MinutiaKind::Ending,
        MinutiaKind::Bifurcation,
        MinutiaKind::Other,
    ]);
    let places = (0..size.width, 0..size.height);
    (places, 0..256u16, quality(), kinds).prop_map(|((x, y), direction, quality, kind)| Minutia {
        x: x.into(),
        y: y.into(),
        direction: turn(f32::from(direction) * (TAU / 256.0)),
        quality,
        kind,
    })
}

/// What an ISO record can say.
fn views() -> impl Strategy<Value = Vec<View>> {
    let size = (1..2000u16, 1..2000u16).prop_map(|(width, height)| Size { width, height });
    let dpi = prop_oneof![
        select(vec![250.0, 500.0, 1000.0]),
        (20..1900u16)
            .prop_filter("those are read as round numbers", |pixels| {
                ![98, 197, 394].contains(pixels)
            })
            .prop_map(|pixels| f32::from(pixels) * 2.54)
    ];
    (size, dpi).prop_flat_map(|(size, dpi)| {
        let finger = prop_oneof![Just(None), (1..=10u8).prop_map(Some)];
        let view = (
            vec(minutia(size), 0..40),
            finger,
            0..16u8,
            0..16u8,
            quality(),
        );
        let view = view.prop_map(
            move |(minutiae, finger, number, impression, quality)| View {
                template: Template::new(minutiae, dpi).unwrap().with_size(Some(size)),
                finger,
                number,
                impression,
                quality,
            },
        );
        vec(view, 1..5)
    })
}

/// A well-formed ISO record without extended data, made byte by byte and not by what is tested.
fn record() -> impl Strategy<Value = Vec<u8>> {
    let view = (
        0..=10u8,
        any::<u8>(),
        0..=100u8,
        vec(any::<[u8; 6]>(), 0..60),
    );
    let header = (1..3000u16, 1..3000u16, 20..=1968u16);
    (header, vec(view, 1..4)).prop_map(|((width, height, resolution), views)| {
        let mut body = Vec::new();
        for (finger, kinds, quality, minutiae) in &views {
            body.extend([*finger, *kinds, *quality, minutiae.len() as u8]);
            for [kind, x0, x1, y0, y1, rest] in minutiae {
                let x = u16::from_be_bytes([*x0, *x1]) % width;
                let y = u16::from_be_bytes([*y0, *y1]) % height;
                let kind = u16::from(kind % 3);
                body.extend((kind << 14 | x).to_be_bytes());
                body.extend(y.to_be_bytes());
                body.extend([*rest, rest % 101]);
            }
            body.extend([0, 0]);
        }
        let mut record = b"FMR\0 20\0".to_vec();
        record.extend((24 + body.len() as u32).to_be_bytes());
        for field in [0, width, height, resolution, resolution] {
            record.extend(field.to_be_bytes());
        }
        record.extend([views.len() as u8, 0]);
        record.extend(body);
        record
    })
}

/// Lines as mindtct writes them.
fn lines() -> impl Strategy<Value = String> {
    let line = (0..2000i32, 0..2000i32, 0..360u32, 1..=100u8);
    (vec(line, 0..60), any::<bool>()).prop_map(|(lines, four)| {
        let line = |(x, y, theta, quality)| match four {
            true => format!("{x} {y} {theta} {quality}\n"),
            false => format!("{x} {y} {theta}\n"),
        };
        lines.into_iter().map(line).collect()
    })
}

/// The same bytes with a few changed, and cut or longer; half of the time with a length that agrees.
fn mutated(bytes: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let changes = vec((any::<prop::sample::Index>(), any::<u8>()), 0..6);
    let more = prop_oneof![Just(Vec::new()), vec(any::<u8>(), 0..9)];
    (bytes, changes, more, any::<prop::sample::Index>(), 0..4u8).prop_map(
        |(mut bytes, changes, more, end, how)| {
            for (place, byte) in changes {
                if !bytes.is_empty() {
                    let place = place.index(bytes.len());
                    bytes[place] = byte;
                }
            }
            if how & 1 == 1 {
                bytes.truncate(end.index(bytes.len() + 1));
            }
            bytes.extend(more);
            let length = (bytes.len() as u32).to_be_bytes();
            if let (true, Some(field)) = (how & 2 == 2, bytes.get_mut(8..12)) {
                field.copy_from_slice(&length);
            }
            bytes
        },
    )
}

/// What can be read can be written, and is read again.
fn holds(bytes: &[u8]) {
    let Ok(views) = parse(bytes, 500.0) else {
        return;
    };
    if detect(bytes) == Ok(Format::Xyt) {
        let text = xyt::write(&views[0].template);
        let again = xyt::parse(text.as_bytes(), 500.0).unwrap();
        assert_eq!(again.minutiae().len(), views[0].template.minutiae().len());
        assert_eq!(xyt::write(&again), text);
    } else {
        let record = fmr::write(&views).unwrap();
        let again = parse(&record, 500.0).unwrap();
        assert_eq!(fmr::write(&again).unwrap(), record);
        if detect(bytes) == Ok(Format::Iso) {
            assert_eq!(again, views);
        }
    }
}

proptest! {
    #[test]
    fn views_that_are_written_are_read(views in views()) {
        let record = fmr::write(&views).unwrap();
        prop_assert_eq!(detect(&record), Ok(Format::Iso));
        prop_assert_eq!(parse(&record, 500.0).unwrap(), views);
    }

    #[test]
    fn records_that_are_read_are_written(record in record()) {
        prop_assert_eq!(fmr::write(&parse(&record, 500.0).unwrap()).unwrap(), record);
    }

    #[test]
    fn lines_that_are_read_are_written(lines in lines()) {
        let views = parse(lines.as_bytes(), 500.0).unwrap();
        prop_assert_eq!(xyt::write(&views[0].template), lines);
    }

    #[test]
    fn templates_that_are_written_as_lines_are_read(
        minutiae in vec((-2000..2000i16, -2000..2000i16, 0..360u16, quality()), 0..60),
        dpi in 50.0..5000.0f32,
    ) {
        let minutia = |(x, y, degrees, quality)| Minutia {
            quality,
            ..Minutia::new(f32::from(x), f32::from(y), f32::from(degrees).to_radians() + PI)
        };
        let template = Template::new(minutiae.into_iter().map(minutia).collect(), dpi).unwrap();
        prop_assert_eq!(xyt::parse(xyt::write(&template).as_bytes(), dpi).unwrap(), template);
    }

    #[test]
    fn no_bytes_are_a_panic(bytes in vec(any::<u8>(), 0..300), text in ".{0,60}") {
        holds(&bytes);
        holds(text.as_bytes());
        holds(&[b"FMR\0 20\0", &bytes[..]].concat());
    }

    #[test]
    fn no_record_is_a_panic(record in mutated(record())) {
        holds(&record);
    }

    #[test]
    fn no_lines_are_a_panic(lines in mutated(lines().prop_map(String::into_bytes))) {
        holds(&lines);
    }
}
