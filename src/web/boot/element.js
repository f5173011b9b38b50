// <fault-lab experiment="…">: a figure of Faultlab in any page. All figures of a page share one program and one pool of workers;
// each opens when it comes near the screen and rests out of sight.
%TROUBLE%
const SHEET = %SHEET%;
const OPTIONS = ['view', 'show', 'controls', 'lock', 'play', 'speed', 'theme', 'caption'];
const at = name => new URL(name, import.meta.url).href;

%RELAY%
// Browsers start no worker from another origin: one of ours fetches it.
const worker = () => {
  const script = at('%WORKER%');
  return new URL(script).origin === location.origin ? script : relay(`await import(${JSON.stringify(script)});`);
};

let loading;
const program = () => loading ??= (async () => {
  const glue = await import(at('%GLUE%'));
  await glue.default({ module_or_path: at('%WASM%') });
  glue.setHome(at('index.html'), worker(), at('%ANSWERS%'));
  return glue;
})().catch(error => { loading = undefined; throw error; });

let sheet;
const style = root => {
  if (!sheet) { sheet = new CSSStyleSheet(); sheet.replaceSync(SHEET); }
  root.adoptedStyleSheets = [sheet];
};

const sight = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) target.near(isIntersecting);
}, { rootMargin: '300px' });

// A page is printed with its figures, also those that nobody has come near yet: the first few open when there is nothing else to
// do, all of them when it is about to be printed.
const EARLY = 8;
const others = most => [...document.querySelectorAll('fault-lab')].slice(0, most).forEach(one => one.open?.());
const idle = self.requestIdleCallback ?? (act => setTimeout(act, 1000));
addEventListener('beforeprint', () => others(Infinity));

class FaultLab extends HTMLElement {
  static observedAttributes = ['experiment', ...OPTIONS];
  #root; #figure; #opening; #ready; #queued = false; #isNear = false;

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    style(shadow);
    this.#root = document.createElement('div');
    this.#root.className = 'mount';
    shadow.append(this.#root);
    this.#wait();
  }

  #wait() {
    this.ready = new Promise(done => { this.#ready = done; });
    this.#say('Faultlab');
  }

  #say(text, alert = false) {
    const told = document.createElement('p');
    told.className = alert ? 'trouble' : 'waiting';
    if (alert) told.setAttribute('role', 'alert');
    told.textContent = text;
    this.#root.replaceChildren(told);
  }

  // The experiment's text, with the options behind it.
  #text() {
    const text = (this.getAttribute('experiment') ?? '').trim();
    const given = OPTIONS.filter(name => this.hasAttribute(name));
    return [text, ...given.map(name => `ui.${name}=${encodeURIComponent(this.getAttribute(name))}`)].filter(Boolean).join('&');
  }

  connectedCallback() { sight.observe(this); }

  disconnectedCallback() {
    sight.unobserve(this);
    // What is only moved to another place is back by then.
    queueMicrotask(() => {
      if (this.isConnected || !this.#figure) return;
      this.#figure.close();
      this.#figure = undefined;
      this.#wait();
    });
  }

  attributeChangedCallback() {
    if (!this.#figure || this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => { this.#queued = false; this.#figure?.show(this.#text()); });
  }

  near(isNear) {
    this.#isNear = isNear;
    this.#figure?.rest(!isNear);
    if (isNear) this.open();
  }

  /** Opens it, near or not. */
  open() {
    if (!this.#figure && !this.#opening) this.#opening = this.#open().finally(() => { this.#opening = undefined; });
  }

  async #open() {
    try {
      const { openFigure } = await program();
      if (!this.isConnected) return;
      this.#root.replaceChildren();
      this.#figure = openFigure(this.#root, this.#text(), (name, detail) => {
        if (name === 'crashed') {
          this.#figure = undefined;
          this.#say(`Faultlab has failed and starts again when the page is loaded anew. ${detail}`, true);
        }
        this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
      });
      this.#figure.rest(!this.#isNear);
      this.#ready(this);
      idle(() => others(EARLY));
    } catch (error) {
      this.#say(trouble(error), true);
    }
  }

  /** The text of the experiment; another one is shown when it is set. */
  get experiment() { return this.#figure?.text() ?? this.getAttribute('experiment') ?? ''; }
  set experiment(text) { this.setAttribute('experiment', text); }

  /** What is shown, as the command line writes it in JSON; undefined where there is nothing yet. */
  get result() { return this.#figure?.result(); }

  async change(key, value) { await this.ready; this.#figure?.change(String(key), String(value)); }
  async play() { await this.ready; this.#figure?.play(true); }
  async pause() { await this.ready; this.#figure?.play(false); }
  async seek(time) { await this.ready; this.#figure?.seek(Number(time)); }
}

if (!customElements.get('fault-lab')) customElements.define('fault-lab', FaultLab);
