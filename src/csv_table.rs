//! CSV read back: rows by the names of their columns, and errors that say where.
//!
//! The form is that which [`cells`](crate::cells) writes, RFC 4180; line breaks of any kind are accepted. A file may have
//! more columns than are asked for.

use std::fmt;

use crate::figures::counted;

/// A file of rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CsvTable {
    name: String,
    columns: Vec<String>,
    rows: Vec<Line>,
}

/// The line that a row begins in, from 1, and its cells.
type Line = (usize, Vec<String>);

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CsvError(String);

impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CsvError {}

/// A row of a file.
#[derive(Clone, Copy, Debug)]
pub struct CsvRow<'t> {
    table: &'t CsvTable,
    line: usize,
    cells: &'t [String],
}

impl CsvTable {
    /// Reads the text of a file; `name` is what errors call it.
    ///
    /// ```
    /// use dealt::csv_table::CsvTable;
    /// let table = CsvTable::parse("agents.csv", "agent,games\n\"greedy:a=1,b=2\",30\n")?;
    /// let row = table.rows().next().unwrap();
    /// assert_eq!(row.text("agent")?, "greedy:a=1,b=2");
    /// assert_eq!(row.number::<u64>("games")?, 30);
    /// let error = row.number::<u64>("agent").unwrap_err().to_string();
    /// assert_eq!(error, "agents.csv: line 2, column `agent`: `greedy:a=1,b=2` is no number that can stand here");
    /// # Ok::<(), dealt::csv_table::CsvError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no header, a quotation mark is not closed or stands where none may, or a row has more or fewer cells
    /// than the header.
    pub fn parse(name: &str, text: &str) -> Result<CsvTable, CsvError> {
        let fault = |line: usize, what: &str| CsvError(format!("{name}: line {line}: {what}"));
        let mut rows = split(text).map_err(|(line, what)| fault(line, what))?.into_iter();
        let Some((_, columns)) = rows.next() else {
            return Err(CsvError(format!("{name} is empty; its first line must name the columns")));
        };
        let rows: Vec<_> = rows.collect();
        if let Some((line, cells)) = rows.iter().find(|(_, cells)| cells.len() != columns.len()) {
            let (cells, columns) =
                (counted(cells.len() as u64, "cell"), counted(columns.len() as u64, "column"));
            let what = format!("{cells}, but the header names {columns}");
            return Err(fault(*line, &what));
        }
        Ok(CsvTable { name: name.to_owned(), columns, rows })
    }

    /// The rows, the header left out.
    pub fn rows(&self) -> impl Iterator<Item = CsvRow<'_>> {
        self.rows.iter().map(|(line, cells)| CsvRow { table: self, line: *line, cells })
    }

    /// Whether the file has a column.
    #[must_use]
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }
}

