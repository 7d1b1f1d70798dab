//! What is refused, and what would do.

use super::refused;
use crate::folder::Folder;

#[test]
fn wrong_use_says_what_would_do() {
    for (args, message) in [
        (
            &["--set", "1", "--keep", "row"][..],
            "--keep row is for permutations: add --by permutations, or give --permutation",
        ),
        (
            &["--set", "1,x"],
            "invalid value '1,x' for '--set <N,..>': `x` is no number; write them like 0,3,4",
        ),
        (
            &["--set", "1", "--shingle", "words:2"],
            "--shingle is for texts, not for sets of numbers",
        ),
        (
            &["--set", "1", "--text", "a"],
            "the argument '--set <N,..>' cannot be used with '--text <TEXT>'",
        ),
        (
            &[
                "--set", "1,2", "--bands", "3", "--rows", "1", "--hash", "x mod 5",
            ],
            "--bands 3 --rows 1 need 3 functions, but 1 function is given",
        ),
        (
            &["--set", "1,2", "--permutation", "1,2,3"],
            "permutation is [1, 2, 3], but must be of as many places as there are elements, 2",
        ),
        (
            &["--set", "1,2", "--permutation", "1,1"],
            "--permutation is [1, 1], but must be each of 1 to 2 once",
        ),
        (
            &["--set", "1", "--hash", "x mod 6"],
            "invalid value 'x mod 6' for '--hash <FUNCTION>': p is 6, but must be a prime",
        ),
        (
            &["--set", "1", "--hash", "x"],
            "invalid value 'x' for '--hash <FUNCTION>': function is x, but must be such as 3x+1 mod 5, with a prime after mod",
        ),
        (
            &["--set", "1", "--bands", "9", "--rows", "8"],
            "--bands 9 --rows 8 need 72 functions, but a trace shows at most 64",
        ),
        (
            &["--set", "1", "--bands", "65", "--rows", "1"],
            "invalid value '65' for '--bands <B>': 65 is not in 1..=64",
        ),
    ] {
        assert_eq!(refused(2, args), format!("error: {message}"));
    }
    let nothing = refused(2, &[]);
    assert!(
        nothing.contains("<FILE|--text <TEXT>|--set <N,..>|--column <BITS>>"),
        "{nothing}"
    );
}

#[test]
fn what_is_too_large_or_nothing_is_refused() {
    let many: Vec<&str> = ["--set", "1"].repeat(17);
    assert_eq!(
        refused(1, &many),
        "error: 17 sets are given, but a trace shows at most 16"
    );
    let long: Vec<String> = (0..201).map(|n| n.to_string()).collect();
    assert_eq!(
        refused(1, &["--set", &long.join(",")]),
        "error: 201 different elements are given, but a trace shows at most 200"
    );
    assert_eq!(
        refused(1, &["--set", ""]),
        "error: no different elements are given: a trace needs some"
    );
    assert_eq!(
        refused(1, &["--column", "101", "--column", "10"]),
        "error: column is 10, but must be 3 digits 0 or 1, as many as the first has"
    );
    assert_eq!(
        refused(1, &["--text", "..."]),
        "error: no text has a shingle: give longer texts, or shorter shingles, such as --shingle chars:3"
    );

    let folder = Folder::new();
    folder.write("large.txt", "a line\n".repeat(10_000));
    folder.write("blank.txt", " \n\n");
    folder.write("bytes.txt", b"\xff\xfe");
    for (file, message) in [
        (
            "large.txt",
            "more than 65536 bytes, but a trace is for small inputs; take some lines with head",
        ),
        ("blank.txt", "no line with a text"),
        (
            "bytes.txt",
            "not UTF-8: invalid utf-8 sequence of 1 bytes from index 0",
        ),
        ("absent.txt", "No such file or directory (os error 2)"),
    ] {
        let said = folder.lookalike(["trace", file], "");
        assert_eq!(
            (said.code, said.error),
            (1, format!("error: {file}: {message}\n"))
        );
    }
}
