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
            &["--set", "1,,x"],
            "invalid value '1,,x' for '--set <X,..>': an element is empty; write them like 0,3,4 or a,d",
        ),
        (
            &["--set", "1", "--shingle", "words:2"],
            "--shingle is for texts alone",
        ),
        (
            &["--set", "1", "--text", "a"],
            "the argument '--set <X,..>' cannot be used with '--text <TEXT>'",
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
        nothing.contains("<FILE|--text <TEXT>|--set <X,..>|--column <BITS>|--code <BITS>|"),
        "{nothing}"
    );
}

#[test]
fn options_for_other_items_are_named() {
    for (args, message) in [
        (
            "--code 101 --normal 1,2",
            "--normal is for vectors, not for codes",
        ),
        (
            "--code 101 --hash x+1mod5",
            "--hash is for texts and sets, not for codes",
        ),
        (
            "--set a --bit 1",
            "--bit is for codes, not for texts and sets",
        ),
        (
            "--set a --by lines",
            "--by lines is not for texts and sets: for them there is one-pass, permutations, simhash",
        ),
        (
            "--vector 1 --by one-pass",
            "--by one-pass is not for vectors: for them there is hyperplanes, cross-polytope, lines, cauchy-lines",
        ),
        (
            "--vector 1 --keep row",
            "--keep is for texts and sets, not for vectors",
        ),
        (
            "--squares 1 --cell 3",
            "--cell is for prints, not for squares",
        ),
        (
            "--string a --string b --triple 1,2,3",
            "--triple is for prints, not for strings",
        ),
        ("--code 101 --bag", "--bag is for texts and sets"),
        (
            "--code 101 --shingle chars:2",
            "--shingle is for texts alone",
        ),
        (
            "--vector 1,2 --bucket-width 2",
            "--bucket-width is for lines: add --by lines, or give --line",
        ),
        (
            "--string a --string b --amplify or:2",
            "--bands, --rows and --amplify combine functions, and the keys of deletions are not combined: leave them out",
        ),
        (
            "--code 101 --by blocks --bands 2 --rows 1",
            "--bands, --rows and --amplify combine functions, and the keys of blocks are not combined: leave them out",
        ),
        (
            "--code 101 --blocks 2",
            "--blocks is for blocks, not for bit-sampling: add --by blocks",
        ),
        (
            "--code 101 --flips 1",
            "--flips is for multi-probe and blocks, not for bit-sampling: add --by multi-probe",
        ),
        (
            "--code 101 --by blocks --bit 1",
            "--bit is for bit-sampling, not for blocks: add --by bit-sampling",
        ),
        (
            "--set 1,2 --permutation 1,2 --by one-pass",
            "--permutation is for permutations, not for one-pass: add --by permutations",
        ),
        (
            "--set 1,2 --hash x+1mod5 --by simhash",
            "--hash is for one-pass, not for simhash: add --by one-pass",
        ),
        (
            "--vector 1,2 --line 1,2 --by hyperplanes",
            "--line is for lines and cauchy-lines, not for hyperplanes: add --by lines",
        ),
        (
            "--vector 1,2 --normal 1,2 --by lines",
            "--normal is for hyperplanes, not for lines: add --by hyperplanes",
        ),
        (
            "--string a --string b --gram 2",
            "--gram is for order-minhash, not for deletions: add --by order-minhash",
        ),
        (
            "--string a --string b --by cgk --amplify or:2,and:2",
            "cgk takes bands and rows, not or:2,and:2",
        ),
        (
            "--vector 1,2 --directions 8",
            "--directions is for cross-polytope, not for hyperplanes: add --by cross-polytope",
        ),
        (
            "--vector 1,2 --by cross-polytope --directions 9",
            "--directions is 9, but must be a power of two from 8 to 4096",
        ),
        (
            "--vector 1,2 --by cross-polytope --directions 32 --bands 3 --rows 1",
            "--bands 3 --rows 1 need 3 functions, but a trace shows at most 2",
        ),
        (
            "--code 101 --by blocks --blocks 4",
            "--blocks is 4, but must be from 1 to 3, the bits of a code",
        ),
        (
            "--code 101 --by multi-probe --bands 1 --rows 4",
            "--rows is 4, but must be from 1 to 3, for codes of 3 bits",
        ),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        assert_eq!(refused(2, &args), format!("error: {message}"));
    }
}

