//! What a sweep varies, in the left rail.

use yew::prelude::*;

use super::Bench;
use super::controls::{group, hint, set};
use super::field::{ChoiceField, TextField};
use crate::experiment::{Experiment, Parameter, Vary};
use crate::fault::FaultModel;
use crate::switching::Switching;
use crate::topology::fat_tree::Leaves;

/// What is offered to vary, with values that make sense at once.
fn suggestion(experiment: &Experiment, parameter: Parameter) -> String {
    let values = match parameter {
        Parameter::Rate if experiment.switching == Switching::Message => "0..0.9:10".to_owned(),
        Parameter::Rate if experiment.switching == Switching::Wormhole => "0,0.01,0.05,0.1".to_owned(),
        Parameter::Rate => "0..0.3:7".to_owned(),
        Parameter::Count if experiment.switching == Switching::Message => {
            format!("0..{}:2", experiment.network.others().min(1_000_000))
        }
        Parameter::Count => "1..8:8".to_owned(),
        Parameter::Dimension if experiment.switching == Switching::Permutation => "4..14:11".to_owned(),
        Parameter::Dimension if experiment.switching == Switching::Message => "4..20:9".to_owned(),
        Parameter::Dimension => "2..8:7".to_owned(),
        Parameter::MessageRate => "0.1..0.5:9".to_owned(),
        Parameter::PathLimit => "1..10:10".to_owned(),
        Parameter::Load => "0.1..0.9:9".to_owned(),
        Parameter::Injection => "1,2,3,5,8,12".to_owned(),
        Parameter::Length if experiment.switching == Switching::Batch => "1,2,3,4,6,8,12,16".to_owned(),
        Parameter::Length => "5,10,20,40,80".to_owned(),
        Parameter::VirtualChannels => "4..12:5".to_owned(),
        Parameter::Radix => "8,12,16,24,32".to_owned(),
        Parameter::Tolerance => "0,0.02,0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4".to_owned(),
        Parameter::Copies => "1,2,4,8,16".to_owned(),
        Parameter::Leaves => match experiment.network.leaves().is_some_and(Leaves::is_second) {
            true => "16,64,256,1024,4096".to_owned(),
            false => "16,32,64,128,256,512,1024,2048,4096".to_owned(),
        },
        Parameter::K1 | Parameter::K2 | Parameter::Congestion => "0.25,0.5,1,2,4,8".to_owned(),
        Parameter::Place => {
            let last = experiment.network.others().min(u64::from(Vary::MAX_VALUES) - 1);
            format!("0..{last}:{}", last + 1)
        }
    };
    format!("{}:{values}", parameter.id())
}

/// The faults with which this can be varied: a fault rate, say, only if there is one.
fn varied_faults(experiment: &Experiment, parameter: Parameter) -> FaultModel {
    let (model, single) = (experiment.faults.model, experiment.switching == Switching::Message);
    match (parameter, model) {
        (Parameter::Rate, _) if experiment.network.leaves().is_some() => FaultModel::Wires(model.rate().unwrap_or(0.1)),
        (Parameter::Rate, _) if model.rate().is_none() && experiment.mesh().is_some() => FaultModel::Isolated(0.05),
        (Parameter::Rate, _) if model.rate().is_none() => FaultModel::Nodes(if single { 0.5 } else { 0.1 }),
        (Parameter::Count, _) if model.faults().is_some() => model,
        (Parameter::Count, _) if single || experiment.switching.is_oblivious() => {
            FaultModel::Count(model.count(experiment.network).unwrap_or(0))
        }
        (Parameter::Count, _) => FaultModel::LinkCount(1),
        _ => model,
    }
}

pub(super) fn sweep(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let options: Vec<(AttrValue, AttrValue)> = std::iter::once(("".into(), "nothing: compare".into()))
        .chain(
            Parameter::ALL
                .into_iter()
                .filter(|parameter| parameter.fits(experiment.switching))
                .map(|parameter| (parameter.id().into(), parameter.axis().into())),
        )
        .collect();
    let current = experiment.vary.as_ref().map_or("", |vary| vary.parameter.id());
    let choose = {
        let bench = bench.clone();
        Callback::from(move |id: String| {
            bench.edited(|next| {
                let parameter = Parameter::ALL.into_iter().find(|parameter| parameter.id() == id);
                next.vary = parameter.and_then(|parameter| Vary::parse(&suggestion(next, parameter)).ok());
                if let Some(parameter) = parameter {
                    next.faults.model = varied_faults(next, parameter);
                }
                let (from, to) = (next.from, next.to);
                if parameter == Some(Parameter::Dimension) && (from.is_some() || to.is_some()) {
                    (next.from, next.to) = (None, None);
                }
            });
        })
    };
    let values = experiment.vary.as_ref().map(|vary| {
        let text = vary.to_string();
        let change = set(bench, "vary").reform(move |values: String| format!("{current}:{values}"));
        let shown = text.split_once(':').map_or(text.clone(), |(_, values)| values.to_owned());
        html! { <TextField label="Values" value={shown} commit={change} hint={hint("vary")} /> }
    });
    let within = format!("{}", experiment.within * 100.0);
    let (until, most) = match experiment.switching {
        Switching::Message => ("Until ± points", "At most, trials"),
        Switching::Circuit | Switching::Wormhole => ("Until ± % of mean", "At most, messages"),
        Switching::Pairs => ("Until ± points", "At most, fault sets"),
        Switching::Permutation | Switching::Delivery => ("Until ± % of mean", "At most, sets"),
        Switching::Batch => ("Until ± points", "At most, sets"),
    };
    let set_within = {
        let set = set(bench, "within");
        Callback::from(move |text: String| {
            set.emit(text.parse::<f64>().map_or(text, |points| ((points * 1e6).round() / 1e8).to_string()));
        })
    };
    group(
        "Sweep",
        html! {
            <>
                <ChoiceField label="Vary" {options} value={current} commit={choose} />
                { for values }
                <TextField label={until} value={within} commit={set_within} hint={hint("within")} mode="decimal" />
                <TextField label={most} value={experiment.trials.to_string()} commit={set(bench, "trials")}
                    hint={hint("trials")} mode="numeric" />
            </>
        },
    )
}
