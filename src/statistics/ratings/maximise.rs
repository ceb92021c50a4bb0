//! Newton's method for the maximum of a concave likelihood.

use super::likelihood::{Layout, Outcome};

/// More steps than it takes: near the maximum each doubles the digits.
const STEPS: u32 = 200;
/// Where a step is as small as this, the maximum is found.
const NEAR: f64 = 1e-11;
/// What is added to the diagonal for what the games say nothing about.
const RIDGE: f64 = 1e-9;

/// The maximum.
#[derive(Clone, PartialEq, Debug)]
pub struct Maximum {
    /// The parameters.
    pub at: Vec<f64>,
    /// The logarithm of the likelihood there.
    pub log_likelihood: f64,
    /// The factor of the curvature there.
    pub factor: Factor,
}

/// Finds the maximum of the likelihood of rankings.
#[must_use]
pub fn maximise(layout: &Layout, outcomes: &[Outcome<'_>]) -> Maximum {
    let mut at = vec![0.0; layout.parameters()];
    let mut sums = layout.sums(outcomes, &at, true);
    for _ in 0..STEPS {
        let step = Factor::of(&sums.curvature, at.len()).solve(&sums.slopes);
        // Far from the maximum a whole step may lead down again.
        let mut length = 1.0;
        let (next, there) = loop {
            let next: Vec<f64> = at.iter().zip(&step).map(|(at, step)| at + length * step).collect();
            let there = layout.sums(outcomes, &next, true);
            if there.log_likelihood >= sums.log_likelihood || length < 1e-9 {
                break (next, there);
            }
            length /= 2.0;
        };
        let moved = step.iter().fold(0.0_f64, |most, step| most.max((length * step).abs()));
        let is_better = there.log_likelihood >= sums.log_likelihood;
        if is_better {
            (at, sums) = (next, there);
        }
        if moved < NEAR || !is_better {
            break;
        }
    }
    let factor = Factor::of(&sums.curvature, at.len());
    Maximum { at, log_likelihood: sums.log_likelihood, factor }
}

/// A symmetric matrix without negative eigenvalues as the product of a triangular one and its mirror image (Cholesky).
#[derive(Clone, PartialEq, Debug)]
pub struct Factor {
    rows: usize,
    /// The lower triangle, row by row.
    lower: Vec<f64>,
}

impl Factor {
    /// The factor of a matrix, given row by row.
    fn of(matrix: &[f64], rows: usize) -> Factor {
        let mut lower = vec![0.0; rows * rows];
        for row in 0..rows {
            for column in 0..=row {
                let (one, other) = (&lower[row * rows..], &lower[column * rows..]);
                let done: f64 = one.iter().zip(other).take(column).map(|(one, other)| one * other).sum();
                let rest = matrix[row * rows + column] - done;
                lower[row * rows + column] = if row == column {
                    libm::sqrt(rest.max(0.0) + RIDGE)
                } else {
                    rest / lower[column * rows + column]
                };
            }
        }
        Factor { rows, lower }
    }

    /// The x for which the matrix times x is `right`.
    #[must_use]
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Factor { rows, ref lower } = *self;
        let mut x = right.to_vec();
        for row in 0..rows {
            let done: f64 = (0..row).map(|column| lower[row * rows + column] * x[column]).sum();
            x[row] = (x[row] - done) / lower[row * rows + row];
        }
        for row in (0..rows).rev() {
            let done: f64 = (row + 1..rows).map(|below| lower[below * rows + row] * x[below]).sum();
            x[row] = (x[row] - done) / lower[row * rows + row];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_equation_is_solved_and_one_without_a_solution_gives_finite_numbers() {
        let matrix = [4.0, 2.0, 0.0, 2.0, 5.0, 1.0, 0.0, 1.0, 3.0];
        let x = Factor::of(&matrix, 3).solve(&[8.0, 15.0, 11.0]);
        for (row, right) in [8.0, 15.0, 11.0].into_iter().enumerate() {
            let left: f64 = (0..3).map(|column| matrix[row * 3 + column] * x[column]).sum();
            assert!((left - right).abs() < 1e-6, "{x:?}");
        }
        let x = Factor::of(&[1.0, 1.0, 1.0, 1.0], 2).solve(&[1.0, 0.0]);
        assert!(x.iter().all(|x| x.is_finite()));
    }
}
