// A worker's script that fetches another: what it is told before that has come waits.
const relay = code => URL.createObjectURL(new Blob([
  `const early = []; onmessage = event => early.push(event); (async () => { ${code} })()
    .then(() => early.forEach(event => onmessage(event)), error => { setTimeout(() => { throw error; }); });`,
], { type: 'text/javascript' }));
