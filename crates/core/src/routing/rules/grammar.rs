//! Grammar of rules, as combinators over tokens.
//!
//! The accepted input at a position is the union of all terminals tried there. An error refers to
//! the furthest position.

use winnow::combinator::{alt, opt, preceded, repeat, separated, terminated};
use winnow::error::{EmptyError, ParserError};
use winnow::stream::{Stateful, Stream as _, TokenSlice};
use winnow::{Parser, Result};

use super::error::{PositionedError, shortened};
use super::token::{Token, tokens};
use super::tree::{
    Atom, Condition, CoordinateName, Family, Meaning, Name, NetworkKind, Permission, Ports, RulePosition,
    RuleStatement, Set, Test, Tree, Way, When,
};
use super::vocabulary;
use crate::spelling::nearest;

/// Maximum nesting depth of sets and conditions.
const MAX_NESTING: u8 = 16;

/// Maximum number of states, and of classes of virtual channels; classes are numbered from 0.
const MAX_CLASSES: u8 = 16;

/// The furthest position that the parser reached, with the input accepted there.
#[derive(Debug, Default)]
struct Furthest {
    at: usize,
    accepted: Vec<&'static str>,
    depth: u8,
    /// An error that no alternative parse can avoid.
    wrong: Option<PositionedError>,
}

type TokenInput<'t> = Stateful<TokenSlice<'t, Token<'t>>, (Furthest, usize)>;
type Read<T> = Result<T, EmptyError>;

/// Parses the routings in `text`.
pub(super) fn read(text: &str) -> Result<Vec<Tree>, PositionedError> {
    let tokens = tokens(text)?;
    let mut input = Stateful { input: TokenSlice::new(&tokens), state: (Furthest::default(), tokens.len()) };
    let found: Read<Vec<Tree>> = repeat(1.., routing).parse_next(&mut input);
    if input.is_empty()
        && let Ok(found) = found
    {
        return Ok(found);
    }
    let (mut furthest, _) = input.state;
    if let Some(wrong) = furthest.wrong.take() {
        return Err(wrong);
    }
    furthest.accepted.sort();
    furthest.accepted.dedup();
    let accepted: Vec<_> = furthest.accepted.iter().map(|&what| if what == "," { "a comma" } else { what }).collect();
    let accepted = accepted.join(", ");
    Err(match tokens.get(furthest.at) {
        None => PositionedError::new(text.trim_end().len() as u32, "the text ends too early", accepted),
        Some(token) => {
            let near = nearest(token.text, &furthest.accepted);
            let near = near.map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
            PositionedError::new(token.at, format!("{} is not accepted{near}", shortened(token.text)), accepted)
        }
    })
}

/// Consumes the next token if `takes` accepts it; otherwise records `what` as accepted input.
fn next<'t>(input: &mut TokenInput<'t>, what: &'static str, takes: impl Fn(&str) -> bool) -> Read<Token<'t>> {
    if let Some(token) = input.peek_token().copied().filter(|token| takes(token.text)) {
        input.next_token();
        return Ok(token);
    }
    fail(input, what)
}

fn fail<T>(input: &mut TokenInput<'_>, what: &'static str) -> Read<T> {
    let at = input.state.1 - input.eof_offset();
    let furthest = &mut input.state.0;
    if at > furthest.at {
        furthest.at = at;
        furthest.accepted.clear();
    }
    if at == furthest.at {
        furthest.accepted.push(what);
    }
    Err(EmptyError::from_input(input))
}

/// Fails with an error that no alternative parse can avoid.
fn wrong<T>(input: &mut TokenInput<'_>, wrong: PositionedError) -> Read<T> {
    input.state.0.wrong.get_or_insert(wrong);
    Err(EmptyError::from_input(input))
}

/// Parses a keyword or a sign.
fn word<'t>(expected: &'static str) -> impl Parser<TokenInput<'t>, RulePosition, EmptyError> {
    move |input: &mut TokenInput<'t>| next(input, expected, |text| text == expected).map(|token| RulePosition(token.at))
}

/// Parses a number from 0 to `most`.
fn number<'t>(what: &'static str, most: u8) -> impl Parser<TokenInput<'t>, u8, EmptyError> {
    move |input: &mut TokenInput<'t>| {
        let token = next(input, what, |text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
        match token.text.parse().ok().filter(|&number: &u8| number <= most) {
            Some(number) => Ok(number),
            None => wrong(
                input,
                PositionedError::new(
                    token.at,
                    format!("{} is too large", shortened(token.text)),
                    format!("{what} up to {most}"),
                ),
            ),
        }
    }
}

/// Parses a user-defined name: a letter, then letters, digits and hyphens.
fn name<'t>(what: &'static str) -> impl Parser<TokenInput<'t>, Name, EmptyError> {
    let is_name =
        |text: &str| text.starts_with(|first: char| first.is_ascii_alphabetic()) && !vocabulary::is_reserved(text);
    move |input: &mut TokenInput<'t>| {
        next(input, what, is_name).map(|token| Name(token.text.to_owned(), RulePosition(token.at)))
    }
}

