//! Cycles that RANDOM's pseudo-code executes before its guess is large enough (Greenberg &
//! Leiserson, Theorem 8).

use crate::routing::fat_tree::ScheduleConstants;

/// Returns the delivery cycles of RANDOM, idle ones included, up to the end of the first TRY-GUESS
/// call whose guess is at least `lambda`.
///
/// By Theorem 8, all messages are expected to have arrived by then. For a `lambda` of 1 or less,
/// the only cycle is the one before the first call (Figure 4, first row). With the constants of the
/// proof, there are millions of cycles for any larger `lambda`, almost all of them start-up.
pub fn random_schedule_cycles(constants: &ScheduleConstants, processors: u32, lambda: f64) -> f64 {
    let (k1, k2, lg_n) = (constants.k1(), constants.k2(), f64::from(processors.max(2).ilog2()));
    let try_guess = |guess: f64| {
        let halved = std::iter::successors(Some(guess), |lambda| Some(lambda / 2.0)).take_while(|&lambda| lambda > 1.0);
        let subsets: f64 = halved.map(|lambda| libm::ceil((k1 * lambda).max(k2 * lg_n)).max(1.0)).sum();
        subsets + 1.0
    };
    // All messages are sent once before the first guess.
    let (mut cycles, mut guess) = (1.0, 2.0);
    if lambda <= 1.0 {
        return cycles;
    }
    while k1 * guess < k2 * lg_n {
        cycles += try_guess(guess);
        if guess >= lambda {
            return cycles;
        }
        guess *= guess;
    }
    let mut guess = constants.first_doubled(lg_n);
    loop {
        cycles += try_guess(guess);
        if guess >= lambda {
            return cycles;
        }
        guess *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycle_counts_match_the_pseudo_code() {
        let constants = |k1, k2| ScheduleConstants::new(k1, k2, 1.0).unwrap();
        // One cycle sends all messages. Guess 1 is below lambda and sends the rest. Guess 2 sends
        // two subsets and the rest.
        assert_eq!(random_schedule_cycles(&constants(1.0, 0.5), 4, 2.0), 1.0 + 1.0 + 2.0 + 1.0);
        // One cycle sends all messages. Guesses 1/2 and 1 each send the rest. Guess 2 sends two
        // subsets and the rest. For two processors the first guess is 1.
        assert_eq!(random_schedule_cycles(&constants(1.0, 0.25), 4, 2.0), 1.0 + 1.0 + 1.0 + 2.0 + 1.0);
        assert_eq!(random_schedule_cycles(&constants(1.0, 0.25), 2, 2.0), 1.0 + 1.0 + 2.0 + 1.0);
        assert_eq!(random_schedule_cycles(&constants(1.0, 1.0), 16, 1.0), 1.0);
        // For n = 16, guess 2 has four subsets. The next guess is lg n lg lg n = 8, with 8, 4 and 4
        // subsets.
        assert_eq!(random_schedule_cycles(&constants(1.0, 1.0), 16, 5.0), 1.0 + 5.0 + (8.0 + 4.0 + 4.0 + 1.0));
    }

    #[test]
    fn proof_constants_cost_over_a_million_cycles() {
        let proof = ScheduleConstants::from_proof(24.218).unwrap();
        assert!(random_schedule_cycles(&proof, 1024, 4.0) > 1e6);
    }
}
