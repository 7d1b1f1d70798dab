use std::{
    io::Write,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use lookalike::output::ResultFolder;
use lookalike::prints::{
    Error, Input, Prints,
    evaluate::{Evaluate, Evaluation, Finding, Set, Squares},
};

use super::{Data, Profile, say_skipped};
use crate::{
    bar::Spinner,
    interrupt::remove_when_interrupted,
    options::run::Run,
    table::{Align, Column, Table},
    usage,
};

const EXAMPLES: &str = "\
Examples:
  lookalike fingerprint evaluate fvc2002 --format xyt
  In a gallery of thousands, with charts and a page:
    lookalike fingerprint evaluate prints --gallery-extra others --out result
  The textbook's squares, which need prints that are aligned:
    lookalike fingerprint evaluate fvc2002 --method grid

Names say finger and impression: 17_2.xyt is impression 2 of finger 17. The
first impression of each finger is enrolled, the others are probes. Folders
below the one that is given are separate sets with fingers of their own;
all are in one gallery.";

/// Measure how well prints are found, on prints whose fingers are known
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A folder or an archive of templates
    #[arg(value_name = "DIR")]
    prints: PathBuf,
    /// A folder or an archive of other prints, to be enrolled too
    #[arg(long, value_name = "FILE|DIR")]
    gallery_extra: Option<PathBuf>,
    /// How candidates are found
    #[arg(long, value_name = "METHOD", default_value = "local")]
    method: Way,
    /// How keys are made, by method local
    #[arg(long, value_name = "PROFILE", default_value = "accurate")]
    profile: Profile,
    /// Share of the gallery that is verified, at least 10 prints
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.05,
        allow_negative_numbers = true
    )]
    #[arg(value_parser = usage::unit)]
    verify: f64,
    /// A new folder for result.json, report.html and charts as SVG
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    from: Data,
    #[command(flatten)]
    run: Run,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Way {
    /// Squares in each minutia's own frame
    Local,
    /// The textbook's squares, on the image as it is
    Grid,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let folder = self.out.as_deref();
        let folder = folder
            .map(|folder| ResultFolder::new(folder, false, &[], &remove_when_interrupted))
            .transpose()?;
        let spinner = Spinner::new(!self.run.quiet);
        spinner.say("reading");
        let read = self.from.read(&self.prints)?;
        let extra = self.gallery_extra.as_deref().map(|path| self.other(path));
        let extra = extra.transpose()?.unwrap_or_default();
        spinner.hide();
        say_skipped(
            &[&read.skipped[..], &extra.skipped[..]].concat(),
            self.run.quiet,
        );
        let evaluate = Evaluate {
            method: match self.method {
                Way::Local => Finding::Local(self.profile.triples()),
                Way::Grid => Finding::Grid(Squares::default()),
            },
            verify: self.verify,
        };
        spinner.say("measuring");
        let measured = self
            .run
            .work(|| evaluate.run(&read.prints, &extra.prints))?;
        let measured = measured?;
        spinner.hide();
        if let Some(folder) = folder {
            write(folder, &measured)?;
        }
        if self.run.json {
            return Ok(writeln!(out, "{}", serde_json::to_string(&measured)?)?);
        }
        show(&measured, out)
    }

    /// Other prints may be in another format than those that are looked for, unless they are there in both; and it does no
    /// harm if some are there twice.
    fn other(&self, path: &Path) -> anyhow::Result<Prints> {
        let said = Input {
            copies: true,
            ..self.from.input()
        };
        let any = Input {
            format: None,
            ..said
        };
        match any.read(path) {
            Err(Error::Twins { .. }) => Ok(said.read(path)?),
            read => Ok(read?),
        }
    }
}

/// Writes all files to a folder that takes its name when it is complete.
fn write(mut folder: ResultFolder, measured: &Evaluation) -> anyhow::Result<()> {
    let mut put =
        |name: &str, text: String| folder.write(name, |out| out.write_all(text.as_bytes()));
    put(
        "result.json",
        serde_json::to_string_pretty(measured)? + "\n",
    )?;
    put("report.html", measured.page()?.html())?;
    for picture in measured.pictures()? {
        put(&format!("{}.svg", picture.name), picture.chart.svg())?;
    }
    for example in &measured.examples {
        let name = format!("{}.svg", example.kind.name());
        put(&name, example.overlay()?.svg())?;
    }
    Ok(folder.publish()?)
}

fn show(measured: &Evaluation, out: &mut impl Write) -> anyhow::Result<()> {
    let all = (measured.sets.len() > 1).then_some(&measured.all);
    let sets: Vec<&Set> = measured.sets.iter().chain(all).collect();
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let numbers = |head: &str, of: &dyn Fn(&Set) -> String| {
        Column::new(head, Align::Right, sets.iter().map(|set| of(set)))
    };
    let rate = |of: fn(&lookalike::prints::evaluate::Rates) -> f64| {
        move |set: &Set| {
            set.matcher
                .as_ref()
                .map_or_else(|| "-".into(), |rates| percent(of(rates)))
        }
    };
    let names = sets.iter().map(|set| set.name.clone());
    let columns = vec![
        Column::new("set", Align::Left, names),
        numbers("probes", &|set| set.probes.to_string()),
        numbers("rank 1", &|set| percent(set.found.first)),
        numbers("best\n1%", &|set| percent(set.found.within_1_percent)),
        numbers("best\n5%", &|set| percent(set.found.within_5_percent)),
        numbers("rank 1\nverified", &|set| percent(set.verified.first)),
        numbers("any vote:\nhit", &|set| {
            set.penetration
                .first()
                .map_or_else(|| "-".into(), |at| percent(at.hit))
        }),
        numbers("pene-\ntration", &|set| {
            set.penetration
                .first()
                .map_or_else(|| "-".into(), |at| percent(at.penetration))
        }),
        numbers("EER", &rate(|rates| rates.eer)),
        numbers("FMR100", &rate(|rates| rates.fnmr_at_fmr_100)),
        numbers("FMR1000", &rate(|rates| rates.fnmr_at_fmr_1000)),
    ];
    let width = crate::output::columns(None);
    writeln!(
        out,
        "{} prints enrolled, {} of them without a mate; in per cent of the probes:\n",
        measured.gallery, measured.extra
    )?;
    write!(out, "{}", Table { columns, width })?;
    writeln!(
        out,
        "\n{} prints verified a probe, {:.0} hits a probe, {:.0} bytes of index a print",
        measured.verified, measured.hits, measured.bytes
    )?;
    Ok(())
}
