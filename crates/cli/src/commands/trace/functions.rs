//! The functions of a trace: given or drawn, and how they are combined.

use std::str::FromStr;

use clap::{Args, ValueEnum, value_parser};
use lookalike::fingerprint::plugin::GridTable;
use lookalike::fingerprint::{Grid, Orientation, Position};
use lookalike::minhash::Modular;
use lookalike::minhash::trace::FUNCTIONS;
use lookalike::strings::Variant;
use lookalike::{Banding, Scheme};

use super::counted;
use super::input::Kind;
use crate::options::words;
use crate::usage::Usage;

/// Bands and rows, unless they or functions are given.
pub(crate) const BANDS: u32 = 3;
pub(crate) const ROWS: u32 = 2;
/// The width of buckets on a line.
pub(crate) const BUCKET_WIDTH: f64 = 1.0;
/// Edits within which strings are found.
pub(crate) const REACH: u32 = 1;
/// Letters of a q-gram: strings of a trace are short.
pub(crate) const GRAM: u32 = 2;
/// Blocks of a code.
pub(crate) const BLOCKS: u32 = 3;
/// Flips of multi-probe. Blocks have none.
pub(crate) const FLIPS: u32 = 1;
/// Directions of a function: the fewest that there may be.
pub(crate) const DIRECTIONS: u32 = 8;
/// Where prints are moved: the textbook normalises them.
pub(crate) const POSITION: Position = Position::Centroid;
/// Functions of prints, unless some are given: the textbook's.
pub(super) const OF_PRINTS: u32 = 1024;

/// Functions by kind of item, and the scheme.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Functions")]
pub(super) struct Functions {
    /// Permutation: the place of each row, counted from 1; may be repeated
    #[arg(long, value_name = "N,..", conflicts_with = "hash")]
    pub(super) permutation: Vec<List<u64>>,
    /// Function of a row's number for the one-pass algorithm, such as '3x+1 mod 5'; may be repeated
    #[arg(long, value_name = "FUNCTION")]
    pub(super) hash: Vec<Modular>,
    /// Family: one-pass, permutations or simhash for texts and sets; bit-sampling, blocks or multi-probe for codes;
    /// hyperplanes, cross-polytope, lines or cauchy-lines for vectors; deletions, partitions, cgk or order-minhash for
    /// strings [default: the first of them]
    #[arg(long, value_name = "FAMILY", hide_possible_values = true)]
    by: Option<By>,
    /// What a permutation keeps of the first row: its place in the new order, or its number
    #[arg(long, value_name = "WHAT", default_value = "place")]
    pub(super) keep: Kept,
    /// Bits of codes, one function each, counted from 1 at the left
    #[arg(long, value_name = "N,..")]
    pub(super) bit: Vec<List<u32>>,
    /// Blocks into which codes are cut
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=FUNCTIONS as i64))]
    pub(super) blocks: Option<u32>,
    /// Bits of a key that a query flips, at most, for multi-probe and blocks
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(0..=3))]
    pub(super) flips: Option<u32>,
    /// Normal of a hyperplane; may be repeated
    #[arg(
        long,
        value_name = "X,..",
        allow_hyphen_values = true,
        conflicts_with = "line"
    )]
    pub(super) normal: Vec<List<f64>>,
    /// Directions of a function of cross-polytope, a power of two
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(8..=32))]
    pub(super) directions: Option<u32>,
    /// Direction of a line that is cut into buckets; may be repeated
    #[arg(long, value_name = "X,..", allow_hyphen_values = true)]
    pub(super) line: Vec<List<f64>>,
    /// Width of the buckets of a line
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub(super) bucket_width: Option<f64>,
    /// Which edits count: indel (insert and delete), levenshtein (also replace) or osa (also swap neighbours)
    #[arg(long, value_name = "EDITS")]
    #[arg(value_parser = words::<Variant>(&["indel", "levenshtein", "osa"]))]
    pub(super) variant: Option<Variant>,
    /// Edits within which deletions and partitions find everything; for cgk, by which lengths may differ
    #[arg(
        long,
        value_name = "N",
        visible_alias = "deletions",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u32).range(0..=4))]
    pub(super) reach: Option<u32>,
    /// Letters of a q-gram of order-minhash
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=8))]
    pub(super) gram: Option<u32>,
    /// Columns and rows of the grid over prints
    #[arg(long, value_name = "CxR")]
    pub(super) grid: Option<Cells>,
    /// Side of a grid square, in pixels at 500 dpi
    #[arg(long, value_name = "PIXELS", allow_negative_numbers = true)]
    pub(super) cell: Option<f32>,
    /// How near a border a minutia also counts next door, in pixels
    #[arg(long, value_name = "PIXELS", allow_negative_numbers = true)]
    pub(super) tolerance: Option<f32>,
    /// Where prints are moved: frame (not at all) or centroid (their centroid to the middle)
    #[arg(long, value_name = "WHERE")]
    #[arg(value_parser = words::<Position>(&["frame", "centroid"]))]
    pub(super) position: Option<Position>,
    /// How prints are turned: as-is, or mean-direction (until the mean direction of the minutiae points right)
    #[arg(long, value_name = "HOW")]
    #[arg(value_parser = words::<Orientation>(&["as-is", "mean-direction"]))]
    pub(super) orientation: Option<Orientation>,
    /// Function of prints: the numbers of its squares, counted from 0 at the bottom left; may be repeated
    #[arg(long, value_name = "N,N,N")]
    pub(super) triple: Vec<List<u32>>,
    /// Where drawn functions come from
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(super) seed: u64,
    /// Bands
    #[arg(long, value_name = "B", requires = "rows")]
    #[arg(value_parser = value_parser!(u32).range(1..=FUNCTIONS as i64), allow_negative_numbers = true)]
    bands: Option<u32>,
    /// Rows of a band
    #[arg(long, value_name = "R", requires = "bands")]
    #[arg(value_parser = value_parser!(u32).range(1..=FUNCTIONS as i64), allow_negative_numbers = true)]
    rows: Option<u32>,
    /// Any cascade of AND and OR, instead of bands and rows: and:2,or:3
    #[arg(long, value_name = "STEP,…", conflicts_with = "bands")]
    amplify: Option<Scheme>,
}

