//! Real prints, beside the repository: `LOOKALIKE_DATA` says where.
//!
//! Each print of FVC2002 was given to two extractors, which share nothing: one wrote XYT and the other ISO. That they
//! find the same minutiae in one frame, and hardly any in another, shows that origins and directions are understood.

use std::{
    env,
    f32::consts::{PI, TAU},
    fs,
    path::{Path, PathBuf},
};

use lookalike_fingerprint::{
    DPI, Minutia, Template,
    format::{Format, detect, fmr, parse, xyt},
};

/// The sizes of the four sets' images. Those that the ISO extractor saw had all been stretched to 300 × 400: across by
/// 300 / 388 and upwards by 400 / 374 in the first set, and so on.
const SIZES: [(f32, f32); 4] = [
    (388.0, 374.0),
    (296.0, 560.0),
    (300.0, 300.0),
    (288.0, 384.0),
];

/// The folders of the sets; where there is no data the test is skipped, but a set that is missing is a failure.
fn sets() -> Option<Vec<PathBuf>> {
    let Some(folder) = env::var_os("LOOKALIKE_DATA") else {
        eprintln!("skipped: LOOKALIKE_DATA is not set");
        return None;
    };
    let set = |number| {
        let name = format!("fingerprints/fvc2002-db{number}");
        let path = Path::new(&folder).join(name);
        assert!(path.is_dir(), "{} is not there", path.display());
        path
    };
    Some((1..=4).map(set).collect())
}

/// The files of a set with this ending.
fn files(set: &Path, ending: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(set).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    files.sort();
    assert_eq!(files.len(), 80, "{}: .{ending}", set.display());
    files
}

/// The one print in a file.
fn read(path: &Path, format: Format) -> Template {
    let bytes = fs::read(path).unwrap();
    assert_eq!(detect(&bytes), Ok(format), "{}", path.display());
    let views = parse(&bytes, DPI).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let [view] = &views[..] else {
        panic!("{}: {} views", path.display(), views.len())
    };
    view.template.clone()
}

#[test]
fn all_are_read_and_written_byte_for_byte() {
    for set in sets().into_iter().flatten() {
        for path in files(&set, "xyt") {
            let text = xyt::write(&read(&path, Format::Xyt));
            assert!(text.as_bytes() == fs::read(&path).unwrap());
        }
        for path in files(&set, "iso") {
            let bytes = fs::read(&path).unwrap();
            assert!(fmr::write(&parse(&bytes, DPI).unwrap()).unwrap() == bytes);
            assert_eq!(read(&path, Format::Iso).dpi(), DPI);
        }
    }
}

/// The share of minutiae of `a` that have one of `b` within 12 pixels and 0.4 radians, where all of `b` is moved so
/// by at most 12 pixels that it is most.
fn agreement(a: &[Minutia], b: &[Minutia]) -> f64 {
    let near = |p: &Minutia, q: &Minutia, right: f32, up: f32| {
        let turn = (p.direction - q.direction).abs();
        (p.x - q.x - right).hypot(p.y - q.y - up) < 12.0 && turn.min(TAU - turn) < 0.4
    };
    let steps = || (-2..=2).map(|step| step as f32 * 6.0);
    let moves = steps().flat_map(|right| steps().map(move |up| (right, up)));
    let found = moves.map(|(right, up)| {
        let paired = |p: &&Minutia| b.iter().any(|q| near(p, q, right, up));
        a.iter().filter(paired).count()
    });
    found.max().unwrap() as f64 / a.len() as f64
}

#[test]
fn two_extractors_agree_in_this_frame_and_in_no_other() {
    for (set, (width, height)) in sets().into_iter().flatten().zip(SIZES) {
        let mut sums = [0.0; 4];
        let mut clear = 0;
        for path in files(&set, "iso") {
            let iso = read(&path, Format::Iso);
            let size = iso.size().unwrap();
            let (across, upwards) = (
                f32::from(size.width) / width,
                f32::from(size.height) / height,
            );
            let other = read(&path.with_extension("xyt"), Format::Xyt);
            let stretched = |minutia: &Minutia| {
                let (sine, cosine) = minutia.direction.sin_cos();
                let direction = (sine * upwards).atan2(cosine * across);
                Minutia::new(minutia.x * across, minutia.y * upwards, direction)
            };
            let other: Vec<_> = other.minutiae().iter().map(stretched).collect();
            let share = |wrong: &dyn Fn(&Minutia) -> Minutia| {
                let other: Vec<_> = other.iter().map(wrong).collect();
                agreement(iso.minutiae(), &other)
            };
            let flip = f32::from(size.height) - 1.0;
            let shares = [
                share(&|m| *m),
                share(&|m| Minutia::new(m.x, m.y, m.direction + PI)),
                share(&|m| Minutia::new(m.x, flip - m.y, m.direction)),
                share(&|m| Minutia::new(m.x, flip - m.y, -m.direction)),
            ];
            for (sum, share) in sums.iter_mut().zip(shares) {
                *sum += share / 80.0;
            }
            clear += u32::from(shares[1..].iter().all(|wrong| shares[0] > 2.0 * wrong));
        }
        let name = set.file_name().unwrap().display();
        let [right, wrong @ ..] = sums;
        eprintln!(
            "{name}: {right:.3} agree; directions turned {:.3}, y not turned {:.3}, mirrored {:.3}; clear for {clear} \
             of 80",
            wrong[0], wrong[1], wrong[2]
        );
        assert!(right > 0.6, "{name}: {sums:?}");
        assert!(wrong.iter().all(|&share| share < 0.3), "{name}: {sums:?}");
        assert!(clear >= 70, "{name}: {clear} of 80 prints");
    }
}
