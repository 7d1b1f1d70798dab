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
        "<td>S1, S4</td><td><span class=\"good\">✓ in band 1, 2</span></td><td class=\"number\">1.0000</td>",
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
