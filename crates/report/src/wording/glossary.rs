//! Glossary of the field, a sentence for each term, shown by the page's tooltips and by `faultlab
//! help words`.

/// Term that may be unknown to the user.
#[derive(Debug, PartialEq, Eq)]
pub struct GlossaryTerm {
    /// Term as lists show it.
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

impl GlossaryTerm {
    const fn new(name: &'static str, also: &'static [&'static str], meaning: &'static str) -> Self {
        Self { name, other_forms: also, kinds: &[], meaning, picture: None }
    }

    const fn with_kinds(self, kinds: &'static [&'static str]) -> Self {
        Self { kinds, ..self }
    }

    const fn with_picture(self, picture: &'static str) -> Self {
        Self { picture: Some(picture), ..self }
    }
}

const CUBES: &[&str] = &["message", "circuit", "pairs", "permutation", "batch"];
const MESHES: &[&str] = &["wormhole"];
const WORMS: &[&str] = &["wormhole", "batch"];
const OBLIVIOUS: &[&str] = &["permutation", "batch"];
const TREES: &[&str] = &["delivery"];

/// List of all terms, in alphabetical order.
pub static TERMS: &[GlossaryTerm] = &[
    GlossaryTerm::new("active node", &["active nodes"], "A live node that takes part: few of the bit-fixing paths out \
         of the node, and into it, are faulty (Algorithm A: at most \
         one in 3n).")
    .with_kinds(OBLIVIOUS),
    GlossaryTerm::new("bisection utilization", &[], "Flits that cross the middle of the network in a cycle, as a \
         share of the capacity of the links there.")
    .with_kinds(MESHES)
    .with_picture("<path d='M8 12h104M8 24h104M8 36h104'/><path class='s' stroke-dasharray='3 3' d='M60 4v40'/><path class='b' d='M52 9l12 3-12 3zM52 21l12 3-12 3z'/>"),
    GlossaryTerm::new("capacity", &["capacities"], "The number of wires of a fat-tree channel, and so of messages that can cross it in one delivery \
         cycle.").with_kinds(TREES),
    GlossaryTerm::new("channel", &["channels"], "A link in one of its two directions."),
    GlossaryTerm::new("circuit", &["circuits"], "A path whose links are all reserved before the message is sent, and held until it has arrived.")
        .with_kinds(&["circuit"]),
    GlossaryTerm::new("class", &["classes"], "Virtual channels with the same role in deadlock avoidance: if messages use the classes in a fixed \
         order, they never wait for each other in a circle.")
    .with_kinds(WORMS),
    GlossaryTerm::new("closed set", &["closed sets"], "Nodes that a message never leaves, because the algorithm never chooses a hop that leads out.")
    .with_kinds(&["message"])
    .with_picture("<path d='M30 16h30v16h-30zM60 16h30'/><path class='f' d='M84 10l12 12M96 10l-12 12'/><path class='s' stroke-dasharray='3 3' d='M18 6h56v36h-56z'/><circle class='b' cx='30' cy='32' r='4'/>"),
    GlossaryTerm::new("congestion", &[], "The number of messages whose routes use the same channel; for a network, \
         the number on its busiest channel.").with_kinds(OBLIVIOUS),
    GlossaryTerm::new("dead end", &["dead ends"], "A node without a permitted hop: the message stays there.").with_kinds(&["message"]),
    GlossaryTerm::new("deadlock", &["deadlocks", "deadlocked"], "A set of messages, each of which waits only for channels that the set holds: none \
         of them will ever move again.")
        .with_picture("<path d='M44 8h32v32h-32z'/><path class='b' d='M56 4l10 4-10 4zM72 20l4 10 4-10zM64 36l-10 4 10 4zM40 28l4-10 4 10z'/>"),
    GlossaryTerm::new("delivery cycle", &["delivery cycles"], "A transmission of messages through a fat-tree: \
         messages that find no free wire are lost, and are sent \
         again in a later cycle.")
    .with_kinds(TREES),
    GlossaryTerm::new("dependency graph", &[], "A graph with an arrow from each channel to the channels that a \
         message in it may request next. Without a cycle, no message can \
         deadlock. A cycle alone is no deadlock: its messages may have other \
         channels to take."),
    GlossaryTerm::new("dimension", &["dimensions"], "In a hypercube, a bit of the addresses: a link of dimension i joins two nodes whose addresses \
         differ only in bit i. In a mesh, one of its axes.")
    .with_picture("<path d='M30 24h60'/><circle cx='30' cy='24' r='5'/><circle cx='90' cy='24' r='5'/><text x='30' y='14'>0<tspan class='f'>0</tspan>1</text><text x='90' y='14'>0<tspan class='f'>1</tspan>1</text><text class='s' x='60' y='38'>dimension 1</text>"),
    GlossaryTerm::new("discarded message", &["discarded messages"], "A message that is dropped at its source, because as many as the injection \
         limit allows are already on their way.")
    .with_kinds(MESHES),
    GlossaryTerm::new("f-chain", &["f-chains", "fault chain", "fault chains"], "A fault ring that the border of the mesh cuts open.").with_kinds(MESHES),
    GlossaryTerm::new("fault region", &["fault regions", "node block", "node blocks"], "Adjacent faults, extended to a rectangle that messages can \
         go around.").with_kinds(MESHES),
    GlossaryTerm::new("fault ring", &["fault rings", "f-ring", "f-rings"], "The live nodes and links around a fault region: messages that the \
         region blocks go along it.")
    .with_kinds(MESHES)
    .with_picture("<path d='M44 8h32v32h-32z'/><path class='s' d='M20 24h24M76 24h24M60 2v6M60 40v6'/><path class='f' d='M55 19l10 10M65 19l-10 10'/>"),
    GlossaryTerm::new("flit", &["flits"], "A piece of a message that crosses a channel in one cycle: the header flit \
         finds the way, the other flits follow.")
        .with_kinds(WORMS)
        .with_picture("<path class='s' d='M6 24h108'/><path class='b' d='M82 18h14l6 6-6 6h-14z'/><path d='M16 18h14v12h-14zM38 18h14v12h-14zM60 18h14v12h-14z'/>"),
    GlossaryTerm::new("h-relation", &["h-relations"], "A set of messages: no node sends or receives more than h.").with_kinds(OBLIVIOUS),
    GlossaryTerm::new("interval", &["intervals", "95% interval"], "The range in which the true value lies in 95 of 100 such measurements."),
    GlossaryTerm::new("latency", &["latencies"], "The time from a message's creation until its last flit has arrived.").with_kinds(WORMS),
    GlossaryTerm::new("load factor", &["load factors"], "The largest ratio, over all channels, of messages that must cross a channel to its wires: \
         no schedule takes fewer delivery cycles.")
    .with_kinds(TREES)
    .with_picture("<path stroke-width='6' d='M60 6v14'/><path stroke-width='3' d='M60 20l-28 12M60 20l28 12'/><path d='M32 32l-12 12M32 32l12 12M88 32l-12 12M88 32l12 12'/>"),
    GlossaryTerm::new("lost message", &["lost messages"], "A message that faults leave without a permitted hop: it is removed from the network.").with_kinds(MESHES),
    GlossaryTerm::new("minimal path", &["minimal paths", "shortest path", "shortest paths"], "A path on which every hop leads nearer to the \
         destination: it corrects each wrong bit once."),
    GlossaryTerm::new("misroute", &["misroutes"], "A hop of a probe that leads no nearer to the destination.").with_kinds(&["circuit"]),
    GlossaryTerm::new("path limit", &[], "The most hops that a message may make, in multiples of the dimension n; then it is dropped.").with_kinds(&["message"]),
    GlossaryTerm::new("pattern", &["patterns"], "One random sample of faults and choices: the same number shows the same sample on every machine."),
    GlossaryTerm::new("permutation", &["permutations"], "Traffic in which every node sends one message and receives one.").with_kinds(OBLIVIOUS),
    GlossaryTerm::new("probe", &["probes"], "The header that reserves the links of a circuit one by one, ahead of the message.").with_kinds(&["circuit"]),
    GlossaryTerm::new("required link", &["required links"], "A link that corrects a wrong bit: every shortest path takes all of them, in some \
         order.").with_kinds(&["circuit", "pairs", "message"]),
    GlossaryTerm::new("seed", &[], "The number from which all random choices derive: the same seed gives the same results."),
    GlossaryTerm::new("setup time", &["setup times"], "The time from a message's arrival at its source until its circuit is complete.").with_kinds(&["circuit"]),
    GlossaryTerm::new("sidetracks", &["sidetrack", "sidetracked"], "Takes a hop that leads away from the destination, \
         because every hop that leads nearer is blocked.").with_kinds(&["message"]),
    GlossaryTerm::new("tunnelling", &[], "Moving to and fro between the nodes of a closed set until the path limit is reached.").with_kinds(&["message"]),
    GlossaryTerm::new("unstable", &[], "More messages arrive than the network can carry: queues grow without bound, and means are undefined."),
    GlossaryTerm::new("virtual channel", &["virtual channels"], "One of several queues that share a link in turns: a message that waits in one does not \
         block the others.")
    .with_kinds(WORMS)
    .with_picture("<path d='M16 14h88M16 34h88'/><path class='b' d='M30 16h14v7h-14zM48 16h14v7h-14z'/><path d='M70 25h14v7h-14z'/><path class='s' stroke-dasharray='3 3' d='M16 24h88'/>"),
    GlossaryTerm::new("worm", &["worms"], "A message that is spread over several channels: its header goes ahead, its flits follow, and it holds \
         every channel until its tail has passed.")
    .with_kinds(WORMS),
    GlossaryTerm::new("wrong bit", &["wrong bits"], "A bit in which the addresses of the message's node and its destination differ. A shortest path \
         has as many hops left as there are wrong bits.")
    .with_kinds(CUBES)
    .with_picture("<text x='40' y='18'>here 1<tspan class='f'>0</tspan>1<tspan class='f'>0</tspan></text><text x='40' y='38'>to 1<tspan class='f'>1</tspan>1<tspan class='f'>1</tspan></text>"),
];

/// Part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlossarySpan<'a> {
    /// Plain text.
    Plain(&'a str),
    /// Term, as it is written in the sentence, with its definition.
    Word(&'a str, &'static GlossaryTerm),
}

/// Splits `text` into plain parts and terms. Each term is marked at its first occurrence, unless it
/// is in `told`; marked terms are added to `told`. Of the terms that begin at one position, the
/// longest is marked.
pub fn parts<'a>(text: &'a str, told: &mut Vec<&'static str>) -> Vec<GlossarySpan<'a>> {
    let (mut parts, mut plain_from, mut at) = (Vec::new(), 0, 0);
    while at < text.len() {
        let rest = &text[at..];
        match term_at(rest) {
            // The words inside a term are not marked either: the channel of a virtual channel is
            // not a term.
            Some((length, term)) if told.contains(&term.name) => at += length,
            Some((length, term)) => {
                parts.push(GlossarySpan::Plain(&text[plain_from..at]));
                parts.push(GlossarySpan::Word(&rest[..length], term));
                told.push(term.name);
                at += length;
                plain_from = at;
            }
            None => at += next_word(rest),
        }
    }
    parts.push(GlossarySpan::Plain(&text[plain_from..]));
    parts.retain(|part| !matches!(part, GlossarySpan::Plain("")));
    parts
}

/// Returns the longest form of a term at the start of `rest`, as a whole word: its length, and the
/// term.
fn term_at(rest: &str) -> Option<(usize, &'static GlossaryTerm)> {
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
    fn finds_whole_terms_once_and_prefers_the_longest() {
        let found = |text| {
            let words = parts(text, &mut Vec::new()).into_iter().filter_map(|part| match part {
                GlossarySpan::Word(word, term) => Some((word, term.name)),
                GlossarySpan::Plain(_) => None,
            });
            words.collect::<Vec<_>>()
        };
        assert_eq!(found("Wrong bits: a wrong bit."), [("Wrong bits", "wrong bit")]);
        assert_eq!(
            found("f-rings and virtual channels"),
            [("f-rings", "fault ring"), ("virtual channels", "virtual channel")]
        );
        assert_eq!(found("subchannels, channel-wise, worming é worms"), [("worms", "worm")]);
        assert_eq!(parts("no such thing", &mut Vec::new()), [GlossarySpan::Plain("no such thing")]);
        assert_eq!(found("virtual channel 1, virtual channel 2"), [("virtual channel", "virtual channel")]);
        assert_eq!(parts("a worm", &mut vec!["worm"]), [GlossarySpan::Plain("a worm")]);
        assert_eq!(parts("", &mut Vec::new()), []);
    }

    /// Checks that no text is lost or reordered.
    #[test]
    fn parts_concatenate_to_the_text() {
        for term in TERMS {
            let joined: String = parts(term.meaning, &mut Vec::new())
                .into_iter()
                .map(|part| match part {
                    GlossarySpan::Plain(text) | GlossarySpan::Word(text, _) => text,
                })
                .collect();
            assert_eq!(joined, term.meaning);
        }
    }

    #[test]
    fn terms_are_sorted_and_name_existing_kinds() {
        assert!(TERMS.is_sorted_by_key(|term| term.name));
        for term in TERMS {
            assert!(term.kinds.iter().all(|id| KINDS.iter().any(|kind| kind.id == *id)), "{}", term.name);
            assert!(term.meaning.ends_with('.') && !term.meaning.contains("  "), "{}", term.name);
        }
    }
}
