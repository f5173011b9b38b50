//! Stills of the figures in lessons, drawn by `faultlab draw`, once for screens and once for
//! phones.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use super::text::figure::LessonFigure;
use super::text::{Lesson, LessonPart};
use crate::content_name::named;
use crate::run;

/// Folder of the stills between builds.
const CACHE: &str = "target/stills";
/// Folder of the journals of unfinished charts: the second size of a chart reuses their results.
const JOURNALS: &str = "target/stills/journals";

/// Sizes of a figure in `styles/lessons.css`: in the widest column, and on a phone.
const SIZES: [&str; 2] = ["746x420", "354x420"];

/// Still of a figure.
pub(super) struct LessonStill {
    /// Picture for screens.
    pub(super) wide: StillFile,
    /// Picture for phones.
    pub(super) narrow: StillFile,
    /// Summary of the figure, escaped.
    pub(super) words: String,
    /// Width and height of the picture for screens, in pixels.
    pub(super) size: (String, String),
}

/// Picture file, named by its contents.
pub(super) struct StillFile {
    pub(super) name: String,
    svg: String,
}

impl StillFile {
    fn new(svg: String) -> Self {
        Self { name: named("still", "svg", svg.as_bytes()), svg }
    }
}

impl LessonStill {
    /// Creates a still from two pictures; the first one contains the summary and the size.
    pub(super) fn from_pictures(wide: String, narrow: String) -> Result<Self> {
        let part = |from: &str, to: &str| {
            let found = wide.split_once(from).and_then(|(_, rest)| rest.split_once(to));
            found.map(|(part, _)| part.to_owned()).with_context(|| format!("a picture without {from}"))
        };
        let (words, size) = (part("<title>", "</title>")?, (part(" width=\"", "\"")?, part(" height=\"", "\"")?));
        Ok(Self { words, size, wide: StillFile::new(wide), narrow: StillFile::new(narrow) })
    }
}

/// Renderer of stills.
pub(super) struct StillRenderer {
    /// Path of the command line.
    program: PathBuf,
    /// Modification time of the program: older stills are drawn again.
    since: SystemTime,
}

impl StillRenderer {
    /// Compiles the program, if necessary.
    pub(super) fn begin() -> Result<Self> {
        let program = run::build_for_tests()?.command_line;
        if Path::new(JOURNALS).exists() {
            fs::remove_dir_all(JOURNALS).with_context(|| format!("clearing {JOURNALS}"))?;
        }
        fs::create_dir_all(JOURNALS).with_context(|| format!("creating {JOURNALS}"))?;
        let since = modified_at(&program).with_context(|| format!("checking {}", program.display()))?;
        Ok(Self { program, since })
    }

    /// Returns the stills of all figures of a lesson, in order.
    pub(super) fn all(&self, lesson: &Lesson<'_>) -> Result<Vec<LessonStill>> {
        let figures = lesson.parts.iter().filter_map(|part| match part {
            LessonPart::Figure(figure) => Some(figure),
            LessonPart::Markdown(_) | LessonPart::Claim(_) => None,
        });
        figures
            .map(|figure| LessonStill::from_pictures(self.drawn(figure, SIZES[0])?, self.drawn(figure, SIZES[1])?))
            .collect()
    }

    fn drawn(&self, figure: &LessonFigure, size: &str) -> Result<String> {
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
        if modified_at(&kept).is_ok_and(|drawn| drawn > self.since) {
            return fs::read_to_string(&kept).with_context(|| format!("reading {}", kept.display()));
        }
        let svg = run::output(&mut command)?;
        fs::write(&kept, &svg).with_context(|| format!("writing {}", kept.display()))?;
        Ok(svg)
    }
}

fn modified_at(file: &Path) -> Result<SystemTime> {
    Ok(fs::metadata(file)?.modified()?)
}

/// Writes the files of the stills into their folder.
pub(super) fn write<'a>(folder: &Path, stills: impl Iterator<Item = &'a LessonStill> + Clone) -> Result<()> {
    let files = || stills.clone().flat_map(|still| [&still.wide, &still.narrow]);
    for StillFile { name, svg } in files() {
        fs::write(folder.join(name), svg).with_context(|| format!("writing {name}"))?;
    }
    println!("{} stills of figures are in {}/.", files().count(), folder.display());
    Ok(())
}
