//! Independent runs of a program that makes one run at a time.

use anyhow::Result;

use super::LoadResult;
use super::process::ProgramCost;

/// Results of one run.
pub(super) struct RunResult {
    pub(super) latency: f64,
    pub(super) hops: f64,
    pub(super) throughput: f64,
    pub(super) cost: ProgramCost,
}

/// Runs a program `count` times, for `cycles` cycles each, with the seeds 1, 2, ...
pub(super) fn all(count: u32, cycles: u32, run: impl FnMut(u32) -> Result<RunResult>) -> Result<LoadResult> {
    let runs = (1..=count).map(run).collect::<Result<Vec<_>>>()?;
    let mean = |of: fn(&RunResult) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
    let latencies: Vec<_> = runs.iter().map(|run| run.latency).collect();
    Ok(LoadResult {
        latency: mean(|run| run.latency),
        half_width: half_width(&latencies),
        hops: mean(|run| run.hops),
        throughput: mean(|run| run.throughput),
        cycles: f64::from(count) * f64::from(cycles),
        cost: runs.iter().fold(ProgramCost::default(), |cost, run| cost.combined(run.cost)),
    })
}

/// Returns the half-width of the 95% interval of the mean of independent runs, by Student's t with
/// up to five degrees of freedom.
fn half_width(values: &[f64]) -> f64 {
    const T: [f64; 5] = [12.706, 4.303, 3.182, 2.776, 2.571];
    let count = values.len() as f64;
    let Some(t) = values.len().checked_sub(2).and_then(|index| T.get(index)) else { return f64::NAN };
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0);
    t * (variance / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_width_uses_student_t() {
        assert!((half_width(&[1.0, 2.0, 3.0]) - 4.303 / 3f64.sqrt()).abs() < 1e-12);
        assert!(half_width(&[1.0]).is_nan());
    }
}
