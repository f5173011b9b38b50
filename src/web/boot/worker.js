import init from './%GLUE%';
await init({ module_or_path: new URL('%WASM%', import.meta.url) });
