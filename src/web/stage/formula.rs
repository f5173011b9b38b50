//! Text with formulas in MathML, which all browser engines support.

use yew::prelude::*;

use crate::report::wording::formula::{FormulaSpan, FormulaTerm, parts};

/// Renders `text` with its formulas.
pub(crate) fn typeset(text: &str) -> Html {
    let part = |part: FormulaSpan<'_>| match part {
        FormulaSpan::Text(words) => html! { {words} },
        FormulaSpan::Formula(terms) => formula(&terms),
    };
    html! { <>{ for parts(text).into_iter().map(part) }</> }
}

/// Renders a formula.
pub(crate) fn formula(terms: &[FormulaTerm]) -> Html {
    html! { <math>{ row(terms) }</math> }
}

fn row(terms: &[FormulaTerm]) -> Html {
    html! { <mrow>{ for terms.iter().map(term) }</mrow> }
}

fn term(term: &FormulaTerm) -> Html {
    match term {
        FormulaTerm::Name(name) => html! { <mi>{name.clone()}</mi> },
        FormulaTerm::Number(number) => html! { <mn>{number.clone()}</mn> },
        FormulaTerm::Sign(sign) => html! { <mo stretchy="false">{typeset_sign(*sign).to_string()}</mo> },
        FormulaTerm::Space => html! { <mspace width="0.22em" /> },
        FormulaTerm::Group(terms) => row(terms),
        FormulaTerm::Power(base, script) => html! { <msup>{ self::term(base) }{ self::term(script) }</msup> },
        FormulaTerm::Index(base, script) => html! { <msub>{ self::term(base) }{ self::term(script) }</msub> },
    }
}

/// Returns the typeset form of an operator.
fn typeset_sign(sign: char) -> char {
    match sign {
        '*' => '·',
        '-' => '−',
        sign => sign,
    }
}
