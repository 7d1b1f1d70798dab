//! Curves as a page and as a picture.

use lookalike::report::{Page, Section};

use crate::drawn_curves::{self, control};
use crate::s_curve::SCurve;

/// One chart, or several side by side.
pub(super) fn picture(curves: &[SCurve], threshold: f64) -> anyhow::Result<String> {
    match curves {
        [one] => Ok(drawn_curves::chart(one, threshold)?.svg()),
        several => Ok(drawn_curves::panels(several, threshold)?.svg()),
    }
}

/// The curves with their errors, all in one picture, and bands and rows to move.
pub(super) fn page(curves: &[SCurve], threshold: f64) -> anyhow::Result<Page> {
    let (title, lead) = match curves {
        [one] => (
            one.label.clone(),
            format!("How likely a pair becomes a candidate with {}.", one.label),
        ),
        several => (
            "S-curves".to_owned(),
            format!(
                "How likely a pair becomes a candidate, with {} schemes.",
                several.len()
            ),
        ),
    };
    let errors = Section::new("Errors").text(format!(
        "The ideal curve steps from 0 to 1 at the threshold, {threshold}. What separates a curve from it are similar pairs \
         that are missed (false negatives, above the threshold) and candidates that are not similar (false positives, below \
         it). Their areas are means over pairs spread evenly on each side, times the length of that side."
    ));
    let errors = match curves {
        [one] => errors.block(drawn_curves::chart(one, threshold)?),
        several => errors.block(drawn_curves::panels(several, threshold)?),
    };
    let mut page = Page::new(title)
        .lead(lead)
        .section(errors.block(drawn_curves::table(curves, threshold)?));
    if curves.len() > 1 {
        let together = drawn_curves::together(curves, threshold)?;
        page = page.section(Section::new("In one picture").block(together));
    }
    if let Some(control) = control(curves, threshold)? {
        let text = "More rows move the rise to the right, more bands to the left, more of both make it steeper.";
        let section = Section::new("Other bands and rows");
        page = page.section(section.text(text).block(control));
    }
    let version = env!("CARGO_PKG_VERSION");
    Ok(page.note(format!("Made by lookalike {version} curve.")))
}
