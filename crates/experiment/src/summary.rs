use crate::{Estimate, Outcome, Run};

/// A line a run, for spreadsheets.
pub(crate) fn csv(outcome: &Outcome) -> String {
    let head = [
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
        "similar",
        "candidates",
        "recall",
        "recall_error",
        "precision",
        "precision_error",
        "false_positives",
        "false_negatives",
        "matches",
        "match_recall",
        "match_precision",
        "not_compared",
        "clusters",
        "largest_cluster",
        "key_bytes",
        "seconds",
    ];
    let rows = outcome.runs.iter().map(|run| row(run).join(","));
    let lines = std::iter::once(head.join(",")).chain(rows);
    lines.map(|line| line + "\n").collect()
}

fn row(run: &Run) -> Vec<String> {
    let number = |x: Option<u32>| x.map_or(String::new(), |x| x.to_string());
    let mean =
        |estimate: Option<Estimate>| estimate.map_or(String::new(), |it| it.mean.to_string());
    let error = |estimate: Option<Estimate>| {
        let error = estimate.and_then(|it| it.error);
        error.map_or(String::new(), |it| it.to_string())
    };
    let Run {
        candidates,
        matches,
        clusters,
        ..
    } = run;
    vec![
        quoted(run.title()),
        run.family.into(),
        run.kind.into(),
        quoted(run.scheme.as_deref().unwrap_or_default()),
        number(run.bands),
        number(run.rows),
        run.functions.to_string(),
        run.items.to_string(),
        run.seeds.to_string(),
        run.threshold.to_string(),
        run.truth.similar.mean.to_string(),
        candidates.count.mean.to_string(),
        mean(candidates.recall),
        error(candidates.recall),
        mean(candidates.precision),
        error(candidates.precision),
        candidates.false_positives.mean.to_string(),
        candidates.false_negatives.mean.to_string(),
        matches.count.mean.to_string(),
        mean(matches.recall),
        mean(matches.precision),
        run.not_compared.mean.to_string(),
        clusters.count.mean.to_string(),
        clusters.largest.mean.to_string(),
        run.key_bytes.mean.to_string(),
        run.seconds().to_string(),
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
