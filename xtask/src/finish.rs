//! `cargo xtask finish`: Trunk's `post_build` hook, which makes the page strict and safe to cache.
//!
//! Trunk starts the app from a script inside `index.html`, which a content security policy without inline scripts
//! forbids: it is moved to a file. The page's workers run the same program; they get a script of their own that starts it.
//! Both files are named by their content, so that an old cached one never meets a new page; and so are the answers that Papers
//! opens with, which the page reads only there.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\"";

/// Finishes the page in the folder where Trunk gathers it.
pub(crate) fn command() -> Result<()> {
    let Some(staging) = env::var_os("TRUNK_STAGING_DIR") else {
        bail!("finish is run by Trunk during a build: use `cargo xtask build`");
    };
    finish(&PathBuf::from(staging))
}

fn finish(site: &Path) -> Result<()> {
    let index = site.join("index.html");
    let html = fs::read_to_string(&index).with_context(|| format!("reading {}", index.display()))?;
    check_policy_first(&html)?;
    let page = externalize(&html)?;
    let worker = worker_script(&page.scripts)?;
    for script in page.scripts.iter().chain([&worker]) {
        fs::write(site.join(&script.name), &script.text).with_context(|| format!("writing {}", script.name))?;
    }
    let html = announce(&page.html, "faultlab-worker", &worker.name)?;
    let html = announce(&html, "faultlab-answers", &name_answers(site)?)?;
    fs::write(&index, html).with_context(|| format!("writing {}", index.display()))
}

/// The policy binds only what follows it, so it must come before everything that loads.
fn check_policy_first(html: &str) -> Result<()> {
    let policy = html.find(POLICY).with_context(|| format!("index.html has no {POLICY} …>"))?;
    for tag in ["<script", "<link", "<style"] {
        ensure!(html.find(tag).is_none_or(|at| at > policy), "index.html has a {tag}> before its security policy");
    }
    Ok(())
}

struct Page {
    html: String,
    scripts: Vec<Script>,
}

#[derive(Debug, PartialEq)]
struct Script {
    name: String,
    text: String,
}

/// Replaces every inline script by a reference to a file beside the page.
fn externalize(html: &str) -> Result<Page> {
    let mut page = Page { html: String::with_capacity(html.len()), scripts: Vec::new() };
    let mut rest = html;
    while let Some(start) = rest.find("<script") {
        let tag_end = start + rest[start..].find('>').context("index.html has an unclosed <script")?;
        let length = rest[tag_end..].find("</script>").context("index.html has a <script> without </script>")?;
        let (tag, text) = (&rest[start..tag_end], &rest[tag_end + 1..tag_end + length]);
        page.html.push_str(&rest[..start]);
        page.html.push_str(tag);
        if tag.contains(" src=") {
            page.html.push('>');
            page.html.push_str(text);
        } else {
            let name = format!("start-{:016x}.js", fingerprint([text.as_bytes()]));
            page.html.push_str(&format!(" src=\"./{name}\">"));
            page.scripts.push(Script { name, text: text.trim().to_owned() + "\n" });
        }
        rest = &rest[tag_end + length..];
    }
    page.html.push_str(rest);
    ensure!(!page.scripts.is_empty(), "index.html has no inline start script: has Trunk changed, or finish run twice?");
    Ok(page)
}

/// The script that a worker starts the app's program from: the same two files as the page's own script.
fn worker_script(scripts: &[Script]) -> Result<Script> {
    let named = |end: &str| {
        let quoted = scripts.iter().flat_map(|script| script.text.split('\''));
        quoted.filter(|part| part.starts_with("./")).find(|part| part.ends_with(end)).map(str::to_owned)
    };
    let (glue, wasm) = (named(".js"), named(".wasm"));
    let glue = glue.context("the start script names no './….js'")?;
    let wasm = wasm.context("the start script names no './….wasm'")?;
    let text = format!("import init from '{glue}';\nawait init({{ module_or_path: '{wasm}' }});\n");
    Ok(Script { name: format!("worker-{:016x}.js", fingerprint([text.as_bytes()])), text })
}

/// Gives the file of answers a name by its content.
fn name_answers(site: &Path) -> Result<String> {
    let plain = site.join("answers.bin");
    let bytes = fs::read(&plain).context("reading answers.bin: `cargo xtask answers` computes it")?;
    let name = format!("answers-{:016x}.bin", fingerprint([bytes.as_slice()]));
    fs::rename(&plain, site.join(&name)).with_context(|| format!("naming {name}"))?;
    Ok(name)
}

/// Tells the app where a file beside it is.
fn announce(html: &str, what: &str, file: &str) -> Result<String> {
    let (head, body) = html.split_once("</head>").context("index.html has no </head>")?;
    Ok(format!("{head}\n  <meta name=\"{what}\" content=\"{file}\">\n</head>{body}"))
}

/// FNV-1a over the parts and their lengths: names for the cache, not a defence.
fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    for part in parts {
        part.len().to_le_bytes().into_iter().for_each(&mut add);
        part.iter().copied().for_each(&mut add);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<head><meta http-equiv=\"Content-Security-Policy\" content=\"…\">";

    #[test]
    fn the_policy_must_come_first() {
        assert!(check_policy_first(&format!("{HEAD}<link><script></script>")).is_ok());
        assert!(check_policy_first(&format!("<script></script>{HEAD}")).is_err());
        assert!(check_policy_first(&format!("<link>{HEAD}")).is_err());
        assert!(check_policy_first("<head></head>").is_err());
    }

    #[test]
    fn inline_scripts_move_to_files() {
        let html = "a<script type=\"module\">\nstart();\n</script>b<script src=\"x.js\"></script>c";
        let page = externalize(html).unwrap();
        let [script] = page.scripts.as_slice() else { panic!("one script expected") };
        assert_eq!(script.text, "start();\n");
        let moved = format!("<script type=\"module\" src=\"./{}\"></script>", script.name);
        assert_eq!(page.html, format!("a{moved}b<script src=\"x.js\"></script>c"));
        assert!(externalize(&page.html).is_err(), "nothing is left to move");
    }

    #[test]
    fn workers_start_the_same_program() {
        let text =
            "import init, * as x from './app-1.js';\nconst w = await init({ module_or_path: './app-1_bg.wasm' });\n";
        let worker = worker_script(&[Script { name: "start.js".into(), text: text.into() }]).unwrap();
        assert_eq!(worker.text, "import init from './app-1.js';\nawait init({ module_or_path: './app-1_bg.wasm' });\n");
        assert!(worker.name.starts_with("worker-") && worker.name.ends_with(".js"));
        assert!(worker_script(&[Script { name: "start.js".into(), text: "import('./x.js')".into() }]).is_err());
    }

    #[test]
    fn files_are_announced_in_the_head() {
        let html = announce("<head></head><body></body>", "faultlab-worker", "worker-1/w.js").unwrap();
        assert_eq!(html, "<head>\n  <meta name=\"faultlab-worker\" content=\"worker-1/w.js\">\n</head><body></body>");
    }

    #[test]
    fn fingerprints_tell_contents_and_borders_apart() {
        let of = |parts: &[&str]| fingerprint(parts.iter().map(|part| part.as_bytes()));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a"]), of(&["b"]));
        assert_eq!(of(&["a"]), of(&["a"]));
    }
}
