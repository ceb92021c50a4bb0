//! Writes HTML and SVG that is well formed, and in which text is only ever text.
//!
//! Elements are closed by construction: whatever is written by the closure of [`Markup::within`] stands inside. Tags
//! and names of attributes are the program's own; all else may come from anybody and is escaped.

/// The longest name, in letters, that is shown whole.
const LONGEST_NAME: usize = 160;

/// A piece of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Markup {
    text: String,
}

/// Attributes: names with their values.
pub(super) type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Markup {
    /// How long it is, in bytes.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The text of the page.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// An element with what `inside` writes.
    pub(super) fn within(
        &mut self,
        tag: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Markup),
    ) {
        self.start(tag, attributes);
        self.text.push('>');
        inside(self);
        self.text.push_str("</");
        self.text.push_str(tag);
        self.text.push('>');
    }

    /// An element that holds a text.
    pub(super) fn element(&mut self, tag: &'static str, attributes: Attributes<'_>, text: &str) {
        self.within(tag, attributes, |out| out.text(text));
    }

    /// An element that holds nothing.
    pub(super) fn empty(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.text.push_str("/>");
    }

    fn start(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
    }

    /// Text, escaped.
    pub(super) fn text(&mut self, text: &str) {
        escape(text, &mut self.text);
    }

    /// A name that somebody chose: kept apart from the text around it, whatever direction it is written in, and cut in
    /// the middle if it is very long.
    pub(super) fn name(&mut self, name: &str) {
        self.element("bdi", &[], &shortened(name, LONGEST_NAME));
    }

    /// A line break in the source, for whoever reads it.
    pub(super) fn line(&mut self) {
        self.text.push('\n');
    }

    /// The program's own text, as it is.
    pub(super) fn verbatim(&mut self, text: &'static str) {
        self.text.push_str(text);
    }

    /// A piece that is written already.
    pub(super) fn append(&mut self, piece: &Markup) {
        self.text.push_str(&piece.text);
    }

    /// Data for the page's script, as JSON. Nothing in it can end the element.
    pub(super) fn data(&mut self, attributes: Attributes<'_>, value: &serde_json::Value) {
        let json = value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
        let json: String =
            json.chars().map(|letter| if is_printable(letter) { letter } else { ' ' }).collect();
        self.within("script", attributes, |out| out.text.push_str(&json));
    }
}

/// A text of at most so many letters: one that is longer loses its middle.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= most {
        return text.to_owned();
    }
    let half = most / 2;
    letters[..half].iter().chain(&['…']).chain(&letters[letters.len() - half..]).collect()
}

/// Whether a letter may stand in a page: not those that no document may hold, nor those that turn the direction of the
/// text behind them.
fn is_printable(letter: char) -> bool {
    let turns = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_none = matches!(letter, '\u{fffe}' | '\u{ffff}');
    let is_space = matches!(letter, '\n' | '\t');
    !turns && !is_none && (is_space || !letter.is_control())
}

fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter if is_printable(letter) => out.push(letter),
            _ => out.push('\u{fffd}'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Markup)) -> String {
        let mut out = Markup::default();
        write(&mut out);
        out.into_text()
    }

    #[test]
    fn text_stays_text_in_elements_attributes_and_data() {
        let hostile = "</script><img src=x onerror='a()'>\"&\u{0}\u{202e}";
        let text = written(|out| out.element("p", &[("title", hostile)], hostile));
        assert_eq!(text.matches('<').count(), 2, "{text}");
        assert!(!text.contains(['\u{0}', '\u{202e}']), "{text}");
        let data = written(|out| out.data(&[("type", "application/json")], &serde_json::json!([hostile])));
        assert_eq!(data.matches('<').count(), 2, "{data}");
        let json = &data[data.find('[').unwrap()..=data.rfind(']').unwrap()];
        let read: Vec<String> = serde_json::from_str(json).unwrap();
        assert!(read[0].starts_with("</script><img src=x onerror='a()'>\"&"), "{read:?}");
    }

    #[test]
    fn a_long_name_loses_its_middle() {
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("abcdefg", 6), "abc…efg");
    }
}
