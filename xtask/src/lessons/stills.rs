//! Stills of the figures in lessons, drawn by `faultlab draw`, once for screens and once for
//! phones.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use super::page::Page;
use super::text::figure::Figure;
use super::text::{Lesson, Part};
use crate::content_name::named;
use crate::run;

/// Folder of the stills between builds.
const CACHE: &str = "target/stills";
/// Folder of the journals of charts under way: the second size of a chart reuses their results.
const JOURNALS: &str = "target/stills/journals";

/// Sizes of a figure in `styles/lessons.css`: in the widest column, and on a phone.
const SIZES: [&str; 2] = ["746x420", "354x420"];

/// Still of a figure.
pub(super) struct Still {
    /// Picture for screens.
    pub(super) wide: File,
    /// Picture for phones.
    pub(super) narrow: File,
    /// Summary of the figure, escaped.
    pub(super) words: String,
    /// Width and height of the picture for screens, in pixels.
    pub(super) size: (String, String),
}

/// Picture file, named by its contents.
pub(super) struct File {
    pub(super) name: String,
    svg: String,
}

impl File {
    fn of(svg: String) -> Self {
        Self { name: named("still", "svg", svg.as_bytes()), svg }
    }
}

impl Still {
    /// Creates a still from two pictures; the first one contains the summary and the size.
    pub(super) fn of(wide: String, narrow: String) -> Result<Self> {
        let part = |from: &str, to: &str| {
            let found = wide.split_once(from).and_then(|(_, rest)| rest.split_once(to));
            found.map(|(part, _)| part.to_owned()).with_context(|| format!("a picture without {from}"))
        };
        let (words, size) = (part("<title>", "</title>")?, (part(" width=\"", "\"")?, part(" height=\"", "\"")?));
        Ok(Self { words, size, wide: File::of(wide), narrow: File::of(narrow) })
    }
}

/// Renderer of stills.
pub(super) struct Drawing {
    /// Path of the command line.
    program: PathBuf,
    /// Modification time of the program: older stills are drawn again.
    since: SystemTime,
}

impl Drawing {
    /// Compiles the program, if necessary.
    pub(super) fn begin() -> Result<Self> {
        let program = run::build_for_tests()?.command_line;
        if Path::new(JOURNALS).exists() {
            fs::remove_dir_all(JOURNALS).with_context(|| format!("clearing {JOURNALS}"))?;
        }
        fs::create_dir_all(JOURNALS).with_context(|| format!("making {JOURNALS}"))?;
        let since = changed(&program).with_context(|| format!("looking at {}", program.display()))?;
        Ok(Self { program, since })
    }

    /// Returns the stills of all figures of a lesson, in order.
    pub(super) fn all(&self, lesson: &Lesson<'_>) -> Result<Vec<Still>> {
        let figures = lesson.parts.iter().filter_map(|part| match part {
            Part::Figure(figure) => Some(figure),
            Part::Markdown(_) | Part::Claim(_) => None,
        });
        figures.map(|figure| Still::of(self.drawn(figure, SIZES[0])?, self.drawn(figure, SIZES[1])?)).collect()
    }

    fn drawn(&self, figure: &Figure, size: &str) -> Result<String> {
        let mut command = run::program(&self.program);
        command.args(["draw", &figure.experiment, "--quiet", "--size", size]);
        for (name, value) in &figure.attributes {
            if ["view", "show"].contains(name) {
                command.arg(format!("--{name}={}", value.replace(' ', ",")));
            }
        }
        if figure.attributes.contains(&("view", "measure".to_owned())) {
            let name = named("chart", "journal", figure.experiment.as_bytes());
            command.arg(format!("--journal={JOURNALS}/{name}"));
        }
        let asked: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
        let kept: PathBuf = Path::new(CACHE).join(named("still", "svg", asked.join("\0").as_bytes()));
        if changed(&kept).is_ok_and(|drawn| drawn > self.since) {
            return fs::read_to_string(&kept).with_context(|| format!("reading {}", kept.display()));
        }
        let svg = run::output(&mut command)?;
        fs::write(&kept, &svg).with_context(|| format!("keeping {}", kept.display()))?;
        Ok(svg)
    }
}

fn changed(file: &Path) -> Result<SystemTime> {
    Ok(fs::metadata(file)?.modified()?)
}

/// Writes the stills of all pages into their folder.
pub(super) fn write(folder: &Path, pages: &[Page<'_>]) -> Result<()> {
    let files = || pages.iter().flat_map(|page| &page.stills).flat_map(|still| [&still.wide, &still.narrow]);
    for File { name, svg } in files() {
        fs::write(folder.join(name), svg).with_context(|| format!("writing {name}"))?;
    }
    println!("{} stills of figures are in {}/.", files().count(), folder.display());
    Ok(())
}
