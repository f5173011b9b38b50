//! Command `cargo xtask answers`: precomputes the answers of Papers.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;

use crate::run;

/// Path of the answers in the repository.
const FILE: &str = "docs/answers.bin";

/// Computes every item of Papers with the library, and stores the results with today's date.
pub(crate) fn command() -> Result<()> {
    let mut command = run::cargo("run --package faultlab --release --quiet --example answers");
    let days = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() / 86_400;
    run::run(command.args(["--", FILE, &date(days)]))
}

/// Returns the date of a number of days since 1970-01-01, such as 2026-01-31. This is Howard
/// Hinnant's `civil_from_days`, in which years begin in March so that a leap day is the last day of
/// its year.
pub(crate) fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (400 * era + year + u64::from(month > 9), if month > 9 { month - 9 } else { month + 3 });
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_converts_days_since_1970() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(365), "1971-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_484), "2026-01-31");
    }
}
