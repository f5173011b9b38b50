// Starts the page of the single-file edition, whose parts follow in compressed form.
%RELAY%
(async () => {
  const unpack = async text => {
    const packed = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
    // A Response is used instead of a Blob's stream: WebKit sometimes fails to read several Blob
    // streams at once from a disk.
    const stream = new Response(packed).body.pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const text = id => document.getElementById(`part-${id}`).textContent;
  const address = (bytes, type) => URL.createObjectURL(new Blob([bytes], { type }));
  const parts = ['glue', 'wasm', 'worker-glue', 'answers', 'rows'];
  const [glue, wasm, workerGlue, answers, rows] = await Promise.all(parts.map(id => unpack(text(id))));
  const { default: init, guard, openPage, setHome } = await import(address(glue, 'text/javascript'));
  await init({ module_or_path: wasm });
  guard(window.faultlab.stopped);
  // A worker of a page without an origin cannot fetch files, so its script contains everything, and
  // is not a module.
  const plain = new TextDecoder().decode(workerGlue).replaceAll('import.meta.url', "''")
    .replace(/^export \{[^}]*\};?$/gm, '').replace(/^export (?=class|function|async)/gm, '');
  const worker = relay(`const unpack = ${unpack}; ${plain}\n await __wbg_init({ module_or_path: await unpack('${text('worker-wasm').trim()}') });`);
  setHome(location.href.split('#')[0], worker, address(answers, 'application/octet-stream'), address(rows, 'application/json'));
  const told = document.querySelector('meta[name=faultlab-experiment]').content;
  if (!location.hash && told) location.replace(`#${told}`);
  const place = document.getElementById('app');
  place.replaceChildren();
  window.faultlab.started();
  openPage(place);
})().catch(error => window.faultlab.failed(error));
