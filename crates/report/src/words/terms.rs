//! Glossary of the field, a sentence for each term, shown by the page's tooltips and by `faultlab
//! help words`.

/// Term that may be unknown to the user.
#[derive(Debug, PartialEq, Eq)]
pub struct Term {
    /// Term as it stands in a list.
    pub name: &'static str,
    /// Other forms in sentences, including plurals.
    pub other_forms: &'static [&'static str],
    /// Identifiers of the kinds of experiments that use the term; empty for all.
    pub kinds: &'static [&'static str],
    /// Definition.
    pub meaning: &'static str,
    /// Picture as the content of an SVG element of 120 x 48. Lines have the text's colour; class
    /// `f` for faults, `s` for secondary lines, `b` for filled shapes.
    pub picture: Option<&'static str>,
}

impl Term {
    const fn new(name: &'static str, also: &'static [&'static str], meaning: &'static str) -> Self {
        Self { name, other_forms: also, kinds: &[], meaning, picture: None }
    }

    const fn of(self, kinds: &'static [&'static str]) -> Self {
        Self { kinds, ..self }
    }

    const fn drawn(self, picture: &'static str) -> Self {
        Self { picture: Some(picture), ..self }
    }
}

const CUBES: &[&str] = &["message", "circuit", "pairs", "permutation", "batch"];
const MESHES: &[&str] = &["wormhole"];
const WORMS: &[&str] = &["wormhole", "batch"];
const OBLIVIOUS: &[&str] = &["permutation", "batch"];
const TREES: &[&str] = &["delivery"];

