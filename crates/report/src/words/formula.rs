//! Formulas in texts, between backticks as in `` `N/(3n^2(n+2))` ``, and typeset where that is
//! possible.
//!
//! The command line and files leave the backticks out; the page typesets the result of [`parts`].

/// Piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Plain text.
    Text(&'a str),
    /// Formula.
    Formula(Vec<Term>),
}

/// Piece of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// Variable, name of a function, or Greek letter.
    Name(String),
    /// Number.
    Number(String),
    /// Operator or other sign.
    Sign(char),
    /// Space between names.
    Space,
    /// Group of terms, including its brackets.
    Group(Vec<Term>),
    /// Base with a superscript.
    Power(Box<Term>, Box<Term>),
    /// Base with a subscript.
    Index(Box<Term>, Box<Term>),
}

/// Returns `text` without its backticks.
pub fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// Returns the plain pieces and the formulas of `text`, in turn.
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let part = |(place, part)| match place % 2 {
        0 => Part::Text(part),
        _ => Part::Formula(formula(part)),
    };
    text.split('`').enumerate().filter(|(_, part)| !part.is_empty()).map(part).collect()
}

/// Returns the terms of a formula as users type it.
pub fn formula(text: &str) -> Vec<Term> {
    let letters: Vec<_> = text.chars().collect();
    row(&mut letters.as_slice())
}

/// Parses terms up to the closing bracket, or to the end.
fn row(rest: &mut &[char]) -> Vec<Term> {
    let mut terms = Vec::new();
    while let Some(&next) = rest.first().filter(|next| **next != ')') {
        if next == '^' || next == '_' {
            *rest = &rest[1..];
            let base = Box::new(terms.pop().unwrap_or(Term::Space));
            let script = Box::new(script(rest));
            terms.push(if next == '^' { Term::Power(base, script) } else { Term::Index(base, script) });
        } else if next.is_ascii_digit() && matches!(terms.last(), Some(Term::Name(_))) {
            // A number right after a name is its index: k1, k2.
            let base = Box::new(terms.pop().unwrap_or(Term::Space));
            terms.push(Term::Index(base, Box::new(term(rest).unwrap_or(Term::Space))));
        } else {
            let next = term(rest);
            // Signs have their own spacing.
            match (terms.last(), &next) {
                (Some(Term::Sign(_)) | None, Some(Term::Space)) => continue,
                (Some(Term::Space), Some(Term::Sign(_))) => drop(terms.pop()),
                _ => {}
            }
            terms.extend(next);
        }
    }
    terms
}

/// Parses a superscript or subscript: without brackets around the whole, and a function together
/// with the brackets of its argument.
fn script(rest: &mut &[char]) -> Term {
    if rest.first() == Some(&'(') {
        let mut inside = bracket(rest);
        inside.pop();
        inside.remove(0);
        return Term::Group(inside);
    }
    match term(rest) {
        Some(Term::Name(name)) if name.chars().count() > 1 && rest.first() == Some(&'(') => {
            Term::Group(vec![Term::Name(name), Term::Group(bracket(rest))])
        }
        term => term.unwrap_or(Term::Space),
    }
}

/// Parses a bracket with its content.
fn bracket(rest: &mut &[char]) -> Vec<Term> {
    *rest = &rest[1..];
    let mut inside = vec![Term::Sign('(')];
    inside.extend(row(rest));
    *rest = rest.get(1..).unwrap_or_default();
    inside.push(Term::Sign(')'));
    inside
}

/// Parses the next name, number, sign or bracket.
fn term(rest: &mut &[char]) -> Option<Term> {
    let first = *rest.first()?;
    let run = |belongs: fn(char) -> bool| rest.iter().take_while(|letter| belongs(**letter)).count();
    let (length, term) = if first == '(' {
        return Some(Term::Group(bracket(rest)));
    } else if first.is_alphabetic() {
        name(rest, run(char::is_alphabetic))
    } else if first.is_ascii_digit() || first == '.' {
        let length = run(|letter| letter.is_ascii_digit() || letter == '.');
        (length, Term::Number(rest[..length].iter().collect()))
    } else {
        (1, if first == ' ' { Term::Space } else { Term::Sign(first) })
    };
    *rest = &rest[length..];
    Some(term)
}

/// Words that are one name; other sequences of letters are variables of one letter each.
const NAMES: [&str; 4] = ["lg", "log", "ln", "floor"];

/// Greek letters by their names.
const GREEK: [(&str, &str); 5] = [("lambda", "λ"), ("xi", "ξ"), ("Theta", "Θ"), ("Omega", "Ω"), ("sigma", "σ")];

/// Returns the name at the start of `length` letters, and its length.
fn name(rest: &[char], length: usize) -> (usize, Term) {
    let word: String = rest[..length].iter().collect();
    if NAMES.contains(&&*word) {
        return (length, Term::Name(word));
    }
    match GREEK.iter().find(|(name, _)| *name == word) {
        Some((_, letter)) => (length, Term::Name((*letter).to_owned())),
        None => (1, Term::Name(rest[0].to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a term in brackets notation: powers with ^, indices with _, both with their extent
    /// in braces.
    fn shown(term: &Term) -> String {
        match term {
            Term::Name(text) | Term::Number(text) => text.clone(),
            Term::Sign(sign) => sign.to_string(),
            Term::Space => " ".into(),
            Term::Group(row) => row.iter().map(shown).collect(),
            Term::Power(base, script) => format!("{}^{{{}}}", shown(base), shown(script)),
            Term::Index(base, script) => format!("{}_{{{}}}", shown(base), shown(script)),
        }
    }

    fn set(text: &str) -> String {
        formula(text).iter().map(shown).collect()
    }

    #[test]
    fn scripts_reach_as_far_as_they_belong() {
        assert_eq!(set("N/(3n^2(n+2))"), "N/(3n^{2}(n+2))");
        assert_eq!(set("Theta(n^(2/xi))"), "Θ(n^{2/ξ})");
        assert_eq!(set("2^floor((n-1)/2)"), "2^{floor((n-1)/2)}");
        assert_eq!(set("O(N/log^3 N)"), "O(N/log^{3} N)");
        assert_eq!(set("p_A^2"), "p_{A}^{2}");
        assert_eq!(set("1.75n"), "1.75n");
        assert_eq!(set("k1 = 4*10^5"), "k_{1}=4*10^{5}");
        assert_eq!(formula("nN"), [Term::Name("n".into()), Term::Name("N".into())]);
    }

    #[test]
    fn nothing_typed_wrongly_is_more_than_ugly() {
        for text in ["^", "2^", "^2", "(", ")", "((n", "n)^2", "_()", "^()", ""] {
            set(text);
        }
    }

    #[test]
    fn words_and_formulas_take_turns() {
        let text = "at `n = 2` and `p`";
        assert_eq!(plain(text), "at n = 2 and p");
        let found = parts(text);
        assert_eq!((found.len(), &found[0], &found[2]), (4, &Part::Text("at "), &Part::Text(" and ")));
        assert_eq!(parts("none"), [Part::Text("none")]);
    }
}
