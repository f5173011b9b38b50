//! Whether there is room for a run: what it takes of memory, beside what is free.

use faultlab::experiment::Experiment;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::thread_count;
use crate::arguments::Effort;
use crate::output::Failure;

/// The threads that run `experiment`: as many as are asked for, or as have room in the memory that is free. Fewer are told on standard error.
///
/// # Errors
/// If what a thread takes at once is more than is free.
pub(crate) fn fitting_threads(experiment: &Experiment, effort: &Effort) -> Result<usize, Failure> {
    let (memory, asked, free) = (experiment.memory(), thread_count(effort), free_memory());
    if memory.least > free {
        let keys = experiment.kind().heavy.join(" or ");
        return Err(Failure::BadInput(format!(
            "{experiment}: a thread takes at least {} of memory, and {} are free; lower {keys}",
            size(memory.least),
            size(free)
        )));
    }
    let fit = usize::try_from(free / memory.most.max(1)).unwrap_or(usize::MAX).clamp(1, asked);
    if fit < asked && !effort.quiet {
        let (most, free) = (size(memory.most), size(free));
        eprintln!("faultlab: {fit} of {asked} threads: each may take up to {most} of memory, and {free} are free");
    }
    Ok(fit)
}

/// The memory that is free, in bytes: of the machine, or of the control group that this process is in. What cannot be found out counts as
/// without end.
pub(crate) fn free_memory() -> u64 {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let Ok(system) = System::new_with_specifics(kind) else { return u64::MAX };
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    match system.available_memory() {
        0 => group,
        machine => machine.min(group),
    }
}

/// So many bytes in words.
pub(crate) fn size(bytes: u64) -> String {
    match bytes as f64 {
        few if few < 1e6 => format!("{:.0} kB", (few / 1e3).ceil()),
        some if some < 1e9 => format!("{:.0} MB", some / 1e6),
        many => format!("{:.1} GB", many / 1e9),
    }
}