/// List of all terms, in alphabetical order.
pub static TERMS: &[Term] = &[
    Term::new("active node", &["active nodes"], "A live node that takes part: of the bit-fixing paths out of it, and of those into it, hardly any are \
         faulty (Algorithm A: at most one in 3n).")
    .of(OBLIVIOUS),
    Term::new("bisection utilization", &[], "How many flits cross the middle of the network in a cycle, as a share of what all links there could \
         carry.")
    .of(MESHES)
    .drawn("<path d='M8 12h104M8 24h104M8 36h104'/><path class='s' stroke-dasharray='3 3' d='M60 4v40'/><path class='b' d='M52 9l12 3-12 3zM52 21l12 3-12 3z'/>"),
    Term::new("capacity", &["capacities"], "The number of wires of a channel of a fat-tree: so many messages can go through it in one delivery cycle.").of(TREES),
    Term::new("channel", &["channels"], "A link in one of its two directions."),
    Term::new("circuit", &["circuits"], "A path of which every link is reserved before the message is sent, and held until it has been.")
        .of(&["circuit"]),
    Term::new("class", &["classes"], "Virtual channels with the same task: when messages go through the classes in an order, their waiting closes no \
         circle.")
    .of(WORMS),
    Term::new("closed set", &["closed sets"], "Nodes among which a message goes to and fro for ever, because the algorithm never chooses a hop that \
         leads out.")
    .of(&["message"])
    .drawn("<path d='M30 16h30v16h-30zM60 16h30'/><path class='f' d='M84 10l12 12M96 10l-12 12'/><path class='s' stroke-dasharray='3 3' d='M18 6h56v36h-56z'/><circle class='b' cx='30' cy='32' r='4'/>"),
    Term::new("congestion", &[], "The number of messages whose routes use the same channel; of a network, that of its busiest channel.").of(OBLIVIOUS),
    Term::new("dead end", &["dead ends"], "A node from which no permitted hop is left: the message stays there.").of(&["message"]),
    Term::new("deadlock", &["deadlocks", "deadlocked"], "Each of some messages waits only for channels that these messages hold: none of them will ever move again.")
        .drawn("<path d='M44 8h32v32h-32z'/><path class='b' d='M56 4l10 4-10 4zM72 20l4 10 4-10zM64 36l-10 4 10 4zM40 28l4-10 4 10z'/>"),
    Term::new("delivery cycle", &["delivery cycles"], "One round of a fat-tree: messages set out, those that find no free wire are lost on the way, and are sent \
         again in a later round.")
    .of(TREES),
    Term::new("dependency graph", &[], "The channels as points, with an arrow from each to those that a message in it may ask for next: where no arrows go \
         round in a circle, nothing can deadlock. A circle alone is no deadlock: its messages may have other channels to take."),
    Term::new("dimension", &["dimensions"], "Of a hypercube, a bit of the addresses: a link of dimension i joins two nodes whose addresses differ in bit i \
         alone. Of a mesh, one of the directions in which nodes stand in rows.")
    .drawn("<path d='M30 24h60'/><circle cx='30' cy='24' r='5'/><circle cx='90' cy='24' r='5'/><text x='30' y='14'>0<tspan class='f'>0</tspan>1</text><text x='90' y='14'>0<tspan class='f'>1</tspan>1</text><text class='s' x='60' y='38'>dimension 1</text>"),
    Term::new("discarded message", &["discarded messages"], "A message that is given up before it sets out, because its source has as many on their way as its \
         injection limit allows.")
    .of(MESHES),
    Term::new("f-chain", &["f-chains", "fault chain", "fault chains"], "A fault ring that the border of the mesh cuts open.").of(MESHES),
    Term::new("fault region", &["fault regions", "node block", "node blocks"], "Faults that touch, closed to a rectangle that messages can go around.").of(MESHES),
    Term::new("fault ring", &["fault rings", "f-ring", "f-rings"], "The live nodes and links around a fault region: a message whose way the region blocks goes \
         along it.")
    .of(MESHES)
    .drawn("<path d='M44 8h32v32h-32z'/><path class='s' d='M20 24h24M76 24h24M60 2v6M60 40v6'/><path class='f' d='M55 19l10 10M65 19l-10 10'/>"),
    Term::new("flit", &["flits"], "A piece of a message that crosses a channel in one cycle: the header flit finds the way, the others follow it.")
        .of(WORMS)
        .drawn("<path class='s' d='M6 24h108'/><path class='b' d='M82 18h14l6 6-6 6h-14z'/><path d='M16 18h14v12h-14zM38 18h14v12h-14zM60 18h14v12h-14z'/>"),
    Term::new("h-relation", &["h-relations"], "Messages of which no node sends, and no node receives, more than h.").of(OBLIVIOUS),
    Term::new("interval", &["intervals", "95% interval"], "The range in which the true value lies in 95 of 100 such measurements."),
    Term::new("latency", &["latencies"], "The time from a message's creation until its last flit has arrived.").of(WORMS),
    Term::new("load factor", &["load factors"], "The largest number of messages that must go through a channel, divided by the wires it has: no schedule takes \
         fewer delivery cycles.")
    .of(TREES)
    .drawn("<path stroke-width='6' d='M60 6v14'/><path stroke-width='3' d='M60 20l-28 12M60 20l28 12'/><path d='M32 32l-12 12M32 32l12 12M88 32l-12 12M88 32l12 12'/>"),
    Term::new("lost message", &["lost messages"], "A message that faults leave no permitted hop: it is taken out of the network.").of(MESHES),
    Term::new("minimal path", &["minimal paths", "shortest path", "shortest paths"], "A path on which every hop leads nearer: it corrects each wrong bit once, and nothing \
         else."),
    Term::new("path limit", &[], "The most hops that a message may make, in multiples of the dimension n; then it is given up.").of(&["message"]),
    Term::new("pattern", &["patterns"], "One drawing of faults and choices: the same number shows the same one on every machine."),
    Term::new("permutation", &["permutations"], "A traffic in which every node sends one message and receives one.").of(OBLIVIOUS),
    Term::new("required link", &["required links"], "A link that corrects a wrong bit: every shortest path takes all of them, in some order.").of(&["circuit", "pairs", "message"]),
    Term::new("seed", &[], "The number that all chance comes from: the same seed gives the same results."),
    Term::new("setup time", &["setup times"], "The time from a message's arrival at its source until its circuit is complete.").of(&["circuit"]),
    Term::new("sidetracks", &["sidetrack", "sidetracked"], "Takes a hop that leads away from the destination, because every one that leads nearer is blocked.").of(&["message"]),
    Term::new("tunnelling", &[], "Going to and fro between the nodes of a closed set until the path limit ends it.").of(&["message"]),
    Term::new("unstable", &[], "More arrives than the network can carry: what waits grows without end, and a mean means nothing."),
    Term::new("virtual channel", &["virtual channels"], "One of several queues that share the wire of a link in turns: where a message waits in one, others still pass in \
         the rest.")
    .of(WORMS)
    .drawn("<path d='M16 14h88M16 34h88'/><path class='b' d='M30 16h14v7h-14zM48 16h14v7h-14z'/><path d='M70 25h14v7h-14z'/><path class='s' stroke-dasharray='3 3' d='M16 24h88'/>"),
    Term::new("worm", &["worms"], "A message that is spread over several channels: its header goes ahead, its flits follow, and it holds every channel until \
         its tail has passed.")
    .of(WORMS),
    Term::new("wrong bit", &["wrong bits"], "A bit in which the addresses of the message's node and of its destination differ: there are as many as hops left on a \
         shortest path.")
    .of(CUBES)
    .drawn("<text x='40' y='18'>here 1<tspan class='f'>0</tspan>1<tspan class='f'>0</tspan></text><text x='40' y='38'>to 1<tspan class='f'>1</tspan>1<tspan class='f'>1</tspan></text>"),
];

