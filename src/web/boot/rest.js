
// Stands behind the script that wasm-bindgen has written for the first part of the program, which is what the first look at the page runs.
const REST = new URL('%REST%', import.meta.url).href;
// To join them twice does no harm: the rest keeps nothing of its own.
const join = async response => {
  await __wbg_load(response, { first: wasmInstance.exports });
  wasmInstance.exports['rest here'].value = 1;
};
let coming;
/** Fetches the rest at once, and joins it as soon as `first`, the promise of the first part, is kept. */
export const rest = first => coming ??= Promise.all([fetch(REST), first]).then(([response]) => join(response))
  .catch(error => { coming = undefined; throw error; });

// What runs cannot wait, so what it calls before the rest is here stops the page until it is.
function bring() {
  performance.mark('faultlab waits for its rest');
  try {
    const asked = new XMLHttpRequest();
    asked.open('GET', REST, false);
    // No page may ask for bytes that way, but for letters that are bytes.
    asked.overrideMimeType('text/plain; charset=x-user-defined');
    asked.send();
    const letters = asked.responseText;
    const bytes = new Uint8Array(letters.length);
    for (let at = 0; at < bytes.length; ++at) bytes[at] = letters.charCodeAt(at);
    new WebAssembly.Instance(new WebAssembly.Module(bytes), { first: wasmInstance.exports });
    wasmInstance.exports['rest here'].value = 1;
  } catch (error) {
    throw Object.assign(error, { stops: true });
  }
}
