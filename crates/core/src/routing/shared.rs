//! Shared read-only values, built in or made at run time.

use std::ops::Deref;
use std::sync::Arc;

/// A shared read-only value. A clone costs no more than a pointer; only values made at run time are
/// reference-counted.
pub enum Shared<T: ?Sized + 'static> {
    /// A value that is part of the program.
    Static(&'static T),
    /// A value made at run time. The value is freed with its last owner.
    Arc(Arc<T>),
}

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(part) => Self::Static(part),
            Self::Arc(part) => Self::Arc(Arc::clone(part)),
        }
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self {
            Self::Static(part) => part,
            Self::Arc(part) => part,
        }
    }
}
