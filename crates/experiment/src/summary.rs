use crate::{FIGURES, Figure, Outcome, Run};

/// The columns that come before the figures.
const HEAD: [&str; 10] = [
    "run",
    "family",
    "kind",
    "scheme",
    "bands",
    "rows",
    "functions",
    "items",
    "seeds",
    "threshold",
];

/// One line per run, for spreadsheets.
pub(crate) fn csv(outcome: &Outcome) -> String {
    let figures: Vec<(&str, &Figure)> = FIGURES
        .iter()
        .filter_map(|figure| Some((figure.csv?, figure)))
        .collect();
    let mut head: Vec<String> = HEAD.map(String::from).to_vec();
    for (name, figure) in &figures {
        head.push((*name).to_owned());
        if figure.has_error_in_csv {
            head.push(format!("{name}_error"));
        }
    }
    let row = |run: &Run| {
        let mut row = about(run);
        for (_, figure) in &figures {
            let estimate = figure.of(run);
            let text = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
            row.push(text(estimate.map(|it| it.mean)));
            if figure.has_error_in_csv {
                row.push(text(estimate.and_then(|it| it.error)));
            }
        }
        row.join(",")
    };
    let lines = std::iter::once(head.join(",")).chain(outcome.runs.iter().map(row));
    lines.map(|line| line + "\n").collect()
}

fn about(run: &Run) -> Vec<String> {
    let number = |x: Option<u32>| x.map_or(String::new(), |x| x.to_string());
    vec![
        quoted(run.title()),
        run.family.into(),
        quoted(&run.kind),
        quoted(run.scheme.as_deref().unwrap_or_default()),
        number(run.bands),
        number(run.rows),
        run.functions.to_string(),
        run.items.to_string(),
        run.seeds.to_string(),
        run.threshold.to_string(),
    ]
}

/// A cell that may hold commas and quotes.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        assert_eq!(quoted("bands=20 rows=5"), "bands=20 rows=5");
        assert_eq!(quoted("and:5,or:\"20\""), "\"and:5,or:\"\"20\"\"\"");
    }
}
