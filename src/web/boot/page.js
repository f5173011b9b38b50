import init, { openPage, setHome } from './%GLUE%';
const at = name => new URL(name, import.meta.url).href;
try {
  await init({ module_or_path: at('%WASM%') });
  setHome(location.href.split('#')[0], at('%WORKER%'), at('%ANSWERS%'));
  const place = document.getElementById('app');
  place.replaceChildren();
  window.faultlab?.started();
  openPage(place);
} catch (error) {
  window.faultlab?.failed(error);
}
