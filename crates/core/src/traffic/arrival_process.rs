//! Arrival processes in discrete time: when each node generates messages.

use std::fmt;

use super::pattern::{uniform_half_open, uniform_positive};
use crate::ParseError;
use crate::random::Generator;

/// Process by which a node generates messages, cycle by cycle. All nodes have independent processes
/// with the same mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ArrivalProcess {
    /// One message with the same probability in every cycle (Boppana & Chalasani section V).
    #[default]
    Bernoulli,
    /// A number of messages with Poisson distribution in every cycle, independent of other cycles.
    Poisson,
    /// One message after every interval of the same length, from a random time on. Intervals may be
    /// fractions of a cycle.
    Periodic,
    /// Bursts and pauses that alternate, a Markov chain of two states. In a burst every cycle
    /// generates one message with the same probability, in a pause none. Both last a geometric
    /// number of cycles, at least 1.
    Bursts {
        /// Mean length of a burst, in cycles.
        on: f64,
        /// Mean length of a pause, in cycles.
        off: f64,
    },
}

impl ArrivalProcess {
    /// Syntax that [`ArrivalProcess::parse`] accepts.
    pub const ACCEPTED: &'static str = "bernoulli (at most one message in a cycle, with the same probability in each), poisson (the same, \
         with several messages in a cycle), periodic (at a fixed interval, from a random cycle on), or bursts:ON:OFF, such as \
         bursts:50:150: bursts of ON cycles on average, with the same probability in each, and pauses of OFF cycles on average, \
         ON and OFF from 1 to 10000";

    /// Largest mean length of a burst or a pause, in cycles.
    pub const MAX_CYCLES: f64 = 10_000.0;

    /// Parses a process such as `bursts:50:150`. Also accepts `on-off:50:150`.
    ///
    /// # Errors
    /// If the text is not the name of a process, or a mean length is out of range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        match text {
            "bernoulli" | "geometric" => return Ok(Self::Bernoulli),
            "poisson" => return Ok(Self::Poisson),
            "periodic" => return Ok(Self::Periodic),
            _ => {}
        }
        let Some((name, lengths)) = text.split_once(':') else {
            return Err("not an arrival process".into());
        };
        if !["bursts", "burst", "on-off", "on_off"].contains(&name) {
            return Err(format!("{name} is not an arrival process").into());
        }
        let (on, off) = lengths.split_once(':').ok_or("bursts need two lengths, bursts:ON:OFF")?;
        let length = |text: &str| {
            let length = text.parse().ok().filter(|length| (1.0..=Self::MAX_CYCLES).contains(length));
            length.ok_or_else(|| format!("\"{text}\" is not a number of cycles from 1 to {}", Self::MAX_CYCLES))
        };
        Ok(Self::Bursts { on: length(on)?, off: length(off)? })
    }

    /// Returns the ratio of the largest to the mean probability of a message in a cycle. It exceeds
    /// 1 for bursts.
    pub fn peak_to_mean(self) -> f64 {
        match self {
            Self::Bernoulli | Self::Poisson | Self::Periodic => 1.0,
            Self::Bursts { on, off } => (on + off) / on,
        }
    }

    /// Returns the number of cycles in which the correlation of a node's messages decays by 1/e.
    pub fn correlation_cycles(self) -> f64 {
        match self {
            Self::Bernoulli | Self::Poisson | Self::Periodic => 0.0,
            Self::Bursts { on, off } => on * off / (on + off),
        }
    }

    /// Returns the index of dispersion of a node's messages: the limit of the variance over the
    /// mean of their number in T cycles, for large T. `mean` is the number of messages per cycle.
    ///
    /// For bursts with probability r and a share d of cycles in bursts, correlations between cycles
    /// k apart are r^2 d (1 - d) s^k, where s = 1 - 1/ON - 1/OFF. Their sum gives
    /// 1 - r d + 2 r (1 - d) s / (1 - s).
    pub fn index_of_dispersion(self, mean: f64) -> f64 {
        match self {
            Self::Bernoulli => 1.0 - mean,
            Self::Poisson => 1.0,
            Self::Periodic => 0.0,
            Self::Bursts { on, off } => {
                let (peak, pauses) = (mean * self.peak_to_mean(), off / (on + off));
                let memory = 1.0 - 1.0 / on - 1.0 / off;
                1.0 - mean + 2.0 * peak * pauses * memory / (1.0 - memory)
            }
        }
    }
}

