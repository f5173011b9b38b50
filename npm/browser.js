import init from './core.js';
import { functions } from './shared.js';

// The module is compiled once and posted to every worker. Bundlers detect files by addresses in
// this form.
let program;
const compiled = async () => {
  const address = new URL('./core_bg.wasm', import.meta.url);
  program ??= WebAssembly.compileStreaming(fetch(address))
    // Some hosts serve WebAssembly with another media type.
    .catch(async () => WebAssembly.compile(await (await fetch(address)).arrayBuffer()));
  return program;
};

const platform = {
  ready: async () => void await init({ module_or_path: await compiled() }),
  processors: () => navigator.hardwareConcurrency || 1,
  start(hear, fail) {
    const worker = new Worker(new URL('./worker-browser.js', import.meta.url), { type: 'module' });
    worker.onmessage = event => hear(event.data);
    worker.onerror = event => fail(new Error(event.message || 'cannot start a worker'));
    compiled().then(module => worker.postMessage({ module }), fail);
    // Calls are posted after the module; the first call waits for it.
    return { post: message => void compiled().then(() => worker.postMessage(message)), end: () => worker.terminate() };
  },
};

export const { run, route, check, cost, svg } = functions(platform);
export const version = '%VERSION%';
