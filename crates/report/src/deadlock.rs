//! Deadlock verdicts as sentences and in files.

use super::files::record::{Record, Value};
use super::wording::node_of;
use faultlab_core::routing::wording::{count, mesh_node};
use faultlab_core::theory::{DeadlockProof, MAX_DEPENDENCY_NODES, UndecidedReason};
use faultlab_core::topology::{Network, NodeId};
use faultlab_experiment::deadlock::{
    ChannelWait, DeadlockAttempts, DeadlockVerdict, DeadlockedMessage, ObservedDeadlock,
};

/// Maximum number of messages of a deadlock that a sentence lists.
const MAX_LISTED_MESSAGES: usize = 8;

/// Returns the verdict in two words: "proved free", "deadlocks" or "undecided".
pub fn verdict_label(verdict: &DeadlockVerdict) -> &'static str {
    match verdict {
        DeadlockVerdict::ProvedFree { .. } => "proved free",
        DeadlockVerdict::Deadlocks(_) => "deadlocks",
        DeadlockVerdict::Undecided { .. } => "undecided",
    }
}

/// Returns the verdict in sentences, the last one without its full stop: "proved free of deadlock:
/// ...", "deadlocks: ..." or "undecided: ...".
pub fn sentence(verdict: &DeadlockVerdict, network: Network) -> String {
    let meaning = meaning(verdict, network);
    match verdict {
        DeadlockVerdict::ProvedFree { .. } => format!("proved free of deadlock: {meaning}"),
        DeadlockVerdict::Deadlocks(_) => format!("deadlocks: {meaning}"),
        DeadlockVerdict::Undecided { .. } => format!("undecided: {meaning}"),
    }
}

/// Returns the basis of the verdict: the proof, the deadlocked messages, or the attempts.
pub fn meaning(verdict: &DeadlockVerdict, network: Network) -> String {
    match verdict {
        DeadlockVerdict::ProvedFree { by } => proof(by),
        DeadlockVerdict::Deadlocks(seen) => messages(seen, network),
        DeadlockVerdict::Undecided { tried } => attempts(tried),
    }
}

fn proof(by: &DeadlockProof) -> String {
    match by {
        DeadlockProof::Acyclic => "the channel dependency graph is acyclic (Dally & Seitz)".into(),
        DeadlockProof::Ranked => {
            "a message waits only for messages with more reversals (Dally & Aoki). Otherwise it stays in dimension \
             order, or is lost"
                .into()
        }
        DeadlockProof::Escape { classes, declared } => {
            let found = if *declared { "" } else { ", found by a search" };
            format!(
                "Duato's condition holds with escape {}{found}. Escape channels alone lead to the destination from \
                 every node on the way. Their extended dependencies have no cycle",
                class_names(classes)
            )
        }
        DeadlockProof::NothingHeld => {
            "no dependency cycle can deadlock (Taktak et al., Verbeek & Schmaltz). In every set of channels, some \
             channel cannot be held by a message that waits only for channels of the set"
                .into()
        }
        DeadlockProof::NoSet => {
            "an exhaustive search found no set of messages in which each message waits only for channels that the set \
             holds"
                .into()
        }
        DeadlockProof::Backtracks => {
            "a message releases its channels before it waits, so no cyclic wait can form. Under setup=hold the \
             dependencies decide"
                .into()
        }
        DeadlockProof::Theorem => "a theorem orders the channels of the algorithm on every network".into(),
    }
}

/// Returns classes as "class c0" or "classes c0, c2".
pub(crate) fn class_names(classes: &[u8]) -> String {
    let names: Vec<_> = classes.iter().map(|class| format!("c{class}")).collect();
    format!("{} {}", if names.len() == 1 { "class" } else { "classes" }, names.join(", "))
}

