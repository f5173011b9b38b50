// Runs before the program, and where that does not: the page never stays blank without a word.
(() => {
%TROUBLE%
%CRASH%
  let started = false;
  // The picture that stands in the page is of the first example.
  document.documentElement.classList.toggle('opens-link', location.hash.length > 1);
  // The last two experiments, by the address, that stood on the page when the reader did something: these were drawn.
  let [last, before] = [];
  const keep = text => { if (started && text !== last) [last, before] = [text, last]; };
  for (const act of ['pointerdown', 'keydown', 'message']) addEventListener(act, () => keep(location.hash.slice(1)), true);
  addEventListener('hashchange', event => keep(new URL(event.oldURL).hash.slice(1)), true);
  const say = error => {
    if (started) return;
    const place = document.getElementById('app');
    if (!place) return addEventListener('DOMContentLoaded', () => say(error), { once: true });
    const told = document.createElement('p');
    told.className = 'trouble';
    told.setAttribute('role', 'alert');
    told.textContent = trouble(error);
    const details = String(error?.message ?? '');
    if (details) told.title = details;
    place.replaceChildren(told);
  };
  // A page that is loaded anew is whole again; what it opens is the reader's choice.
  const open = text => { location.hash = text; location.reload(); };
  const failed = (error, panic) => {
    const place = document.getElementById('app');
    panic.text ??= location.hash.slice(1).replace(/&?\bui[.=][^&]*/g, '');
    const good = [last, before].find(text => text !== undefined && text !== panic.text);
    // Rules that do not hold yet are in no experiment.
    const rules = place.querySelector('.rules textarea')?.value;
    // A figure alone has its options in the address, and no other experiments.
    const options = (location.hash.match(/[#&]ui[.=][^&]*/g) ?? []).map(option => `&${option.slice(1)}`);
    const ways = [['Try this experiment again', () => open(panic.text + options.join(''))]];
    if (good) ways.unshift(['Open the last experiment that was drawn', () => open(good)]);
    else if (!options.includes('&ui=figure')) ways.unshift(['Open the first example', () => open('')]);
    place.replaceChildren(crash(panic, rules ? [`Rules in the editor:\n${rules}`] : [], ways));
  };
  window.faultlab = { failed: say, stopped: failed, started: () => { started = true; } };
  // Of a script that does not come there is an event without a message.
  addEventListener('error', event => say(event.error ?? event), true);
  addEventListener('unhandledrejection', event => say(event.reason));
  if (location.protocol === 'file:' || typeof WebAssembly !== 'object') say();
})();
