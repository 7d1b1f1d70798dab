//! Bad input is an error that says where, what, and what to do; nothing is half-written.

use crate::scene::{Scene, as_iso, as_xyt, print};

#[test]
fn files_that_are_wrong_say_where_and_why() {
    let scene = Scene::new();
    let record = as_iso(&print(1, 1));
    scene.write("letters/a.xyt", "10 20 30\n10 x 30\n");
    scene.write("columns/a.xyt", "10 20\n");
    scene.write("cut/a.iso", &record[..record.len() - 3]);
    let mut lying = record.clone();
    lying[27] = 200;
    scene.write("lying/a.iso", lying);
    scene.write("empty/a.xyt", "");
    scene.write("image/a.xyt", b"\x89PNG\r\n\x1a\n\0\0\0");
    scene.write("other/readme.txt", "nothing here");
    scene.write("twins/a.xyt", as_xyt(&print(1, 1)));
    scene.write("twins/a.iso", &record);
    scene.write("copies/a.xyt", as_xyt(&print(1, 1)));
    scene.write("copies/b.xyt", as_xyt(&print(1, 1)));
    for (prints, messages) in [
        ("letters", &["a.xyt", "line 2"][..]),
        ("columns", &["a.xyt", "line 1"]),
        ("cut", &["a.iso", "byte"]),
        ("lying", &["a.iso", "byte"]),
        ("empty", &["a.xyt", "no minutiae", "--on-error skip"]),
        ("image", &["a.xyt"]),
        ("other", &["other", "no templates", ".xyt"]),
        ("twins", &["a.iso", "a.xyt", "--format"]),
        ("copies", &["a.xyt", "b.xyt", "same to the byte"]),
        ("missing", &["missing", "No such file"]),
    ] {
        let said = scene.run(&format!("enroll {prints} --index out.idx"));
        assert_eq!(said.code, 1, "{prints}: {said:?}");
        for message in messages {
            assert!(said.error.contains(message), "{prints}: {said:?}");
        }
        assert!(!scene.path("out.idx").exists());
    }
}

#[test]
fn what_cannot_be_used_can_be_passed_over() {
    let scene = Scene::with_prints(3, 1);
    scene.write("prints/9_1.xyt", "");
    scene.write("prints/9_2.xyt", "x y z\n");
    scene.write("prints/9_3.xyt", as_xyt(&print(0, 1)));
    let said = scene.run("enroll prints --index out.idx --on-error skip");
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.out.contains("enrolled  3") && said.out.contains("skipped   3"),
        "{said:?}"
    );
    assert_eq!(said.error.matches("skipped ").count(), 3, "{said:?}");
}

#[test]
fn other_files_are_no_index() {
    let scene = Scene::with_prints(2, 1);
    scene.out("enroll prints --index prints.idx");
    let bytes = scene.bytes("prints.idx");
    scene.write("cut.idx", &bytes[..bytes.len() / 2]);
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 3] ^= 4;
    scene.write("flipped.idx", flipped);
    scene.write("text.idx", "no index at all");
    for (index, message) in [
        ("cut.idx", "damaged"),
        ("flipped.idx", ""),
        ("text.idx", "not a Lookalike index"),
        ("none.idx", "No such file"),
    ] {
        let said = scene.run(&format!("search {index} prints/0_1.xyt"));
        assert_eq!(said.code, 1, "{index}: {said:?}");
        assert!(
            said.error.contains(index) && said.error.contains(message),
            "{said:?}"
        );
    }
    let said = scene.run("enroll prints --index prints.idx/below");
    assert_eq!(said.code, 1, "{said:?}");
}

#[test]
fn wrong_use_is_refused_with_the_reason() {
    let scene = Scene::with_prints(2, 1);
    for (args, message) in [
        ("enroll prints", "--index"),
        ("enroll prints --index a --dpi 5", "from 50 to 5000"),
        ("enroll prints --index a --profile exact", "accurate"),
        ("pairs prints --threshold -1", "above 0"),
        ("search prints.idx", "PROBE"),
        ("evaluate prints --verify 5", "from 0 to 1"),
    ] {
        let said = scene.run(args);
        assert_eq!(said.code, 2, "{args}: {said:?}");
        assert!(said.error.contains(message), "{args}: {said:?}");
    }
}
