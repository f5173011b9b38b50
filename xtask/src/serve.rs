//! `cargo xtask serve`: a static web server for this machine only, also used by the browser tests.

use std::fs::File;
use std::io::Read;
use std::net::Ipv4Addr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow, bail};
use tiny_http::{Header, Method, Request, Response, Server, StatusCode};

use crate::build::{self, DIST};

const DEFAULT_PORT: u16 = 8080;
/// Requests answered at once: a page, its app and a pool of workers.
const THREADS: usize = 4;

/// Builds and serves the page until interrupted.
pub(crate) fn command(options: &[&str]) -> Result<()> {
    let (mut port, mut fresh) = (DEFAULT_PORT, true);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--no-build" => fresh = false,
            "--port" => {
                let value = options.next().context("--port needs a number")?;
                port = value.parse().with_context(|| format!("--port {value}: not a port from 0 to 65535"))?;
            }
            other => bail!("unknown option '{other}' for serve: it takes --port N and --no-build"),
        }
    }
    if fresh {
        build::build()?;
    }
    let site = Site::open(Path::new(DIST), "/")?;
    let server = Running::start(site.clone(), port).or_else(|error| {
        println!("Port {port} cannot be used ({error:#}); taking a free one.");
        Running::start(site, 0)
    })?;
    println!("\nFaultlab is at {}\nCtrl-C stops the server.", server.url);
    server.wait();
    Ok(())
}

/// A folder and the path it appears under.
#[derive(Clone)]
pub(crate) struct Site {
    folder: PathBuf,
    /// Begins and ends with a slash.
    prefix: String,
}

/// What a request path leads to.
#[derive(Debug, PartialEq)]
enum Reply {
    File(PathBuf),
    /// To the same address with a slash, so that relative links work.
    Redirect(String),
    NotFound,
}

impl Site {
    /// The page in `folder` as it would be on a host that has it under `prefix`.
    pub(crate) fn open(folder: &Path, prefix: &str) -> Result<Self> {
        if !folder.join("index.html").is_file() {
            bail!("there is no page in {}/ yet: run `cargo xtask build`", folder.display());
        }
        Ok(Self { folder: folder.to_owned(), prefix: prefix.to_owned() })
    }

    fn find(&self, url: &str) -> Reply {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        if path.strip_suffix('/').is_none() && self.prefix.strip_suffix('/') == Some(path) {
            return Reply::Redirect(self.prefix.clone());
        }
        let inside = path.strip_prefix(self.prefix.as_str()).and_then(decode).and_then(|path| self.inside(&path));
        match inside {
            Some(file) if file.is_file() => Reply::File(file),
            Some(folder) if folder.join("index.html").is_file() => match path.ends_with('/') {
                true => Reply::File(folder.join("index.html")),
                false => Reply::Redirect(format!("{path}/")),
            },
            _ => Reply::NotFound,
        }
    }

    /// The file of that relative path, unless the path climbs out of the folder.
    fn inside(&self, path: &str) -> Option<PathBuf> {
        let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        (plain && !path.contains(['\\', '\0'])).then(|| self.folder.join(path))
    }

    fn answer(&self, request: Request) -> std::io::Result<()> {
        if !matches!(request.method(), Method::Get | Method::Head) {
            return request.respond(Response::empty(405));
        }
        match self.find(request.url()) {
            Reply::File(path) => {
                let response = Response::from_file(File::open(&path)?);
                // The page may be rebuilt at any moment.
                let headers = [("Content-Type", media_type(&path)), ("Cache-Control", "no-cache")];
                request.respond(with_headers(response, headers))
            }
            Reply::Redirect(to) => request.respond(with_headers(Response::empty(308), [("Location", to.as_str())])),
            Reply::NotFound => request.respond(Response::from_string("not found\n").with_status_code(StatusCode(404))),
        }
    }
}

/// A server at work in the background; it stops when dropped.
pub(crate) struct Running {
    /// Where the site is, with a slash at its end.
    pub(crate) url: String,
    server: Arc<Server>,
    threads: Vec<JoinHandle<()>>,
}

impl Running {
    /// Serves `site` on that port of this machine; port 0 stands for any free one.
    pub(crate) fn start(site: Site, port: u16) -> Result<Self> {
        let server = Arc::new(Server::http((Ipv4Addr::LOCALHOST, port)).map_err(|error| anyhow!(error))?);
        let address = server.server_addr().to_ip().context("the server has no address")?;
        let url = format!("http://{address}{}", site.prefix);
        let threads = (0..THREADS)
            .map(|_| {
                let (server, site) = (Arc::clone(&server), site.clone());
                thread::spawn(move || {
                    for request in server.incoming_requests() {
                        // A browser that hangs up in the middle is no concern of the server.
                        let _ = site.answer(request);
                    }
                })
            })
            .collect();
        Ok(Self { url, server, threads })
    }

    /// Serves until the program is interrupted.
    fn wait(mut self) {
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for thread in self.threads.drain(..) {
            self.server.unblock();
            drop(thread);
        }
    }
}

/// Adds the headers that are valid; a request may ask for a redirect to a name that no header can hold.
fn with_headers<'a, R: Read>(
    mut response: Response<R>,
    headers: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Response<R> {
    for (name, value) in headers {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    response
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json" | "webmanifest") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        Some("csv") => "text/csv; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Undoes percent-encoding; nothing when the result is not text.
fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This crate's own folder stands for a site.
    fn site(prefix: &str) -> Site {
        Site { folder: PathBuf::from(env!("CARGO_MANIFEST_DIR")), prefix: prefix.to_owned() }
    }

    #[test]
    fn files_are_found_under_the_prefix() {
        let file = Reply::File(site("/").folder.join("src/main.rs"));
        assert_eq!(site("/").find("/src/main.rs?x=1#y"), file);
        assert_eq!(site("/sub.js/dir/").find("/sub.js/dir/src/m%61in.rs"), file);
        assert_eq!(site("/sub.js/dir/").find("/sub.js/dir"), Reply::Redirect("/sub.js/dir/".to_owned()));
        for missing in ["/src/main.rs", "/sub.js/dir/src", "/sub.js/dir/nothing", "/"] {
            assert_eq!(site("/sub.js/dir/").find(missing), Reply::NotFound, "{missing}");
        }
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        for path in [
            "/../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "/src/..%2f..%2fCargo.toml",
            "//etc/passwd",
            "/%00",
            "/%zz",
            "/..\\x",
        ] {
            assert_eq!(site("/").find(path), Reply::NotFound, "{path}");
        }
    }

    #[test]
    fn modules_have_types_that_browsers_accept() {
        assert_eq!(media_type(Path::new("a_bg.wasm")), "application/wasm");
        assert!(media_type(Path::new("a.js")).starts_with("text/javascript"));
    }
}
