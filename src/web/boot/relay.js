// Returns the script of a worker that fetches another script. Messages are queued until the other
// script has started, and heartbeats are sent as in worker.js.
const relay = code => URL.createObjectURL(new Blob([
  `const early = []; onmessage = event => early.push(event);
  const beat = setInterval(() => postMessage(Uint8Array.of(8)), 200);
  (async () => { ${code} })().finally(() => clearInterval(beat))
    .then(() => early.forEach(event => onmessage(event)), error => { setTimeout(() => { throw error; }); });`,
], { type: 'text/javascript' }));
