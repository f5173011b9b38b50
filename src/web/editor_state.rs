//! State that the rule editor shares with the page: the draft, and the rule that fires.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use yew::Callback;

use crate::experiment::{Experiment, ReturnPoint};
use crate::routing::rules::RuleText;

/// Draft in the editor; it may contain syntax errors.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Draft {
    /// Whole text in the editor.
    pub(crate) text: String,
    /// Rules of the experiment that the draft belongs to.
    base_rules: String,
    /// Stashed text: a draft with errors, or not yet applied, when other rules arrived.
    pub(crate) stashed: Option<String>,
}

impl Draft {
    /// Returns the draft to edit while `rules` are active: this draft, unless other rules have
    /// arrived.
    fn rebased_on(self, rules: &str) -> Self {
        if self.base_rules == rules {
            return self;
        }
        let understood = RuleText::parse(&self.text).ok();
        let says = |rules: &str| understood.as_ref().is_some_and(|understood| understood.text() == rules);
        if says(rules) {
            return Self { base_rules: rules.to_owned(), ..self };
        }
        let is_known = self.text.is_empty() || says(&self.base_rules);
        let lost = if is_known { self.stashed } else { Some(self.text) };
        Self { text: rules.to_owned(), base_rules: rules.to_owned(), stashed: lost }
    }
}

impl Draft {
    /// Replaces a draft that differs from the active `rules` and stashes it so that it can be
    /// restored. Returns whether a draft was stashed.
    fn put_aside(&mut self, rules: &str) -> bool {
        let is_other = self.base_rules == rules
            && !self.text.is_empty()
            && self.text.trim() != rules.trim()
            && RuleText::parse(&self.text).ok().is_none_or(|written| written.text() != rules);
        if is_other {
            self.stashed = Some(std::mem::replace(&mut self.text, rules.to_owned()));
        }
        is_other
    }
}

/// Returns the empty lines before the first rule and the spaces before its first word, which are
/// not part of the rules.
pub(super) fn leading_blank(text: &str) -> (u32, u32) {
    let before = &text[..text.len() - text.trim_start().len()];
    let spaces = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() as u32, spaces.chars().count() as u32)
}

/// Shared state of the rule editor. Clones refer to the same state.
#[derive(Clone, Default)]
pub(crate) struct EditorState(Rc<EditorStateInner>);

#[derive(Default)]
struct EditorStateInner {
    draft: RefCell<Draft>,
    line: Cell<Option<u32>>,
    on_rule_fired: RefCell<Callback<Option<u32>>>,
    on_stashed: RefCell<Callback<()>>,
    wants_focus: Cell<bool>,
    return_point: RefCell<Option<ReturnPoint>>,
    /// Experiment from which an exercise was opened, and the name of the exercise.
    before_exercise: RefCell<Option<(Rc<Experiment>, &'static str)>>,
}

impl PartialEq for EditorState {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl EditorState {
    /// Returns the draft to edit while `rules` are active.
    pub(super) fn draft(&self, rules: &str) -> Draft {
        let draft = self.0.draft.take().rebased_on(rules);
        self.0.draft.replace(draft.clone());
        draft
    }

    /// Replaces the text of the draft.
    pub(super) fn set_text(&self, text: String) {
        self.0.draft.borrow_mut().text = text;
    }

    /// Stashes `text`, which other rules are about to replace.
    pub(super) fn stash(&self, text: &str) {
        self.0.draft.borrow_mut().stashed = Some(text.to_owned());
    }

    /// Stashes the draft if it differs from the active rules and an editor is open. Returns whether
    /// it was stashed.
    pub(super) fn put_aside(&self, rules: &str) -> bool {
        let is_put = self.0.draft.borrow_mut().put_aside(rules);
        if is_put {
            let redraws = self.0.on_stashed.borrow().clone();
            redraws.emit(());
        }
        is_put
    }

    /// Sets the callback that redraws the editor after the draft has been stashed.
    pub(super) fn set_stash_listener(&self, redraws: Callback<()>) {
        self.0.on_stashed.replace(redraws);
    }

    /// Discards the stashed text.
    pub(super) fn drop_stash(&self) {
        self.0.draft.borrow_mut().stashed = None;
    }

    /// Marks the rule in this line of the text as the rule that fires.
    pub(crate) fn mark_line(&self, line: Option<u32>) {
        self.0.line.set(line);
        let hears = self.0.on_rule_fired.borrow().clone();
        hears.emit(line);
    }

    /// Sets the callback that receives the line of the rule that fires.
    pub(super) fn set_line_listener(&self, hears: Callback<Option<u32>>) {
        hears.emit(self.0.line.get());
        self.0.on_rule_fired.replace(hears);
    }

    /// Returns the return point of the counterexample that was opened last.
    pub(super) fn return_point(&self) -> Option<ReturnPoint> {
        self.0.return_point.borrow().clone()
    }

    /// Sets the return point of an opened counterexample; `None` after the return.
    pub(super) fn set_return_point(&self, return_point: Option<ReturnPoint>) {
        self.0.return_point.replace(return_point);
    }

    /// Records the experiment from which the exercise of this name was opened; `None` once it is closed.
    pub(super) fn set_before_exercise(&self, before: Option<(Rc<Experiment>, &'static str)>) {
        self.0.before_exercise.replace(before);
    }

    /// Returns the experiment from which the exercise of this name was opened; `None` if another one
    /// was opened last.
    pub(super) fn before_exercise(&self, exercise: &str) -> Option<Rc<Experiment>> {
        let before = self.0.before_exercise.borrow();
        before.as_ref().filter(|before| before.1 == exercise).map(|before| Rc::clone(&before.0))
    }

    /// Requests the focus for the editor that opens next.
    pub(crate) fn request_focus(&self) {
        self.0.wants_focus.set(true);
    }

    /// Returns whether the focus was requested, and clears the request.
    pub(super) fn take_focus_request(&self) -> bool {
        self.0.wants_focus.replace(false)
    }
}
