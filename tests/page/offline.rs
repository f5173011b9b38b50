//! Tests of offline use: after the first visit the page opens and computes without a network,
//! unless its link forbids caching.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::browser::{Page, built_file};

/// Server of the built page that can be switched off.
struct Host {
    at: SocketAddr,
    is_off: Arc<AtomicBool>,
}

impl Host {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let at = listener.local_addr().expect("its address");
        let is_off = Arc::new(AtomicBool::new(false));
        let off = Arc::clone(&is_off);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // Switched off, it accepts connections and closes them without a response.
                if !off.load(Ordering::SeqCst) {
                    thread::spawn(move || answer(&stream));
                }
            }
        });
        Self { at, is_off }
    }

    fn url(&self, rest: &str) -> String {
        format!("http://{}/{rest}", self.at)
    }

    fn switch_off(&self) {
        self.is_off.store(true, Ordering::SeqCst);
    }
}

/// Answers a request with a file of the site.
fn answer(mut stream: &TcpStream) {
    let mut line = String::new();
    let mut reader = BufReader::new(stream);
    let read = reader.read_line(&mut line).is_ok();
    // Read the whole request: closing a connection with unread data resets it.
    let mut rest = String::new();
    while reader.read_line(&mut rest).is_ok_and(|length| length > 2) {
        rest.clear();
    }
    let path = line.split(' ').nth(1).and_then(|path| path.split('?').next()).filter(|_| read).unwrap_or("/");
    let path = if path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let file = fs::read(built_file(path.trim_start_matches('/')));
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let (status, body) = file.map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // The client may have closed the connection.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}

const IS_CACHED: &str = "return (async () => {
    const here = await navigator.serviceWorker.getRegistration('./');
    return !!here?.active && (await caches.keys()).length === 1;
})()";

#[tokio::test]
async fn after_the_first_visit_it_opens_and_measures_without_a_network() {
    let (page, host) = (Page::blank().await, Host::start());
    page.client.goto(&host.url("")).await.expect("the page opens");
    page.wait_until("its files are kept", IS_CACHED).await;
    host.switch_off();
    page.client
        .goto(&host.url("#v=2&net=cube:4&faults=nodes:0.2&vary=p:0.1,0.2&view=measure"))
        .await
        .expect("the link opens");
    page.reload().await;
    page.wait_until("it has measured", "return document.querySelectorAll('table tbody tr').length > 0").await;
}

#[tokio::test]
async fn offline_no_deletes_the_cache() {
    let (page, host) = (Page::blank().await, Host::start());
    page.client.goto(&host.url("")).await.expect("the page opens");
    page.wait_until("its files are kept", IS_CACHED).await;
    page.client.goto(&host.url("?offline=no#v=2&net=cube:4")).await.expect("the link opens");
    let is_forgotten = "return (async () => {
        const here = await navigator.serviceWorker.getRegistration('./');
        return !here && (await caches.keys()).length === 0;
    })()";
    page.wait_until("nothing is kept", is_forgotten).await;
    page.wait_until("it shows the link", "return !!document.querySelector('main canvas')").await;
}
