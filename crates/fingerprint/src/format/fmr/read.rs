use std::f32::consts::TAU;

use super::{Cursor, INCH, MAGIC, MOST_PIXELS, Part, VERSION, detect};
use crate::{
    Error, Minutia, MinutiaKind, Size, Template,
    format::{Format, View},
    minutia::turn,
};

/// The views of a record.
///
/// A record must be whole, and nothing may follow it. Minutiae outside its image, different resolutions across and
/// upwards, and a resolution of zero are errors: there is no telling what places mean.
pub fn parse(bytes: &[u8]) -> Result<Vec<View>, Error> {
    let format = detect(bytes)?.ok_or_else(|| {
        Error::Format("no finger minutiae record: these start with \"FMR\" and a zero byte".into())
    })?;
    let mut cursor = Cursor {
        bytes,
        at: MAGIC.len() + VERSION.len(),
        part: Part::Header,
    };
    let header = Header::read(&mut cursor, format)?;
    let mut views = Vec::with_capacity(header.views.into());
    for number in 1..=header.views {
        views.push(view(&mut cursor, format, &header, number)?);
    }
    cursor.part = Part::End;
    match bytes.len() - cursor.at {
        0 => Ok(views),
        left => Err(cursor.wrong(
            cursor.at,
            format!(
                "{left} bytes follow the last of {} views: their number, or the number of minutiae in one, is wrong",
                header.views
            ),
        )),
    }
}

/// What all views of a record share.
struct Header {
    size: Size,
    dpi: f32,
    views: u8,
}

impl Header {
    fn read(cursor: &mut Cursor<'_>, format: Format) -> Result<Self, Error> {
        // The length was compared with what there is.
        if format == Format::Ansi {
            if cursor.u16()? == 0 {
                cursor.u32()?;
            }
            cursor.u32()?;
        } else {
            cursor.u32()?;
        }
        cursor.u16()?;
        let at = cursor.at;
        let size = Size {
            width: cursor.u16()?,
            height: cursor.u16()?,
        };
        if size.width == 0 || size.height == 0 {
            let Size { width, height } = size;
            let what = format!("an image of {width} × {height} pixels, in which no minutia can be");
            return Err(cursor.wrong(at, what));
        }
        let at = cursor.at;
        let (across, upwards) = (cursor.u16()?, cursor.u16()?);
        if across != upwards {
            let what = format!(
                "{across} pixels a centimetre across but {upwards} upwards: scale the image to one resolution first"
            );
            return Err(cursor.wrong(at, what));
        }
        let dpi = dots_an_inch(across);
        if Template::new(Vec::new(), dpi).is_err() {
            let what = format!(
                "a resolution of {across} pixels a centimetre, but from 20 to 1968 can be used; 500 dots an inch \
                 are 197"
            );
            return Err(cursor.wrong(at, what));
        }
        let at = cursor.at;
        let views = cursor.u8()?;
        if views == 0 {
            let what = "the record has no view: it must have one at least";
            return Err(cursor.wrong(at, what.into()));
        }
        cursor.u8()?;
        Ok(Self { size, dpi, views })
    }
}

fn view(
    cursor: &mut Cursor<'_>,
    format: Format,
    header: &Header,
    number: u8,
) -> Result<View, Error> {
    let place = [number, header.views];
    cursor.part = Part::View {
        number,
        of: header.views,
    };
    let at = cursor.at;
    let [finger, kinds, quality, count] = cursor.take()?;
    if finger > 10 {
        let what = format!("finger {finger}, but must be from 1 to 10, or 0 where it is not known");
        return Err(cursor.wrong(at, what));
    }
    let quality = judged(quality).map_err(|what| cursor.wrong(at + 2, what))?;
    let (needed, left) = (6 * usize::from(count), cursor.bytes.len() - cursor.at);
    if needed > left {
        let what = format!("{count} minutiae take {needed} bytes, but only {left} are left");
        return Err(cursor.wrong(at + 3, what));
    }
    let mut minutiae = Vec::with_capacity(count.into());
    for number in 1..=count {
        cursor.part = Part::Minutia {
            view: place,
            number,
            of: count,
        };
        minutiae.push(minutia(cursor, format, header.size)?);
    }
    cursor.part = Part::Extended { view: place };
    let extended = cursor.u16()?;
    cursor.skip(extended.into())?;
    Ok(View {
        template: Template::new(minutiae, header.dpi)?.with_size(Some(header.size)),
        finger: (finger > 0).then_some(finger),
        number: kinds >> 4,
        impression: kinds & 15,
        quality,
    })
}

fn minutia(cursor: &mut Cursor<'_>, format: Format, size: Size) -> Result<Minutia, Error> {
    let at = cursor.at;
    let [x, y] = [cursor.u16()?, cursor.u16()?];
    let [direction, quality] = cursor.take()?;
    let kind = match x >> 14 {
        1 => MinutiaKind::Ending,
        2 => MinutiaKind::Bifurcation,
        _ => MinutiaKind::Other,
    };
    let (x, y) = (x % MOST_PIXELS, y % MOST_PIXELS);
    if x >= size.width || y >= size.height {
        let Size { width, height } = size;
        let what = format!(
            "at {x}, {y} from the top left, outside the image of {width} × {height} pixels"
        );
        return Err(cursor.wrong(at, what));
    }
    let units = if format == Format::Ansi { 180 } else { 256 };
    if u16::from(direction) >= units {
        let what = format!("direction {direction}, but must be from 0 to 179, in units of 2°");
        return Err(cursor.wrong(at + 4, what));
    }
    Ok(Minutia {
        x: x.into(),
        y: (size.height - 1 - y).into(),
        direction: turn(f32::from(direction) * (TAU / f32::from(units))),
        quality: judged(quality).map_err(|what| cursor.wrong(at + 5, what))?,
        kind,
    })
}

/// A quality, where there is one.
fn judged(quality: u8) -> Result<Option<u8>, String> {
    match quality {
        0 | 254 | 255 => Ok(None),
        1..=100 => Ok(Some(quality)),
        _ => Err(format!(
            "quality {quality}, but must be from 1 to 100, or 0 for none"
        )),
    }
}

fn dots_an_inch(pixels_a_centimetre: u16) -> f32 {
    match pixels_a_centimetre {
        98 => 250.0,
        197 => 500.0,
        394 => 1000.0,
        other => f32::from(other) * INCH,
    }
}
