//! A driver for Chromium, and the page served to it.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::build::DIST;
use crate::serve::{Running, Site};
use crate::{run, tools};

/// Where the tests find the page: not at the top of the host, and with `.js` in a folder's name, because both have
/// broken such pages before.
const TEST_PREFIX: &str = "/sub.js/dir/";
const PATIENCE: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(50);

/// The page on a server of its own, a browser driver, and the command-line tool to compare with.
pub(crate) struct Lab {
    site: Running,
    driver: Driver,
    command_line: String,
}

impl Lab {
    /// Starts the server and the driver on free ports and builds the `faultlab` program.
    pub(crate) fn open() -> Result<Self> {
        let site = Site::open(Path::new(DIST), TEST_PREFIX)?;
        run::run(&mut run::cargo("build --package faultlab --release --bin faultlab"))?;
        let command_line = format!("{}/release/faultlab{}", target_folder()?, std::env::consts::EXE_SUFFIX);
        Ok(Self { site: Running::start(&site, 0)?, driver: Driver::start()?, command_line })
    }

    /// Tells a test where everything is.
    pub(crate) fn equip<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("FAULTLAB_URL", &self.site.url)
            .env("FAULTLAB_CLI", &self.command_line)
            .env("WEBDRIVER_URL", format!("http://{}:{}", Ipv4Addr::LOCALHOST, self.driver.port))
    }
}

/// Where cargo puts what it builds.
fn target_folder() -> Result<String> {
    let metadata = run::output(&mut run::cargo("metadata --format-version 1 --no-deps --offline"))?;
    let (_, rest) = metadata.split_once("\"target_directory\":\"").context("cargo metadata names no target folder")?;
    let (folder, _) = rest.split_once('"').context("cargo metadata is cut off")?;
    Ok(folder.replace("\\\\", "\\"))
}

/// A ChromeDriver process; it ends, with every browser it started, when dropped.
struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    fn start() -> Result<Self> {
        let path = tools::ensure_browser()?;
        let port = free_port()?;
        let process = run::program(&path)
            .arg(format!("--port={port}"))
            .arg("--log-level=SEVERE")
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", path.display()))?;
        let mut driver = Self { process, port };
        driver.await_port()?;
        Ok(driver)
    }

    fn await_port(&mut self) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if TcpStream::connect(address(self.port)).is_ok() {
                return Ok(());
            }
            if let Some(status) = self.process.try_wait()? {
                bail!("ChromeDriver ended at once ({status})");
            }
            thread::sleep(POLL);
        }
        bail!("ChromeDriver does not answer on port {}", self.port)
    }

    /// Asks the driver to close its browsers and end; killing it would leave them behind.
    fn ask_to_end(&mut self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(address(self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let host = address(self.port);
        write!(stream, "GET /shutdown HTTP/1.1\r\nHost: {}:{}\r\nConnection: close\r\n\r\n", host.0, host.1)?;
        stream.read_to_end(&mut Vec::new())?;
        let start = Instant::now();
        while self.process.try_wait()?.is_none() && start.elapsed() < PATIENCE {
            thread::sleep(POLL);
        }
        Ok(())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Whatever goes wrong here, the process may not survive; all three are without effect once it has ended.
        let _ = self.ask_to_end();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn address(port: u16) -> (Ipv4Addr, u16) {
    (Ipv4Addr::LOCALHOST, port)
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(address(0))?.local_addr()?.port())
}
