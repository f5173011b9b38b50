// <fault-lab experiment="…">: a figure of Faultlab in any page. All figures of a page share one program and one pool of workers;
// each opens when it comes near the screen and rests out of sight. One that has a still in its tag opens when a reader wants it.
%TROUBLE%
%CRASH%
const SHEET = %SHEET%;
const OPTIONS = ['view', 'show', 'controls', 'lock', 'play', 'speed', 'theme', 'caption'];
const at = name => new URL(name, import.meta.url).href;

%RELAY%
// Browsers start no worker from another origin: one of ours fetches it.
const worker = () => {
  const script = at('%WORKER%');
  return new URL(script).origin === location.origin ? script : relay(`await import(${JSON.stringify(script)});`);
};

let loaded = 0;
const load = async () => {
  // A script under another address is another one, with a program of its own.
  const number = loaded++, glue = await import(at('%GLUE%') + (number ? `?${number}` : ''));
  await glue.default({ module_or_path: at('%WASM%') });
  const figures = new Set();
  glue.guard((error, panic) => {
    if (shared?.figures === figures) shared = loading = undefined;
    failed([...figures], error, panic);
  });
  glue.setHome(at('index.html'), worker(), at('%ANSWERS%'));
  return { glue, figures };
};
let shared, loading;
const program = () => loading ??= load().then(made => shared = made, error => { loading = undefined; throw error; });

// A program has failed, of one of its figures: that one says so, and the others open again. Where nobody knows which it was, each opens again
// with a program of its own, so that the next failure, if there is one, is that of one figure.
const failed = (figures, error, panic) => {
  const isEdited = figure => figure.number === panic.figure && figure.isDrawn && !figure.shows(panic.text);
  const one = figures.length === 1 ? figures[0] : figures.find(isEdited);
  for (const figure of figures) {
    if (figure === one) figure.fail(panic);
    else figure.again(!one);
  }
};

let sheet;
const style = root => {
  if (!sheet) { sheet = new CSSStyleSheet(); sheet.replaceSync(SHEET); }
  root.adoptedStyleSheets = [sheet];
};

const sight = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) target.near(isIntersecting);
}, { rootMargin: '300px' });

%STILL%
// A page is printed with its figures, also those that nobody has come near yet: the first few open when there is nothing else to
// do, all of them when it is about to be printed.
const EARLY = 8;
const others = most => [...document.querySelectorAll('fault-lab')].slice(0, most).forEach(one => one.early?.());
const idle = self.requestIdleCallback ?? (act => setTimeout(act, 1000));
addEventListener('beforeprint', () => others(Infinity));

// The next frame, or a while where there is none, as in a tab that nobody sees.
const frame = () => Promise.race([new Promise(requestAnimationFrame), new Promise(done => setTimeout(done, 200))]);
const FRAMES = 60;

// Waits until a figure is drawn, as it stands at a time, but not for ever.
const drawn = async (root, time) => {
  const find = selector => root.querySelector(selector);
  const isThere = () => find('.problem p') || find('.stage') && !(Number(find('.transport input')?.value) < time);
  for (let waited = 0; waited < FRAMES && !isThere(); ++waited) await frame();
  for (let more = 0; more < 3; ++more) await frame();
};

let numbers = 0;

class FaultLab extends HTMLElement {
  static observedAttributes = ['experiment', ...OPTIONS];
  #root; #still; #figure; #program; #opening; #ready; #queued = false; #isNear = false;
  // The text that it shows, once that is rendered, and the one before it; and what it opens with in place of its attribute.
  #shown; #before; #text;
  // Whether it is wanted, still or not; and whether it plays then.
  #wanted = false; #plays = false;
  #hasFailed = false;

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    style(shadow);
    this.#root = document.createElement('div');
    this.#root.className = 'mount';
    shadow.append(this.#root);
    this.#still = new Still(shadow, () => { this.#plays = this.#moves; this.#want(); }, () => this.#stand());
    this.#wait();
  }

