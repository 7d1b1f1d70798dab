//! What is attached to the index of a gallery: its settings and names as JSON, its minutiae as bytes.
//!
//! ```text
//! length of the JSON, JSON │ for each print: minutiae as (x, y, direction, quality), each list with its length
//! ```
//!
//! Only minutiae that are looked at are kept, at 500 dots an inch.

use std::path::Path;

use lookalike_engine::{Saved, SavedIndex};
use lookalike_fingerprint::{DPI, LocalTriples, Minutia, Template, Triples};
use serde::{Deserialize, Serialize};

use crate::{Error, Gallery};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    kind: Contents,
    triples: Triples,
    names: Vec<String>,
}

/// Other tools attach other things to an index.
#[derive(Serialize, Deserialize)]
enum Contents {
    #[serde(rename = "fingerprints")]
    Fingerprints,
}

pub(crate) fn write(gallery: &Gallery) -> Vec<u8> {
    let head = Head {
        kind: Contents::Fingerprints,
        triples: *gallery.triples(),
        names: gallery.names.clone(),
    };
    let head = serde_json::to_vec(&head).expect("plain values");
    let mut bytes = Vec::from((head.len() as u64).to_le_bytes());
    bytes.extend(head);
    let selection = gallery.selection();
    for template in &gallery.templates {
        let minutiae = selection.of(template);
        bytes.push(minutiae.len() as u8);
        for minutia in minutiae {
            for number in [minutia.x, minutia.y, minutia.direction] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.push(u8::from(minutia.quality.is_some()));
            bytes.push(minutia.quality.unwrap_or_default());
        }
    }
    bytes
}

pub(crate) fn read(path: &Path) -> Result<Gallery, Error> {
    let damaged = |what| Error::Gallery {
        path: path.to_owned(),
        what,
    };
    let other = || Error::NotAGallery {
        path: path.to_owned(),
    };
    let saved = Saved::open(path)?;
    let (head, _) = take_head(saved.attachment()).ok_or_else(other)?;
    let head: Head = serde_json::from_slice(head).map_err(|_| other())?;
    let SavedIndex { index, attachment } = saved.index(LocalTriples::new(head.triples)?)?;
    // The checksum holds from here on: what follows was written as it is, though perhaps not by this program.
    let (_, mut rest) = take_head(&attachment).ok_or_else(other)?;
    let mut templates = Vec::with_capacity(head.names.len());
    for _ in &head.names {
        let template = take_template(&mut rest);
        templates
            .push(template.ok_or_else(|| damaged("damaged: its prints do not fit its names"))?);
    }
    if !rest.is_empty() || index.len() != templates.len() {
        return Err(damaged("damaged: its prints do not fit its names"));
    }
    Ok(Gallery::of(index, head.names, templates))
}

fn take_head(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    rest.split_at_checked(length)
}

fn take_template(rest: &mut &[u8]) -> Option<Template> {
    let (&count, after) = rest.split_first()?;
    let (minutiae, after) = after.split_at_checked(usize::from(count) * MINUTIA)?;
    *rest = after;
    let minutiae = minutiae.as_chunks::<MINUTIA>().0.iter().map(|bytes| {
        let number = |at: usize| {
            f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        Minutia {
            quality: (bytes[12] == 1).then_some(bytes[13]),
            ..Minutia::new(number(0), number(4), number(8))
        }
    });
    Template::new(minutiae.collect(), DPI).ok()
}

/// Bytes of a minutia.
const MINUTIA: usize = 14;
