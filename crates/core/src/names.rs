//! Names in experiment texts, of things that can be counted: each stands once.

/// Gives an enum its list `ALL`, in the order in which its variants are offered; their names, by `id` and in texts; and `parse`,
/// which reads them. With `listed` in front also `ACCEPTED`, the names in a row.
#[macro_export]
macro_rules! names {
    (listed $Type:ty { $first:ident: $first_name:literal $(, $other:ident: $name:literal)* $(,)? }) => {
        $crate::names!($Type { $first: $first_name $(, $other: $name)* });

        impl $Type {
            /// The names that are read, as messages list them.
            pub const ACCEPTED: &'static str = concat!($first_name $(, ", ", $name)*);
        }
    };
    ($Type:ty { $($variant:ident $({ $($field:ident: $value:literal),* })?: $name:literal),* $(,)? }) => {
        impl $Type {
            /// All, in the order in which they are offered.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant $({ $($field: $value),* })?),*];

            /// Its name in texts.
            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$variant $({ $($field: $value),* })? => $name),*
                }
            }

            /// The one called `id`; `None` if there is none.
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
