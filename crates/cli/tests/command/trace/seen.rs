//! The page and the picture.

use super::{FOUR_SETS, TWO_HASHES};
use crate::folder::Folder;

#[test]
fn a_page_has_the_steps() {
    let folder = Folder::new();
    let args = [
        &["trace", "--html", "trace.html"][..],
        &FOUR_SETS,
        &TWO_HASHES,
    ]
    .concat();
    let said = folder.lookalike(args.iter().copied(), "");
    assert_eq!((said.code, said.error.as_str()), (0, ""));
    let page = folder.read("trace.html");
    for part in [
        ">In one picture</h2>",
        "<h3>The characteristic matrix</h3>",
        "<h3>One pass over the rows</h3>",
        "<td>h2(x)</td><td>3x + 1 mod 5</td>",
        "<span class=\"part\">1</span> <span class=\"part\"><strong>0</strong></span>",
        "<h3>Signatures</h3>",
        "<strong>S1 S3 S4</strong>",
        "<td>S1 S4</td><td><span class=\"good\">✓ yes</span></td><td>1 2</td><td class=\"number\">1.0000</td>",
        "data-bands=\"2\" data-rows=\"1\"",
    ] {
        assert!(page.contains(part), "{part}");
    }

    let hostile = [
        "trace",
        "--html",
        "trace.html",
        "--text",
        "</script> <b>bold</b> & co",
        "--text",
        "b",
    ];
    assert_eq!(folder.lookalike(hostile, "").code, 0);
    let page = folder.read("trace.html");
    assert!(!page.contains("<b>bold") && page.contains("&lt;b&gt;bold&lt;/b&gt;"));
}

/// Each family as a page with its steps, and as one picture.
#[test]
fn every_family_has_a_page_and_a_picture() {
    let folder = Folder::new();
    folder.write("a.xyt", "100 100 0 50\n140 100 0 50\n120 160 0 50\n");
    for (name, of) in [("a.txt", 97), ("b.txt", 89)] {
        let lines: String = (0..90).map(|n| format!("line {}\n", n * n % of)).collect();
        folder.write(name, lines);
    }
    for (words, parts) in [
        (
            "--code 10111 --code 10011 --bit 1,3,5",
            &["Hamming distance", "How likely that was"][..],
        ),
        (
            "--vector 3,4 --vector 4,-3 --normal 1,-1",
            &["Hyperplanes", ">V2</text>", "h1 +</text>"],
        ),
        (
            "--vector 1,1 --vector 3,1.5 --line 1,0",
            &["Places on the lines", ">V1</text>"],
        ),
        (
            "--string abcde --string acfdeg",
            &["The table of S1 and S2", "Deletion neighbourhoods"],
        ),
        (
            "--code 10111 --code 10011 --by blocks",
            &["What is looked at", "1: "],
        ),
        (
            "--code 10111 --code 10011 --by multi-probe",
            &["A query asks for:", "Candidates"],
        ),
        (
            "--vector 3,4 --vector 4,-3 --by cross-polytope",
            &["Nearest directions", "direction v"],
        ),
        (
            "--vector 3,4 --vector 4,-3 --by cauchy-lines",
            &["Places on the lines", "Cauchy law"],
        ),
        (
            "--string rose --string roses --by partitions",
            &["Partitions", "4/1: ‘ro’"],
        ),
        (
            "--string rose --string roses --by cgk",
            &["Random walks", "Keys"],
        ),
        (
            "--string rose --string roses --by order-minhash",
            &["Order minhash", "Candidates"],
        ),
        (
            "--set a,d --set b,d --by simhash",
            &["Products and bits", "Codes and angles"],
        ),
        (
            "--digest a.txt --digest b.txt",
            &["buckets by quartile", "Candidates"],
        ),
        (
            "--print a.xyt --grid 4x4",
            &["Normalise", "class=\"box c0\"", "class=\"dot c0\""],
        ),
        (
            "--grid 4x4 --squares 1,5,9 --triple 1,5,9",
            &["class=\"chosen\"", "P1: 3 of 16 squares"],
        ),
        (
            "--set a,d --set b,d --amplify or:2,and:2",
            &["AND and OR", "Jaccard similarity"],
        ),
    ] {
        let files = ["--html", "page.html", "--svg", "picture.svg"];
        let args = ["trace"].into_iter().chain(words.split(' ')).chain(files);
        let said = folder.lookalike(args, "");
        assert_eq!((said.code, said.error.as_str()), (0, ""), "{words}");
        let (page, picture) = (folder.read("page.html"), folder.read("picture.svg"));
        for part in parts {
            assert!(page.contains(part), "{words}: {part} on the page");
            assert!(picture.contains(part), "{words}: {part} in the picture");
        }
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    }
}

/// A picture that cannot be drawn leaves the page and all else as it was, and nothing next to them.
#[test]
fn files_are_replaced_whole_or_not_at_all() {
    let folder = Folder::new();
    folder.write("x.html", "old");
    let many = "--set 1,2 --set 2,3 --bands 3 --rows 3 --html x.html --svg x.svg";
    let said = folder.lookalike(["trace"].into_iter().chain(many.split(' ')), "");
    assert_eq!(said.code, 2);
    assert_eq!(folder.read("x.html"), "old");
    let few = "--set 1,2 --set 2,3 --html x.html --svg x.svg";
    let said = folder.lookalike(["trace"].into_iter().chain(few.split(' ')), "");
    assert_eq!((said.code, said.error.as_str()), (0, ""));
    assert!(folder.read("x.html").starts_with("<!"));
    let names: Vec<String> = folder.names().into_iter().collect();
    assert_eq!(names, ["x.html", "x.svg"]);
}

#[test]
fn all_of_it_is_one_picture() {
    let folder = Folder::new();
    let args = ["trace", "--svg", "trace.svg", "--threshold", "0.6"];
    let args = [&args[..], &FOUR_SETS, &TWO_HASHES].concat();
    let said = folder.lookalike(args.iter().copied(), "");
    assert_eq!((said.code, said.error.as_str()), (0, ""));
    let picture = folder.read("trace.svg");
    // S1 and S4 are 2/3 alike, S1 and S3 1/4, S3 and S4 1/5; S2 meets nobody.
    for part in [
        ">only 3</text>",
        ">from 0.6 on</text>",
        ">S1, S4</text>",
        ">0.67: match</text>",
        ">0.25: no match</text>",
        ">0.20: no match</text>",
        ">{0, 2, 3}</text>",
    ] {
        assert!(picture.contains(part), "{part}");
    }
    assert_eq!(picture.matches("match</text>").count(), 3);

    let many = ["trace", "--svg", "x.svg", "--bands", "3", "--rows", "3"];
    let said = folder.lookalike([&many[..], &FOUR_SETS].concat().iter().copied(), "");
    assert_eq!(said.code, 2);
    assert!(
        said.error.contains("--svg: a signature is 9"),
        "{}",
        said.error
    );
    let page = ["trace", "--html", "x.html", "--bands", "3", "--rows", "3"];
    let said = folder.lookalike([&page[..], &FOUR_SETS].concat().iter().copied(), "");
    assert_eq!(said.code, 0);
    assert!(!folder.read("x.html").contains("In one picture"));
}