/// Part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Plain text.
    Plain(&'a str),
    /// Term, as it is written there, with its definition.
    Word(&'a str, &'static Term),
}

/// Splits `text` into plain parts and terms. Each term is marked at its first occurrence, unless it
/// is in `told`; marked terms are added to `told`. Of the terms that begin at one position, the
/// longest counts.
pub fn parts<'a>(text: &'a str, told: &mut Vec<&'static str>) -> Vec<Part<'a>> {
    let (mut parts, mut plain_from, mut at) = (Vec::new(), 0, 0);
    while at < text.len() {
        let rest = &text[at..];
        match term_at(rest) {
            // The words inside a term are not marked either: the channel of a virtual channel is
            // not a term.
            Some((length, term)) if told.contains(&term.name) => at += length,
            Some((length, term)) => {
                parts.push(Part::Plain(&text[plain_from..at]));
                parts.push(Part::Word(&rest[..length], term));
                told.push(term.name);
                at += length;
                plain_from = at;
            }
            None => at += next_word(rest),
        }
    }
    parts.push(Part::Plain(&text[plain_from..]));
    parts.retain(|part| !matches!(part, Part::Plain("")));
    parts
}

/// Returns the longest form of a term at the start of `rest`, as a whole word: its length, and the
/// term.
fn term_at(rest: &str) -> Option<(usize, &'static Term)> {
    let forms = TERMS
        .iter()
        .flat_map(|term| std::iter::once(&term.name).chain(term.other_forms).map(move |form| (*form, term)));
    let begins = |form: &str| {
        let ends = rest.as_bytes().get(form.len()).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'-');
        rest.get(..form.len()).is_some_and(|start| start.eq_ignore_ascii_case(form)) && ends
    };
    forms.filter(|(form, _)| begins(form)).map(|(form, term)| (form.len(), term)).max_by_key(|(length, _)| *length)
}

/// Returns the distance to the start of the next word of `rest`, at least one character.
fn next_word(rest: &str) -> usize {
    let inside = |letter: char| letter.is_alphanumeric() || letter == '-';
    let end = rest.find(|letter| !inside(letter)).unwrap_or(rest.len());
    let gap = rest[end..].find(inside).unwrap_or(rest.len() - end);
    end + gap
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::KINDS;

    #[test]
    fn words_are_found_whole_once_and_as_long_as_they_are() {
        let found = |text| {
            let words = parts(text, &mut Vec::new()).into_iter().filter_map(|part| match part {
                Part::Word(word, term) => Some((word, term.name)),
                Part::Plain(_) => None,
            });
            words.collect::<Vec<_>>()
        };
        assert_eq!(found("Wrong bits: a wrong bit."), [("Wrong bits", "wrong bit")]);
        assert_eq!(
            found("f-rings and virtual channels"),
            [("f-rings", "fault ring"), ("virtual channels", "virtual channel")]
        );
        assert_eq!(found("subchannels, channel-wise, worming é worms"), [("worms", "worm")]);
        assert_eq!(parts("no such thing", &mut Vec::new()), [Part::Plain("no such thing")]);
        assert_eq!(found("virtual channel 1, virtual channel 2"), [("virtual channel", "virtual channel")]);
        assert_eq!(parts("a worm", &mut vec!["worm"]), [Part::Plain("a worm")]);
        assert_eq!(parts("", &mut Vec::new()), []);
    }

    /// Checks that no text is lost or reordered.
    #[test]
    fn parts_are_the_text() {
        for term in TERMS {
            let joined: String = parts(term.meaning, &mut Vec::new())
                .into_iter()
                .map(|part| match part {
                    Part::Plain(text) | Part::Word(text, _) => text,
                })
                .collect();
            assert_eq!(joined, term.meaning);
        }
    }

    #[test]
    fn terms_stand_in_order_and_name_kinds_that_there_are() {
        assert!(TERMS.is_sorted_by_key(|term| term.name));
        for term in TERMS {
            assert!(term.kinds.iter().all(|id| KINDS.iter().any(|kind| kind.id == *id)), "{}", term.name);
            assert!(term.meaning.ends_with('.') && !term.meaning.contains("  "), "{}", term.name);
        }
    }
}
