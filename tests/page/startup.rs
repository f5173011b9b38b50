//! Tests of start-up failures: the page explains the reason and a remedy.

use crate::browser::{Page, page_url};
use crate::figures::{file_url, open_host};

#[tokio::test]
async fn startup_failures_are_explained() {
    let page = Page::blank().await;
    page.client.goto(&file_url("index.html")).await.expect("the file opens");
    page.until_text("#app [role=alert]", "Open faultlab.html").await;
    let page = Page::blank().await;
    page.before_load("delete window.WebAssembly; window.WebAssembly = undefined;");
    page.client.goto(&page_url()).await.expect("the page opens");
    page.until_text("#app [role=alert]", "This browser does not support WebAssembly").await;
    let page = Page::blank().await;
    page.before_load("WebAssembly.instantiateStreaming = WebAssembly.instantiate = () => Promise.reject(new WebAssembly.CompileError('cut'));");
    page.client.goto(&page_url()).await.expect("the page opens");
    page.until_text("#app [role=alert]", "The program is damaged").await;
}

/// In a host page whose policy permits scripts but not WebAssembly, a figure names the missing
/// permission.
#[tokio::test]
async fn figure_explains_restrictive_host_policy() {
    let page = open_host().await;
    page.run(
        "const policy = document.createElement('meta');
         policy.httpEquiv = 'Content-Security-Policy';
         policy.content = \"script-src 'self'\";
         document.head.append(policy);
         figure({ experiment: 'net=cube:4' });",
    )
    .await;
    let said = "return (seen(0, '[role=alert]')?.textContent ?? '').includes(\"'wasm-unsafe-eval' in script-src\")";
    page.wait_until("it says what the policy needs", said).await;
}
