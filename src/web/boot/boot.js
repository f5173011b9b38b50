// Runs before the program, and where that does not: the page never stays blank without a word.
(() => {
%TROUBLE%
  let started = false;
  const say = error => {
    if (started && !error?.stops) return;
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
  window.faultlab = { failed: say, started: () => { started = true; } };
  // Of a script that does not come there is an event without a message.
  addEventListener('error', event => say(event.error ?? event), true);
  addEventListener('unhandledrejection', event => say(event.reason));
  if (location.protocol === 'file:' || typeof WebAssembly !== 'object') say();
})();