/// How keys come about: a family by its name, or what a lecture calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum By {
    OnePass,
    #[value(alias = "permutation")]
    Permutations,
    Simhash,
    BitSampling,
    Blocks,
    MultiProbe,
    Hyperplanes,
    CrossPolytope,
    #[value(alias = "random-lines")]
    Lines,
    CauchyLines,
    Deletions,
    Partitions,
    Cgk,
    OrderMinhash,
    GridSquares,
    Tlsh,
}

impl By {
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn is_for(self, kind: Kind) -> bool {
        match self {
            Self::OnePass | Self::Permutations | Self::Simhash => kind == Kind::Minhash,
            Self::BitSampling | Self::Blocks | Self::MultiProbe => kind == Kind::Codes,
            Self::Hyperplanes | Self::CrossPolytope | Self::Lines | Self::CauchyLines => {
                kind == Kind::Vectors
            }
            Self::Deletions | Self::Partitions | Self::Cgk | Self::OrderMinhash => {
                kind == Kind::Strings
            }
            Self::GridSquares => matches!(kind, Kind::Prints | Kind::Squares),
            Self::Tlsh => kind == Kind::Digests,
        }
    }
}

/// What a permutation keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kept {
    Place,
    Row,
}

/// Numbers separated by commas, in one value.
#[derive(Clone, Debug)]
pub(super) struct List<T>(pub(super) Vec<T>);

impl<T: FromStr> FromStr for List<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self(Vec::new()));
        }
        let number = |text: &str| {
            let text = text.trim();
            let number = text.parse();
            number.map_err(|_| format!("`{text}` is not a number; write them like 0,3,4"))
        };
        text.split(',')
            .map(number)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// Columns and rows, as 16x16.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    columns: u32,
    rows: u32,
}

