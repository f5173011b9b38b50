// Front end of a figure in a notebook, an anywidget module. The figure is the element <fault-lab>.
// Its program comes from the kernel, once for all figures of a page.
const page = globalThis[Symbol.for('faultlab.figures')] ??= { requestedAt: -Infinity };
// Time after which another figure asks its kernel for the program, in milliseconds.
const RETRY_MS = 5000;
// Time until a figure has its new colours, in milliseconds.
const REPAINT = 100;
const isDefined = () => customElements.get('fault-lab') !== undefined;

/** Waits until the page has the program. A figure without a kernel waits for another figure. */
const loadProgram = async (model, report) => {
  const defined = customElements.whenDefined('fault-lab');
  for (;;) {
    if (isDefined()) return;
    const wait = page.requestedAt + RETRY_MS - performance.now();
    if (wait <= 0) break;
    await Promise.race([defined, new Promise(done => setTimeout(done, wait))]);
  }
  page.requestedAt = performance.now();
  const receive = (content, buffers) => {
    if (content?.kind !== 'program') return;
    model.off('msg:custom', receive);
    if (content.problem) report(content.problem);
    else if (!isDefined()) evaluate(buffers[0]).catch(error => report(`The figure cannot start: ${error.message}`));
  };
  model.on('msg:custom', receive);
  model.send({ kind: 'program' });
  await defined;
};

const evaluate = async bytes => {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'text/javascript' }));
  try {
    await import(url);
  } finally {
    URL.revokeObjectURL(url);
  }
};

/** Returns the theme of the application around the figure. */
const hostTheme = () => {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === 'true' ? 'light' : 'dark';
  if (vscodeThemeKind) return vscodeThemeKind.endsWith('light') ? 'light' : 'dark';
  return 'auto';
};

/** Returns the picture that is shown until the figure opens. */
const stillImage = svg => {
  const image = document.createElement('img');
  image.slot = 'still';
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  image.alt = new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('title')?.textContent ?? '';
  image.style.maxWidth = '100%';
  return image;
};

function render({ model, el }) {
  const figure = document.createElement('fault-lab'), options = model.get('_options');
  for (const [name, value] of Object.entries(options)) figure.setAttribute(name, value);
  figure.setAttribute('experiment', model.get('experiment'));
  figure.style.cssText = `display: block; height: ${model.get('_height')}px`;
  // Keys in the figure are no commands of JupyterLab.
  figure.dataset.lmSuppressShortcuts = 'true';
  const still = model.get('_still') ? stillImage(model.get('_still')) : model.get('experiment');
  figure.append(still);
  el.append(figure);
  const problem = text => {
    const line = document.createElement('p');
    line.setAttribute('role', 'alert');
    line.textContent = text;
    el.append(line);
  };

  const showTheme = () => {
    if (options.theme) return;
    // A change of any attribute shows the experiment of the attributes again.
    figure.setAttribute('experiment', model.get('experiment'));
    figure.setAttribute('theme', hostTheme());
    // Pictures are painted again after a change of the window.
    setTimeout(() => dispatchEvent(new Event('resize')), REPAINT);
  };
  showTheme();
  const themes = new MutationObserver(showTheme);
  themes.observe(document.body, { attributes: true, attributeFilter: ['data-jp-theme-light', 'data-vscode-theme-kind'] });

  // Time that this view has set last. After a command of the kernel, the figure reports no time
  // until a reader uses it: linked figures would move each other.
  let sentTime, follows = false;
  const setTrait = (name, value) => {
    if (model.get(name) === value) return;
    model.set(name, value);
    model.save_changes();
  };
  const listeners = {
    change: ({ detail }) => setTrait('experiment', detail),
    time: ({ detail }) => { if (!follows) setTrait('time', sentTime = detail); },
    result: ({ detail }) => { if (detail) setTrait('result', detail); },
    pointerdown: () => { follows = false; },
    keydown: event => { follows = false; event.stopPropagation(); },
  };
  for (const [name, listen] of Object.entries(listeners)) figure.addEventListener(name, listen);
  const seek = () => {
    const time = model.get('time');
    if (time === null || time === sentTime) return;
    follows = true;
    figure.seek(time);
  };
  const commands = {
    'change:experiment': () => {
      const text = model.get('experiment');
      if (figure.experiment !== text) figure.setAttribute('experiment', text);
    },
    'change:time': () => { if (isDefined()) seek(); },
  };
  for (const [name, act] of Object.entries(commands)) model.on(name, act);

  loadProgram(model, problem).then(() => { still.remove?.(); seek(); });
  return () => {
    themes.disconnect();
    for (const [name, act] of Object.entries(commands)) model.off(name, act);
  };
}

export default { render };
