// Runs before the program, and reports the problem if the program cannot start, so that the page
// never stays blank.
(() => {
%START_ERROR%
%CRASH%
  let started = false;
  // The picture in the page shows the first example.
  document.documentElement.classList.toggle('opens-link', location.hash.length > 1);
  // Last two experiment texts that were in the address at an input event. They had been drawn
  // without an error by then.
  let [last, before] = [];
  const keep = text => { if (started && text !== last) [last, before] = [text, last]; };
  for (const act of ['pointerdown', 'keydown', 'message']) addEventListener(act, () => keep(location.hash.slice(1)), true);
  addEventListener('hashchange', event => keep(new URL(event.oldURL).hash.slice(1)), true);
  const say = error => {
    if (started) return;
    const place = document.getElementById('app');
    if (!place) return addEventListener('DOMContentLoaded', () => say(error), { once: true });
    const message = document.createElement('p');
    message.className = 'error-message';
    message.setAttribute('role', 'alert');
    message.textContent = startError(error);
    const details = String(error?.message ?? '');
    if (details) message.title = details;
    place.replaceChildren(message);
  };
  // A reload restarts the program, with the experiment that the user chooses.
  const open = text => { location.hash = text; location.reload(); };
  const failed = (error, panic) => {
    const place = document.getElementById('app');
    panic.text ??= location.hash.slice(1).replace(/&?\bui[.=][^&]*/g, '');
    const good = [last, before].find(text => text !== undefined && text !== panic.text);
    // Rules with errors are not part of any experiment.
    const rules = place.querySelector('.rules textarea')?.value;
    // A standalone figure has its options in the address, and offers no other experiments.
    const options = (location.hash.match(/[#&]ui[.=][^&]*/g) ?? []).map(option => `&${option.slice(1)}`);
    const ways = [['Try this experiment again', () => open(panic.text + options.join(''))]];
    if (good) ways.unshift(['Open the last experiment that was drawn', () => open(good)]);
    else if (!options.includes('&ui=figure')) ways.unshift(['Open the first example', () => open('')]);
    place.replaceChildren(crash(panic, rules ? [`Rules in the editor:\n${rules}`] : [], ways));
  };
  window.faultlab = { failed: say, stopped: failed, started: () => { started = true; } };
  // A script that cannot be loaded causes an event without a message.
  addEventListener('error', event => say(event.error ?? event), true);
  addEventListener('unhandledrejection', event => say(event.reason));
  if (location.protocol === 'file:' || typeof WebAssembly !== 'object') say();
})();
