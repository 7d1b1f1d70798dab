use std::f32::consts::{PI, TAU};

use super::*;
use crate::{
    Minutia, MinutiaKind, Size, Template,
    format::{View, detect, parse},
};

/// Two views, of two minutiae and of none, the first with three bytes of extended data; written by hand.
const ISO: &[u8] = b"FMR\0 20\0\0\0\0\x33\
    \x12\x34\x01\x2c\x01\x90\0\xc5\0\xc5\x02\0\
    \x02\x31\x50\x02\x40\x0a\0\x14\x40\x63\x81\x2b\x01\x8f\xff\0\0\x03abc\
    \0\x08\0\0\0\0";

/// The same without extended data, as ANSI has it.
const ANSI: &[u8] = b"FMR\0 20\0\0\x32\
    \0\x43\0\x01\x12\x34\x01\x2c\x01\x90\0\xc5\0\xc5\x02\0\
    \x02\x31\x50\x02\x40\x0a\0\x14\x2d\x63\x81\x2b\x01\x8f\xb3\0\0\0\
    \0\x08\0\0\0\0";

fn with(record: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut record = record.to_vec();
    record[at..at + bytes.len()].copy_from_slice(bytes);
    record
}

/// ANSI's long form: two zero bytes, then four.
fn long(record: &[u8]) -> Vec<u8> {
    let length = record.len() as u32 + 4;
    [&record[..8], &[0, 0], &length.to_be_bytes(), &record[10..]].concat()
}

fn message(bytes: &[u8]) -> String {
    parse(bytes, 500.0).unwrap_err().to_string()
}

#[test]
fn iso_is_read_into_the_frame_of_templates() {
    assert_eq!(detect(ISO).unwrap(), Format::Iso);
    let [first, second] = &parse(ISO, 1.0).unwrap()[..] else {
        panic!()
    };
    let size = Some(Size {
        width: 300,
        height: 400,
    });
    assert_eq!(first.template.size(), size);
    assert_eq!(first.template.dpi(), 500.0);
    assert_eq!((first.finger, first.number), (Some(2), 3));
    assert_eq!((first.impression, first.quality), (1, Some(80)));
    let minutiae = [
        Minutia {
            x: 10.0,
            y: 379.0,
            direction: PI / 2.0,
            quality: Some(99),
            kind: MinutiaKind::Ending,
        },
        Minutia {
            x: 299.0,
            y: 0.0,
            direction: TAU / 256.0 * 255.0,
            quality: None,
            kind: MinutiaKind::Bifurcation,
        },
    ];
    assert_eq!(first.template.minutiae(), minutiae);
    assert!(second.template.minutiae().is_empty());
    assert_eq!((second.finger, second.impression), (None, 8));
    assert_eq!((second.number, second.quality), (0, None));
}

#[test]
fn ansi_is_told_apart_and_has_steps_of_two_degrees() {
    for record in [ANSI.to_vec(), long(ANSI)] {
        assert_eq!(detect(&record).unwrap(), Format::Ansi);
        let (ansi, iso) = (parse(&record, 500.0).unwrap(), parse(ISO, 500.0).unwrap());
        let [a, b] = [&ansi, &iso].map(|views| views[0].template.minutiae());
        assert_eq!(a[0], b[0]);
        assert!((a[1].direction.to_degrees() - 358.0).abs() < 1e-3);
        assert_eq!((a[1].x, a[1].y), (299.0, 0.0));
        assert_eq!(ansi[1], iso[1]);
    }
    assert_eq!(
        message(&with(ANSI, 40, &[180])),
        "byte 40: view 1 of 2, minutia 2 of 2: direction 180, but must be from 0 to 179, in units of 2°"
    );
}

