//! The colours, in light and in dark.
//!
//! A page has them as variables. A chart in a file of its own has them written out, because programs that show SVG without
//! a browser do not know variables. On paper everything is light.

/// Name, light, dark.
const COLOURS: [(&str, &str, &str); 20] = [
    ("paper", "#fffefb", "#15181c"),
    ("card", "#f6f4ee", "#1e2227"),
    ("ink", "#1f2329", "#ebe8e1"),
    ("soft", "#565d66", "#a9b0b8"),
    ("rule", "#dedad0", "#363c44"),
    ("grid", "#e8e5dc", "#2b3037"),
    ("accent", "#1f5fa8", "#8ab8f0"),
    ("tint", "#fdeec2", "#54440f"),
    ("shared", "#dbe8f7", "#20405f"),
    ("good", "#1b6e3c", "#7fd0a0"),
    ("bad", "#a8321f", "#f39a86"),
    ("c0", "#1f5fa8", "#7fb4f2"),
    ("c1", "#b2470e", "#f2a267"),
    ("c2", "#1c7a5a", "#6fcfae"),
    ("c3", "#7b3f98", "#cf9be8"),
    ("c4", "#8a6400", "#e0c060"),
    ("c5", "#5b6570", "#aeb6bf"),
    ("a0", "#d1661d", "#e8935a"),
    ("a1", "#6a5acd", "#a89cf0"),
    ("a2", "#5b6570", "#aeb6bf"),
];
const DARK: &str = "@media screen and (prefers-color-scheme: dark)";

/// The rules that make all colours variables.
pub(crate) fn variables() -> String {
    let list = |dark: bool| -> String {
        let one = |(name, light, night): &(&str, &str, &str)| {
            format!("  --{name}: {};\n", if dark { night } else { light })
        };
        COLOURS.iter().map(one).collect()
    };
    format!(
        ":root {{\n  color-scheme: light dark;\n{}}}\n{DARK} {{\n:root {{\n{}}}\n}}\n",
        list(false),
        list(true)
    )
}

/// Rules, one a line, with the colours in place of the variables: in light, then those that differ in dark.
pub(crate) fn resolved(rules: &str) -> String {
    let with = |line: &str, dark: bool| {
        COLOURS
            .iter()
            .fold(line.to_owned(), |line, (name, light, night)| {
                line.replace(&format!("var(--{name})"), if dark { night } else { light })
            })
    };
    let mut out = String::new();
    for line in rules.lines() {
        out += &with(line, false);
        out.push('\n');
    }
    out += &format!("{DARK} {{\n");
    for line in rules.lines().filter(|line| line.contains("var(")) {
        out += &with(line, true);
        out.push('\n');
    }
    out + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_of_the_styles_is_known() {
        let page = variables()
            + include_str!("chart/chart.css")
            + include_str!("figure/figure.css")
            + include_str!("page.css");
        for used in page.split("var(--").skip(1) {
            let name = used.split(')').next().unwrap();
            assert!(page.contains(&format!("--{name}: ")), "--{name}");
        }
    }

    #[test]
    fn no_variable_remains() {
        let rules = ".a { fill: var(--ink); }\n.b { stroke: none; }\n";
        assert_eq!(
            resolved(rules),
            format!(
                ".a {{ fill: #1f2329; }}\n.b {{ stroke: none; }}\n{DARK} {{\n.a {{ fill: #ebe8e1; }}\n}}\n"
            )
        );
    }
}
