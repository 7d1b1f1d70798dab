//! The promise as a page and as a picture.

use lookalike::Step;
use lookalike::report::{Cascade, Facts, Page, PromisedStep, Section};

use super::report::{Report, Stage};
use crate::commands::families::shown;
use crate::number;

fn cascade(report: &Report, stages: &[Stage]) -> anyhow::Result<Cascade> {
    let step = |stage: &Stage| PromisedStep {
        name: stage.step.clone(),
        functions: stage.functions.into(),
        p1: stage.sensitivity().p1().value(),
        p2: stage.sensitivity().p2().value(),
        rho: stage.sensitivity().rho(),
        curve: stage.curve.clone(),
    };
    let last = report.last();
    let between = (last.d1(), last.d2());
    Ok(Cascade::new(
        report.distance.clone(),
        report.most,
        between,
        stages.iter().map(step),
    )?)
}

/// The probability against the distance, after each step.
pub(super) fn picture(report: &Report) -> anyhow::Result<String> {
    let title = format!(
        "{}: {}-sensitive",
        report.title(),
        number::sensitivity(report.last())
    );
    Ok(cascade(report, &report.stages)?.chart(title)?.svg())
}

/// What one function promises, then how the steps move p1 and p2 apart.
pub(super) fn page(report: &Report) -> anyhow::Result<Page> {
    let stages = &report.stages;
    let one = stages[0].sensitivity();
    let (d1, d2) = (one.d1(), one.d2());
    let share = |p: lookalike::Probability| number::probability(p.value(), p.complement().value());
    let facts = |stage: &Stage| {
        let it = stage.sensitivity();
        Facts::new()
            .noted(
                "p1",
                share(it.p1()),
                format!("at a distance of {d1}, at least"),
            )
            .noted(
                "p2",
                share(it.p2()),
                format!("at a distance of {d2}, at most"),
            )
            .noted("ρ", number::rho(it.rho()), "ln p1 / ln p2: less is better")
            .fact("functions", stage.functions)
    };
    let mut meaning = format!(
        "Items at most {d1} apart agree with probability p1 or more, items at least {d2} apart with probability p2 or \
         less. Between the two nothing is promised."
    );
    if !report.parameters.is_empty() {
        meaning += &format!(" Parameters: {}.", shown(&report.parameters));
    }
    let mut first = Section::new("One function")
        .text(meaning)
        .block(facts(&stages[0]))
        .block(cascade(report, &stages[..1])?.chart("Probability against distance")?);
    let is_amplified = stages.len() > 1;
    if !is_amplified {
        first = report.notes().into_iter().fold(first, Section::text);
    }
    let lead = match is_amplified {
        false => format!("One function is {}-sensitive.", number::sensitivity(one)),
        true => format!(
            "One function is {}-sensitive. Together, {} functions are {}-sensitive.",
            number::sensitivity(one),
            report.functions,
            number::sensitivity(report.last())
        ),
    };
    let title = format!("{}, by {}", report.title(), report.distance);
    let mut page = Page::new(title).lead(lead).section(first);
    if is_amplified {
        let whole = cascade(report, stages)?;
        let last = &stages[stages.len() - 1];
        let mut section = Section::new("Step by step")
            .text(steps(last))
            .block(whole.table()?)
            .block(whole.chart("p1 and p2 move apart")?)
            .block(facts(last));
        section = report.notes().into_iter().fold(section, Section::text);
        page = page.section(section);
    }
    let version = env!("CARGO_PKG_VERSION");
    Ok(page.note(format!("Made by lookalike {version} sensitivity.")))
}

/// What the steps do.
fn steps(last: &Stage) -> String {
    let said = last.stage.scheme.steps().iter().map(|step| match step {
        Step::And(n) => format!("an AND of {n} (p becomes p^{n})"),
        Step::Or(n) => format!("an OR of {n} (p becomes 1 − (1 − p)^{n})"),
    });
    format!(
        "The cascade, from the inside out: {}.",
        said.collect::<Vec<_>>().join(", then ")
    )
}
