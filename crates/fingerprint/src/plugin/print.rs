use lookalike_core::plugin::{Error, Kind, Value};
use serde::{Deserialize, Serialize};

use crate::{DPI, Minutia, MinutiaKind, Size, Template, format};

/// Fingerprints: minutiae from XYT, ISO/IEC 19794-2 or ANSI 378, one file per print or several views in one.
///
/// JSON is read too, since no file format keeps all that a template can hold:
/// `{"dpi": 500, "size": [388, 374], "minutiae": [[x, y, direction, quality, kind], …]}`.
#[derive(Clone, Copy, Debug)]
pub struct Print;

/// How prints are read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PrintReading {
    /// The resolution of XYT files, which do not state theirs, in dots per inch.
    pub dpi: f32,
}

impl Default for PrintReading {
    fn default() -> Self {
        Self { dpi: DPI }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    dpi: f32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<(u16, u16)>,
    minutiae: Vec<(f32, f32, f32, Option<u8>, WrittenKind)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WrittenKind {
    Ending,
    Bifurcation,
    Other,
}

impl Kind for Print {
    const NAME: &'static str = "print";
    const LABEL: &'static str = "finger";
    type Item = Template;
    type Items = Vec<Template>;
    type Reading = PrintReading;

    fn parse(
        value: Value<'_>,
        reading: &PrintReading,
        prints: &mut Vec<Template>,
    ) -> Result<(), Error> {
        let bytes = match value {
            Value::Bytes(bytes) => bytes,
            Value::Text(text) | Value::Json(text) => text.as_bytes(),
            other => return Err(other.unexpected("the bytes of a print")),
        };
        if bytes.trim_ascii_start().starts_with(b"{") {
            prints.push(from_json(bytes)?);
            return Ok(());
        }
        let views = format::parse(bytes, reading.dpi)?;
        prints.extend(views.into_iter().map(|view| view.template));
        Ok(())
    }

    fn show(print: &Template, _: usize) -> String {
        let minutia = |minutia: &Minutia| {
            let kind = match minutia.kind {
                MinutiaKind::Ending => WrittenKind::Ending,
                MinutiaKind::Bifurcation => WrittenKind::Bifurcation,
                MinutiaKind::Other => WrittenKind::Other,
            };
            (
                minutia.x,
                minutia.y,
                minutia.direction,
                minutia.quality,
                kind,
            )
        };
        let written = Written {
            dpi: print.dpi(),
            size: print.size().map(|size| (size.width, size.height)),
            minutiae: print.minutiae().iter().map(minutia).collect(),
        };
        serde_json::to_string(&written).expect("numbers have a JSON form")
    }

    fn summary(print: &Template, _: usize) -> String {
        match print.minutiae().len() {
            1 => "1 minutia".into(),
            count => format!("{count} minutiae"),
        }
    }
}

fn from_json(bytes: &[u8]) -> Result<Template, Error> {
    let written: Written =
        serde_json::from_slice(bytes).map_err(|error| Error::new(error.to_string()))?;
    let minutiae = written.minutiae.into_iter();
    let minutiae = minutiae.map(|(x, y, direction, quality, kind)| Minutia {
        x,
        y,
        direction,
        quality,
        kind: match kind {
            WrittenKind::Ending => MinutiaKind::Ending,
            WrittenKind::Bifurcation => MinutiaKind::Bifurcation,
            WrittenKind::Other => MinutiaKind::Other,
        },
    });
    let template = Template::new(minutiae.collect(), written.dpi)?;
    let size = written.size;
    Ok(template.with_size(size.map(|(width, height)| Size { width, height })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Finger, Impression};

    #[test]
    fn text_and_bytes_are_read_back() {
        let mut prints: Vec<Template> = (0..5)
            .map(|finger| Impression::default().of(&Finger::new(finger), 1))
            .collect();
        prints[1] = prints[1].clone().with_size(Some(Size {
            width: 388,
            height: 374,
        }));
        prints.push(Template::new(Vec::new(), 300.0).unwrap());
        for print in &prints {
            let mut again = Vec::new();
            let shown = Print::show(print, 0);
            Print::parse(Value::Text(&shown), &PrintReading::default(), &mut again).unwrap();
            let mut bytes = Vec::new();
            Print::encode(print, 0, &mut bytes);
            Print::decode(&bytes, &mut again).unwrap();
            assert_eq!((&again[0], &again[1]), (print, print));
        }
        assert!(Print::summary(&prints[0], 0).ends_with(" minutiae"));
    }

    #[test]
    fn files_are_read_and_what_is_not_a_print_is_refused() {
        let mut prints = Vec::new();
        let reading = PrintReading { dpi: 250.0 };
        Print::parse(Value::Bytes(b"83 214 90 61\n"), &reading, &mut prints).unwrap();
        assert_eq!((prints[0].dpi(), prints[0].minutiae().len()), (250.0, 1));
        let mut refused = |value| Print::parse(value, &reading, &mut prints).unwrap_err();
        assert!(
            refused(Value::Text("{\"dpi\": 500}"))
                .to_string()
                .contains("minutiae")
        );
        assert!(
            refused(Value::Text("{\"dpi\": 1, \"minutiae\": []}"))
                .to_string()
                .contains("resolution")
        );
        assert!(
            refused(Value::Integers(&[1]))
                .to_string()
                .contains("a row of 1 integers")
        );
        assert!(refused(Value::Bytes(b"\xff\xfe")).to_string().len() > 10);
    }
}
