//! Browser driver, and the server of the page under test.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::browser_engine::BrowserEngine;
use crate::run;
use crate::serve::{Site, WebServer};
use crate::target::DIST;

/// Path of the page under test. It is not the root of the host and has `.js` in a folder name,
/// because pages have failed under such paths.
const TEST_PREFIX: &str = "/sub.js/dir/";
/// Time limit for the start of a driver and its answers.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Interval at which conditions are polled.
const POLL: Duration = Duration::from_millis(50);

/// Server of the page, and a browser driver.
pub(crate) struct TestBed {
    site: WebServer,
    driver: Driver,
}

impl TestBed {
    /// Starts the server and the engine's driver on free ports.
    pub(crate) fn open(engine: &'static BrowserEngine) -> Result<Self> {
        let site = Site::open(Path::new(DIST), TEST_PREFIX)?;
        Ok(Self { site: WebServer::start(&site, 0)?, driver: Driver::start(engine)? })
    }

    /// Sets the environment variables of a test.
    pub(crate) fn set_environment<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("FAULTLAB_ENGINE", self.driver.engine.name)
            .env("FAULTLAB_URL", &self.site.url)
            .env("WEBDRIVER_URL", self.driver.url())
    }
}

/// Child process that is killed when dropped.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // The process must not survive. Both calls have no effect once it has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Virtual X display.
struct VirtualDisplay {
    _process: KillOnDrop,
    /// Value of `DISPLAY`.
    name: String,
}

impl VirtualDisplay {
    /// Starts an X server, which chooses a free display number.
    fn start() -> Result<Self> {
        let mut command = run::program("Xvfb");
        // Without `-noreset`, the server resets after the last browser and refuses the next one
        // meanwhile; the driver then waits forever.
        command.args(["-displayfd", "1", "-noreset", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("cannot start Xvfb")?;
        let mut process = KillOnDrop(child);
        let mut number = String::new();
        let output = process.0.stdout.take().context("Xvfb has no output")?;
        BufReader::new(output).read_line(&mut number)?;
        ensure!(!number.trim().is_empty(), "Xvfb found no free display");
        Ok(Self { _process: process, name: format!(":{}", number.trim()) })
    }
}

/// Driver process; it ends when dropped, with every browser that it started.
pub(crate) struct Driver {
    engine: &'static BrowserEngine,
    process: KillOnDrop,
    port: u16,
    // Fields are dropped in their order: the display must end after the browsers.
    _display: Option<VirtualDisplay>,
}

impl Driver {
    /// Starts the engine's driver on a free port, and installs it if necessary.
    pub(crate) fn start(engine: &'static BrowserEngine) -> Result<Self> {
        let path = engine.ensure_driver()?;
        let port = free_port()?;
        let mut command = run::program(&path);
        // The driver reports errors in its answers; the messages of Firefox on every start would
        // look like errors.
        command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
        let display = if engine.needs_display { Some(VirtualDisplay::start()?) } else { None };
        if let Some(display) = &display {
            command.env("DISPLAY", &display.name);
        }
        let process = command.spawn().with_context(|| format!("cannot start {}", path.display()))?;
        let mut driver = Self { engine, process: KillOnDrop(process), port, _display: display };
        driver.await_port()?;
        Ok(driver)
    }

    /// Returns the URL of the driver.
    pub(crate) fn url(&self) -> String {
        format!("http://{}:{}", Ipv4Addr::LOCALHOST, self.port)
    }

    fn await_port(&mut self) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            if TcpStream::connect(address(self.port)).is_ok() {
                return Ok(());
            }
            if let Some(status) = self.process.0.try_wait()? {
                bail!("the browser's driver exited immediately ({status})");
            }
            thread::sleep(POLL);
        }
        bail!("the browser's driver does not answer on port {}", self.port)
    }

    /// Sends a driver the request to close its browsers and end; killing the driver would leave
    /// them running.
    fn ask_to_end(&mut self, path: &str) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(address(self.port))?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        let host = address(self.port);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}:{}\r\nConnection: close\r\n\r\n", host.0, host.1)?;
        stream.read_to_end(&mut Vec::new())?;
        let start = Instant::now();
        while self.process.0.try_wait()?.is_none() && start.elapsed() < TIMEOUT {
            thread::sleep(POLL);
        }
        Ok(())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(path) = self.engine.shutdown {
            // If the driver does not answer, its process is killed.
            let _ = self.ask_to_end(path);
        }
    }
}

fn address(port: u16) -> (Ipv4Addr, u16) {
    (Ipv4Addr::LOCALHOST, port)
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(address(0))?.local_addr()?.port())
}