impl fmt::Display for ArrivalProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bernoulli => f.write_str("bernoulli"),
            Self::Poisson => f.write_str("poisson"),
            Self::Periodic => f.write_str("periodic"),
            Self::Bursts { on, off } => write!(f, "bursts:{on}:{off}"),
        }
    }
}

/// Times of the messages of every node, for processes other than [`ArrivalProcess::Bernoulli`].
///
/// Each node has a next event: messages, or the start of a burst.
#[derive(Clone, Debug)]
pub(super) struct ArrivalTimes(Process);

/// State of the processes of all nodes.
#[derive(Clone, Debug)]
enum Process {
    /// Messages per cycle.
    Poisson { mean: f64 },
    /// Interval in cycles; for each node the time of its first message, and the number of its
    /// messages.
    Periodic { interval: f64, first: Vec<f64>, generated: Vec<u64> },
    /// Interval of messages in a burst, and lengths of bursts and pauses; for each node the first
    /// cycle after its current or last burst.
    Bursts { interval: Geometric, burst: Geometric, pause: Geometric, ends: Vec<u64> },
}

impl ArrivalTimes {
    /// Creates the times of `nodes` nodes, each with `mean` messages per cycle, more than 0.
    /// Returns `None` for [`ArrivalProcess::Bernoulli`].
    pub(super) fn new(process: ArrivalProcess, mean: f64, nodes: usize) -> Option<Self> {
        Some(Self(match process {
            ArrivalProcess::Bernoulli => return None,
            ArrivalProcess::Poisson => Process::Poisson { mean },
            ArrivalProcess::Periodic => {
                Process::Periodic { interval: 1.0 / mean, first: vec![0.0; nodes], generated: vec![0; nodes] }
            }
            ArrivalProcess::Bursts { on, off } => Process::Bursts {
                interval: Geometric::with_probability(mean * process.peak_to_mean()),
                burst: Geometric::with_probability(1.0 / on),
                pause: Geometric::with_probability(1.0 / off),
                ends: vec![0; nodes],
            },
        }))
    }

    /// Draws the cycle of the first event of `node`, in the steady state of its process.
    pub(super) fn first(&mut self, node: usize, generator: &mut Generator) -> u64 {
        match &mut self.0 {
            Process::Poisson { mean } => Geometric::of_poisson(*mean).draw(generator) - 1,
            Process::Periodic { interval, first, .. } => {
                first[node] = uniform_half_open(generator) * *interval;
                first[node] as u64
            }
            Process::Bursts { interval, burst, pause, ends } => {
                // Geometric times have no memory: the rest of a burst or pause is like a whole one.
                let (on, off) = (1.0 / burst.probability(), 1.0 / pause.probability());
                if uniform_half_open(generator) * (on + off) >= on {
                    return pause.draw(generator);
                }
                ends[node] = burst.draw(generator);
                or_next_burst(interval.draw(generator) - 1, ends[node], pause, generator)
            }
        }
    }