impl<'t> CsvRow<'t> {
    /// The names of the columns, in order.
    pub fn columns(&self) -> impl Iterator<Item = &'t str> {
        self.table.columns.iter().map(String::as_str)
    }

    /// A cell as it is.
    ///
    /// # Errors
    /// If there is no such column.
    pub fn text(&self, column: &str) -> Result<&'t str, CsvError> {
        let place = self.table.columns.iter().position(|known| known == column);
        let place = place.ok_or_else(|| {
            let (name, known) = (&self.table.name, self.table.columns.join(", "));
            CsvError(format!("{name}: the column `{column}` is missing; there are {known}"))
        })?;
        Ok(&self.cells[place])
    }

    /// A cell that holds a number.
    ///
    /// # Errors
    /// If there is no such column, or no such number in it.
    pub fn number<N: std::str::FromStr>(&self, column: &str) -> Result<N, CsvError> {
        let text = self.text(column)?;
        text.parse().map_err(|_| self.wrong(column, "no number that can stand here"))
    }

    /// A cell that holds a number with decimals or is empty.
    ///
    /// # Errors
    /// If there is no such column, or it holds something else.
    pub fn optional(&self, column: &str) -> Result<Option<f64>, CsvError> {
        if self.text(column)?.is_empty() {
            return Ok(None);
        }
        let value: f64 = self.number(column)?;
        if value.is_finite() { Ok(Some(value)) } else { Err(self.wrong(column, "no finite number")) }
    }

    /// A cell that holds one of these words.
    ///
    /// # Errors
    /// If there is no such column, or it holds something else.
    pub fn word<T: Copy>(&self, column: &str, known: &[(&'static str, T)]) -> Result<T, CsvError> {
        let text = self.text(column)?;
        let found = known.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        found.ok_or_else(|| {
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            self.wrong(column, &format!("none of {}", words.join(", ")))
        })
    }

    /// The error of a cell that holds something else than it should.
    #[must_use]
    pub fn wrong(&self, column: &str, is: &str) -> CsvError {
        let given = self.text(column).unwrap_or_default();
        let given: String = given.chars().take(60).collect();
        CsvError(format!("{}: line {}, column `{column}`: `{given}` is {is}", self.table.name, self.line))
    }
}

/// The rows of a text, each with its line; or the line of what is wrong.
fn split(text: &str) -> Result<Vec<Line>, (usize, &'static str)> {
    let mut rows = Vec::new();
    let (mut line, mut start) = (1, 1);
    let (mut row, mut cell) = (Vec::new(), String::new());
    let (mut is_quoted, mut is_closed) = (false, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if is_quoted => (is_quoted, is_closed) = (false, true),
            '"' if cell.is_empty() && !is_closed => is_quoted = true,
            '"' => return Err((line, "a quotation mark inside a cell without quotation marks")),
            '\r' if !is_quoted && letters.peek() == Some(&'\n') => {}
            '\n' | '\r' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push((start, std::mem::take(&mut row)));
                line += 1;
                (start, is_closed) = (line, false);
            }
            ',' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                is_closed = false;
            }
            _ if is_closed => return Err((line, "something behind the closing quotation mark of a cell")),
            letter => {
                line += usize::from(letter == '\n');
                cell.push(letter);
            }
        }
    }
    if is_quoted {
        return Err((start, "a quotation mark is not closed"));
    }
    if !cell.is_empty() || !row.is_empty() || is_closed {
        row.push(cell);
        rows.push((start, row));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::write_row;

    fn cells(text: &str) -> Vec<Vec<String>> {
        split(text).unwrap().into_iter().map(|(_, cells)| cells).collect()
    }

    #[test]
    fn what_is_written_is_read_back_whatever_it_holds() {
        let pieces = ["", "a", ",", "\"", "\n", "\r", "\r\n", "a,\"b\"\nc", " ", "\"\"", "é"];
        for first in pieces {
            for second in pieces {
                let mut out = Vec::new();
                write_row(&mut out, ["x", "y"]);
                write_row(&mut out, [first, second]);
                write_row(&mut out, ["1", "2"]);
                let text = String::from_utf8(out).unwrap();
                assert_eq!(cells(&text)[1..], [vec![first, second], vec!["1", "2"]], "{text:?}");
            }
        }
    }

    #[test]
    fn a_broken_file_is_refused_with_its_name_and_line() {
        let error = |text: &str| CsvTable::parse("a.csv", text).unwrap_err().to_string();
        assert_eq!(error(""), "a.csv is empty; its first line must name the columns");
        assert_eq!(error("x,y\n1,2\n3\n"), "a.csv: line 3: 1 cell, but the header names 2 columns");
        assert_eq!(error("x\n\"1\n2\n"), "a.csv: line 2: a quotation mark is not closed");
        assert_eq!(
            error("x\n1\"2\n"),
            "a.csv: line 2: a quotation mark inside a cell without quotation marks"
        );
        assert_eq!(
            error("x\n\"1\"2\n"),
            "a.csv: line 2: something behind the closing quotation mark of a cell"
        );
        let table = CsvTable::parse("a.csv", "x\ninf\n").unwrap();
        let row = table.rows().next().unwrap();
        assert_eq!(
            row.optional("x").unwrap_err().to_string(),
            "a.csv: line 2, column `x`: `inf` is no finite number"
        );
        assert_eq!(row.text("z").unwrap_err().to_string(), "a.csv: the column `z` is missing; there are x");
    }
}
