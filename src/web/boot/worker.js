// Stands behind the script that wasm-bindgen has written for the workers' program.
// It lives while it fetches and compiles that, however slow the network: the beat of worker/protocol.rs.
const beat = setInterval(() => postMessage(Uint8Array.of(8)), 200);
await __wbg_init({ module_or_path: new URL('%WORKER_WASM%', import.meta.url) });
clearInterval(beat);
