//! Holm's correction: p-values of many comparisons, adjusted so that the chance of even one false alarm among them stays at
//! the level that is wanted (S. Holm, *A simple sequentially rejective multiple test procedure*, 1979).

/// The adjusted p-values, in the order of those given. A comparison is shown at level α if its adjusted p-value is at most
/// α.
///
/// ```
/// let adjusted = dealt::statistics::holm::adjusted(&[0.01, 0.04, 0.03]);
/// assert_eq!(adjusted, [0.03, 0.06, 0.06]);
/// ```
#[must_use]
pub fn adjusted(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (place, &index) in order.iter().enumerate() {
        let remaining = (p_values.len() - place) as f64;
        least = least.max((p_values[index] * remaining).min(1.0));
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use dealt_engine::{Dice, QuickDice};

    #[test]
    fn adjusted_values_are_those_found_by_hand() {
        assert_eq!(adjusted(&[]), [0.0; 0]);
        assert_eq!(adjusted(&[0.2]), [0.2]);
        assert_eq!(adjusted(&[0.5, 0.001, 0.5, 0.25]), [1.0, 0.004, 1.0, 0.75]);
        // Never below that of a smaller one: 3 · 0.02 before 2 · 0.025 and 0.03.
        assert_eq!(adjusted(&[0.03, 0.02, 0.025]), [0.06, 0.06, 0.06]);
    }

    #[test]
    fn among_many_comparisons_without_a_difference_one_is_shown_in_five_of_a_hundred_runs_at_most() {
        let mut dice = QuickDice::new(0x4017, 1);
        let mut alarms = 0;
        for _ in 0..2000 {
            let p_values: Vec<f64> =
                (0..20).map(|_| f64::from(dice.below(1 << 30)) / f64::from(1 << 30)).collect();
            alarms += u32::from(adjusted(&p_values).iter().any(|&p| p <= 0.05));
        }
        // 5 % is 100; four standard deviations more.
        assert!((60..=140).contains(&alarms), "{alarms} of 2000");
    }
}