fn routing(input: &mut TokenInput<'_>) -> Read<Tree> {
    let name = preceded(word("routing"), name("a name for the routing")).parse_next(input)?;
    let networks = preceded(word("on"), separated(1.., network, word(","))).parse_next(input)?;
    let (classes, states, definitions, starts) = (1, Vec::new(), Vec::new(), Vec::new());
    let escapes = 0;
    let mut tree = Tree { name, networks, classes, escapes, states, starts, definitions, rules: Vec::new() };
    statements(input, &mut tree)?;
    tree.rules = repeat(1.., rule_statement).parse_next(input)?;
    Ok(tree)
}

fn network(input: &mut TokenInput<'_>) -> Read<NetworkKind> {
    let mesh = word("mesh").value(Family::Mesh);
    let family = alt((mesh, word("torus").value(Family::Torus), word("cube").value(Family::Cube))).parse_next(input)?;
    let dimensions = match family {
        Family::Cube => None,
        _ => opt(number("a number of dimensions", 5)).parse_next(input)?,
    };
    Ok(NetworkKind { family, dimensions })
}

/// Parses the statements before the rules.
fn statements(input: &mut TokenInput<'_>, tree: &mut Tree) -> Read<()> {
    loop {
        if opt(word("classes")).parse_next(input)?.is_some() {
            tree.classes = number("a number of classes", MAX_CLASSES).parse_next(input)?;
        } else if opt(word("escape")).parse_next(input)?.is_some() {
            tree.escapes |= 1 << number("a class", MAX_CLASSES - 1).parse_next(input)?;
            while let Some(class) = opt(number("a class", MAX_CLASSES - 1)).parse_next(input)? {
                tree.escapes |= 1 << class;
            }
        } else if opt(word("states")).parse_next(input)?.is_some() {
            tree.states.push(name("a name for a state").parse_next(input)?);
            while let Some(state) = opt(name("a name for a state")).parse_next(input)? {
                tree.states.push(state);
            }
        } else if opt(word("define")).parse_next(input)?.is_some() {
            let name = name("a name").parse_next(input)?;
            let meaning = if opt(word("=")).parse_next(input)?.is_some() {
                Meaning::Set(set(input)?)
            } else {
                word("when").parse_next(input)?;
                Meaning::Condition(condition(input)?)
            };
            tree.definitions.push((name, meaning));
        } else if opt(word("start")).parse_next(input)?.is_some() {
            let name = name("a state").parse_next(input)?;
            let condition = match opt(word("when")).parse_next(input)? {
                Some(_) => condition(input)?,
                None => Condition::Always,
            };
            tree.starts.push((name, condition));
        } else {
            return Ok(());
        }
    }
}

fn rule_statement(input: &mut TokenInput<'_>) -> Read<RuleStatement> {
    let at = RulePosition(input.peek_token().map_or(0, |token| token.at));
    let states = opt(preceded(word("in"), separated(1.., name("a state"), word("or")))).parse_next(input)?;
    let condition = preceded(word("when"), condition).map(When::Condition);
    let when = alt((condition, word("otherwise").value(When::Otherwise), word("always").value(When::Always)))
        .parse_next(input)?;
    let takes = separated(1.., take, word("also")).parse_next(input)?;
    let sentence = opt(sentence).parse_next(input)?;
    Ok(RuleStatement { states: states.unwrap_or_default(), when, takes, sentence, at })
}

fn sentence(input: &mut TokenInput<'_>) -> Read<String> {
    next(input, "a sentence in quotation marks", |text| text.starts_with('"')).map(|token| token.text[1..].to_owned())
}

fn take(input: &mut TokenInput<'_>) -> Read<Permission> {
    let ports = preceded(word("take"), ports).parse_next(input)?;
    let class = opt(preceded((word("on"), word("class")), number("a class", MAX_CLASSES - 1))).parse_next(input)?;
    let then = opt(preceded(word("then"), name("a state"))).parse_next(input)?;
    Ok(Permission { ports, class: class.unwrap_or(0), then })
}

fn ports(input: &mut TokenInput<'_>) -> Read<Ports> {
    let nothing = word("nothing").value(Ports::Nothing);
    alt((nothing, ring, separated(1.., set, word("before")).map(Ports::Sets))).parse_next(input)
}

fn ring(input: &mut TokenInput<'_>) -> Read<Ports> {
    let at = word("ring").parse_next(input)?;
    let clockwise = word("clockwise").value(Way::Clockwise);
    let other = word("counter-clockwise").value(Way::CounterClockwise);
    let way = alt((clockwise, other, (word("either"), word("way")).value(Way::Either)));
    let onto = opt((terminated(way, word("of")), set)).parse_next(input)?;
    Ok(onto.map_or(Ports::Ring(at), |(way, set)| Ports::Onto(way, set, at)))
}

