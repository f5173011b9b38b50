//! `cargo xtask first`: which functions run until the first look at the page is drawn, measured in Chromium, for the first part of the
//! page's program (`finish/parts.rs`).

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::build::DIST;
use crate::engine::CHROMIUM;
use crate::finish::{KEPT, LIST, whole};
use crate::serve::{Running, Site};
use crate::{run, tools};

/// Where the page stands that tells which functions run.
const SITE: &str = "target/first-site";
/// Windows in which it is looked at: as on a desk, in a hand, and in a frame.
const WINDOWS: [&str; 3] = ["1400,1000", "390,844", "480,320"];
/// So long it is looked at: until the message of the first example has arrived.
const LOOK: Duration = Duration::from_secs(15);
/// Stands behind what starts the page: writes the marks of all functions, as digits, where they are found in the page's text.
const TELL: &str = "\nconst program = await first;
setInterval(() => { document.documentElement.dataset.marks = new Uint8Array(program.marks.buffer).join(''); }, 1000);\n";
const FOUND: &str = "data-marks=\"";

/// Lists the functions of the first part anew, for the page that was built last.
pub(crate) fn command() -> Result<()> {
    let [program, counted, marks] = ["app.wasm", "counted.wasm", "marks"].map(|name| Path::new(KEPT).join(name));
    ensure!(program.exists() && Path::new(DIST).exists(), "there is no page yet: run `cargo xtask build`");
    CHROMIUM.ensure_driver()?;
    run::run(run::cargo("run --quiet --package split -- counted").args([&program, &counted]))?;
    let late = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("a port of this machine")?;
    assemble(&counted, late.local_addr()?)?;
    thread::spawn(move || keep_waiting(&late));
    let server = Running::start(&Site::open(Path::new(SITE), "/")?, 0)?;
    let mut all = Vec::new();
    for window in WINDOWS {
        let seen = look(&server.url, window)?;
        all.resize(all.len().max(seen.len()), 0);
        all.iter_mut().zip(&seen).for_each(|(mark, seen)| *mark |= seen);
    }
    fs::write(&marks, &all).with_context(|| format!("writing {}", marks.display()))?;
    let list = run::output(run::cargo("run --quiet --package split -- names").args([&program, &marks]))?;
    fs::write(LIST, list).with_context(|| format!("writing {LIST}"))?;
    println!("{LIST} has {} functions: the next build is split by it.", all.iter().filter(|mark| **mark != 0).count());
    Ok(())
}

/// A browser prints a page when all of it is there: a picture in it comes late.
fn keep_waiting(late: &TcpListener) {
    for stream in late.incoming().flatten() {
        thread::spawn(move || {
            thread::sleep(LOOK);
            drop(stream);
        });
    }
}

/// The page that was built last, with a program in one part that marks what runs, and a picture that comes `late`.
fn assemble(counted: &Path, late: SocketAddr) -> Result<()> {
    let site = Path::new(SITE);
    if site.exists() {
        fs::remove_dir_all(site).with_context(|| format!("clearing {SITE}"))?;
    }
    fs::create_dir_all(site).with_context(|| format!("making {SITE}"))?;
    for entry in fs::read_dir(DIST).with_context(|| format!("reading {DIST}"))? {
        let path = entry?.path();
        let (true, Some(name)) = (path.is_file(), path.file_name().and_then(|name| name.to_str())) else { continue };
        let read = |file: &Path| fs::read_to_string(file).with_context(|| format!("reading {}", file.display()));
        let bytes = match (name.split('-').next(), path.extension().and_then(|end| end.to_str())) {
            (Some("app"), Some("wasm")) => fs::read(counted).context("reading what is to be looked at")?,
            (Some("app"), Some("js")) => whole(&read(&Path::new(KEPT).join("app.js"))?).into_bytes(),
            (Some("index.html"), _) => {
                // Its policy would forbid the picture.
                let page = read(&path)?.replace("Content-Security-Policy", "no-policy");
                page.replace("</body>", &format!("<img hidden alt=\"\" src=\"http://{late}/\"></body>")).into_bytes()
            }
            (Some("start"), _) => [read(&path)?, TELL.to_owned()].concat().into_bytes(),
            _ => fs::read(&path).with_context(|| format!("reading {name}"))?,
        };
        fs::write(site.join(name), bytes).with_context(|| format!("writing {name}"))?;
    }
    Ok(())
}

/// The marks of all functions, after a look at the page in such a window.
fn look(url: &str, window: &str) -> Result<Vec<u8>> {
    let browser = browser()?;
    // A folder of its own: nothing of an earlier look is kept.
    let folder = PathBuf::from("target/first-browser");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("clearing {}", folder.display()))?;
    }
    let mut command = run::program(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--dump-dom"]);
    command.arg(format!("--window-size={window}")).arg(format!("--user-data-dir={}", folder.display())).arg(url);
    let page = run::output(&mut command)?;
    let (_, after) = page.split_once(FOUND).context("the page did not start, or not in time")?;
    let digits = after.split('"').next().unwrap_or_default();
    Ok(digits.bytes().map(|digit| u8::from(digit == b'1')).collect())
}

fn browser() -> Result<PathBuf> {
    let Some(found) = CHROMIUM.browsers().iter().find_map(|name| tools::find(name)) else {
        bail!("Chromium is not installed");
    };
    Ok(found)
}
