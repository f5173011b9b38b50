// Appended to the script that wasm-bindgen generates for the program of the workers. It sends
// heartbeats (worker/protocol.rs) while the program is fetched and compiled, so that a slow network
// causes no timeout.
const beat = setInterval(() => postMessage(Uint8Array.of(8)), 200);
await __wbg_init({ module_or_path: new URL('%WORKER_WASM%', import.meta.url) });
clearInterval(beat);