fn messages(seen: &ObservedDeadlock, network: Network) -> String {
    let name = |node: NodeId| network.mesh().map_or_else(|| node_of(network, node), |mesh| mesh_node(mesh, node));
    let wait = |wait: &ChannelWait| {
        let class = wait.virtual_channel.map_or_else(String::new, |channel| format!(" v{channel}"));
        let holder = seen.messages.get(wait.holder).map_or(0, |holder| holder.number);
        format!("{} → {}{class} of message {holder}", name(wait.from), name(wait.to))
    };
    let message = |message: &DeadlockedMessage| {
        let waits: Vec<_> = message.waits.iter().map(wait).collect();
        let [from, to] = [message.pair.from, message.pair.to].map(name);
        let via = message.via.map_or_else(String::new, |via| format!(" by way of {}", name(via)));
        format!(". Message {} from {from}{via} to {to} waits for {}", message.number, waits.join(" and "))
    };
    let listed: Vec<_> = seen.messages.iter().take(MAX_LISTED_MESSAGES).map(message).collect();
    let more = match seen.messages.len().saturating_sub(MAX_LISTED_MESSAGES) {
        0 => String::new(),
        more => format!(". {more} more wait likewise"),
    };
    let length = seen.experiment.setting.worm().map(|setting| {
        format!(" of {}, one virtual channel for each class", count(u32::from(setting.length.longest()), "flit"))
    });
    let size = count(seen.messages.len() as u32, "message");
    let each = if seen.messages.len() == 1 {
        "which waits for itself"
    } else {
        "each waiting only for channels that these messages hold"
    };
    format!("{size}{}, {each}{}{more}", length.unwrap_or_default(), listed.concat())
}

fn attempts(tried: &DeadlockAttempts) -> String {
    let runs = match tried.runs {
        0 => String::new(),
        1 => ". A run did not deadlock".to_owned(),
        runs => format!(". None of {runs} runs deadlocked"),
    };
    let why = match tried.open {
        Some(UndecidedReason::TooLarge) => format!(
            "the dependency graph is built for up to {MAX_DEPENDENCY_NODES} nodes, and for up to 2^20 messages with \
             random intermediate nodes"
        ),
        Some(UndecidedReason::TooManyStates) => {
            "there are dependency cycles, and too many states to decide whether they can deadlock".into()
        }
        Some(UndecidedReason::OutOfSteps) => {
            "there are dependency cycles, and the search for a deadlocked set of messages reached its limit".into()
        }
        None => {
            format!(
                "{} would wait only for each other, but no run reached this state",
                count(tried.proposed as u32, "message")
            )
        }
    };
    format!("{why}{runs}")
}

/// Returns the verdict as a record for files: `{verdict, proof, escape: [class], messages: [{from,
/// to, via, waits: [{from, to, channel, holder}]}], runs, text}`.
pub(crate) fn record(verdict: &DeadlockVerdict, network: Network) -> Record {
    let label = |node: NodeId| network.wormhole_mesh().map_or_else(|| node.to_string(), |mesh| mesh.format_node(node));
    let wait = |wait: &ChannelWait| {
        Record::default()
            .with("from", label(wait.from))
            .with("to", label(wait.to))
            .with("channel", wait.virtual_channel)
            .with("holder", wait.holder + 1)
    };
    let messages = |seen: &ObservedDeadlock| {
        let message = |message: &DeadlockedMessage| {
            let waits = message.waits.iter().map(wait).collect::<Value>();
            let ends = Record::default().with("from", label(message.pair.from)).with("to", label(message.pair.to));
            ends.with("via", message.via.map(label)).with("waits", waits)
        };
        seen.messages.iter().map(message).collect::<Value>()
    };
    let (proof, escape) = match verdict {
        DeadlockVerdict::ProvedFree { by } => (
            Some(proof_id(by)),
            match by {
                DeadlockProof::Escape { classes, .. } => Some(classes.iter().copied().collect::<Value>()),
                _ => None,
            },
        ),
        _ => (None, None),
    };
    let runs = match verdict {
        DeadlockVerdict::Undecided { tried } => Some(tried.runs),
        _ => None,
    };
    Record::default()
        .with("verdict", verdict_label(verdict))
        .with("proof", proof)
        .with("escape", escape)
        .with("messages", verdict.observed().map(messages))
        .with("runs", runs)
        .with("text", verdict.observed().map(|seen| seen.experiment.to_string()))
}

fn proof_id(by: &DeadlockProof) -> &'static str {
    match by {
        DeadlockProof::Acyclic => "acyclic",
        DeadlockProof::Ranked => "ranked",
        DeadlockProof::Escape { declared: true, .. } => "declared-escape",
        DeadlockProof::Escape { declared: false, .. } => "found-escape",
        DeadlockProof::NothingHeld => "fixed-point",
        DeadlockProof::NoSet => "exhaustive",
        DeadlockProof::Backtracks => "backtracks",
        DeadlockProof::Theorem => "theorem",
    }
}
