//! A tally as text, and back: exact, and never trusted.
//!
//! A tally is a list of integers, and so is its text. What they count is said by the plan of the experiment; a text that has
//! not the numbers that the plan wants, or numbers that no run could have counted, is none of a tally.

use super::plan::Plan;
use super::{Tally, VariantTally};
use crate::numbers::{NumberReader, NumberWriter};

impl Tally {
    /// The tally as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = NumberWriter::default();
        out.put(self.blocks);
        for VariantTally { sums, own, across, scores, lengths } in &self.variants {
            sums.iter().for_each(|&sum| out.put(sum));
            own.store(&mut out);
            across.iter().for_each(|products| products.store(&mut out));
            scores.iter().flatten().chain(lengths).for_each(|histogram| histogram.store(&mut out));
        }
        out.finish()
    }

    /// The tally of a text, of so many blocks and variants of an experiment with this plan; `None` if it is none.
    #[must_use]
    pub fn from_text(plan: &Plan, variants: usize, blocks: u64, text: &str) -> Option<Tally> {
        let mut numbers = NumberReader::new(text);
        let mut tally = Tally::new(plan, variants);
        tally.blocks = numbers.take_as().filter(|&stored: &u64| stored == blocks)?;
        // So the sum over all blocks of the experiment fits, whatever parts it is put together from.
        let (most, total) = (u128::from(blocks), u128::from(plan.largest_total));
        for VariantTally { sums, own, across, scores, lengths } in &mut tally.variants {
            for sum in sums {
                *sum = numbers.take_within(most * total)?;
            }
            own.restore(&mut numbers, most.checked_mul(total * total)?)?;
            if let Some(products) = across {
                products.restore(&mut numbers, most.checked_mul(total * total)?)?;
            }
            for histogram in scores.iter_mut().flatten().chain(lengths) {
                histogram.restore(&mut numbers)?;
            }
        }
        numbers.is_at_end().then_some(tally)
    }
}

#[cfg(test)]
mod tests {
    use dealt_engine::{Dice, QuickDice};

    use super::*;
    use crate::tally::row::Row;

    const BLOCKS: u64 = 50;

    /// A plan of two variants, and a tally of random rows and scores as large as may be.
    fn tally() -> (Plan, Tally) {
        let experiment = crate::Experiment {
            name: String::new(),
            question: None,
            game: "two-ten-jack".to_owned(),
            variants: ["base", "other"]
                .map(|name| crate::Variant { name: name.to_owned(), rules: serde_json::Map::new() })
                .to_vec(),
            line_ups: vec![
                ["greedy", "random"]
                    .map(|name| dealt_agents::AgentSpec::parse(name, "two-ten-jack").unwrap())
                    .to_vec(),
            ],
            seating: crate::Seating::Rotate,
            seed: 1,
            blocks: BLOCKS,
            confidence: 0.95,
            outputs: crate::Outputs::default(),
            on_fault: crate::forfeit::OnFault::default(),
        };
        let plan = crate::run::plan(&experiment).unwrap();
        let mut tally = Tally::new(&plan, 2);
        let mut dice = QuickDice::new(1, 1);
        for block in 0..BLOCKS {
            let mut rows = vec![Row::new(&plan); 2];
            for total in rows.iter_mut().flat_map(|row| &mut row.totals) {
                let size = plan.largest_total >> dice.below(61);
                let value = (size / 3 * u64::from(dice.below(4))) as i64;
                *total = if dice.below(2) == 0 { value } else { -value };
            }
            tally.add_block(&plan, &rows).unwrap();
            for VariantTally { scores, lengths, .. } in &mut tally.variants {
                let spread = if block == 7 { 100_000 } else { 40 };
                scores
                    .iter_mut()
                    .flatten()
                    .chain(lengths)
                    .for_each(|counts| counts.add(i64::from(dice.below(spread)) - 20));
            }
        }
        (plan, tally)
    }

    #[test]
    fn a_tally_comes_back_from_its_text_to_the_last_bit() {
        let (plan, tally) = tally();
        let text = tally.to_text();
        assert_eq!(Tally::from_text(&plan, 2, BLOCKS, &text), Some(tally));
        let none = Tally::new(&plan, 2);
        assert_eq!(Tally::from_text(&plan, 2, 0, &none.to_text()), Some(none));
    }

    #[test]
    fn a_text_of_another_plan_or_number_of_blocks_is_no_tally() {
        let (plan, tally) = tally();
        let text = tally.to_text();
        for (variants, blocks) in [(1, BLOCKS), (3, BLOCKS), (2, BLOCKS - 1)] {
            assert_eq!(Tally::from_text(&plan, variants, blocks, &text), None);
        }
        for wrong in ["", " ", "50", "x", "50 1*99999999999999999999", "50 1*0"] {
            assert_eq!(Tally::from_text(&plan, 2, BLOCKS, wrong), None);
        }
        assert_eq!(Tally::from_text(&plan, 2, BLOCKS, &format!("{text} 0")), None);
    }

    #[test]
    fn whatever_a_text_says_what_is_read_of_it_can_be_merged() {
        let (plan, tally) = tally();
        let text = tally.to_text();
        let mut dice = QuickDice::new(2, 2);
        let mut read = 0;
        for _ in 0..3000 {
            let mut changed = text.clone().into_bytes();
            for _ in 0..=dice.below(3) {
                let at = dice.below(changed.len() as u32) as usize;
                changed[at] = b"0123456789-* "[dice.below(13) as usize];
            }
            let changed = String::from_utf8(changed).unwrap();
            if let Some(mut other) = Tally::from_text(&plan, 2, BLOCKS, &changed) {
                other.merge(&tally);
                read += 1;
            }
        }
        assert!(read > 100, "{read}");
    }
}
