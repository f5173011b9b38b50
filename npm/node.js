import { readFileSync } from 'node:fs';
import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { initSync, version as version_of } from './core.js';
import { functions } from './shared.js';

const program = new WebAssembly.Module(readFileSync(new URL('./core_bg.wasm', import.meta.url)));
initSync({ module: program });

const platform = {
  ready: async () => {},
  processors: () => os.availableParallelism?.() ?? os.cpus().length,
  start(hear, fail) {
    const worker = new Worker(new URL('./worker-node.js', import.meta.url), { workerData: program });
    worker.on('message', hear);
    worker.on('error', fail);
    return { post: message => worker.postMessage(message), end: () => void worker.terminate() };
  },
};

export const { run, route, check, cost, svg } = functions(platform);
export const version = version_of();
