// Program of the figures in the files beside this script.
const at = name => new URL(name, import.meta.url).href;
const PAGE = at('index.html');

%RELAY%
// Browsers start no worker from another origin: a local worker script fetches the remote one.
const worker = () => {
  const script = at('%WORKER%');
  return new URL(script).origin === location.origin ? script : relay(`await import(${JSON.stringify(script)});`);
};

// A script under another address is a separate module, with a program of its own.
const importGlue = number => import(at('%GLUE%') + (number ? `?${number}` : ''));
const wasm = () => at('%WASM%');
const addresses = () => [PAGE, worker(), at('%ANSWERS%'), at('%ROWS%')];
