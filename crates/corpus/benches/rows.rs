//! Rows of numbers, read one by one: `cargo bench -p lookalike-corpus --bench rows` (`-- --quick` for a tenth of the rows;
//! `--features parquet` adds a list column). One thread, best of several in one process, next to reading the bytes alone.

use lookalike_core::plugin::Value;
use lookalike_corpus::{Corpus, Error, Options};
use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

const COLUMNS: usize = 100;

fn main() {
    let is_quick = std::env::args().any(|argument| argument == "--quick");
    let rows = if is_quick { 20_000 } else { 200_000 };
    let folder = tempfile::tempdir().expect("a folder");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    println!("{rows} rows of {COLUMNS} numbers; GB/s of the file");
    pool.expect("a thread").install(|| {
        for (name, content) in files(rows) {
            let path = folder.path().join(name);
            std::fs::write(&path, content).expect("a file is written");
            let bytes = std::fs::metadata(&path).expect("a file").len();
            let plain = best(|| read(&path));
            let scan = best(|| scan(&path, rows));
            let speed = |time: Duration| bytes as f64 / 1e9 / time.as_secs_f64();
            println!(
                "{name:16} {:6.1} MB   rows {:6.2}   bytes alone {:6.2}",
                bytes as f64 / 1e6,
                speed(scan),
                speed(plain)
            );
        }
    });
}

/// Files of numbers between −1 and 1.
fn files(rows: usize) -> Vec<(&'static str, Vec<u8>)> {
    let number = |n: usize| (n.wrapping_mul(2_654_435_761) % 65_536) as f32 / 32_768.0 - 1.0;
    let numbers: Vec<f32> = (0..rows * COLUMNS).map(number).collect();
    let array = |kind: &str, bytes: &dyn Fn(f32) -> Vec<u8>| {
        let mut content = head(kind, rows);
        content.extend(numbers.iter().flat_map(|&f| bytes(f)));
        content
    };
    let vecs = numbers.chunks(COLUMNS).flat_map(|row| {
        let dimension = (COLUMNS as i32).to_le_bytes();
        dimension
            .into_iter()
            .chain(row.iter().flat_map(|f| f.to_le_bytes()))
    });
    vec![
        ("f4.npy", array("<f4", &|f| f.to_le_bytes().to_vec())),
        ("f4-big.npy", array(">f4", &|f| f.to_be_bytes().to_vec())),
        (
            "f8.npy",
            array("<f8", &|f| f64::from(f).to_le_bytes().to_vec()),
        ),
        // Some half, the same one.
        (
            "f2.npy",
            array("<f2", &|_| 0x3555u16.to_le_bytes().to_vec()),
        ),
        (
            "i4.npy",
            array("<i4", &|f| ((f * 1e4) as i32).to_le_bytes().to_vec()),
        ),
        ("u1.npy", array("|u1", &|f| vec![(f * 100.0) as u8])),
        ("f4.fvecs", vecs.collect()),
        #[cfg(feature = "parquet")]
        ("f4.parquet", parquet_lists(&numbers)),
    ]
}

/// The head of an array, as NumPy writes it.
fn head(kind: &str, rows: usize) -> Vec<u8> {
    let text =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {COLUMNS}), }}");
    let mut head = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    head.extend(format!("{text:<117}\n").bytes());
    head
}

/// A file with a list column.
#[cfg(feature = "parquet")]
fn parquet_lists(numbers: &[f32]) -> Vec<u8> {
    use parquet::data_type::FloatType;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;
    let schema = "message m { optional group text (LIST) { repeated group list { optional float element; } } }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let properties = WriterProperties::builder().set_dictionary_enabled(false);
    let properties = Arc::new(properties.build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).expect("a file");
    let mut group = writer.next_row_group().expect("a group");
    let mut column = group
        .next_column()
        .expect("no error")
        .expect("there is a column");
    let definition = vec![3; numbers.len()];
    let repetition: Vec<i16> = (0..numbers.len())
        .map(|n| i16::from(n % COLUMNS > 0))
        .collect();
    column
        .typed::<FloatType>()
        .write_batch(numbers, Some(&definition), Some(&repetition))
        .expect("values are written");
    column.close().expect("a column");
    group.close().expect("a group");
    writer.into_inner().expect("a file")
}

/// The best of several runs.
fn best(mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..7).map(time).min().expect("there are runs")
}

/// All bytes of a file, a block at a time.
fn read(path: &Path) {
    let mut file = File::open(path).expect("a file");
    let mut block = vec![0; 1 << 18];
    while file.read(&mut block).expect("bytes") > 0 {
        black_box(&block);
    }
}

/// All rows of a file.
fn scan(path: &Path, rows: usize) {
    let options = Options {
        values: true,
        ..Options::default()
    };
    let corpus = Corpus::open(&[path.display().to_string()], options).expect("a corpus");
    let mut seen = 0;
    corpus
        .scan(
            || (),
            |(), records| {
                let mut seen = 0;
                while let Some(record) = records.next_value()? {
                    let items = match black_box(record.value) {
                        Value::Bytes(row) => row.len(),
                        Value::Integers(row) => row.len(),
                        Value::Signed(row) => row.len(),
                        Value::Floats(row) => row.len(),
                        Value::Doubles(row) => row.len(),
                        _ => 0,
                    };
                    assert_eq!(items, COLUMNS);
                    seen += 1;
                }
                Ok::<_, Error>(seen)
            },
            |_, of_block: usize| {
                seen += of_block;
                Ok(())
            },
        )
        .expect("rows");
    assert_eq!(seen, rows);
}
