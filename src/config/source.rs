//! Settings as they were written: a tree of values that know where they stand.
//!
//! Experiment files and flags become the same tree, so that both are checked by the same code and an error can point to
//! a line and column as well as to a flag.

use std::path::Path;

use dealt_engine::rules::{plain, shown};
use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};

use crate::failure::{Failure, accepted};

/// The most parts of a dotted key, as many as TOML files may have.
const DEEPEST: usize = 80;

/// A value and where it was written.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// `FILE:LINE:COLUMN`, or the flag.
    pub(crate) place: String,
    pub(crate) form: Form,
}

#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// A text, number or truth value.
    Value(Value),
    List(Vec<Node>),
    Table(Vec<Field>),
}

/// A key of a table with its value.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) key: String,
    /// Where the key was written.
    pub(crate) place: String,
    pub(crate) node: Node,
}

impl Node {
    /// An empty table.
    pub(crate) fn table(place: impl Into<String>) -> Node {
        Node { place: place.into(), form: Form::Table(Vec::new()) }
    }

    /// A value that a flag gave.
    pub(crate) fn given(place: impl Into<String>, value: impl Into<Value>) -> Node {
        Node { place: place.into(), form: Form::Value(value.into()) }
    }

    /// A list that flags gave.
    pub(crate) fn list_of(place: impl Into<String>, items: impl Iterator<Item = Node>) -> Node {
        Node { place: place.into(), form: Form::List(items.collect()) }
    }

    /// Reads a TOML file.
    pub(crate) fn read(path: &Path) -> Result<Node, Failure> {
        let bytes = std::fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
        Node::from_bytes(&bytes, &path.display().to_string())
    }

