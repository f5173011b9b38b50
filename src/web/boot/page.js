import init, { guard, openPage, setHome } from './%GLUE%';
const at = name => new URL(name, import.meta.url).href;
try {
  await init({ module_or_path: at('%WASM%') });
  guard((...told) => window.faultlab?.stopped(...told));
  setHome(location.href.split('#')[0], at('%WORKER%'), at('%ANSWERS%'), at('%ROWS%'));
  const place = document.getElementById('app');
  place.replaceChildren();
  window.faultlab?.started();
  openPage(place);
} catch (error) {
  window.faultlab?.failed(error);
}

// The page opens without a network after the first visit, unless its link contains ?offline=no,
// which also deletes the cache.
const keeper = at('offline.js');
const offline = async () => {
  if (new URLSearchParams(location.search).get('offline') === 'no') {
    const kept = `faultlab ${at('./')} `;
    const here = await navigator.serviceWorker.getRegistration(at('./'));
    if (here?.scope === at('./')) await here.unregister();
    for (const name of await caches.keys()) if (name.startsWith(kept)) await caches.delete(name);
  } else if (!navigator.connection?.saveData) {
    await navigator.serviceWorker.register(keeper);
  }
};
// The registration runs in the background. It fails silently where it is not allowed, as in a
// private window, and is skipped in a frame.
if (window.top === window && navigator.serviceWorker && window.caches) {
  (window.requestIdleCallback ?? setTimeout)(() => offline().catch(() => {}));
}
