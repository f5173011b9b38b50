//! Names of the differences between two experiments.

use faultlab_experiment::FieldDiff;

/// Returns the names of the differences, each once.
pub fn names(differences: Vec<FieldDiff>) -> Vec<&'static str> {
    let mut named = Vec::new();
    for FieldDiff { key, .. } in differences {
        let name = match key {
            "net" => "the network",
            "faults" => "the faults",
            "break" | "mend" => "what is broken by hand",
            "from" | "to" => "source and destination",
            "route" => "the routings",
            "vary" => "what is varied",
            "traffic" => "the traffic",
            "rules" => "the rules",
            "seed" => "the seed",
            "load" => "the load",
            "vc" => "the virtual channels",
            "buffer" => "the buffers",
            "length" => "the length of messages",
            "inject" => "the limit of each source",
            "rate" => "the rate",
            "avail" => "which free link is taken",
            other => other,
        };
        if !named.contains(&name) {
            named.push(name);
        }
    }
    named
}