#[test]
fn a_record_that_is_cut_anywhere_is_an_error() {
    for record in [ISO.to_vec(), ANSI.to_vec(), long(ANSI)] {
        for length in 4..record.len() {
            let message = message(&record[..length]);
            assert!(message.starts_with("byte "), "{length}: {message}");
            // The same with a length that agrees, so that the content has to show it.
            let mut lying = record[..length].to_vec();
            let field = match detect(&record).unwrap() {
                _ if length < 14 => continue,
                Format::Iso => 8..12,
                _ if record[9] == 0 => 10..14,
                _ => 8..10,
            };
            let number = (length as u32).to_be_bytes();
            lying[field.clone()].copy_from_slice(&number[4 - field.len()..]);
            let message = self::message(&lying);
            assert!(message.contains("are left"), "{length}: {message}");
        }
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    assert_eq!(
        message(&[ISO, b"\n"].concat()),
        "byte 8: the record says that it has 51 bytes, but there are 52: something follows it, or its length is wrong"
    );
    assert_eq!(
        message(&ISO[..50]),
        "byte 8: the record says that it has 51 bytes, but there are 50: it was cut, or is no such record"
    );
    assert!(message(&with(ISO, 8, &[0xff; 4])).contains("has 65535 bytes"));
    assert_eq!(
        message(&with(ISO, 14, &[0, 0])),
        "byte 14: the header: an image of 0 × 400 pixels, in which no minutia can be"
    );
    assert_eq!(
        message(&with(ISO, 18, &[0, 0, 0, 0])),
        "byte 18: the header: a resolution of 0 pixels a centimetre, but from 20 to 1968 can be used; 500 dots an \
         inch are 197"
    );
    assert_eq!(
        message(&with(ISO, 20, &[0, 98])),
        "byte 18: the header: 197 pixels a centimetre across but 98 upwards: scale the image to one resolution first"
    );
    assert!(message(&with(ISO, 22, &[0])).contains("has no view"));
    assert!(message(&with(ISO, 22, &[1])).starts_with("byte 45: the end: 6 bytes follow"));
    assert!(
        message(&with(ISO, 22, &[255])).starts_with("byte 51: view 3 of 255: 4 bytes are needed")
    );
    assert!(message(&with(ISO, 24, &[11])).contains("finger 11, but must be from 1 to 10"));
    assert!(message(&with(ISO, 26, &[101])).contains("byte 26: view 1 of 2: quality 101"));
    assert!(
        message(&with(ISO, 27, &[255]))
            .contains("byte 27: view 1 of 2: 255 minutiae take 1530 bytes, but only 23 are left")
    );
    assert!(message(&with(ISO, 27, &[3])).starts_with("byte 40: view 1 of 2, minutia 3 of 3"));
    assert_eq!(
        message(&with(ISO, 35, &[0x2c])),
        "byte 34: view 1 of 2, minutia 2 of 2: at 300, 399 from the top left, outside the image of 300 × 400 pixels"
    );
    assert!(message(&with(ISO, 36, &[0xff, 0xff])).contains("at 299, 16383 from the top left"));
    assert!(message(&with(ISO, 33, &[200])).contains("byte 33"));
    assert!(message(&with(ISO, 40, &[0xff, 0xff])).contains("65535 bytes are needed, but only 9"));
    assert!(message(b"FMR\x00030\0").contains("version \"030\""));
    assert!(message(b"FIR\x00010\0").contains("an image of a finger"));
    assert!(message(b"FMR").contains("but a minutia is"));
    let error = super::parse(b"1 2 3").unwrap_err().to_string();
    assert!(error.contains("no finger minutiae record"));
}

#[test]
fn what_later_editions_call_not_judged_is_none() {
    let record = with(&with(ISO, 26, &[255]), 33, &[254]);
    let views = parse(&record, 500.0).unwrap();
    assert_eq!(views[0].quality, None);
    assert_eq!(views[0].template.minutiae()[0].quality, None);
}

#[test]
fn resolutions_are_those_that_were_meant() {
    for (pixels, dpi) in [(98, 250.0), (197, 500.0), (394, 1000.0), (200, 508.0)] {
        let field = [[0, pixels as u8], (pixels as u16).to_be_bytes()][usize::from(pixels > 255)];
        let record = with(&with(ISO, 18, &field), 20, &field);
        let views = parse(&record, 1.0).unwrap();
        assert_eq!(views[0].template.dpi(), dpi);
        assert_eq!(write(&views).unwrap()[18..22], record[18..22]);
    }
}

#[test]
fn what_a_record_cannot_say_is_refused() {
    let message = |views: &[View]| write(views).unwrap_err().to_string();
    let template = |x, y| Template::new(vec![Minutia::new(x, y, 0.0)], 500.0).unwrap();
    let view = |x, y| View::new(template(x, y));
    assert_eq!(message(&[]), "0 views, but a record has from 1 to 255");
    assert!(message(&vec![view(1.0, 1.0); 256]).starts_with("256 views"));
    assert_eq!(
        message(&[view(1.0, 1.0), view(-1.0, 9.0)]),
        "view 2: minutia 1: at -1, 9, outside the image of 2 × 10 pixels"
    );
    assert!(message(&[view(65536.0, 1.0)]).contains("at 65536, 1, outside the image"));
    assert!(message(&[view(16384.0, 1.0)]).contains("below 16384"));
    let size = Some(Size {
        width: 9,
        height: 20000,
    });
    let tall = View::new(template(1.0, 0.0).with_size(size));
    assert!(message(&[tall]).contains("at 1, 19999 from the top left"));
    let other = Template::new(Vec::new(), 1000.0).unwrap();
    assert_eq!(
        message(&[view(1.0, 1.0), View::new(other)]),
        "view 2 has 1000 dots an inch, but the first 500: a record has one resolution"
    );
    let many = Template::new(vec![Minutia::new(1.0, 1.0, 0.0); 256], 500.0).unwrap();
    assert!(message(&[View::new(many)]).contains("256 minutiae"));
    let strange = [
        View {
            finger: Some(11),
            ..view(1.0, 1.0)
        },
        View {
            finger: Some(0),
            ..view(1.0, 1.0)
        },
        View {
            number: 16,
            ..view(1.0, 1.0)
        },
        View {
            quality: Some(0),
            ..view(1.0, 1.0)
        },
    ];
    for view in strange {
        assert!(message(&[view]).contains("but"));
    }
}
