//! The choice as a page and as a picture.

use lookalike::report::{Facts, Page, Section};

use super::choice::Choice;
use super::splits::Split;
use crate::drawn_curves;
use crate::s_curve::SCurve;

/// The curve of the choice, with the errors at the threshold.
pub(super) fn picture(choice: &Choice) -> anyhow::Result<String> {
    Ok(drawn_curves::chart(&curve(choice), choice.guides[0])?.svg())
}

fn curve(choice: &Choice) -> SCurve {
    SCurve::from(choice.plan.banding)
}

/// What was chosen and why, its curve, and bands and rows to move.
pub(super) fn page(choice: &Choice) -> anyhow::Result<Page> {
    let curves = [curve(choice)];
    let threshold = choice.guides[0];
    let facts = choice.facts().into_iter();
    let facts = facts.fold(Facts::new(), |facts, fact| {
        facts.noted(fact.name, fact.value, fact.meaning)
    });
    let mut chosen = Section::new("The choice");
    if let Some(said) = choice.by_measure() {
        chosen = chosen.text(said);
    }
    chosen = chosen
        .block(facts)
        .block(drawn_curves::chart(&curves[0], threshold)?);
    if !choice.splits.is_empty() {
        let splits = Split::table(&choice.splits, choice.threshold, choice.rare)?;
        chosen = chosen.block(splits);
    }
    let lead = format!(
        "{} functions of at most {}, for a threshold of {}.",
        choice.functions, choice.budget, choice.threshold
    );
    let mut page = Page::new(choice.plan.banding.to_string())
        .lead(lead)
        .section(chosen);
    if let Some(control) = drawn_curves::control(&curves, threshold)? {
        let text = "More rows move the rise to the right, more bands to the left, more of both make it steeper.";
        let section = Section::new("Other bands and rows");
        page = page.section(section.text(text).block(control));
    }
    let version = env!("CARGO_PKG_VERSION");
    Ok(page.note(format!("Made by lookalike {version} tune.")))
}