    /// Returns the number of messages of `node` in `cycle`, the cycle of its event, and draws the
    /// cycle of its next event.
    pub(super) fn next(&mut self, node: usize, cycle: u64, generator: &mut Generator) -> (u32, u64) {
        match &mut self.0 {
            Process::Poisson { mean } => {
                let count = positive_poisson(*mean, generator);
                (count, cycle.saturating_add(Geometric::of_poisson(*mean).draw(generator)))
            }
            Process::Periodic { interval, first, generated } => {
                let mut count = 0;
                loop {
                    let time = first[node] + generated[node] as f64 * *interval;
                    if time as u64 > cycle {
                        return (count, time as u64);
                    }
                    generated[node] += 1;
                    count += 1;
                }
            }
            Process::Bursts { interval, burst, pause, ends } => {
                let starts = cycle >= ends[node];
                if starts {
                    ends[node] = cycle.saturating_add(burst.draw(generator));
                }
                let mut next = cycle.saturating_add(interval.draw(generator) - u64::from(starts));
                let generates = !starts || next == cycle;
                if next == cycle {
                    next = cycle.saturating_add(interval.draw(generator));
                }
                (u32::from(generates), or_next_burst(next, ends[node], pause, generator))
            }
        }
    }

    /// Returns the memory footprint in bytes.
    pub(super) fn footprint(&self) -> usize {
        match &self.0 {
            Process::Poisson { .. } => 0,
            Process::Periodic { first, generated, .. } => 8 * (first.capacity() + generated.capacity()),
            Process::Bursts { ends, .. } => 8 * ends.capacity(),
        }
    }
}

/// Returns `cycle` if it is before the end of the burst, else the first cycle of the next burst.
fn or_next_burst(cycle: u64, end: u64, pause: &Geometric, generator: &mut Generator) -> u64 {
    if cycle < end { cycle } else { end.saturating_add(pause.draw(generator)) }
}

/// Draws a number with Poisson distribution of the given mean, given that it is positive.
fn positive_poisson(mean: f64, generator: &mut Generator) -> u32 {
    let mut rest = uniform_half_open(generator) * -libm::expm1(-mean);
    let (mut count, mut probability) = (1, mean * libm::exp(-mean));
    // Rounding may leave a rest when probabilities have become 0.
    while rest >= probability && probability > 0.0 {
        rest -= probability;
        count += 1;
        probability *= mean / f64::from(count);
    }
    count
}

/// Geometric distribution of the number of trials up to the first success.
#[derive(Clone, Copy, Debug)]
struct Geometric {
    /// Natural logarithm of the probability of a failure.
    log_failure: f64,
}

impl Geometric {
    /// Creates the distribution for a probability of success; values of at least 1 mean success in
    /// the first trial.
    fn with_probability(success: f64) -> Self {
        Self { log_failure: if success < 1.0 { libm::log1p(-success) } else { f64::NEG_INFINITY } }
    }

    /// Creates the distribution of the cycles up to one with messages, of which each cycle has
    /// `mean` by a Poisson distribution.
    fn of_poisson(mean: f64) -> Self {
        Self { log_failure: -mean }
    }

    /// Returns the probability of success.
    fn probability(self) -> f64 {
        -libm::expm1(self.log_failure)
    }

    /// Draws a number of trials, at least 1.
    fn draw(self, generator: &mut Generator) -> u64 {
        // The quotient is at least 0, and equals 0 if `log_failure` is minus infinity; `as`
        // saturates.
        let failures = libm::log(uniform_positive(generator)) / self.log_failure;
        (failures as u64).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_written() {
        for text in ["bernoulli", "poisson", "periodic", "bursts:50:150", "bursts:1:1", "bursts:2.5:10000"] {
            assert_eq!(ArrivalProcess::parse(text).unwrap().to_string(), text);
        }
        for (text, name) in [("on-off:5:15", "bursts:5:15"), ("on_off:5:15", "bursts:5:15"), ("geometric", "bernoulli")]
        {
            assert_eq!(ArrivalProcess::parse(text).unwrap().to_string(), name);
        }
        for (text, says) in [
            ("sometimes", "not an arrival process"),
            ("pareto:2:3", "pareto is not an arrival process"),
            ("bursts:5", "bursts:ON:OFF"),
            ("bursts:0:5", "\"0\" is not a number of cycles from 1 to 10000"),
            ("bursts:5:x", "\"x\" is not"),
            ("bursts:5:10001", "\"10001\" is not"),
        ] {
            let error = ArrivalProcess::parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