/// Parses `inner` one nesting level deeper.
fn deeper<'t, T>(input: &mut TokenInput<'t>, inner: fn(&mut TokenInput<'t>) -> Read<T>) -> Read<T> {
    let depth = input.state.0.depth;
    if depth == MAX_NESTING {
        let at = input.peek_token().map_or(0, |token| token.at);
        let accepted = format!("sets and conditions nested at most {MAX_NESTING} deep");
        return wrong(input, PositionedError::new(at, "the expression is nested too deeply", accepted));
    }
    input.state.0.depth += 1;
    let read = inner(input);
    input.state.0.depth = depth;
    read
}

/// Parses operands joined by a word, left-associative.
fn chain<'t, T>(
    input: &mut TokenInput<'t>,
    operand: fn(&mut TokenInput<'t>) -> Read<T>,
    by: &'static str,
    join: fn(Box<T>, Box<T>) -> T,
) -> Read<T> {
    let mut left = operand(input)?;
    while opt(word(by)).parse_next(input)?.is_some() {
        left = join(Box::new(left), Box::new(operand(input)?));
    }
    Ok(left)
}

fn set(input: &mut TokenInput<'_>) -> Read<Set> {
    chain(input, |input| chain(input, operand, "and", Set::And), "or", Set::Or)
}

/// Parses a set without `and` and `or` outside parentheses.
fn operand(input: &mut TokenInput<'_>) -> Read<Set> {
    let nested = |input: &mut _| deeper(input, set);
    alt((
        preceded(word("not"), |input: &mut _| deeper(input, operand)).map(|set| Set::Not(Box::new(set))),
        plain,
        word("(").flat_map(move |_| terminated(nested, word(")"))),
    ))
    .parse_next(input)
}

/// Parses a set that begins with a word.
fn plain(input: &mut TokenInput<'_>) -> Read<Set> {
    let inner = |input: &mut _| deeper(input, operand);
    alt((
        preceded(word("lowest"), inner).map(|set| Set::Lowest(Box::new(set))),
        preceded(word("highest"), inner).map(|set| Set::Highest(Box::new(set))),
        (word("dimension"), number("a dimension", 63)).map(|(at, dim)| Set::Atom(Atom::Dimension(dim), at)),
        atom,
    ))
    .parse_next(input)
}

fn atom(input: &mut TokenInput<'_>) -> Read<Set> {
    let is_set = |text: &str| vocabulary::atom(text).is_some();
    let is_name =
        |text: &str| text.starts_with(|first: char| first.is_ascii_alphabetic()) && !vocabulary::is_reserved(text);
    let token = next(input, "a set of ports", |text| is_set(text) || is_name(text))?;
    let place = RulePosition(token.at);
    Ok(vocabulary::atom(token.text)
        .map_or_else(|| Set::Named(Name(token.text.to_owned(), place)), |atom| Set::Atom(atom, place)))
}

fn condition(input: &mut TokenInput<'_>) -> Read<Condition> {
    chain(input, |input| chain(input, simple_condition, "and", Condition::And), "or", Condition::Or)
}

/// Parses a condition without `and` and `or` outside parentheses.
fn simple_condition(input: &mut TokenInput<'_>) -> Read<Condition> {
    let inner = |input: &mut _| deeper(input, condition);
    alt((
        preceded(word("not"), |input: &mut _| deeper(input, simple_condition)).map(|it| Condition::Not(Box::new(it))),
        word("(").flat_map(move |_| terminated(inner, word(")"))),
        terminated(word("at"), word("source")).map(Condition::AtSource),
        word("around").map(Condition::Around),
        parity,
        test,
        name("a condition").map(Condition::Named),
    ))
    .parse_next(input)
}

fn parity(input: &mut TokenInput<'_>) -> Read<Condition> {
    let destination = opt(word("destination")).parse_next(input)?;
    let row = word("row").map(|at| (CoordinateName::Row, 1, at));
    let coordinate =
        (word("coordinate"), number("a dimension", 4)).map(|(at, dim)| (CoordinateName::Coordinate, dim, at));
    let (called, dim, at) =
        alt((word("column").map(|at| (CoordinateName::Column, 0, at)), row, coordinate)).parse_next(input)?;
    let odd = preceded(word("is"), alt((word("even").value(false), word("odd").value(true)))).parse_next(input)?;
    Ok(Condition::Parity { of_destination: destination.is_some(), dim, called, odd, at: destination.unwrap_or(at) })
}

fn test(input: &mut TokenInput<'_>) -> Read<Condition> {
    let quantified =
        alt((word("some").value(Test::Some), word("no").value(Test::No), word("every").value(Test::Every)));
    let quantified = (quantified, operand);
    let (test, first) = alt((quantified, plain.map(|set| (Test::Plain, set)))).parse_next(input)?;
    let second = preceded(word("is"), alt((away, operand))).parse_next(input)?;
    Ok(Condition::Test(test, first, second))
}

fn away(input: &mut TokenInput<'_>) -> Read<Set> {
    let at = RulePosition(input.peek_token().map_or(0, |token| token.at));
    let hops = terminated(number("a number of hops", 3), word("away")).parse_next(input)?;
    match hops {
        0 => wrong(input, PositionedError::new(at.0, "0 is too small", "a number of hops from 1 to 3")),
        _ => Ok(Set::Atom(Atom::Away(hops), at)),
    }
}
