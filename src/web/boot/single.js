// Starts the page of the single-file edition, whose parts follow in compressed form.
%RELAY%
(async () => {
%UNPACK%
  const text = id => document.getElementById(`part-${id}`).textContent;
  const parts = ['glue', 'wasm', 'worker-glue', 'answers', 'rows'];
  const [glue, wasm, workerGlue, answers, rows] = await Promise.all(parts.map(id => unpack(text(id))));
  const { default: init, guard, openPage, setHome } = await import(address(glue, 'text/javascript'));
  await init({ module_or_path: wasm });
  guard(window.faultlab.stopped);
  const worker = packedWorker(workerGlue, text('worker-wasm').trim());
  setHome(location.href.split('#')[0], worker, address(answers, 'application/octet-stream'), address(rows, 'application/json'));
  const told = document.querySelector('meta[name=faultlab-experiment]').content;
  if (!location.hash && told) location.replace(`#${told}`);
  const place = document.getElementById('app');
  place.replaceChildren();
  window.faultlab.started();
  openPage(place);
})().catch(error => window.faultlab.failed(error));
