import { parentPort, workerData } from 'node:worker_threads';
import { initSync } from './core.js';
import { answer } from './shared.js';

initSync({ module: workerData });
parentPort.on('message', message => parentPort.postMessage(answer(message)));
