//! Background jobs: one pool of workers runs sweeps and single jobs.
//!
//! - [`pool`]: the clients of the pool, and the pool itself, which supervises all workers;
//! - [`slot`]: a worker with its timeout and its tasks; [`worker_handle`]: its connection;
//! - [`job`]: jobs, and the queue of their tasks;
//! - [`checkpoint_store`]: checkpoints of sweeps in the browser's database.

mod checkpoint_store;
pub(crate) mod job;
pub(crate) mod pool;
mod slot;
mod worker_handle;
