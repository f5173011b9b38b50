//! Example texts of rules: published algorithms, and exercises with a flaw to find and correct.

/// A published algorithm as rules.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The name, which is also its file name.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The text of the rules.
    pub text: &'static str,
}

/// Rules with a flaw, and the corrected rules.
#[derive(Clone, Copy, Debug)]
pub struct Exercise {
    /// The name, which is also its file name.
    pub name: &'static str,
    /// A short description that does not reveal the flaw.
    pub about: &'static str,
    /// The flaw: "deadlock", "lost" or "circles".
    pub flaw: &'static str,
    /// The text of the rules with the flaw.
    pub flawed: &'static str,
    /// The corrected text.
    pub corrected: &'static str,
    /// An experiment that shows the flaw, without the rules.
    pub experiment: &'static str,
}

macro_rules! example {
    ($name:literal, $about:literal) => {
        Example {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../../../../examples/rules/", $name, ".rules")),
        }
    };
}

macro_rules! exercise {
    ($name:literal, $about:literal, $flaw:literal, $experiment:literal) => {
        Exercise {
            name: $name,
            about: $about,
            flaw: $flaw,
            flawed: include_str!(concat!("../../../../../examples/rules/exercises/", $name, ".rules")),
            corrected: include_str!(concat!("../../../../../examples/rules/exercises/", $name, "-mended.rules")),
            experiment: $experiment,
        }
    };
}

/// Built-in algorithms as rules, each for comparison with its built-in version.
pub static EXAMPLES: &[Example] = &[
    example!("west-first", "the turn model, in two rules"),
    example!("north-last", "the turn model, with a named set"),
    example!("e-cube", "on meshes and hypercubes, and on tori with a second class"),
    example!("negative-first", "the minimal version, which depends on faults and the last hop"),
    example!("odd-even", "a turn model that depends on columns"),
    example!("f-cube2", "around faults along their rings, with states"),
    example!("sidetracking", "on hypercubes: forward, or back when blocked"),
    example!("up", "on hypercubes: one of two sets"),
    example!("dp", "up with the directions exchanged"),
];

/// Exercises, each a text with a flaw.
pub static EXERCISES: &[Exercise] = &[
    exercise!("minimal", "every shortest path", "deadlock", "net=mesh:4x4"),
    exercise!("west-fallback", "west-first with a fallback", "deadlock", "net=mesh:4x4&break=1.1"),
    exercise!("torus-one-class", "e-cube on a torus", "deadlock", "net=torus:5x5"),
    exercise!("circling", "e-cube with a fallback", "circles", "net=mesh:5x5&break=2.2&from=2.0&to=2.4"),
    exercise!("border", "one row up first", "lost", "net=mesh:5x5&from=0.0&to=4.4"),
    exercise!(
        "adaptive-around",
        "adaptive around faults, in three classes",
        "circles",
        "net=mesh:6x6&break=2.2&from=0.3&to=2.0&vc=own"
    ),
    exercise!("cube-minimal", "every shortest path of a cube", "deadlock", "net=cube:3&switch=wormhole"),
];
