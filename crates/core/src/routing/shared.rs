//! A part that many hold and nobody changes: one of the program's own, or one made while it runs.

use std::ops::Deref;
use std::sync::Arc;

/// A shared part. A clone of it costs no more than a pointer, and counts only what was made.
pub enum Shared<T: ?Sized + 'static> {
    /// One that is part of the program.
    Fixed(&'static T),
    /// One that was made while it runs; it goes with the last that hold it.
    Made(Arc<T>),
}

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Fixed(part) => Self::Fixed(part),
            Self::Made(part) => Self::Made(Arc::clone(part)),
        }
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self {
            Self::Fixed(part) => part,
            Self::Made(part) => part,
        }
    }
}