#[test]
fn wrong_values_of_other_items_say_what_would_do() {
    for (code, args, message) in [
        (
            1,
            "--code 101 --code 10",
            "--code is 10, but must be 3 digits 0 or 1, as many as the first has",
        ),
        (
            1,
            "--code 12",
            "--code is 12, but must be 2 digits 0 or 1, as many as the first has",
        ),
        (
            2,
            "--code 101 --bit 4",
            "--bit is 4, but must be from 1 to 3, a bit of the codes",
        ),
        (
            2,
            "--code 101 --bit 0",
            "--bit is 0, but must be from 1 to 3, a bit of the codes",
        ),
        (
            2,
            "--code 101 --bit 1,2 --amplify and:3",
            "--amplify and:3 need 3 functions, but 2 functions are given",
        ),
        (
            2,
            "--code 101 --amplify or:65",
            "--amplify or:65 need 65 functions, but a trace shows at most 64",
        ),
        (
            1,
            "--vector 1,2 --vector 1",
            "a vector of 1 dimensions among vectors of 2: all must have the same number",
        ),
        (
            2,
            "--vector 1,2 --normal 1",
            "--normal has 1 number, but the vectors have 2 dimensions",
        ),
        (
            2,
            "--vector 1,2 --normal 0,0",
            "--normal: a direction is 0 everywhere, but must be not 0",
        ),
        (
            2,
            "--vector 1,2 --line 1,2,3",
            "--line has 3 numbers, but the vectors have 2 dimensions",
        ),
        (
            2,
            "--vector 1,2 --line 1,2 --bucket-width 0",
            "--bucket-width: width is 0, but must be a number above 0",
        ),
        (
            2,
            "--vector 1,two",
            "invalid value '1,two' for '--vector <X,..>': `two` is not a number; write them like 0,3,4",
        ),
        (
            1,
            "--vector 1,NaN",
            "NaN at dimension 1: all numbers of a vector must be finite, and below 1e15",
        ),
        (
            1,
            "--string a",
            "one string is given, but an edit distance needs two: repeat --string",
        ),
        (
            1,
            "--string abcdefghijklmnopqrstuvwxyz --string b",
            "a string of 26 letters is given, but a trace shows at most 24",
        ),
        (
            2,
            "--string a --string b --deletions 5",
            "invalid value '5' for '--reach <N>': 5 is not in 0..=4",
        ),
        (
            1,
            "--string abcdefghijklmnop --string b --deletions 2",
            "2 deletions leave 137 strings of ‘abcdefghijklmnop’, but a trace shows at most 60: give shorter strings, or a smaller --reach",
        ),
        (
            1,
            "--squares 16 --grid 4x4",
            "--squares has 16, but the grid has 16 squares, from 0",
        ),
        (
            2,
            "--squares 1 --grid 4x4 --triple 1,2",
            "--triple has 2 squares, but a function has three",
        ),
        (
            2,
            "--squares 1 --grid 4",
            "invalid value '4' for '--grid <CxR>': must be columns and rows from 1 to 32, such as 16x16",
        ),
        (
            1,
            "--print absent.xyt",
            "absent.xyt: No such file or directory (os error 2)",
        ),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        assert_eq!(refused(code, &args), format!("error: {message}"));
    }
    let twice = refused(2, &["--squares", "1", "--triple", "1,1,2"]);
    assert!(
        twice.contains("--triple: the squares of a function is [1, 1, 2]"),
        "{twice}"
    );
    let many: Vec<&str> = ["--vector", "1"].repeat(17);
    let message = "error: 17 vectors are given, but a trace shows at most 16";
    assert_eq!(refused(1, &many), message);
    let folder = Folder::new();
    folder.write("broken.xyt", "1 2\n");
    let said = folder.lookalike(["trace", "--print", "broken.xyt"], "");
    assert_eq!(said.code, 1);
    assert!(
        said.error.starts_with("error: broken.xyt: "),
        "{}",
        said.error
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
        refused(1, &["--text", "Buy Sudzo", "--shingle", "stopwords"]),
        "error: no text has a shingle: none has a stop word with two words after it; --stop-words FILE takes other ones"
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
