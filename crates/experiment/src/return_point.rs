//! Return from a counterexample, a flaw of user-defined rules or a deadlock: the settings that the
//! counterexample changed, and the experiment to return to.

use super::{Experiment, ExperimentError, FieldDiff, Tab};

/// Keys that are never taken over from a counterexample.
const KEPT_KEYS: [&str; 5] = ["rules", "route", "vary", "within", "trials"];

/// Return point from an opened counterexample.
#[derive(Clone, Debug, PartialEq)]
pub struct ReturnPoint {
    /// Experiment from which the counterexample was opened.
    pub home: Experiment,
    /// Experiment of the counterexample.
    pub witness: Experiment,
}

impl ReturnPoint {
    /// Returns the settings that the counterexample changed and that `here`, the current experiment,
    /// still has; empty if the current experiment no longer belongs to the counterexample.
    pub fn changes(&self, here: &Experiment) -> Vec<FieldDiff> {
        let Self { home, witness } = self;
        if here.rules.is_some() != home.rules.is_some() || home.kind() != here.kind() || home.network != here.network {
            return Vec::new();
        }
        let since = witness.diff(here);
        let is_its = |it: &FieldDiff| !KEPT_KEYS.contains(&it.key) && since.iter().all(|later| later.key != it.key);
        home.diff(here).into_iter().filter(is_its).collect()
    }

    /// Returns the experiment from which the counterexample was opened, with the rules of `here`, the
    /// current experiment, and with its faults if `keeps_faults` is set.
    ///
    /// # Errors
    ///
    /// Fails if the rules do not suit the experiment.
    pub fn experiment_on_return(&self, here: &Experiment, keeps_faults: bool) -> Result<Experiment, ExperimentError> {
        let mut next = self.home.clone();
        if keeps_faults {
            next.faults.clone_from(&here.faults);
        }
        // A deadlock was opened from Check; rules are edited in Watch, whatever view the user has now.
        if self.home.view.tab == Tab::Watch {
            next.view.tab = here.view.tab;
        }
        next.with_key("rules", here.rules.as_ref().map_or("", |rules| rules.text()))
    }
}

impl Experiment {
    /// Returns this experiment without rules. Settings that only the rules permit, such as a single
    /// virtual channel, get their defaults.
    #[must_use]
    pub fn without_rules(&self) -> Self {
        self.with_key("rules", "").unwrap_or_else(|_| {
            let bare = Self { rules: None, routing: Vec::new(), ..self.clone() };
            Self::read_text(&bare.to_string()).experiment
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "rules=routing mine on mesh 2 always take minimal";

    fn parsed(text: &str) -> Experiment {
        format!("net=mesh:4x4&switch=wormhole&{RULES}{text}").parse().unwrap()
    }

    #[test]
    fn without_rules_drops_settings_that_only_the_rules_permit() {
        let bare = parsed("&vc=1&load=0.3&break=3.3").without_rules();
        assert!(bare.rules.is_none() && bare.validate().is_ok(), "{bare}");
        assert!(bare.to_string().contains("break=3.3") && bare.to_string().contains("load=0.3"), "{bare}");
        let kept = parsed("&vc=7&load=0.3").without_rules();
        assert!(kept.to_string().contains("vc=7"), "{kept}");
    }

    #[test]
    fn lists_counterexample_settings_that_are_still_active() {
        let return_point = ReturnPoint {
            home: parsed("&load=0.3&break=3.3"),
            witness: parsed("&load=1&vc=1&traffic=0.0-1.1&break=3.3,2.2"),
        };
        let keys = |here: &Experiment| return_point.changes(here).iter().map(|it| it.key).collect::<Vec<_>>();
        assert_eq!(keys(&return_point.witness), ["break", "traffic", "load", "vc"]);
        assert_eq!(keys(&return_point.home), [""; 0]);
        // A setting that the user has changed since then no longer belongs to the counterexample.
        let mut here = parsed("&load=0.5&vc=1&traffic=0.0-1.1&break=3.3,2.2");
        assert_eq!(keys(&here), ["break", "traffic", "vc"]);
        let mended = "routing mine on mesh 2\nwhen West is minimal take West\notherwise take minimal";
        here = here.with_key("rules", mended).unwrap();
        let [home, faulty] = [false, true].map(|keeps| return_point.experiment_on_return(&here, keeps).unwrap());
        assert_eq!((keys(&home), keys(&faulty)), (vec![], vec!["break"]));
        assert!([&home, &faulty].iter().all(|next| next.rules.as_ref().unwrap().text() == mended));
    }
}
