//! Background jobs: one pool of workers runs sweeps and single jobs.

mod checkpoint_store;
pub(crate) mod job;
pub(crate) mod pool;
mod slot;
mod worker_handle;