    /// Reads the bytes of a TOML file of this name.
    pub(crate) fn from_bytes(bytes: &[u8], name: &str) -> Result<Node, Failure> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let byte = error.valid_up_to();
            Failure::wrong(format!("{name} is not a text file: byte {byte} is not UTF-8"))
        })?;
        Node::parse(text, name)
    }

    /// Reads TOML; `name` stands for the text in places.
    pub(crate) fn parse(text: &str, name: &str) -> Result<Node, Failure> {
        let place = |at: usize| {
            let before = &text[..at.min(text.len())];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            format!("{name}:{line}:{column}")
        };
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(text.len(), |span| span.start);
            Failure::wrong(format!(
                "{}: this is not TOML: {}",
                place(at),
                error.message().replace('\n', ", ")
            ))
        })?;
        let start = table.span().start;
        Ok(from_table(table.get_ref(), start, &place))
    }

    /// Reads a value as flags take it: TOML, or else a bare word, which is a text.
    pub(crate) fn parse_value(text: &str, place: &str) -> Result<Node, Failure> {
        let here = |_: usize| place.to_owned();
        match DeValue::parse(text) {
            Ok(value) => Ok(from_value(value.get_ref(), 0, &here)),
            Err(error) if text.trim_start().starts_with(['[', '{', '"', '\'']) => {
                let message = error.message().replace('\n', ", ");
                Err(Failure::wrong(format!("{place}: `{text}` is not a TOML value: {message}")))
            }
            Err(_) => Ok(Node::given(place, text)),
        }
    }

    /// Splits `KEY=VALUE` and reads the value.
    pub(crate) fn parse_setting(flag: &str, text: &str) -> Result<(String, Node), Failure> {
        let place = format!("{flag} {text}");
        let Some((key, value)) = text.split_once('=').filter(|(key, _)| !key.trim().is_empty()) else {
            let example = if flag == "--rule" { "ace=low_or_high" } else { "blocks=500" };
            let message = format!("{place}: `{text}` is not of the form KEY=VALUE, such as {example}");
            return Err(Failure::wrong(message));
        };
        let parts = key.split('.').count();
        if parts > DEEPEST {
            let message = format!("{flag} has a key of {parts} parts; accepted: up to {DEEPEST}");
            return Err(Failure::wrong(message));
        }
        Ok((key.trim().to_owned(), Node::parse_value(value.trim(), &place)?))
    }

    /// Puts a value under a dotted key. A number picks an item of a list, from 0.
    pub(crate) fn set(&mut self, key: &str, value: Node) -> Result<(), Failure> {
        let (first, rest) = key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)));
        let place = value.place.clone();
        let inner = match &mut self.form {
            Form::Table(fields) => {
                let at = fields.iter().position(|field| field.key == first).unwrap_or(fields.len());
                if at == fields.len() {
                    let node = Node::table(&place);
                    fields.push(Field { key: first.to_owned(), place: place.clone(), node });
                }
                fields[at].place.clone_from(&place);
                &mut fields[at].node
            }
            Form::List(items) => {
                let count = items.len();
                let item = first.parse::<usize>().ok().and_then(|index| items.get_mut(index));
                item.ok_or_else(|| {
                    let accepts = match count {
                        0 => "none, for the list is empty".to_owned(),
                        1 => "0, its only item".to_owned(),
                        _ => format!("0 to {}, counted from its first item", count - 1),
                    };
                    Failure::wrong(format!("{place}: `{first}` is no item of the list; accepted: {accepts}"))
                })?
            }
            Form::Value(value) => {
                let message = format!("{place}: there is no `{first}` in the value `{}`", plain(value));
                return Err(Failure::wrong(message));
            }
        };
        match rest {
            Some(rest) => inner.set(rest, value),
            None => {
                *inner = value;
                Ok(())
            }
        }
    }

    /// Puts the value that a flag gave under a key.
    pub(crate) fn set_flag(&mut self, key: &str, flag: &str, value: &str) -> Result<(), Failure> {
        self.set(key, Node::parse_value(value, flag)?)
    }

    /// Takes a key out of a table.
    pub(crate) fn remove(&mut self, key: &str) {
        if let Form::Table(fields) = &mut self.form {
            fields.retain(|field| field.key != key);
        }
    }

    /// The value of a key of a table.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match &self.form {
            Form::Table(fields) => fields.iter().find(|field| field.key == key).map(|field| &field.node),
            _ => None,
        }
    }

    /// The tree that [`to_json`](Node::to_json) was made from, with one place for all of it.
    pub(crate) fn from_json(value: &Value, place: &str) -> Node {
        let form = match value {
            Value::Array(items) => {
                Form::List(items.iter().map(|item| Node::from_json(item, place)).collect())
            }
            Value::Object(fields) => {
                let field = |(key, value): (&String, &Value)| Field {
                    key: key.clone(),
                    place: place.to_owned(),
                    node: Node::from_json(value, place),
                };
                Form::Table(fields.iter().map(field).collect())
            }
            value => Form::Value(value.clone()),
        };
        Node { place: place.to_owned(), form }
    }

    /// The same without places.
    pub(crate) fn to_json(&self) -> Value {
        match &self.form {
            Form::Value(value) => value.clone(),
            Form::List(items) => items.iter().map(Node::to_json).collect(),
            Form::Table(fields) => {
                let fields = fields.iter().map(|field| (field.key.clone(), field.node.to_json()));
                Value::Object(fields.collect::<Map<_, _>>())
            }
        }
    }

    /// The error of a value that is not accepted.
    pub(crate) fn refuse(&self, key: &str, accepts: &str) -> Failure {
        let given = shown(&self.to_json());
        Failure::wrong(format!("{}: `{key}` cannot be `{given}`; accepted: {accepts}", self.place))
    }

    pub(crate) fn text(&self, key: &str, accepts: &str) -> Result<&str, Failure> {
        match &self.form {
            Form::Value(Value::String(text)) => Ok(text),
            _ => Err(self.refuse(key, accepts)),
        }
    }

    pub(crate) fn whole(&self, key: &str, accepts: &str) -> Result<u64, Failure> {
        match &self.form {
            Form::Value(value) => value.as_u64().ok_or_else(|| self.refuse(key, accepts)),
            _ => Err(self.refuse(key, accepts)),
        }
    }

    pub(crate) fn number(&self, key: &str, accepts: &str) -> Result<f64, Failure> {
        match &self.form {
            Form::Value(value) => value.as_f64().ok_or_else(|| self.refuse(key, accepts)),
            _ => Err(self.refuse(key, accepts)),
        }
    }

    pub(crate) fn flag(&self, key: &str) -> Result<bool, Failure> {
        match &self.form {
            Form::Value(Value::Bool(flag)) => Ok(*flag),
            _ => Err(self.refuse(key, "true, false")),
        }
    }

    pub(crate) fn list(&self, key: &str, accepts: &str) -> Result<&[Node], Failure> {
        match &self.form {
            Form::List(items) => Ok(items),
            _ => Err(self.refuse(key, accepts)),
        }
    }

    pub(crate) fn fields(&self, key: &str) -> Result<&[Field], Failure> {
        match &self.form {
            Form::Table(fields) => Ok(fields),
            _ => Err(self.refuse(key, "a table")),
        }
    }

    /// Refuses a table that has other keys than these. `owner` says whose they are.
    pub(crate) fn allow_only(&self, owner: &str, known: &[&str]) -> Result<(), Failure> {
        let unknown = self.fields(owner)?.iter().find(|field| !known.contains(&field.key.as_str()));
        unknown.map_or(Ok(()), |Field { key, place, .. }| {
            let accepted = accepted(key, known.iter().copied());
            Err(Failure::wrong(format!("{place}: {owner} has no key `{key}`; accepted: {accepted}")))
        })
    }
}

