//! Text as HTML or SVG, in content and in quoted attributes alike.
//!
//! One rule for both: what may end a text, a quoted attribute or an element is replaced everywhere. Control characters,
//! which XML forbids even as references, become the replacement character.

use std::fmt::{self, Write};

/// Displays a text so that no part of it is markup.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' => f.write_char(c)?,
                '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                c if c.is_control() => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        let hostile = "</script><b a='1' b=\"2\">&amp;\0\r\u{1b}\u{85}é\n";
        assert_eq!(
            Escaped(hostile).to_string(),
            "&lt;/script&gt;&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;amp;\u{fffd}\u{fffd}\u{fffd}\u{fffd}é\n"
        );
    }
}
