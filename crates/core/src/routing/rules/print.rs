//! Canonical text of a routing: one statement per line.

use std::fmt::{self, Display, Formatter, Write as _};

use super::tree::{
    Atom, Condition, CoordinateName, Family, Meaning, Name, NetworkKind, Permission, Ports, RuleStatement, Set, Test,
    Tree, Way, When,
};
use super::vocabulary::SETS;

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Writes items separated by `between`.
fn joined<T>(
    f: &mut Formatter<'_>,
    all: &[T],
    between: &str,
    write: fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    all.iter().enumerate().try_for_each(|(number, it)| {
        f.write_str(if number > 0 { between } else { "" })?;
        write(f, it)
    })
}

impl Display for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "routing {} on ", self.name)?;
        joined(f, &self.networks, ", ", |f, on| on.fmt(f))?;
        if self.classes > 1 {
            write!(f, "\nclasses {}", self.classes)?;
        }
        if self.escapes != 0 {
            f.write_str("\nescape")?;
            (0..16).filter(|class| self.escapes >> class & 1 == 1).try_for_each(|class| write!(f, " {class}"))?;
        }
        if !self.states.is_empty() {
            f.write_str("\nstates ")?;
            joined(f, &self.states, " ", |f, name| name.fmt(f))?;
        }
        for (name, meaning) in &self.definitions {
            match meaning {
                Meaning::Set(set) => write!(f, "\ndefine {name} = {set}")?,
                Meaning::Condition(condition) => write!(f, "\ndefine {name} when {condition}")?,
            }
        }
        for (state, condition) in &self.starts {
            match condition {
                Condition::Always => write!(f, "\nstart {state}")?,
                _ => write!(f, "\nstart {state} when {condition}")?,
            }
        }
        self.rules.iter().try_for_each(|line| write!(f, "\n{line}"))?;
        f.write_char('\n')
    }
}

impl Display for NetworkKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self.family {
            Family::Mesh => "mesh",
            Family::Torus => "torus",
            Family::Cube => "cube",
        })?;
        self.dimensions.map_or(Ok(()), |dimensions| write!(f, " {dimensions}"))
    }
}

impl Display for RuleStatement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.states.is_empty() {
            f.write_str("in ")?;
            joined(f, &self.states, " or ", |f, name| name.fmt(f))?;
            f.write_char(' ')?;
        }
        match &self.when {
            When::Condition(condition) => write!(f, "when {condition} ")?,
            When::Otherwise => f.write_str("otherwise ")?,
            When::Always => f.write_str("always ")?,
        }
        joined(f, &self.takes, " also ", |f, take| take.fmt(f))?;
        self.sentence.as_ref().map_or(Ok(()), |sentence| write!(f, " \"{sentence}\""))
    }
}

impl Display for Permission {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("take ")?;
        match &self.ports {
            Ports::Nothing => f.write_str("nothing")?,
            Ports::Ring(_) => f.write_str("ring")?,
            Ports::Onto(way, set, _) => {
                let way = match way {
                    Way::Clockwise => "clockwise",
                    Way::CounterClockwise => "counter-clockwise",
                    Way::Either => "either way",
                };
                write!(f, "ring {way} of {set}")?;
            }
            Ports::Sets(sets) => joined(f, sets, " before ", |f, set| set.fmt(f))?,
        }
        if self.class > 0 {
            write!(f, " on class {}", self.class)?;
        }
        self.then.as_ref().map_or(Ok(()), |state| write!(f, " then {state}"))
    }
}

impl Set {
    /// Writes the set as an operand: `or` and `and` in parentheses.
    fn operand(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::And(..) | Self::Or(..) => write!(f, "({self})"),
            _ => self.fmt(f),
        }
    }
}

impl Display for Set {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let prefixed = |f: &mut Formatter<'_>, word: &str, set: &Self| {
            f.write_str(word)?;
            set.operand(f)
        };
        match self {
            Self::Atom(atom, _) => atom.fmt(f),
            Self::Named(name) => name.fmt(f),
            Self::Lowest(set) => prefixed(f, "lowest ", set),
            Self::Highest(set) => prefixed(f, "highest ", set),
            Self::Not(set) => prefixed(f, "not ", set),
            Self::And(a, b) => {
                // A left-associative chain needs no parentheses.
                if matches!(**a, Self::And(..)) {
                    a.fmt(f)?
                } else {
                    a.operand(f)?
                }
                f.write_str(" and ")?;
                b.operand(f)
            }
            Self::Or(a, b) => {
                a.fmt(f)?;
                f.write_str(" or ")?;
                if matches!(**b, Self::Or(..)) { b.operand(f) } else { b.fmt(f) }
            }
        }
    }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Signed(port) => write!(f, "{}{}", port / 2, if port & 1 == 1 { '+' } else { '-' }),
            Self::Dimension(dim) => write!(f, "dimension {dim}"),
            Self::Away(hops) => write!(f, "{hops} away"),
            known => f.write_str(SETS.iter().find(|(_, atom, ..)| *atom == known).map_or("", |(name, ..)| name)),
        }
    }
}

impl Condition {
    fn operand(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::And(..) | Self::Or(..) => write!(f, "({self})"),
            _ => self.fmt(f),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always => Ok(()),
            Self::Test(test, a, b) => {
                f.write_str(match test {
                    Test::Plain => "",
                    Test::Some => "some ",
                    Test::No => "no ",
                    Test::Every => "every ",
                })?;
                a.operand(f)?;
                f.write_str(" is ")?;
                b.operand(f)
            }
            Self::AtSource(_) => f.write_str("at source"),
            Self::Around(_) => f.write_str("around"),
            Self::Parity { of_destination, dim, called, odd, .. } => {
                f.write_str(if *of_destination { "destination " } else { "" })?;
                match called {
                    CoordinateName::Column => f.write_str("column")?,
                    CoordinateName::Row => f.write_str("row")?,
                    CoordinateName::Coordinate => write!(f, "coordinate {dim}")?,
                }
                f.write_str(if *odd { " is odd" } else { " is even" })
            }
            Self::Named(name) => name.fmt(f),
            Self::Not(condition) => {
                f.write_str("not ")?;
                condition.operand(f)
            }
            Self::And(a, b) => {
                if matches!(**a, Self::And(..)) {
                    a.fmt(f)?
                } else {
                    a.operand(f)?
                }
                f.write_str(" and ")?;
                b.operand(f)
            }
            Self::Or(a, b) => {
                a.fmt(f)?;
                f.write_str(" or ")?;
                if matches!(**b, Self::Or(..)) { b.operand(f) } else { b.fmt(f) }
            }
        }
    }
}
