//! A page with every kind of block, and each of its charts as a file: what `tests/browser/run` opens.
//!
//! ```sh
//! cargo run -p lookalike-report --example specimen -- target/specimen
//! ```

use std::{env, error::Error, fs, path::PathBuf};

use lookalike_report::{
    Area, Axis, BandingControl, Cell, Chart, Drawing, Emphasis, Facts, Flow, Marker, Overlay, Page,
    Pair, Pairs, Panel, Section, Series, Step, Steps, Table, TableColumn,
};

/// Similarity, share of candidates over 200 seeds, and where 95% of the truth would lie.
const MEASURED: [(f64, f64, f64, f64); 9] = [
    (0.1, 0.0, 0.0, 0.019),
    (0.2, 0.005, 0.001, 0.028),
    (0.3, 0.055, 0.031, 0.096),
    (0.4, 0.17, 0.124, 0.228),
    (0.5, 0.485, 0.417, 0.554),
    (0.6, 0.79, 0.728, 0.841),
    (0.7, 0.98, 0.95, 0.992),
    (0.8, 1.0, 0.981, 1.0),
    (0.9, 1.0, 0.981, 1.0),
];

/// Text that would break out of a page that did not escape it.
const HOSTILE: &str =
    "</script><script>alert('1')</script> & \"quotes\" <img src=x onerror=alert(2)> ]]> -->";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args_os().nth(1).ok_or("give a folder to write to")?);
    fs::create_dir_all(&folder)?;
    let charts = [
        ("s-curve", s_curve()?),
        ("trade-off", trade_off()?),
        ("stages", stages()?),
        ("buckets", buckets()?),
    ];
    for (name, chart) in &charts {
        fs::write(folder.join(name).with_extension("svg"), chart.svg())?;
    }
    let [(_, s_curve), (_, trade_off), (_, stages), (_, buckets)] = charts;

    let [grid, cuts] = drawings()?;
    let page = Page::new("Universal on planted sets, 20 bands × 5 rows")
        .lead(
            "Pairs of sets at nine exact similarities, 200 seeds each. \
             The share that became candidates lies where 1 − (1 − t⁵)²⁰ says, at every similarity.",
        )
        .section(
            Section::new("What came out")
                .block(
                    Facts::new()
                        .noted("sets", "3 600", "1 800 pairs at known similarity")
                        .noted("candidates", "997", "pairs that shared a bucket")
                        .noted("matches", "812", "from 0.5 on, compared exactly")
                        .noted("recall", "0.851", "95% from 0.829 to 0.870")
                        .fact("functions", 100)
                        .fact("seed", 7),
                )
                .block(outcomes()?),
        )
        .section(
            Section::new("Measured against predicted")
                .text(
                    "A point is a share over the seeds, its whisker a confidence interval of 95%. The hatched \
                     ground below the threshold is work that verification throws away; above it, pairs that are lost.",
                )
                .block(s_curve),
        )
        .section(
            Section::new("Other bands and rows")
                .text("More rows move the rise to the right, more bands to the left, more of both make it steeper.")
                .block(
                    BandingControl::new(20, 5)?
                        .title("Probability of a candidate")
                        .threshold(0.5)?
                        .measured(MEASURED)?,
                ),
        )
        .section(
            Section::new("The trade-off over the sweep")
                .text("Each point is one setting. Up and to the right is better.")
                .block(trade_off),
        )
        .section(
            Section::new("Where the time went")
                .block(stages)
                .block(buckets),
        )
        .section(
            Section::new("Pairs to look at")
                .text("Words that only one of the texts has at its place are marked.")
                .block(pairs()?),
        )
        .section(
            Section::new("In one picture")
                .block(flow()?)
                .block(overlay()?)
                .block(grid)
                .block(cuts),
        )
        .section(
            Section::new("Step by step")
                .text("The same calculation on four small sets.")
                .block(steps()?),
        )
        .section(
            Section::new("Hostile & odd: <b>text</b>")
                .text(HOSTILE)
                .block(odd()?)
                .block(Chart::new(
                    HOSTILE,
                    Axis::names("</svg>", ["<a>", "&amp;", "\"c\"", "a name that is too long for its place", "d", "e", "f", "g"]),
                    Axis::linear("]]>"),
                    [Series::bars("'</title>'", (0..8).map(|i| (f64::from(i), f64::from(i * i))))?],
                )?)
                .block(Chart::new("Nothing was measured", Axis::linear("x"), Axis::log("y"), [])?),
        )
        .note("Made by the example `specimen`. The numbers are for looking at.");
    Ok(fs::write(folder.join("page.html"), page.html())?)
}

fn predicted(bands: i32, rows: i32) -> impl Iterator<Item = (f64, f64)> {
    (0..=200)
        .map(|i| f64::from(i) / 200.0)
        .map(move |t| (t, 1.0 - (1.0 - t.powi(rows)).powi(bands)))
}

