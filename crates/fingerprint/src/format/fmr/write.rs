use std::f32::consts::TAU;

use super::{INCH, MAGIC, MOST_PIXELS, VERSION};
use crate::{Error, Minutia, MinutiaKind, Size, Template, format::View};

/// An ISO record of these views, of which there must be from 1 to 255, of at most 255 minutiae each.
///
/// Places are written in whole pixels, directions in 256ths of a turn. One header serves all views: they must have one
/// resolution, and the image is as large as the largest of theirs, where a template that does not say its size has
/// the smallest that holds its minutiae.
///
/// ```
/// use lookalike_fingerprint::{DPI, Minutia, Template, format::{View, fmr}};
///
/// let template = Template::new(vec![Minutia::new(83.0, 214.0, 1.0), Minutia::new(140.0, 95.0, 2.0)], DPI)?;
/// let record = fmr::write(&[View::new(template)])?;
/// assert_eq!(record.len(), 24 + 4 + 2 * 6 + 2);
/// let size = fmr::parse(&record)?[0].template.size().unwrap();
/// assert_eq!((size.width, size.height), (141, 215));
/// # Ok::<(), lookalike_fingerprint::Error>(())
/// ```
pub fn write(views: &[View]) -> Result<Vec<u8>, Error> {
    let refuse = |what: String| Err(Error::Unwritable(what));
    let Ok(count @ 1..) = u8::try_from(views.len()) else {
        return refuse(format!(
            "{} views, but a record has from 1 to 255",
            views.len()
        ));
    };
    let dpi = views[0].template.dpi();
    let mut size = Size {
        width: 1,
        height: 1,
    };
    for (number, view) in (1..).zip(views) {
        if view.template.dpi() != dpi {
            return refuse(format!(
                "view {number} has {} dots an inch, but the first {dpi}: a record has one resolution",
                view.template.dpi()
            ));
        }
        let own = extent(&view.template);
        size.width = size.width.max(own.width);
        size.height = size.height.max(own.height);
    }
    // A template has from 50 to 5000 dots an inch.
    let resolution = (dpi / INCH).round() as u16;
    let minutiae: usize = views.iter().map(|v| v.template.minutiae().len()).sum();
    let length = 24 + 6 * views.len() + 6 * minutiae;
    let mut record = Vec::with_capacity(length);
    record.extend([MAGIC, VERSION].concat());
    record.extend((length as u32).to_be_bytes());
    for field in [0, size.width, size.height, resolution, resolution] {
        record.extend(field.to_be_bytes());
    }
    record.extend([count, 0]);
    for (number, view) in (1..).zip(views) {
        append(&mut record, view, size)
            .map_err(|what| Error::Unwritable(format!("view {number}: {what}")))?;
    }
    Ok(record)
}

fn append(record: &mut Vec<u8>, view: &View, size: Size) -> Result<(), String> {
    let finger = view.finger.unwrap_or(0);
    if view.finger == Some(0) || finger > 10 {
        return Err(format!("finger {finger}, but must be from 1 to 10"));
    }
    if view.number > 15 || view.impression > 15 {
        let (number, impression) = (view.number, view.impression);
        return Err(format!(
            "number {number} and impression {impression}, but both must be from 0 to 15"
        ));
    }
    let minutiae = view.template.minutiae();
    let Ok(count) = u8::try_from(minutiae.len()) else {
        let found = minutiae.len();
        return Err(format!(
            "{found} minutiae, but a view has at most 255: keep the best"
        ));
    };
    let kinds = view.number << 4 | view.impression;
    record.extend([finger, kinds, written(view.quality)?, count]);
    for (number, minutia) in (1..).zip(minutiae) {
        let wrong = |what: String| format!("minutia {number}: {what}");
        let (x, y) = (minutia.x.round(), minutia.y.round());
        let within = |place: f32, side: u16| (0.0..f32::from(side)).contains(&place);
        if !within(x, size.width) || !within(y, size.height) {
            let Size { width, height } = size;
            return Err(wrong(format!(
                "at {x}, {y}, outside the image of {width} × {height} pixels"
            )));
        }
        let (x, y) = (x as u16, size.height - 1 - y as u16);
        if x >= MOST_PIXELS || y >= MOST_PIXELS {
            return Err(wrong(format!(
                "at {x}, {y} from the top left, but a record has places below {MOST_PIXELS}"
            )));
        }
        let kind = match minutia.kind {
            MinutiaKind::Other => 0,
            MinutiaKind::Ending => 1,
            MinutiaKind::Bifurcation => 2,
        };
        record.extend((kind << 14 | x).to_be_bytes());
        record.extend(y.to_be_bytes());
        let direction = (minutia.direction / TAU * 256.0).round() as u16 % 256;
        record.extend([direction as u8, written(minutia.quality).map_err(wrong)?]);
    }
    record.extend([0, 0]);
    Ok(())
}

fn written(quality: Option<u8>) -> Result<u8, String> {
    match quality {
        None => Ok(0),
        Some(quality @ 1..=100) => Ok(quality),
        Some(quality) => Err(format!("quality {quality}, but must be from 1 to 100")),
    }
}

/// The size of the image, or of the smallest that holds all minutiae.
fn extent(template: &Template) -> Size {
    template.size().unwrap_or_else(|| {
        let side = |place: fn(&Minutia) -> f32| {
            let places = template.minutiae().iter().map(place);
            // Saturates, and what does not fit is refused with its minutia.
            (places.fold(0.0, f32::max).round() as u16).saturating_add(1)
        };
        Size {
            width: side(|minutia| minutia.x),
            height: side(|minutia| minutia.y),
        }
    })
}
