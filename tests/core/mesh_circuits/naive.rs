//! Second simulator of backtracking probes, as simple as possible: lists, scans and tables of hops.
//! Shares no code with the library.

use std::collections::BTreeMap;

/// Message of the library's simulator, with the times of its later attempts.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) number: u64,
    pub(crate) time: f64,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) duration: f64,
    pub(crate) retries: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Starts,
    Arrives,
    Returns,
    Acknowledged,
    Transmitted,
    Gone,
}

struct Message {
    request: Request,
    phase: Phase,
    /// Time of the next event.
    time: f64,
    path: Vec<u64>,
    /// Neighbours tried at each node of the path.
    tried: Vec<Vec<u64>>,
    /// Nodes visited in this attempt, each with the misroutes of the path then.
    visits: Vec<(u64, usize)>,
    attempt: usize,
}

pub(crate) struct Naive {
    /// Neighbours of each node over links without faults, in the order of its ports.
    pub(crate) neighbors: Vec<Vec<u64>>,
    /// Hops to each destination from each node, without faults.
    pub(crate) hops: Vec<Vec<u32>>,
    pub(crate) most_misroutes: usize,
    pub(crate) hop: f64,
    pub(crate) requests: Vec<Request>,
}

impl Naive {
    /// Returns the completion times of the circuits up to time `until`.
    pub(crate) fn run(&mut self, until: f64) -> BTreeMap<u64, f64> {
        let begin = |request: &Request| Message {
            phase: Phase::Starts,
            time: request.time,
            path: vec![request.from],
            tried: vec![Vec::new()],
            visits: vec![(request.from, 0)],
            attempt: 0,
            request: request.clone(),
        };
        let mut messages: Vec<Message> = self.requests.iter().map(begin).collect();
        let mut completed = BTreeMap::new();
        loop {
            let next = messages.iter().enumerate().filter(|(_, message)| message.phase != Phase::Gone);
            let Some((index, _)) = next.min_by(|a, b| a.1.time.total_cmp(&b.1.time)) else { return completed };
            let time = messages[index].time;
            if time > until {
                return completed;
            }
            self.advance(&mut messages, index, &mut completed);
        }
    }

    fn advance(&self, messages: &mut [Message], index: usize, completed: &mut BTreeMap<u64, f64>) {
        let message = &mut messages[index];
        let links = (message.path.len() - 1) as f64;
        match message.phase {
            Phase::Acknowledged => {
                completed.insert(message.request.number, message.time);
                message.phase = Phase::Transmitted;
                message.time += message.request.duration + self.hop * links;
            }
            Phase::Transmitted => {
                message.phase = Phase::Gone;
                message.path.truncate(1);
            }
            Phase::Arrives if message.path.last() == Some(&message.request.to) => {
                message.phase = Phase::Acknowledged;
                message.time += self.hop * links;
            }
            Phase::Returns => {
                message.path.pop();
                message.tried.pop();
                self.decide(messages, index);
            }
            _ => self.decide(messages, index),
        }
    }

    fn decide(&self, messages: &mut [Message], index: usize) {
        let is_reserved = |from: u64, to: u64| {
            let holds = |message: &Message| message.path.windows(2).any(|pair| pair == [from, to]);
            messages.iter().any(holds)
        };
        let message = &messages[index];
        let (here, hops) = (message.path[message.path.len() - 1], &self.hops[message.request.to as usize]);
        let is_misroute = |from: u64, to: u64| hops[to as usize] >= hops[from as usize];
        let used = message.path.windows(2).filter(|pair| is_misroute(pair[0], pair[1])).count();
        let is_possible = |&&next: &&u64| {
            let count = used + usize::from(is_misroute(here, next));
            let visited_as_well = message
                .visits
                .iter()
                .any(|&(node, before)| node == next && (before <= count || self.most_misroutes == 1000));
            count <= self.most_misroutes
                && !visited_as_well
                && !message.tried.last().is_some_and(|tried| tried.contains(&next))
                && !is_reserved(here, next)
        };
        let possible: Vec<u64> = self.neighbors[here as usize].iter().filter(is_possible).copied().collect();
        let chosen = possible.iter().find(|&&next| !is_misroute(here, next)).or(possible.first()).copied();
        let message = &mut messages[index];
        match chosen {
            Some(next) => {
                if let Some(tried) = message.tried.last_mut() {
                    tried.push(next);
                }
                message.visits.push((next, used + usize::from(is_misroute(here, next))));
                message.path.push(next);
                message.tried.push(Vec::new());
                (message.phase, message.time) = (Phase::Arrives, message.time + self.hop);
            }
            None if message.path.len() > 1 => {
                (message.phase, message.time) = (Phase::Returns, message.time + self.hop);
            }
            None => {
                (message.visits, message.tried) = (vec![(here, 0)], vec![Vec::new()]);
                (message.phase, message.time) = match message.request.retries.get(message.attempt) {
                    Some(&time) => (Phase::Starts, time),
                    None => (Phase::Starts, f64::INFINITY),
                };
                message.attempt += 1;
            }
        }
    }
}
