//! Bad input is an error that says where, what, and what to do; nothing is half-written.

use super::scene::{Scene, as_iso, as_xyt, print};

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

#[test]
fn nothing_is_said_twice() {
    let scene = Scene::new();
    let record = as_iso(&print(1, 1));
    scene.write("cut/a.iso", &record[..record.len() - 3]);
    scene.write("whole/a.iso", &record);
    for (args, once) in [
        ("enroll missing --index out.idx", "No such file"),
        ("enroll cut --index out.idx", "byte 8"),
        ("enroll whole --index none/out.idx", "No such file"),
    ] {
        let said = scene.run(args);
        assert_eq!(said.error.matches(once).count(), 1, "{args}: {said:?}");
    }
}

/// Where hardly anything can be used, what is there stays there.
#[test]
fn an_index_is_not_lost_to_a_folder_of_something_else() {
    let scene = Scene::with_prints(3, 1);
    scene.out("enroll prints --index prints.idx");
    let before = scene.bytes("prints.idx");
    scene.write("bad/1_1.xyt", "x y z\n");
    let said = scene.run("enroll bad --index prints.idx --on-error skip");
    assert_eq!(said.code, 3, "{said:?}");
    assert!(said.error.contains("1_1.xyt: line 1"), "{said:?}");
    assert_eq!(scene.bytes("prints.idx"), before);
    for args in ["pairs bad", "search prints.idx bad", "evaluate bad"] {
        let said = scene.run(&format!("{args} --on-error skip"));
        assert_eq!(said.code, 3, "{args}: {said:?}");
    }
    // An index is replaced by another one, and nothing else is.
    scene.out("enroll prints --index prints.idx --profile fast");
    assert_ne!(scene.bytes("prints.idx"), before);
    let template = scene.bytes("prints/0_1.xyt");
    let said = scene.run("enroll prints --index prints/0_1.xyt");
    assert!(
        said.code == 1 && said.error.contains("no index"),
        "{said:?}"
    );
    assert_eq!(scene.bytes("prints/0_1.xyt"), template);
}

/// Whatever a file is called, it is taken for what it is; nothing is passed over in silence.
#[test]
fn files_go_by_their_content() {
    let scene = Scene::with_prints(4, 1);
    scene.out("enroll prints --index prints.idx");
    scene.write("scene.txt", as_xyt(&print(2, 2)));
    scene.write("scene.bin", as_iso(&print(2, 2)));
    scene.write(
        "marked.xyt",
        [&b"\xef\xbb\xbf"[..], &as_xyt(&print(2, 2))].concat(),
    );
    for probe in ["scene.txt", "scene.bin", "marked.xyt"] {
        let said = scene.out(&format!("search prints.idx {probe} --top 1"));
        assert!(said.contains("2_1.xyt"), "{probe}: {said}");
    }
    scene.write("zero/1_1.iso", as_iso(&print(1, 1)));
    scene.write("zero/1_2.iso", "");
    let said = scene.run("enroll zero --index zero.idx --format iso");
    assert!(
        said.code == 1 && said.error.contains("1_2.iso: no minutiae"),
        "{said:?}"
    );
    let said = scene.run("enroll prints --index none.idx --format ansi");
    assert!(
        said.error.contains("4 templates, but none in the format"),
        "{said:?}"
    );
    #[cfg(unix)]
    {
        std::fs::create_dir(scene.path("links")).unwrap();
        std::os::unix::fs::symlink("../prints/0_1.xyt", scene.path("links/0_1.xyt")).unwrap();
        let said = scene.out("enroll links --index links.idx");
        assert!(said.contains("enrolled  1"), "{said}");
    }
}

#[test]
fn others_may_be_there_in_both_formats() {
    let scene = Scene::with_prints(3, 2);
    for finger in 5..8 {
        scene.write(&format!("others/{finger}_1.xyt"), as_xyt(&print(finger, 1)));
        scene.write(&format!("others/{finger}_1.iso"), as_iso(&print(finger, 1)));
    }
    let said = scene.run("evaluate prints --gallery-extra others");
    assert!(
        said.code == 1 && said.error.contains("--format"),
        "{said:?}"
    );
    let said = scene.out("evaluate prints --gallery-extra others --format xyt --json");
    assert_eq!(said.lines().count(), 1);
    let measured: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        (&measured["gallery"], &measured["extra"]),
        (&6.into(), &3.into())
    );
    assert_eq!(measured["verified"], 6);
}

/// A run that has begun to write.
#[cfg(unix)]
fn at_work(scene: &Scene) -> std::process::Child {
    use std::{process::Command, thread, time::Duration};
    let before = scene.names();
    let mut child = Command::new(env!("CARGO_BIN_EXE_lookalike"))
        .args("fingerprint enroll prints --index new.idx --threads 1 -q".split(' '))
        .current_dir(scene.path(""))
        .spawn()
        .unwrap();
    while scene.names() == before {
        assert_eq!(child.try_wait().unwrap(), None, "it ended by itself");
        thread::sleep(Duration::from_millis(1));
    }
    child
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing() {
    let scene = Scene::with_prints(1000, 1);
    let before = scene.names();
    let mut child = at_work(&scene);
    let pid = child.id().to_string();
    let kill = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(scene.names(), before);
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_leaves_the_next_one_removes() {
    let scene = Scene::with_prints(1000, 1);
    let mut expected = scene.names();
    expected.insert("new.idx".into());
    let mut child = at_work(&scene);
    std::thread::sleep(std::time::Duration::from_millis(20));
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    assert!(
        scene
            .names()
            .iter()
            .any(|name| name.starts_with(".lookalike-"))
    );
    assert_eq!(scene.run("enroll prints --index new.idx -q").code, 0);
    assert_eq!(scene.names(), expected);
}

#[cfg(target_os = "linux")]
#[test]
fn a_stderr_that_takes_nothing_is_no_reason_to_panic() {
    let scene = Scene::with_prints(2, 2);
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let ended = std::process::Command::new(env!("CARGO_BIN_EXE_lookalike"))
        .args(["fingerprint", "pairs", "prints"])
        .current_dir(scene.path(""))
        .stderr(full)
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(0));
}
