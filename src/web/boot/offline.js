// Service worker of the page: caches its files, so that it opens without a network after the first
// visit. Files with fixed names are requested from the network first; files named by their contents
// never change.
const FOLDER = new URL('./', location.href).href;
const KEPT = `faultlab ${FOLDER} `;
const CACHE = `${KEPT}%BUILD%`;
const FILES = [%FILES%];
const BESIDE = /^(gallery|lessons|docs|figures)\//;
const BY_CONTENT = /-[0-9a-f]{12,16}\.\w+$/;
// Timeout of the network, in milliseconds.
const PATIENCE = 3000;

addEventListener('install', event => {
  // Cache all files or none, so that an old page never uses new files. Requests for files with
  // fixed names bypass the HTTP cache.
  const fresh = FILES.map(file => new Request(file, { cache: BY_CONTENT.test(file) ? 'default' : 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(fresh)).then(() => skipWaiting()));
});

addEventListener('activate', event => {
  const old = names => names.filter(name => name.startsWith(KEPT) && name !== CACHE).map(name => caches.delete(name));
  event.waitUntil(caches.keys().then(names => Promise.all(old(names))));
});

addEventListener('fetch', event => {
  const { request } = event;
  const [address] = request.url.split(/[?#]/);
  if (request.method !== 'GET' || !address.startsWith(FOLDER)) return;
  // Other folders, such as folders of other versions, are not handled.
  const name = address.slice(FOLDER.length).replace(/^index\.html$/, '') || './';
  const known = FILES.includes(name);
  if (!known && !BESIDE.test(name)) return;
  event.respondWith(BY_CONTENT.test(name) ? kept(request, name) : newest(request, name, !known));
});

const find = async name => (await caches.open(CACHE)).match(new URL(name, FOLDER).href);

async function kept(request, name) {
  return (await find(name)) ?? fetched(request, name, true);
}

async function newest(request, name, keeps) {
  const late = new Promise((_, reject) => setTimeout(reject, PATIENCE, new Error('the network does not respond')));
  const coming = fetched(request, name, keeps);
  try {
    return await Promise.race([coming, late]);
  } catch {
    return (await find(name)) ?? coming;
  }
}

async function fetched(request, name, keeps) {
  const answer = await fetch(request);
  if (keeps && answer.ok) await (await caches.open(CACHE)).put(new URL(name, FOLDER).href, answer.clone());
  return answer;
}
