//! Command `cargo xtask serve`: a static web server for this machine only, which the browser tests
//! also use.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::target::DIST;
use crate::{build, run, steps, tools};

const DEFAULT_PORT: u16 = 8080;
/// Folder of Trunk's development build; `dist` is reserved for tests and hosts.
const DEVELOPMENT_DIST: &str = "target/development-site";

/// Builds and serves the page until interrupted.
pub(crate) fn command(options: &[&str]) -> Result<()> {
    let ServeOptions { port, edition } = ServeOptions::read(options)?;
    match edition {
        ServedPage::Development => return develop(port),
        ServedPage::Published => build::build()?,
        ServedPage::LastBuild => {}
    }
    let site = Site::open(Path::new(DIST), "/")?;
    let server = WebServer::start(&site, port).or_else(|error| {
        println!("Port {port} is unavailable ({error:#}); using a free port.");
        WebServer::start(&site, 0)
    })?;
    println!("\nFaultlab is at {}\nCtrl-C stops the server.", server.url);
    server.wait()
}

/// Runs Trunk, which builds the page quickly, serves it, and rebuilds it after every change.
fn develop(port: u16) -> Result<()> {
    steps::run(tools::missing_for_trunk()?)?;
    println!(
        "This is a quick build without lessons, book and gallery; `cargo xtask build` builds the page to publish."
    );
    let mut trunk = build::trunk("serve");
    run::run(trunk.args(["--dist", DEVELOPMENT_DIST, "--port", &port.to_string()]))
}

/// Page to serve.
#[derive(Debug, PartialEq)]
enum ServedPage {
    /// Development build by Trunk.
    Development,
    /// Published page, after a build.
    Published,
    /// Published page of the last build.
    LastBuild,
}

#[derive(Debug, PartialEq)]
struct ServeOptions {
    port: u16,
    edition: ServedPage,
}

impl ServeOptions {
    fn read(options: &[&str]) -> Result<Self> {
        let mut read = Self { port: DEFAULT_PORT, edition: ServedPage::Development };
        let mut options = options.iter();
        while let Some(option) = options.next() {
            match *option {
                "--no-build" => read.edition = ServedPage::LastBuild,
                "--published" => read.edition = ServedPage::Published,
                "--port" => {
                    let value = options.next().context("--port needs a number")?;
                    read.port =
                        value.parse().with_context(|| format!("--port {value}: must be a port from 0 to 65535"))?;
                }
                other => bail!("unknown option '{other}' for serve; accepted: --port N, --published or --no-build"),
            }
        }
        Ok(read)
    }
}

/// Folder and the URL path under which it is served.
#[derive(Clone)]
pub(crate) struct Site {
    folder: PathBuf,
    /// Path that begins and ends with a slash.
    prefix: String,
}

impl Site {
    /// Creates a site that serves the page in `folder` under `prefix`.
    pub(crate) fn open(folder: &Path, prefix: &str) -> Result<Self> {
        if !folder.join("index.html").is_file() {
            bail!("there is no page in {}/ yet: run `cargo xtask build`", folder.display());
        }
        Ok(Self { folder: folder.to_owned(), prefix: prefix.to_owned() })
    }

    fn router(&self) -> Router {
        let files = ServeDir::new(&self.folder);
        let router = match self.prefix.as_str() {
            "/" => Router::new().fallback_service(files),
            prefix => Router::new().nest_service(prefix, files),
        };
        // The page may be rebuilt at any time. Pages of other origins load figures, as from most
        // static hosts.
        let header = |name, value| SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value));
        router.layer(header(CACHE_CONTROL, "no-cache")).layer(header(ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
    }
}

/// Web server in the background; it stops when dropped.
pub(crate) struct WebServer {
    /// URL of the site, with a slash at its end.
    pub(crate) url: String,
    runtime: Runtime,
}

impl WebServer {
    /// Serves `site` on a port of this machine; port 0 means any free port.
    pub(crate) fn start(site: &Site, port: u16) -> Result<Self> {
        let runtime = Runtime::new()?;
        let listener = runtime.block_on(TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))))?;
        let url = format!("http://{}{}", listener.local_addr()?, site.prefix);
        runtime.spawn(axum::serve(listener, site.router()).into_future());
        Ok(Self { url, runtime })
    }

    /// Serves until the program is interrupted.
    fn wait(self) -> ! {
        self.runtime.block_on(std::future::pending())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use super::*;

    /// Serves the folder of this crate.
    fn serve(prefix: &str) -> WebServer {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        WebServer::start(&Site { folder, prefix: prefix.to_owned() }, 0).expect("the server starts")
    }

    fn connect(server: &WebServer) -> TcpStream {
        let host = server.url.trim_start_matches("http://").split('/').next().unwrap_or_default();
        TcpStream::connect(host).expect("the server listens")
    }

    /// Returns the complete response to a request for `path`.
    fn response_to(server: &WebServer, path: &str) -> String {
        let mut stream = connect(server);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").expect("the request is sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("there is an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn files_are_found_under_the_prefix() {
        for (prefix, path) in [("/", "/src/main.rs?x=1"), ("/sub.js/dir/", "/sub.js/dir/src/m%61in.rs")] {
            let answer = response_to(&serve(prefix), path);
            assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
            assert!(answer.contains("cache-control: no-cache"), "{path}: {answer}");
            assert!(answer.ends_with(include_str!("main.rs")), "{path}: {answer}");
        }
        for missing in ["/src/main.rs", "/sub.js/dir/nothing", "/"] {
            let answer = response_to(&serve("/sub.js/dir/"), missing);
            assert!(answer.starts_with("HTTP/1.1 404"), "{missing}: {answer}");
        }
    }

    #[test]
    fn options_select_port_and_edition() {
        let read = |options: &[&str]| ServeOptions::read(options).ok().map(|read| (read.port, read.edition));
        assert_eq!(read(&[]), Some((DEFAULT_PORT, ServedPage::Development)));
        assert_eq!(read(&["--published", "--port", "0"]), Some((0, ServedPage::Published)));
        assert_eq!(read(&["--no-build"]), Some((DEFAULT_PORT, ServedPage::LastBuild)));
        for wrong in [&["--port"][..], &["--port", "x"], &["--port", "65536"], &["--fast"]] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let server = serve("/");
        for path in
            ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/src/..%2f..%2fCargo.toml", "//etc/passwd", "/..\\Cargo.toml"]
        {
            let answer = response_to(&server, path);
            assert!(answer.starts_with("HTTP/1.1 4"), "{path}: {answer}");
        }
    }

    #[test]
    fn silent_connections_do_not_block_requests() {
        let server = serve("/");
        let silent: Vec<_> = (0..64).map(|_| connect(&server)).collect();
        assert!(response_to(&server, "/Cargo.toml").starts_with("HTTP/1.1 200"));
        drop(silent);
    }
}
