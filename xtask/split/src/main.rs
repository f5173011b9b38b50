//! `cargo run --package split`: the page's program in two, so that its first look waits for what it runs and for nothing else.
//!
//! - `split parts WHOLE NAMES FIRST REST BARE` writes the two parts of WHOLE, and WHOLE itself without the names of its functions;
//! - `split counted WHOLE COUNTED` writes a program that marks each function that runs;
//! - `split names WHOLE MARKS` prints the file NAMES from the marks of a run.

mod counted;
mod names;
mod parts;

use std::env;
use std::fs;

use anyhow::{Context, Result, bail};
use walrus::Module;

fn main() -> Result<()> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["parts", whole, names, first, rest, bare] => {
            let listed = names::Listed::read(&fs::read_to_string(names).with_context(|| format!("reading {names}"))?)?;
            let bytes = fs::read(whole).with_context(|| format!("reading {whole}"))?;
            let parts = parts::of(&bytes, &listed)?;
            write(first, &parts.first)?;
            write(rest, &parts.rest)?;
            write(bare, &parts.whole)
        }
        ["counted", whole, counted] => write(counted, &counted::of(read(whole)?)),
        ["names", whole, marks] => {
            let marks = fs::read(marks).with_context(|| format!("reading {marks}"))?;
            print!("{}", counted::listed(&read(whole)?, &marks));
            Ok(())
        }
        _ => bail!("split takes: parts WHOLE NAMES FIRST REST BARE, counted WHOLE COUNTED, or names WHOLE MARKS"),
    }
}

fn read(file: &str) -> Result<Module> {
    let bytes = fs::read(file).with_context(|| format!("reading {file}"))?;
    Module::from_buffer(&bytes).with_context(|| format!("{file} is no WebAssembly that can be read"))
}

fn write(file: &str, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes).with_context(|| format!("writing {file}"))
}
