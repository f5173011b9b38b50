//! Text with formulas, set in MathML, which all browser engines support.

use yew::prelude::*;

use crate::report::words::formula::{Part, Term, parts};

/// Renders `text` with its formulas.
pub(crate) fn typeset(text: &str) -> Html {
    let part = |part: Part<'_>| match part {
        Part::Text(words) => html! { {words} },
        Part::Formula(terms) => html! { <math>{ row(&terms) }</math> },
    };
    html! { <>{ for parts(text).into_iter().map(part) }</> }
}

fn row(terms: &[Term]) -> Html {
    html! { <mrow>{ for terms.iter().map(term) }</mrow> }
}

fn term(term: &Term) -> Html {
    match term {
        Term::Name(name) => html! { <mi>{name.clone()}</mi> },
        Term::Number(number) => html! { <mn>{number.clone()}</mn> },
        Term::Sign(sign) => html! { <mo stretchy="false">{typeset_sign(*sign).to_string()}</mo> },
        Term::Space => html! { <mspace width="0.22em" /> },
        Term::Group(terms) => row(terms),
        Term::Power(base, script) => html! { <msup>{ self::term(base) }{ self::term(script) }</msup> },
        Term::Index(base, script) => html! { <msub>{ self::term(base) }{ self::term(script) }</msub> },
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
