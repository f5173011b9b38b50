//! Formulas in texts, between backticks as in `` `N/(3n^2(n+2))` ``, and typeset where that is
//! possible.
//!
//! The command line and files leave the backticks out; the page typesets the result of [`parts`].

/// Piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaSpan<'a> {
    /// Plain text.
    Text(&'a str),
    /// Formula.
    Formula(Vec<FormulaTerm>),
}

/// Piece of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaTerm {
    /// Variable, name of a function, or Greek letter.
    Name(String),
    /// Number.
    Number(String),
    /// Operator or other sign.
    Sign(char),
    /// Space between names.
    Space,
    /// Group of terms, including its brackets.
    Group(Vec<FormulaTerm>),
    /// Base with a superscript.
    Power(Box<FormulaTerm>, Box<FormulaTerm>),
    /// Base with a subscript.
    Index(Box<FormulaTerm>, Box<FormulaTerm>),
}

/// Returns `text` without its backticks.
pub fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// Returns `text` with backticks around its orders of growth, such as `O(lg n)` and `Omega(n)`.
pub fn mark_orders(text: &str) -> String {
    let mut marked = String::new();
    let mut rest = text;
    while let Some(start) = ["O(", "Omega(", "Theta("].iter().filter_map(|order| rest.find(order)).min() {
        let mut depth = 0;
        let end = rest[start..].find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth == 0 && letter == ')'
        });
        let Some(end) = end.map(|end| start + end + 1) else { break };
        marked.push_str(&format!("{}`{}`", &rest[..start], &rest[start..end]));
        rest = &rest[end..];
    }
    marked + rest
}

/// Returns the plain pieces and the formulas of `text`, in turn.
pub fn parts(text: &str) -> Vec<FormulaSpan<'_>> {
    let part = |(place, part)| match place % 2 {
        0 => FormulaSpan::Text(part),
        _ => FormulaSpan::Formula(formula(part)),
    };
    text.split('`').enumerate().filter(|(_, part)| !part.is_empty()).map(part).collect()
}

/// Returns the terms of a formula as users type it.
pub fn formula(text: &str) -> Vec<FormulaTerm> {
    let letters: Vec<_> = text.chars().collect();
    row(&mut letters.as_slice())
}

/// Parses terms up to the closing bracket, or to the end.
fn row(rest: &mut &[char]) -> Vec<FormulaTerm> {
    let mut terms = Vec::new();
    while let Some(&next) = rest.first().filter(|next| **next != ')') {
        if next == '^' || next == '_' {
            *rest = &rest[1..];
            let base = Box::new(terms.pop().unwrap_or(FormulaTerm::Space));
            let script = Box::new(script(rest));
            terms.push(if next == '^' { FormulaTerm::Power(base, script) } else { FormulaTerm::Index(base, script) });
        } else if next.is_ascii_digit() && matches!(terms.last(), Some(FormulaTerm::Name(_))) {
            // A number right after a name is its index: k1, k2.
            let base = Box::new(terms.pop().unwrap_or(FormulaTerm::Space));
            terms.push(FormulaTerm::Index(base, Box::new(term(rest).unwrap_or(FormulaTerm::Space))));
        } else {
            let next = term(rest);
            // Signs have their own spacing.
            match (terms.last(), &next) {
                (Some(FormulaTerm::Sign(_)) | None, Some(FormulaTerm::Space)) => continue,
                (Some(FormulaTerm::Space), Some(FormulaTerm::Sign(_))) => drop(terms.pop()),
                _ => {}
            }
            terms.extend(next);
        }
    }
    terms
}

/// Parses a superscript or subscript: without brackets around the whole, and a function together
/// with the brackets of its argument.
fn script(rest: &mut &[char]) -> FormulaTerm {
    if rest.first() == Some(&'(') {
        let mut inside = bracket(rest);
        inside.pop();
        inside.remove(0);
        return FormulaTerm::Group(inside);
    }
    match term(rest) {
        Some(FormulaTerm::Name(name)) if name.chars().count() > 1 && rest.first() == Some(&'(') => {
            FormulaTerm::Group(vec![FormulaTerm::Name(name), FormulaTerm::Group(bracket(rest))])
        }
        term => term.unwrap_or(FormulaTerm::Space),
    }
}

/// Parses a bracket with its content.
fn bracket(rest: &mut &[char]) -> Vec<FormulaTerm> {
    *rest = &rest[1..];
    let mut inside = vec![FormulaTerm::Sign('(')];
    inside.extend(row(rest));
    *rest = rest.get(1..).unwrap_or_default();
    inside.push(FormulaTerm::Sign(')'));
    inside
}

