//! Macro that defines the text names of an enum's variants in a single place.

/// Implements a name table for an enum.
///
/// Generates `ALL`, the variants in display order; `id`, the name of a variant; `parse`, its
/// inverse; and `Display`. With `listed` in front, also generates `ACCEPTED`, the names separated
/// by commas.
#[macro_export]
macro_rules! names {
    (listed $Type:ty { $first:ident: $first_name:literal $(, $other:ident: $name:literal)* $(,)? }) => {
        $crate::names!($Type { $first: $first_name $(, $other: $name)* });

        impl $Type {
            /// Accepted names, as error messages list them.
            pub const ACCEPTED: &'static str = concat!($first_name $(, ", ", $name)*);
        }
    };
    ($Type:ty { $($variant:ident $({ $($field:ident: $value:literal),* })?: $name:literal),* $(,)? }) => {
        impl $Type {
            /// All values, in display order.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant $({ $($field: $value),* })?),*];

            /// Returns the name in experiment texts.
            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$variant $({ $($field: $value),* })? => $name),*
                }
            }

            /// Returns the value named `id`, or `None` if there is none.
            pub fn parse(id: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.id() == id)
            }
        }

        impl std::fmt::Display for $Type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.id())
            }
        }
    };
}