type PlaceOf<'p> = dyn Fn(usize) -> String + 'p;

fn from_table(table: &DeTable<'_>, at: usize, place: &PlaceOf<'_>) -> Node {
    let mut fields: Vec<(usize, Field)> = table
        .iter()
        .map(|(key, value)| {
            let at = key.span().start;
            let node = from_value(value.get_ref(), value.span().start, place);
            (at, Field { key: key.get_ref().clone().into_owned(), place: place(at), node })
        })
        .collect();
    // The table keeps its keys in alphabetical order; errors are to come in the order of the file.
    fields.sort_by_key(|(at, _)| *at);
    let fields = fields.into_iter().map(|(_, field)| field).collect();
    Node { place: place(at), form: Form::Table(fields) }
}

fn from_value(value: &DeValue<'_>, at: usize, place: &PlaceOf<'_>) -> Node {
    let form = match value {
        DeValue::String(text) => Form::Value(Value::from(text.as_ref())),
        DeValue::Integer(number) => Form::Value(integer(number.as_str(), number.radix())),
        DeValue::Float(number) => Form::Value(float(number.as_str())),
        DeValue::Boolean(flag) => Form::Value(Value::from(*flag)),
        DeValue::Datetime(time) => Form::Value(Value::from(time.to_string())),
        DeValue::Array(items) => {
            let items = items.iter().map(|item| from_value(item.get_ref(), item.span().start, place));
            Form::List(items.collect())
        }
        DeValue::Table(table) => return from_table(table, at, place),
    };
    Node { place: place(at), form }
}

/// A number that no 64 bits hold stays a text, and is refused as what it looks like wherever a number is wanted.
fn integer(digits: &str, radix: u32) -> Value {
    let signed = i64::from_str_radix(digits, radix).map(Value::from);
    signed.or_else(|_| u64::from_str_radix(digits, radix).map(Value::from)).unwrap_or_else(|_| digits.into())
}

/// So do `nan` and `inf`.
fn float(digits: &str) -> Value {
    let number = digits.parse::<f64>().ok().and_then(serde_json::Number::from_f64);
    number.map_or_else(|| Value::from(digits), Value::Number)
}