/// Parses the next name, number, sign or bracket.
fn term(rest: &mut &[char]) -> Option<FormulaTerm> {
    let first = *rest.first()?;
    let run = |belongs: fn(char) -> bool| rest.iter().take_while(|letter| belongs(**letter)).count();
    let (length, term) = if first == '(' {
        return Some(FormulaTerm::Group(bracket(rest)));
    } else if first.is_alphabetic() {
        name(rest, run(char::is_alphabetic))
    } else if first.is_ascii_digit() || first == '.' {
        let length = run(|letter| letter.is_ascii_digit() || letter == '.');
        (length, FormulaTerm::Number(rest[..length].iter().collect()))
    } else {
        (1, if first == ' ' { FormulaTerm::Space } else { FormulaTerm::Sign(first) })
    };
    *rest = &rest[length..];
    Some(term)
}

/// Words that are one name; other sequences of letters are variables of one letter each.
const NAMES: [&str; 7] = ["lg", "log", "ln", "exp", "floor", "ceil", "max"];

/// Greek letters and the sign of the root, by their names.
const GREEK: [(&str, &str); 6] =
    [("lambda", "λ"), ("xi", "ξ"), ("Theta", "Θ"), ("Omega", "Ω"), ("sigma", "σ"), ("sqrt", "√")];

/// Returns the name at the start of `length` letters, and its length.
fn name(rest: &[char], length: usize) -> (usize, FormulaTerm) {
    let word: String = rest[..length].iter().collect();
    if NAMES.contains(&&*word) {
        return (length, FormulaTerm::Name(word));
    }
    match GREEK.iter().find(|(name, _)| *name == word) {
        Some((_, letter)) => (length, FormulaTerm::Name((*letter).to_owned())),
        None => (1, FormulaTerm::Name(rest[0].to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a term in brackets notation: powers with ^, indices with _, both with their extent
    /// in braces.
    fn notation(term: &FormulaTerm) -> String {
        match term {
            FormulaTerm::Name(text) | FormulaTerm::Number(text) => text.clone(),
            FormulaTerm::Sign(sign) => sign.to_string(),
            FormulaTerm::Space => " ".into(),
            FormulaTerm::Group(row) => row.iter().map(notation).collect(),
            FormulaTerm::Power(base, script) => format!("{}^{{{}}}", notation(base), notation(script)),
            FormulaTerm::Index(base, script) => format!("{}_{{{}}}", notation(base), notation(script)),
        }
    }

    fn formula_text(text: &str) -> String {
        formula(text).iter().map(notation).collect()
    }

    #[test]
    fn scripts_extend_over_their_operands() {
        assert_eq!(formula_text("N/(3n^2(n+2))"), "N/(3n^{2}(n+2))");
        assert_eq!(formula_text("Theta(n^(2/xi))"), "Θ(n^{2/ξ})");
        assert_eq!(formula_text("2^floor((n-1)/2)"), "2^{floor((n-1)/2)}");
        assert_eq!(formula_text("O(N/log^3 N)"), "O(N/log^{3} N)");
        assert_eq!(formula_text("p_A^2"), "p_{A}^{2}");
        assert_eq!(formula_text("1.75n"), "1.75n");
        assert_eq!(formula_text("n + sqrt(2n ln 6n)"), "n+√(2n ln 6n)");
        assert_eq!(formula_text("k1 = 4*10^5"), "k_{1}=4*10^{5}");
        assert_eq!(formula("nN"), [FormulaTerm::Name("n".into()), FormulaTerm::Name("N".into())]);
    }

    #[test]
    fn orders_of_growth_are_formulas() {
        let text = "needs Omega(lambda lg n) cycles, or O(n) (section 6)";
        assert_eq!(mark_orders(text), "needs `Omega(lambda lg n)` cycles, or `O(n)` (section 6)");
        assert_eq!(mark_orders("O(n"), "O(n");
    }

    #[test]
    fn malformed_formulas_do_not_panic() {
        for text in ["^", "2^", "^2", "(", ")", "((n", "n)^2", "_()", "^()", ""] {
            formula_text(text);
        }
    }

    #[test]
    fn texts_are_split_into_words_and_formulas() {
        let text = "at `n = 2` and `p`";
        assert_eq!(plain(text), "at n = 2 and p");
        let found = parts(text);
        assert_eq!((found.len(), &found[0], &found[2]), (4, &FormulaSpan::Text("at "), &FormulaSpan::Text(" and ")));
        assert_eq!(parts("none"), [FormulaSpan::Text("none")]);
    }
}
