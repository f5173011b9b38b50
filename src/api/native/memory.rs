//! Memory limits: the memory of a run compared with the free memory.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::{Error, processors};
use crate::experiment::{Experiment, Memory};

/// Number of threads of a computation.
pub(super) struct ThreadLimit {
    /// Number of threads.
    pub(super) threads: usize,
    /// Note that the number was reduced, if it was.
    pub(super) note: Option<String>,
}

/// Returns the number of threads that work on `experiment` if each takes `memory`, at most `asked`.
///
/// # Errors
/// Returns an error if one thread needs more memory than is free.
pub(super) fn thread_limit(memory: Memory, experiment: &Experiment, asked: usize) -> Result<ThreadLimit, Error> {
    let (free, besides) = (free_memory(), thread_overhead());
    // An allocation beyond the limit of the address space ends the program, so the maximum of a
    // thread must be available. Data larger than an arena lies outside the arenas. There are three
    // arenas: two more threads wait for signals and for the run.
    let (least, takes) = match besides {
        0 => (memory.least, "a thread needs at least"),
        arena if memory.most > arena => (memory.most.saturating_add(3 * arena), "a thread may need up to"),
        _ => (memory.most, "a thread may need up to"),
    };
    if least > free {
        return Err(out_of_memory_error(experiment, takes, least));
    }
    let most = memory.most.saturating_add(besides);
    let threads = usize::try_from(free / most.max(1)).unwrap_or(usize::MAX).clamp(1, asked);
    let note = (threads < asked).then(|| {
        let (most, free) = (format_bytes(most), format_bytes(free));
        format!("using {threads} of {asked} threads: each may need up to {most} of memory, and {free} is free")
    });
    Ok(ThreadLimit { threads, note })
}

/// Returns the number of threads that the library may use to analyse `experiment`: one per
/// processor, or as many as fit beside the analysis.
///
/// # Errors
/// Returns an error if the analysis may take more memory than is free.
pub fn analysis_threads(experiment: &Experiment) -> Result<usize, Error> {
    check_memory(experiment)?;
    Ok(match thread_overhead() {
        0 => processors(),
        besides => {
            let spare = free_memory().saturating_sub(analysis_memory(experiment)) / besides;
            usize::try_from(spare).unwrap_or(usize::MAX).clamp(1, processors())
        }
    })
}

/// Refuses to trace or analyse an experiment that may take more memory than is free.
///
/// # Errors
/// Returns an error if there is not enough memory.
pub fn check_memory(experiment: &Experiment) -> Result<(), Error> {
    let most = analysis_memory(experiment);
    match most <= free_memory() {
        true => Ok(()),
        false => Err(out_of_memory_error(experiment, "it may need up to", most)),
    }
}

/// Returns the memory that tracing or analysing `experiment` may take, in bytes: one trial and its
/// results. Kinds under load count as zero, because only one message is traced.
fn analysis_memory(experiment: &Experiment) -> u64 {
    if experiment.kind().is_under_load() { 0 } else { experiment.memory().most.saturating_mul(2) }
}

fn out_of_memory_error(experiment: &Experiment, takes: &str, wanted: u64) -> Error {
    let (keys, wanted, free) =
        (experiment.kind().memory_keys.join(" or "), format_bytes(wanted), format_bytes(free_memory()));
    Error::BadInput(format!("{experiment}: {takes} {wanted} of memory, but {free} is free; lower {keys}"))
}

/// Returns the bytes of address space of a thread besides its data; 0 if the address space is
/// unlimited.
fn thread_overhead() -> u64 {
    if address_space_left().is_some() { THREAD_OVERHEAD } else { 0 }
}

/// Address space of a thread besides its data, in bytes: its stack, and the arena that the
/// allocator reserves for it.
const THREAD_OVERHEAD: u64 = 66 << 20;

/// Returns the free memory in bytes: the minimum over the machine, the control group of this
/// process and the limit of its address space. Unknown limits count as infinite.
pub fn free_memory() -> u64 {
    let own = address_space_left().unwrap_or(u64::MAX);
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let Ok(system) = System::new_with_specifics(kind) else { return own };
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    match system.available_memory() {
        0 => group.min(own),
        machine => machine.min(group).min(own),
    }
}

/// Returns the bytes of address space that this process may still take; `None` without a limit
/// (`ulimit -v`).
fn address_space_left() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, getrlimit};
        let limit = getrlimit(Resource::As).current?;
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let taken =
            status.lines().find_map(|line| line.strip_prefix("VmSize:")?.trim().strip_suffix(" kB")?.parse().ok());
        Some(limit.saturating_sub(taken.unwrap_or(0) * 1024))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Formats a number of bytes as words.
pub fn format_bytes(bytes: u64) -> String {
    match bytes as f64 {
        few if few < 1e6 => format!("{:.0} kB", (few / 1e3).ceil()),
        some if some < 1e9 => format!("{:.0} MB", some / 1e6),
        many => format!("{:.1} GB", many / 1e9),
    }
}
