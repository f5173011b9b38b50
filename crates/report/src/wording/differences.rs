//! Names of the differences between two experiments.

use faultlab_experiment::FieldDiff;

/// Returns the names of the differences, each once.
pub fn names(differences: Vec<FieldDiff>) -> Vec<&'static str> {
    let mut named = Vec::new();
    for FieldDiff { key, .. } in differences {
        let name = match key {
            "net" => "the network",
            "faults" => "the faults",
            "break" | "mend" => "the faults set by hand",
            "from" | "to" => "source and destination",
            "route" => "the routings",
            "vary" => "the varied parameter",
            "traffic" => "the traffic",
            "rules" => "the rules",
            "seed" => "the seed",
            "load" | "flit-rate" => "the load",
            "arrivals" => "the arrivals",
            "vc" => "the virtual channels",
            "buffer" => "the buffers",
            "length" => "the length of messages",
            "inject" => "the injection limit",
            "rate" => "the rate",
            "avail" => "the choice among free links",
            other => other,
        };
        if !named.contains(&name) {
            named.push(name);
        }
    }
    named
}
