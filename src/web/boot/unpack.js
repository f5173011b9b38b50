// Unpacks parts of Faultlab that are contained in a script or a page.
const unpack = async text => {
  const packed = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
  // A Response is used instead of a Blob's stream: WebKit sometimes fails to read several Blob
  // streams at once from a disk.
  const stream = new Response(packed).body.pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
const address = (bytes, type) => URL.createObjectURL(new Blob([bytes], { type }));
// Returns the address of a worker's script. A worker of a page without an origin cannot fetch
// files, so its script contains everything, and is not a module.
const packedWorker = (glue, wasm) => {
  const plain = new TextDecoder().decode(glue).replaceAll('import.meta.url', "''")
    .replace(/^export \{[^}]*\};?$/gm, '').replace(/^export (?=class|function|async)/gm, '');
  return relay(`const unpack = ${unpack}; ${plain}\n await __wbg_init({ module_or_path: await unpack('${wasm}') });`);
};
