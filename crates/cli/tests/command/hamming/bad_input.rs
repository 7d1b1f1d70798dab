//! Bad input is an error that says where, what, and what to do.

use super::scene::{Scene, npy};

#[test]
fn files_that_are_wrong_say_where_and_why() {
    let scene = Scene::new();
    scene.write("lengths.txt", "00ff\nabcd\n00\n");
    scene.write("odd.txt", "00ff\nabc\n");
    scene.write("letters.txt", "00ff\nabcz\n");
    scene.write("empty.txt", "");
    scene.write("blank.txt", "\n \n");
    scene.write("other.jsonl", "{\"id\": 1, \"phash\": \"00ff\"}\n");
    scene.write("number.jsonl", "{\"id\": 1, \"hash\": 17}\n");
    scene.write("other.csv", "id,phash\n1,00ff\n");
    scene.write("wide.txt", "ab".repeat(9000) + "\n");
    scene.write("codes.bin", [0; 100]);
    scene.write("none.bin", "");
    scene.write("words.npy", npy("'<u8'", "False", "(2, 4)", &[0; 64]));
    scene.write("big.npy", npy("'>u4'", "False", "(2, 4)", &[0; 32]));
    scene.write("flat.npy", npy("'|u1'", "False", "(32,)", &[0; 32]));
    scene.write("columns.npy", npy("'|u1'", "True", "(4, 8)", &[0; 32]));
    scene.write("short.npy", npy("'|u1'", "False", "(4, 8)", &[0; 20]));
    scene.write("long.npy", npy("'|u1'", "False", "(4, 8)", &[0; 40]));
    scene.write(
        "lying.npy",
        npy("'|u1'", "False", "(99999999999999, 8)", &[0; 32]),
    );
    scene.write("cut.npy", &npy("'|u1'", "False", "(4, 8)", &[])[..40]);
    scene.write("zero.npy", npy("'|u1'", "False", "(0, 8)", &[]));
    scene.write("bad.npy", "not an array");
    for (args, messages) in [
        (
            "lengths.txt",
            &["lengths.txt:3", "8 bits", "lengths.txt:1 has 16"][..],
        ),
        ("odd.txt", &["odd.txt:2", "3 hexadecimal digits", "even"]),
        ("letters.txt", &["letters.txt:2", "'z'"]),
        ("empty.txt", &["empty.txt", "no codes"]),
        ("blank.txt --format hex", &["blank.txt", "no codes"]),
        (
            "other.jsonl",
            &["other.jsonl:1", "`hash`", "`phash`", "with --field"],
        ),
        (
            "number.jsonl",
            &["number.jsonl:1", "`hash`", "with --field"],
        ),
        ("other.csv", &["other.csv:1", "`hash`", "with --field"]),
        ("wide.txt", &["wide.txt:1", "72000 bits", "65536"]),
        ("missing.txt", &["missing.txt", "no such file"]),
        ("missing.npy", &["missing.npy", "no such file"]),
        ("codes.bin", &["codes.bin", "give --bits"]),
        (
            "codes.bin --bits 64",
            &["100 bytes", "8 bytes each", "4 are left over"],
        ),
        ("codes.bin --bits 100", &["100 bits", "multiple of 8"]),
        ("none.bin --bits 64", &["none.bin", "no codes"]),
        (
            "words.npy",
            &["words.npy", "\"<u8\"", "array.view(np.uint8)"],
        ),
        ("big.npy", &["big.npy", "big-endian"]),
        ("flat.npy", &["flat.npy", "[32]", "[codes, bytes]"]),
        ("columns.npy", &["columns.npy", "np.ascontiguousarray"]),
        (
            "short.npy",
            &["short.npy", "truncated", "4 codes", "after 2"],
        ),
        ("long.npy", &["long.npy", "bytes follow the 4 codes"]),
        ("lying.npy", &["lying.npy", "truncated", "after 4"]),
        ("cut.npy", &["cut.npy", "ends in its head"]),
        ("zero.npy", &["zero.npy", "no codes"]),
        ("bad.npy --format npy", &["bad.npy", "no NumPy file"]),
        ("short.npy --bits 64 --format bin", &["short.npy"]),
    ] {
        let said = scene.run(&format!("pairs {args} --radius 3"));
        assert_eq!(said.code, 1, "{args}: {said:?}");
        assert_eq!(said.out, "", "{args}");
        assert_eq!(said.error.lines().count(), 1, "{args}: {said:?}");
        for message in messages {
            assert!(
                said.error.contains(message),
                "{args}: {message:?} in {said:?}"
            );
        }
    }
}

#[test]
fn what_cannot_be_asked_says_what_can() {
    let scene = Scene::new();
    scene.write("codes.txt", "00ff\nabcd\n");
    scene.write("long.txt", "00ff00\n");
    for (args, code, message) in [
        (
            "pairs codes.txt --radius 16",
            1,
            "radius is 16, but must be below 16",
        ),
        ("pairs codes.txt --radius 99", 1, "must be below 16"),
        (
            "query codes.txt long.txt --radius 3",
            1,
            "long.txt: codes of 24 bits, but those of codes.txt have 16",
        ),
        (
            "pairs codes.txt --radius 3 --bits 24",
            1,
            "codes of 16 bits, not of 24",
        ),
        ("pairs codes.txt --radius -1", 2, "'-1' for '--radius"),
        ("pairs codes.txt", 2, "--radius <BITS>"),
        ("query codes.txt codes.txt", 2, "--radius <BITS>"),
        ("query codes.txt codes.txt -k 0", 2, "'0' for '--top"),
        (
            "query codes.txt codes.txt -k 1 --recall 0.9",
            2,
            "add --radius",
        ),
        ("query - - --radius 1", 2, "not both"),
        (
            "pairs codes.txt --radius 1 --recall 1",
            2,
            "no banding is certain",
        ),
        (
            "pairs codes.txt --radius 1 --recall 0.9 --exact",
            2,
            "cannot be used with",
        ),
        (
            "pairs codes.txt --radius 1 --format docx",
            2,
            "hex, jsonl, csv, parquet, bin, npy",
        ),
    ] {
        let said = scene.run(args);
        assert_eq!(said.code, code, "{args}: {said:?}");
        assert!(said.error.contains(message), "{args}: {said:?}");
        assert_eq!(said.out, "", "{args}");
    }
}