  #wait() {
    this.ready = new Promise(done => { this.#ready = done; });
    [this.#wanted, this.#plays] = [false, false];
    this.#root.classList.remove('behind');
    this.#say('Faultlab');
    this.#stand();
  }

  /** Whether it stands still until somebody wants it. One that is to play by itself does not wait, unless nothing is to move. */
  get #stands() {
    const plays = /^(yes|true|)$/.test(this.getAttribute('play') ?? 'no');
    return this.#still.is && !this.#figure && !this.#wanted && (!plays || matchMedia('(prefers-reduced-motion: reduce)').matches);
  }

  get #view() { return this.getAttribute('view') ?? /(?:^|&)view=(\w+)/.exec(this.experiment)?.[1] ?? 'watch'; }

  /** Whether there is something to play. */
  get #moves() {
    const controls = this.getAttribute('controls') ?? 'play';
    return this.#view === 'watch' && /\bplay\b/.test(controls) && !/(?:^|&)switch=pairs(?:&|$)/.test(this.experiment);
  }

  // Shows the still, if there is one; without it, the figure opens as usual.
  #stand() {
    if (this.#figure) return;
    if (this.#still.is) {
      const [view, theme, caption] = ['view', 'theme', 'caption'].map(name => this.getAttribute(name) ?? '');
      this.#still.show({ text: this.experiment.trim(), view, theme, caption, plays: this.#moves });
      if (this.#opening) this.#still.say('Loading Faultlab');
    } else this.#still.hide();
    this.#root.hidden = this.#still.is;
    if (this.#isNear && this.isConnected && !this.#stands) this.open();
  }

  #want() {
    this.#wanted = true;
    this.open();
  }

  #say(text, alert = false) {
    const told = document.createElement('p');
    told.className = alert ? 'trouble' : 'waiting';
    if (alert) told.setAttribute('role', 'alert');
    told.textContent = text;
    this.#root.replaceChildren(told);
  }

