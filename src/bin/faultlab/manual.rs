//! Shell completions and man pages, generated from the parser of the arguments.

use std::fs;

use clap::CommandFactory as _;
use clap_mangen::Man as Page;

use crate::arguments::{Arguments, CompletionsArgs, ManArgs};
use crate::output::{CliError, print};

/// Name of the program.
const NAME: &str = "faultlab";

/// Prints the completions of a shell.
pub(crate) fn completions(asked: &CompletionsArgs) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(asked.shell, &mut Arguments::command(), NAME, &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the main man page, or writes all man pages into a folder.
pub(crate) fn man(asked: &ManArgs) -> Result<(), CliError> {
    let mut command = Arguments::command();
    command.build();
    let Some(folder) = &asked.folder else {
        let page = render(Page::new(command))?;
        return print(&String::from_utf8_lossy(&page));
    };
    let failed = |error: std::io::Error| CliError::System(format!("cannot write to {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    let pages = command.get_subcommands().cloned().map(|one| (format!("{NAME}-{}.1", one.get_name()), one));
    let pages: Vec<_> = pages.collect();
    for (name, command) in pages.into_iter().chain([(format!("{NAME}.1"), command)]) {
        fs::write(folder.join(name), render(Page::new(command))?).map_err(failed)?;
    }
    Ok(())
}

fn render(page: Page) -> Result<Vec<u8>, CliError> {
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| CliError::System(format!("cannot write a man page: {error}")))?;
    Ok(text)
}