impl FromStr for Cells {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const MOST: u32 = 32;
        let both = text.trim().split_once(['x', '×']);
        let both = both.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        match both {
            Some((columns, rows)) if [columns, rows].iter().all(|n| (1..=MOST).contains(n)) => {
                Ok(Self { columns, rows })
            }
            _ => Err(format!(
                "must be columns and rows from 1 to {MOST}, such as 16x16"
            )),
        }
    }
}

impl Functions {
    /// Refuses options that are for other items.
    pub(super) fn check(&self, kind: Kind) -> Result<(), Usage> {
        use Kind::{Codes, Minhash, Prints, Squares, Strings, Vectors};
        if let Some(by) = self.by.filter(|by| !by.is_for(kind)) {
            let of_kind = By::value_variants().iter().filter(|by| by.is_for(kind));
            let names: Vec<String> = of_kind.map(|by| by.name()).collect();
            return Err(Usage(format!(
                "--by {} is not for {}: for them there is {}",
                by.name(),
                kind.words(),
                names.join(", ")
            )));
        }
        let given: &[(bool, &str, &[Kind])] = &[
            (!self.permutation.is_empty(), "--permutation", &[Minhash]),
            (!self.hash.is_empty(), "--hash", &[Minhash]),
            (self.keep == Kept::Row, "--keep", &[Minhash]),
            (!self.bit.is_empty(), "--bit", &[Codes]),
            (self.blocks.is_some(), "--blocks", &[Codes]),
            (self.flips.is_some(), "--flips", &[Codes]),
            (!self.normal.is_empty(), "--normal", &[Vectors]),
            (self.directions.is_some(), "--directions", &[Vectors]),
            (!self.line.is_empty(), "--line", &[Vectors]),
            (self.bucket_width.is_some(), "--bucket-width", &[Vectors]),
            (self.variant.is_some(), "--variant", &[Strings]),
            (self.reach.is_some(), "--reach", &[Strings]),
            (self.gram.is_some(), "--gram", &[Strings]),
            (self.grid.is_some(), "--grid", &[Prints, Squares]),
            (self.cell.is_some(), "--cell", &[Prints]),
            (self.tolerance.is_some(), "--tolerance", &[Prints]),
            (self.position.is_some(), "--position", &[Prints]),
            (self.orientation.is_some(), "--orientation", &[Prints]),
            (!self.triple.is_empty(), "--triple", &[Prints, Squares]),
        ];
        let wrong = given
            .iter()
            .find(|(is_given, _, kinds)| *is_given && !kinds.contains(&kind));
        if let Some((_, option, kinds)) = wrong {
            let message = format!(
                "{option} is for {}, not for {}",
                kinds[0].words(),
                kind.words()
            );
            return Err(Usage(message));
        }
        self.check_family(self.by(kind))
    }

    /// Refuses options that are for other families of the same items.
    fn check_family(&self, by: By) -> Result<(), Usage> {
        let given: &[(bool, &str, &[By])] = &[
            (
                !self.permutation.is_empty(),
                "--permutation",
                &[By::Permutations],
            ),
            (!self.hash.is_empty(), "--hash", &[By::OnePass]),
            (!self.normal.is_empty(), "--normal", &[By::Hyperplanes]),
            (
                !self.line.is_empty(),
                "--line",
                &[By::Lines, By::CauchyLines],
            ),
            (!self.bit.is_empty(), "--bit", &[By::BitSampling]),
            (self.blocks.is_some(), "--blocks", &[By::Blocks]),
            (
                self.flips.is_some(),
                "--flips",
                &[By::MultiProbe, By::Blocks],
            ),
            (
                self.directions.is_some(),
                "--directions",
                &[By::CrossPolytope],
            ),
            (
                self.reach.is_some(),
                "--reach",
                &[By::Deletions, By::Partitions, By::Cgk],
            ),
            (self.gram.is_some(), "--gram", &[By::OrderMinhash]),
        ];
        let wrong = given
            .iter()
            .find(|(is_given, _, families)| *is_given && !families.contains(&by));
        if let Some((_, option, families)) = wrong {
            let names: Vec<String> = families.iter().map(|family| family.name()).collect();
            return Err(Usage(format!(
                "{option} is for {}, not for {}: add --by {}",
                names.join(" and "),
                by.name(),
                names[0]
            )));
        }
        let is_combined = !matches!(by, By::Blocks | By::Deletions | By::Partitions);
        if !is_combined && (self.bands.is_some() || self.amplify.is_some()) {
            return Err(Usage(format!(
                "--bands, --rows and --amplify combine functions, and the keys of {} are not combined: leave them out",
                by.name()
            )));
        }
        Ok(())
    }

