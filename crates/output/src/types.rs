/// A message of serde without the names of Rust's types, which say nothing to users.
///
/// ```
/// let message = "invalid type: string \"many\", expected u64";
/// let plain = lookalike_output::without_types(message);
/// assert_eq!(plain, "invalid type: string \"many\", expected a whole number, 0 or more");
/// ```
#[must_use]
pub fn without_types(message: &str) -> String {
    const WORDS: [(&str, &str); 9] = [
        (
            "wanted exactly 1 element, more than 1 element",
            "choose one of these",
        ),
        ("expected a sequence", "expected a list"),
        ("expected f32", "expected a number"),
        ("expected f64", "expected a number"),
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected u16", "expected a whole number from 0 to 65535"),
        (
            "expected u32",
            "expected a whole number from 0 to 4294967295",
        ),
        ("expected u64", "expected a whole number, 0 or more"),
        ("expected usize", "expected a whole number, 0 or more"),
    ];
    let replace =
        |message: String, (type_name, words): &(&str, &str)| message.replace(type_name, words);
    WORDS.iter().fold(message.to_owned(), replace)
}