fn s_curve() -> Result<Chart, lookalike_report::Error> {
    Chart::new(
        "How likely a pair becomes a candidate",
        Axis::linear("similarity").between(0.0, 1.0)?,
        Axis::linear("probability of a candidate").between(0.0, 1.0)?,
        [
            Series::line("predicted", predicted(20, 5))?,
            Series::intervals("measured", MEASURED)?,
        ],
    )?
    .area(Area::under("false positives", "predicted").to(0.5))?
    .area(Area::over("false negatives", "predicted").from(0.5))?
    .marker(Marker::new("threshold 0.5", 0.5))
}

fn trade_off() -> Result<Chart, lookalike_report::Error> {
    Chart::new(
        "Queries a second by recall",
        Axis::linear("recall").between(0.5, 1.0)?,
        Axis::log("queries a second"),
        [
            Series::line(
                "bit sampling",
                [
                    (0.52, 9.1e5),
                    (0.71, 6.2e5),
                    (0.86, 3.4e5),
                    (0.95, 1.6e5),
                    (0.99, 5.2e4),
                ],
            )?,
            Series::line(
                "blocks",
                [
                    (0.61, 7.7e5),
                    (0.8, 5.5e5),
                    (0.92, 3.9e5),
                    (0.97, 2.4e5),
                    (1.0, 8.4e4),
                ],
            )?,
            Series::line(
                "multi-probe",
                [
                    (0.55, 6.0e5),
                    (0.75, 4.9e5),
                    (0.9, 3.1e5),
                    (0.96, 2.2e5),
                    (0.995, 1.1e5),
                ],
            )?,
            Series::points("brute force", [(1.0, 4.1e3)])?,
        ],
    )
}

fn stages() -> Result<Chart, lookalike_report::Error> {
    let names = ["read", "hash", "join", "verify", "cluster", "write"];
    let bar = |times: [f64; 6]| (0..).map(f64::from).zip(times).collect::<Vec<_>>();
    Chart::new(
        "Seconds by stage",
        Axis::names("stage", names),
        Axis::linear("seconds"),
        [
            Series::bars(
                "FastSimilarity",
                bar([0.11, 0.092, 0.041, 0.028, 0.002, 0.035]),
            )?,
            Series::bars("Universal", bar([0.11, 0.61, 0.043, 0.029, 0.002, 0.035]))?,
        ],
    )
}

fn buckets() -> Result<Chart, lookalike_report::Error> {
    let sizes = [
        (1.0, 182_344.0),
        (2.0, 9_120.0),
        (3.0, 1_204.0),
        (4.0, 377.0),
        (6.0, 120.0),
        (9.0, 48.0),
        (16.0, 20.0),
        (40.0, 6.0),
        (130.0, 2.0),
        (700.0, 1.0),
    ];
    Chart::new(
        "Buckets by how many items they hold",
        Axis::log("items in a bucket"),
        Axis::log("buckets"),
        [Series::steps("buckets", sizes)?],
    )
}

fn outcomes() -> Result<Table, lookalike_report::Error> {
    let columns = [
        TableColumn::number("similarity"),
        TableColumn::number("pairs"),
        TableColumn::number("predicted"),
        TableColumn::number("measured"),
        TableColumn::number("low"),
        TableColumn::number("high"),
        TableColumn::text("within"),
    ];
    let rows = MEASURED.map(|(t, share, low, high)| {
        let p = 1.0 - (1.0 - t.powi(5)).powi(20);
        let measured = Cell::new(format!("{share:.3}"));
        let within = Cell::new("the interval").emphasis(Emphasis::Good);
        vec![
            Cell::new(format!("{t:.1}")),
            200.into(),
            Cell::new(format!("{p:.4}")),
            if t == 0.5 {
                measured.emphasis(Emphasis::Strong)
            } else {
                measured
            },
            Cell::new(format!("{low:.3}")).emphasis(Emphasis::Quiet),
            Cell::new(format!("{high:.3}")).emphasis(Emphasis::Quiet),
            if t == 0.6 {
                Cell::new("just outside").emphasis(Emphasis::Bad)
            } else {
                within
            },
        ]
    });
    Ok(Table::new(columns, rows)?.caption("The share of candidates at each similarity"))
}

fn pairs() -> Result<Pairs, lookalike_report::Error> {
    let trail = "The trail climbs from the mill through beech woods to a meadow, then follows the ridge for an hour. \
                 There is water at the second hut, but none after it. Allow four hours and start early in summer.";
    let again = "The path climbs from the mill through beech woods to a meadow, then follows the ridge for about an hour. \
                 There is water at the second hut, but none after it. Allow four hours and start early in July.";
    Ok(Pairs::new()
        .pair(
            Pair::texts(("trail", trail), ("trail-again", again), 0.866_666)?
                .verdict("match")
                .fact("estimated", "0.86")
                .fact("bands shared", "9 of 20"),
        )
        .pair(Pair::lists(("S1", [0, 3]), ("S4", [0, 2, 3]), 2.0 / 3.0)?.verdict("missed"))
        .pair(
            Pair::texts(
                ("hostile", HOSTILE),
                ("long", "averylongwordwithoutanyspace".repeat(12)),
                0.0,
            )?
            .verdict("no candidate"),
        ))
}

