//! Tests of the command line as scripts use it: output formats, digits, errors, exit statuses.
#![cfg(all(not(target_arch = "wasm32"), feature = "cli"))]

mod activity;
mod check;
mod compare;
mod cost;
mod draw;
mod examples;
mod input_output;
mod interruption;
mod manual;
mod messages;
mod papers;
mod presets;
mod printed_numbers;
mod route;
mod rules;
mod run;
mod schemas;
mod worst;

use std::process::{Command, Output};

use serde_json::Value;

fn faultlab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_faultlab")).args(arguments).output().expect("the binary starts")
}

/// Returns whether this is a thorough run (`cargo xtask test --thorough`). Other runs take fewer cases.
fn is_thorough() -> bool {
    std::env::var_os("FAULTLAB_THOROUGH").is_some()
}

/// Runs the command line and returns its standard output. Panics if the call fails or writes to
/// standard error.
fn stdout_of(arguments: &[&str]) -> String {
    let output = faultlab(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout_of(arguments)).expect("JSON")
}

/// Returns the keys of an object, in document order.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

const SMALL_SWEEP: &str = "net=cube:5&faults=nodes:0.3&vary=p:0.2,0.6&route=sidetracking,random&within=0.02";
