// Starts the page out of one file: its parts stand behind it, compressed.
(async () => {
  const part = async id => {
    const packed = Uint8Array.from(atob(document.getElementById(`part-${id}`).textContent.trim()), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const address = (bytes, type) => URL.createObjectURL(new Blob([bytes], { type }));
  const [glue, wasm, answers] = await Promise.all(['glue', 'wasm', 'answers'].map(part));
  const worker = `${new TextDecoder().decode(glue)};await __wbg_init({ module_or_path: '${address(wasm, 'application/wasm')}' });`;
  const { default: init, openPage, setHome } = await import(address(glue, 'text/javascript'));
  await init({ module_or_path: wasm });
  setHome(location.href.split('#')[0], address(worker, 'text/javascript'), address(answers, 'application/octet-stream'));
  const text = document.querySelector('meta[name=faultlab-experiment]').content;
  if (!location.hash && text) location.replace(`#${text}`);
  const place = document.getElementById('app');
  place.replaceChildren();
  window.faultlab.started();
  openPage(place);
})().catch(error => window.faultlab.failed(error));