    /// The family that is traced.
    pub(super) fn by(&self, kind: Kind) -> By {
        let usual = match kind {
            Kind::Minhash if !self.permutation.is_empty() => By::Permutations,
            Kind::Minhash => By::OnePass,
            Kind::Codes => By::BitSampling,
            Kind::Vectors if !self.line.is_empty() => By::Lines,
            Kind::Vectors => By::Hyperplanes,
            Kind::Strings => By::Deletions,
            Kind::Prints | Kind::Squares => By::GridSquares,
            Kind::Digests => By::Tlsh,
        };
        self.by.unwrap_or(usual)
    }

    /// Bands and rows, for families that take nothing else.
    pub(super) fn banding(&self, by: By) -> Result<Banding, Usage> {
        let scheme = self.scheme(0, Self::usual(), FUNCTIONS)?;
        let wrong = || Usage(format!("{} takes bands and rows, not {scheme}", by.name()));
        scheme.banding().ok_or_else(wrong)
    }

    /// How functions are combined: as requested, each by itself if they are given, or as `usual`.
    pub(super) fn scheme(&self, given: usize, usual: Scheme, most: usize) -> Result<Scheme, Usage> {
        let requested = match (self.bands, self.rows) {
            (Some(bands), Some(rows)) => Some(Banding::new(bands, rows)?.scheme()),
            _ => self.amplify.clone(),
        };
        let words = match (self.bands, self.rows, &self.amplify) {
            (Some(bands), Some(rows), _) => format!("--bands {bands} --rows {rows}"),
            (.., Some(scheme)) => format!("--amplify {scheme}"),
            _ => String::new(),
        };
        let scheme = match requested {
            Some(scheme) => scheme,
            None if given > 0 => Banding::new(given as u32, 1)?.scheme(),
            None => usual,
        };
        let needed = scheme.functions() as usize;
        if needed > most {
            return Err(Usage(format!(
                "{words} need {needed} functions, but a trace shows at most {most}"
            )));
        }
        if given > 0 && needed != given {
            let are = if given == 1 { "is" } else { "are" };
            return Err(Usage(format!(
                "{words} need {needed} functions, but {} {are} given",
                counted(given, "function")
            )));
        }
        Ok(scheme)
    }

    /// Whether a cascade was given that may be more than bands and rows.
    pub(super) fn is_amplified(&self) -> bool {
        self.amplify.is_some()
    }

    /// Three bands of two rows.
    pub(super) fn usual() -> Scheme {
        Banding::new(BANDS, ROWS).expect("numbers above 0").scheme()
    }

    /// The grid over prints, whose centroids go to its middle unless the user says otherwise.
    pub(super) fn grid(&self) -> anyhow::Result<Grid> {
        let usual = GridTable::default();
        let cells = self.cells();
        let table = GridTable {
            columns: cells.columns,
            rows: cells.rows,
            cell: self.cell.unwrap_or(usual.cell),
            tolerance: self.tolerance.unwrap_or(usual.tolerance),
            position: self.position.unwrap_or(POSITION),
            orientation: self.orientation.unwrap_or(usual.orientation),
        };
        table
            .grid()
            .map_err(|error| Usage(error.to_string()).into())
    }

    /// A grid without prints.
    pub(super) fn cells(&self) -> Cells {
        let usual = GridTable::default();
        self.grid.unwrap_or(Cells {
            columns: usual.columns,
            rows: usual.rows,
        })
    }
}

impl Cells {
    pub(super) fn columns(self) -> u32 {
        self.columns
    }

    pub(super) fn rows(self) -> u32 {
        self.rows
    }
}
