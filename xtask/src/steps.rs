//! Long tasks in steps. Each step prints its description, its expected time and the number of steps
//! before it begins.

use std::time::Instant;

use anyhow::Result;

/// Step of a long task.
pub(crate) struct Step<'a> {
    /// Description with the expected time.
    about: String,
    work: Box<dyn FnOnce() -> Result<()> + 'a>,
}

impl<'a> Step<'a> {
    /// Creates a step that runs `work`.
    pub(crate) fn new(about: impl Into<String>, work: impl FnOnce() -> Result<()> + 'a) -> Self {
        Self { about: about.into(), work: Box::new(work) }
    }
}

/// Runs all steps in order, up to the first that fails.
pub(crate) fn run(steps: Vec<Step<'_>>) -> Result<()> {
    let count = steps.len();
    for (index, step) in steps.into_iter().enumerate() {
        println!("\nStep {} of {count}: {}", index + 1, step.about);
        let began = Instant::now();
        (step.work)()?;
        println!("Step {} of {count} took {:.0} s.", index + 1, began.elapsed().as_secs_f64());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use anyhow::bail;

    use super::*;

    #[test]
    fn no_step_runs_after_a_failure() {
        let done = RefCell::new(Vec::new());
        let step = |name: &'static str, fails: bool| {
            let done = &done;
            Step::new(name, move || {
                done.borrow_mut().push(name);
                if fails { bail!("{name} fails") } else { Ok(()) }
            })
        };
        assert!(run(vec![step("one", false), step("two", true), step("three", false)]).is_err());
        assert_eq!(*done.borrow(), ["one", "two"]);
    }
}
