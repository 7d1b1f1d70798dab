//! `lookalike codes`: the codes of items, for use elsewhere.

mod form;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use lookalike::output::{self, Replacement};
use lookalike::search::{Dataset, ItemCodes, Registry, Request, Table};
use serde_json::Value;

use self::form::Form;
use crate::bar::Spinner;
use crate::interrupt::remove_when_interrupted;
use crate::inventory;
use crate::options::run::Run;
use crate::options::{Bag, Items, Text, parameter};
use crate::reader::Reader;
use crate::verb::{many, wrong_use};

const EXAMPLES: &str = "\
Examples:
  One hexadecimal code of 64 bits per text, one per line:
    lookalike codes corpus.jsonl --family simhash
  128 bits, with the ids of the texts, and then all pairs of similar codes:
    lookalike codes a.jsonl --family simhash --set bits=128 --out codes.jsonl
    lookalike pairs codes.jsonl --hamming 16
  A NumPy array, one row of bytes per text:
    lookalike codes corpus.jsonl --family simhash --out codes.npy
  TLSH digests of all files of a folder:
    lookalike codes downloads --family tlsh --out digests.jsonl
    lookalike pairs digests.jsonl --tlsh 30

Lines are in the order of the items. An item without anything to hash, such as
an empty text, has a blank line and no record, and cannot be a row of an array.
Codes of different runs can be compared if the seed, the parameters and the
options for texts are the same.";

/// Write codes of items for use elsewhere: SimHash, TLSH
///
/// Similar items have codes that differ in few bits. The codes are those whose bits the family samples for its keys, so
/// that any index for Hamming distance can search them. TLSH digests are written as they are published.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files, folders or globs; - for stdin
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// Family whose codes are written
    #[arg(long, value_name = "NAME")]
    family: String,
    /// Parameter of the kind, the distance or the family, as `lookalike families` lists them; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    set: Vec<(String, Value)>,
    /// Where all random draws come from
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// File for the codes: .txt for lines, .jsonl with ids, .npy for an array [default: lines on stdout]
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    out: Option<PathBuf>,
    /// Replace a file of that name
    #[arg(long, requires = "out")]
    overwrite: bool,
    #[command(flatten)]
    text: Text,
    #[command(flatten)]
    bag: Bag,
    #[command(flatten)]
    items: Items,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let kinds = registry.kinds_with_codes(&self.family, self.items.kind.as_deref());
        let kinds = kinds.map_err(wrong_use)?;
        let (reader, set) = Reader::new(registry, &self.items, kinds, &self.set)?;
        let mut parameters = self.text.parameters()?;
        self.bag.over(&mut parameters);
        parameters.extend(set);
        let file = self
            .out
            .as_deref()
            .map(|path| self.file(path))
            .transpose()?;
        self.run.start()?;
        let spinner = Spinner::new(!self.run.quiet);
        let data = reader.read(&self.inputs, &spinner)?;
        spinner.say("hashing");
        let codes = self.codes(registry, &data, &parameters);
        spinner.hide();
        let codes = codes?;
        match file {
            Some((form, file)) => {
                let create = File::create(file.temporary());
                let failed = |error| anyhow::anyhow!("{}: {error}", file.given().display());
                let mut to = BufWriter::new(create.map_err(failed)?);
                form.write(&codes, data.names(), &mut to)?;
                to.flush().map_err(failed)?;
                drop(to);
                file.publish()?;
            }
            None => {
                let form = if self.run.json {
                    Form::Records
                } else {
                    Form::Lines
                };
                form.write(&codes, data.names(), out)?;
                out.flush()?;
            }
        }
        self.say(&data, &codes);
        Ok(())
    }

    /// How the file is written, and the file, before any work is done.
    fn file(&self, path: &std::path::Path) -> anyhow::Result<(Form, Replacement)> {
        let form = Form::of(path)?;
        if path.exists() && !self.overwrite {
            return Err(output::Error::Exists {
                path: path.to_owned(),
                is_replaceable: true,
            }
            .into());
        }
        Ok((form, Replacement::new(path, &remove_when_interrupted)?))
    }

    fn codes(
        &self,
        registry: &Registry,
        data: &Dataset,
        parameters: &Table,
    ) -> anyhow::Result<ItemCodes> {
        let seed = self.seed.unwrap_or(Request::default().seed);
        let codes = registry.codes(&self.family, data, parameters, seed);
        codes.map_err(wrong_use)
    }

    /// What goes to a closed stderr is lost, and results are not.
    fn say(&self, data: &Dataset, codes: &ItemCodes) {
        if self.run.quiet {
            return;
        }
        inventory::write_if_unclear(data.inventory(), "texts", data.kind() == "text");
        let count = codes.codes.len() as u64;
        let without = codes.codes.iter().filter(|code| code.is_none()).count() as u64;
        let items = many(count - without, "code", "codes");
        let bits = 8 * codes.bytes;
        let _ = writeln!(io::stderr(), "{items} of {bits} bits, by {}", self.family);
        if without > 0 {
            let items = many(without, "item has", "items have");
            let _ = writeln!(io::stderr(), "{items} nothing to hash, and no code");
        }
    }
}
