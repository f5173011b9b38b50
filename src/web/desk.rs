//! What the editor of rules and the rest of the page share: what is being written, and which rule fires.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use yew::Callback;

use crate::experiment::Experiment;
use crate::routing::rules::RuleText;

/// What is being written, whether it can be understood or not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Draft {
    /// All that stands there.
    pub(crate) text: String,
    /// The rules of the experiment to which it belongs.
    of: String,
    /// What was written and not understood, or not yet taken, when other rules came from elsewhere.
    pub(crate) lost: Option<String>,
}

impl Draft {
    /// What is there to be edited while `rules` hold: this, unless they have come from elsewhere.
    fn beside(self, rules: &str) -> Self {
        if self.of == rules {
            return self;
        }
        let understood = RuleText::parse(&self.text).ok();
        let says = |rules: &str| understood.as_ref().is_some_and(|understood| understood.text() == rules);
        if says(rules) {
            return Self { of: rules.to_owned(), ..self };
        }
        let is_known = self.text.is_empty() || says(&self.of);
        let lost = if is_known { self.lost } else { Some(self.text) };
        Self { text: rules.to_owned(), of: rules.to_owned(), lost }
    }
}

impl Draft {
    /// Has `rules`, which hold, in the place of what is written and is not them, which is kept; whether there was such a text.
    fn put_aside(&mut self, rules: &str) -> bool {
        let is_other = self.of == rules
            && !self.text.is_empty()
            && self.text.trim() != rules.trim()
            && RuleText::parse(&self.text).ok().is_none_or(|written| written.text() != rules);
        if is_other {
            self.lost = Some(std::mem::replace(&mut self.text, rules.to_owned()));
        }
        is_other
    }
}

/// Empty lines before the first rule, and spaces before its first word: they are no part of the rules.
pub(super) fn skipped(text: &str) -> (u32, u32) {
    let before = &text[..text.len() - text.trim_start().len()];
    let spaces = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() as u32, spaces.chars().count() as u32)
}

/// The desk. Clones are handles of the same one.
#[derive(Clone, Default)]
pub(crate) struct Desk(Rc<Inner>);

#[derive(Default)]
struct Inner {
    draft: RefCell<Draft>,
    line: Cell<Option<u32>>,
    hears: RefCell<Callback<Option<u32>>>,
    redraws: RefCell<Callback<()>>,
    calls: Cell<bool>,
    away: RefCell<Option<Away>>,
}

/// A counterexample that was opened.
#[derive(Clone)]
pub(super) struct Away {
    /// The experiment from which.
    pub(super) home: Rc<Experiment>,
    /// The counterexample itself.
    pub(super) witness: Rc<Experiment>,
}

impl PartialEq for Desk {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Desk {
    /// What is being written beside `rules`.
    pub(super) fn draft(&self, rules: &str) -> Draft {
        let draft = self.0.draft.take().beside(rules);
        self.0.draft.replace(draft.clone());
        draft
    }

    /// Somebody has written.
    pub(super) fn write(&self, text: String) {
        self.0.draft.borrow_mut().text = text;
    }

    /// Keeps `text`, which other rules are about to take the place of, to be brought back.
    pub(super) fn keep(&self, text: &str) {
        self.0.draft.borrow_mut().lost = Some(text.to_owned());
    }

    /// Puts aside what is written, if that is not what holds and an editor is open: whether it was put aside.
    pub(super) fn put_aside(&self, rules: &str) -> bool {
        let is_put = self.0.draft.borrow_mut().put_aside(rules);
        if is_put {
            let redraws = self.0.redraws.borrow().clone();
            redraws.emit(());
        }
        is_put
    }

    /// `redraws` is told when what is written has been put aside, from now on.
    pub(super) fn redraw(&self, redraws: Callback<()>) {
        self.0.redraws.replace(redraws);
    }

    /// Nothing is lost any more.
    pub(super) fn forget(&self) {
        self.0.draft.borrow_mut().lost = None;
    }

    /// The rule in this line of the text fires.
    pub(crate) fn mark(&self, line: Option<u32>) {
        self.0.line.set(line);
        let hears = self.0.hears.borrow().clone();
        hears.emit(line);
    }

    /// `hears` is told which one does, from now on.
    pub(super) fn hear(&self, hears: Callback<Option<u32>>) {
        hears.emit(self.0.line.get());
        self.0.hears.replace(hears);
    }

    /// The counterexample that was opened last.
    pub(super) fn away(&self) -> Option<Away> {
        self.0.away.borrow().clone()
    }

    /// A counterexample is opened; `None` if one has come back from it.
    pub(super) fn leave(&self, away: Option<Away>) {
        self.0.away.replace(away);
    }

    /// The editor that opens next takes the focus.
    pub(crate) fn call(&self) {
        self.0.calls.set(true);
    }

    /// Whether that was asked for.
    pub(super) fn is_called(&self) -> bool {
        self.0.calls.replace(false)
    }
}