fn steps() -> Result<Steps, lookalike_report::Error> {
    let sets = ["S1", "S2", "S3", "S4"];
    let heads = |first: &str| {
        let rest = sets.map(TableColumn::number);
        std::iter::once(TableColumn::text(first))
            .chain(rest)
            .collect::<Vec<_>>()
    };
    let bits = [
        [1, 0, 0, 1],
        [0, 0, 1, 0],
        [0, 1, 0, 1],
        [1, 0, 1, 1],
        [0, 0, 1, 0],
    ];
    let matrix = (0..).zip(bits).map(|(row, bits)| {
        let bits = bits.map(|bit| match bit {
            0 => Cell::new(0).emphasis(Emphasis::Quiet),
            _ => Cell::new(1),
        });
        std::iter::once(Cell::new(row)).chain(bits).collect()
    });
    let signatures = [
        ("x + 1 mod 5", [1, 3, 0, 1]),
        ("3x + 1 mod 5", [0, 2, 0, 0]),
    ];
    let signatures = signatures.map(|(function, values)| {
        std::iter::once(function.into())
            .chain(values.map(Cell::new))
            .collect()
    });
    Ok(Steps::new()
        .step(
            Step::new("The characteristic matrix")
                .text("A row for each element, a column for each set, 1 where the set has the element.")
                .block(Table::new(heads("row"), matrix)?),
        )
        .step(
            Step::new("Signatures")
                .text("For each function the smallest value over the rows of the set.")
                .block(Table::new(heads("function"), signatures)?),
        )
        .step(
            Step::new("Candidates")
                .text("S1 and S4 agree in every row.")
                .block(Facts::new().noted("S1 and S4", "1.00", "estimated; truly 2/3")),
        ))
}

fn flow() -> Result<Flow, lookalike_report::Error> {
    let items = [
        ("A", "a rose is red, a rose is white", [3, 1, 0, 4]),
        ("B", HOSTILE, [7, 2, 0, 4]),
        ("C", "a rose is red, a rose is what?", [3, 1, 5, 4]),
        ("a longer name", "a text of one word", [7, 2, 200, 9]),
    ];
    let items = items.map(|(name, text, values)| (name, text, values.map(Some).to_vec()));
    let similarity = |a: usize, b: usize| [0.2, 0.7, 0.4][(a + b) % 3];
    let flow = Flow::new("Four texts", 2, items, 0.5, similarity)?;
    Ok(flow.note("Signatures of four values, in 2 bands × 2 rows."))
}

/// A grid with filled and chosen squares, and a line that is cut into buckets.
fn drawings() -> Result<[Drawing; 2], lookalike_report::Error> {
    let grid = Panel::new("3 of 16 squares", (0.0, 0.0), (4.0, 4.0))?
        .cut(1.0)
        .square((1.0, 0.0), 1.0, 0)
        .square((1.0, 1.0), 1.0, 0)
        .square((3.0, 2.0), 1.0, 0)
        .chosen((1.0, 1.0), 1.0)
        .dot((1.4, 0.6), "", 0)
        .dot((3.5, 2.2), "at the border", 1);
    let cuts = Panel::new("buckets of a line", (0.0, 0.0), (3.0, 1.0))?
        .stretched(64.0)
        .rule((0.0, 0.3), (3.0, 0.3))
        .rule((1.0, 0.1), (1.0, 0.5))
        .words((0.5, 0.0), "0")
        .line((0.2, 0.3), (1.2, 0.8), 2)
        .dot((1.2, 0.8), HOSTILE, 2);
    Ok([
        Drawing::new("Squares", [grid.clone(), grid]).note("The same print twice."),
        Drawing::new("Buckets", [cuts]),
    ])
}

fn overlay() -> Result<Overlay, lookalike_report::Error> {
    let print = |count: u32, off: f64| {
        let minutia = move |i: u32| {
            let turn = f64::from(i) * 2.4;
            let far = 30.0 * f64::from(i).sqrt() + off;
            (far * turn.cos(), 1.3 * far * turn.sin(), turn)
        };
        (0..count).map(minutia).collect::<Vec<_>>()
    };
    Overlay::new(
        "A spiral over another",
        ("first", print(24, 0.0)),
        ("second", print(20, 3.0)),
    )?
    .laid(0.1, (4.0, -6.0))?
    .note("Score 12.3: 18 pairs of 24 and 20 minutiae.")
    .paired((0..18).map(|i| (i, i)))
}

fn odd() -> Result<Table, lookalike_report::Error> {
    let columns = [
        "a column", "another", "one more", "and one", "that is", "far too", "wide for", "a phone",
        "on end",
    ];
    let cells = columns.map(|head| Cell::new(format!("cell of {head}")));
    Table::new(columns.map(TableColumn::text), [cells.to_vec()])
}
