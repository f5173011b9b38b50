// Stands behind the script that wasm-bindgen has written for the workers' program.
await __wbg_init({ module_or_path: new URL('%WORKER_WASM%', import.meta.url) });