  // The experiment's text, with the options behind it.
  #whole(text = this.getAttribute('experiment') ?? '') {
    const given = OPTIONS.filter(name => this.hasAttribute(name));
    return [text.trim(), ...given.map(name => `ui.${name}=${encodeURIComponent(this.getAttribute(name))}`)].filter(Boolean).join('&');
  }

  connectedCallback() { sight.observe(this); }

  disconnectedCallback() {
    sight.unobserve(this);
    // What is only moved to another place is back by then.
    queueMicrotask(() => {
      if (this.isConnected || !this.#figure) return;
      this.#figure.close();
      this.#leave();
      this.#text = this.#shown = this.#before = undefined;
      this.#wait();
    });
  }

  attributeChangedCallback(name, before) {
    // The still is not of another experiment.
    if (!this.#figure && name === 'experiment' && before !== null && this.#still.is) this.#want();
    else if (this.#still.is) this.#stand();
    if (this.#hasFailed && name === 'experiment') {
      this.#text = this.#shown = undefined;
      this.again(true);
    }
    if (!this.#figure || this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => { this.#queued = false; this.#figure?.show(this.#whole()); });
  }

  near(isNear) {
    this.#isNear = isNear;
    this.#figure?.rest(!isNear);
    if (isNear && !this.#stands) this.open();
  }

  /** Opens it before it comes near, unless it stands still. */
  early() { if (!this.#stands) this.open(); }

  /** Opens it, near or not, still or not. */
  open(alone = false) {
    if (this.#figure || this.#opening || this.#hasFailed) return;
    if (this.#still.is) this.#still.say('Loading Faultlab');
    this.#opening = this.#open(alone).finally(() => { this.#opening = undefined; });
  }

  async #open(alone) {
    let used;
    try {
      used = await (alone ? load() : program());
      if (!this.isConnected) return;
      this.#root.replaceChildren();
      this.#root.hidden = false;
      this.#root.classList.toggle('behind', this.#still.is);
      this.number = ++numbers;
      (this.#program = used).figures.add(this);
      const figure = used.glue.openFigure(this.#root, this.#whole(this.#text), this.number, (name, detail) => {
        if (name === 'change') [this.#before, this.#shown] = [this.#shown, detail];
        this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
      });
      // By now its program may have failed.
      if (this.#program !== used) return;
      this.#figure = figure;
      figure.rest(!this.#isNear);
      // Its first rendering is done; an event of it may have said more already.
      this.#shown ??= figure.text();
      if (this.#still.is) await this.#replace();
      if (this.#figure) this.#ready(this);
      idle(() => others(EARLY));
    } catch (error) {
      // What has failed has said so.
      if (used && this.#program !== used) return;
      this.#wanted = this.#plays = false;
      if (this.#still.is) this.#still.say(trouble(error), true);
      else this.#say(trouble(error), true);
    }
  }

  // Takes the place of the still, as soon as there is something to see; who has pressed its button goes on from there.
  async #replace() {
    await drawn(this.#root, Number(/(?:^|&)time=([\d.]+)/.exec(this.#whole(this.#text))?.[1] ?? 0));
    // It may be gone by then.
    if (!this.#figure) return;
    this.#root.classList.remove('behind');
    const hadFocus = this.#still.hide();
    if (this.#plays) this.#figure.play(true);
    const controls = ['.transport .play', '.transport button', 'canvas', 'a'].flatMap(one => [...this.#root.querySelectorAll(one)]);
    if (hadFocus) controls.find(control => control.getClientRects().length)?.focus();
  }

  // Its program is that of others, or gone.
  #leave() {
    this.#program?.figures.delete(this);
    this.#figure = this.#program = undefined;
  }

  /** Whether it has been drawn; and whether it was drawn with this text. */
  get isDrawn() { return this.#shown !== undefined; }
  shows(text) { return this.#shown === text; }

  /** Opens again what it has shown, after its program has failed; with a program of its own, or one that is shared. */
  again(alone, text = this.#shown ?? this.#text) {
    this.#leave();
    [this.#text, this.#shown, this.#hasFailed] = [text, undefined, false];
    (this.#opening ?? Promise.resolve()).then(() => this.open(alone));
  }

  /** Says that it has failed. */
  fail(panic) {
    this.#leave();
    this.#hasFailed = true;
    this.#still.hide();
    this.#root.hidden = false;
    this.#root.classList.remove('behind');
    const text = panic.text || this.#shown || this.#whole(this.#text);
    const good = [this.#shown, this.#before].find(one => one && one !== text);
    const ways = [['Try this experiment again', () => this.again(true, text)]];
    if (good) ways.unshift(['Open the last experiment that was drawn', () => this.again(true, good)]);
    this.#root.replaceChildren(crash({ ...panic, text }, [`Figure: ${this.#whole()}`], ways));
    this.dispatchEvent(new CustomEvent('crashed', { detail: panic.message, bubbles: true }));
  }

  /** The text of the experiment; another one is shown when it is set. */
  get experiment() { return this.#figure?.text() ?? this.#text ?? this.getAttribute('experiment') ?? ''; }
  set experiment(text) { this.setAttribute('experiment', text); }

  /** What is shown, as the command line writes it in JSON; undefined where there is nothing yet. */
  get result() { return this.#figure?.result(); }

  /** Opens what stands still; what does not, opens when it comes near. */
  #told() {
    if (this.#stands) this.#want();
    return this.ready;
  }

  async change(key, value) { await this.#told(); this.#figure?.change(String(key), String(value)); }
  async play() { await this.#told(); this.#figure?.play(true); }
  async pause() { await this.ready; this.#figure?.play(false); }
  async seek(time) { await this.#told(); this.#figure?.seek(Number(time)); }
}

if (!customElements.get('fault-lab')) customElements.define('fault-lab', FaultLab);
