// <fault-lab experiment="…">: a figure of Faultlab in any page. All figures of a page share one
// program and one worker pool. A figure opens when it comes near the viewport, and is suspended
// outside it. A figure with a still in its element opens when a reader starts it.
%START_ERROR%
%CRASH%
const SHEET = %SHEET%;
const OPTIONS = ['view', 'show', 'controls', 'lock', 'play', 'speed', 'theme', 'caption'];
%PROGRAM%
let loaded = 0;
const load = async () => {
  const glue = await importGlue(loaded++);
  await glue.default({ module_or_path: await wasm() });
  const figures = new Set();
  glue.guard((error, panic) => {
    if (shared?.figures === figures) shared = loading = undefined;
    failed([...figures], error, panic);
  });
  glue.setHome(...await addresses());
  return { glue, figures };
};
let shared, loading;
const program = () => loading ??= load().then(made => shared = made, error => { loading = undefined; throw error; });

// Handles a failed program. If the figure that caused the failure is known, it reports the failure,
// and the others open again. Otherwise each figure opens again with a program of its own, so that
// the next failure can be attributed.
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

const visibility = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) target.near(isIntersecting);
}, { rootMargin: '300px' });

%STILL%
// A printed page should contain all its figures: the first few open when the browser is idle, and
// all of them before printing.
const EARLY = 8;
const openFigures = most => [...document.querySelectorAll('fault-lab')].slice(0, most).forEach(one => one.early?.());
const idle = self.requestIdleCallback ?? (act => setTimeout(act, 1000));
addEventListener('beforeprint', () => openFigures(Infinity));

// Waits for the next frame, or 200 ms if there is none, as in a hidden tab.
const frame = () => Promise.race([new Promise(requestAnimationFrame), new Promise(done => setTimeout(done, 200))]);
const FRAMES = 60;

// Waits until a figure is drawn at a time, for a limited number of frames.
const drawn = async (root, time) => {
  const find = selector => root.querySelector(selector);
  const isThere = () => find('.problem p') || find('.stage') && !(Number(find('.transport input')?.value) < time);
  for (let waited = 0; waited < FRAMES && !isThere(); ++waited) await frame();
  for (let more = 0; more < 3; ++more) await frame();
};

let numbers = 0;

class FaultLab extends HTMLElement {
  static observedAttributes = ['experiment', ...OPTIONS];
  #root; #still; #figure; #program; #opening; #ready; #queued = false; #isReplaced = false; #isNear = false;
  // `#shown`: text of the current experiment, once it is rendered. `#before`: the previous text.
  // `#text`: text to open instead of the attribute.
  #shown; #before; #text;
  // `#isRequested`: true if the figure was requested. `#plays`: true if it plays when it opens.
  #isRequested = false; #plays = false;
  #hasFailed = false;

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    style(shadow);
    this.#root = document.createElement('div');
    this.#root.className = 'mount';
    shadow.append(this.#root);
    this.#still = new Still(shadow, () => { this.#plays = this.#canPlay; this.#request(); }, () => this.#renderStill());
    this.#reset();
  }

  #reset() {
    this.ready = new Promise(done => { this.#ready = done; });
    [this.#isRequested, this.#plays] = [false, false];
    this.#root.classList.remove('behind');
    this.#showMessage('Faultlab');
    this.#renderStill();
  }

  /** Returns whether the figure shows its still until a reader starts it. A figure with autoplay
   * does not wait, except with reduced motion. */
  get #isStill() {
    const plays = /^(yes|true|)$/.test(this.getAttribute('play') ?? 'no');
    return this.#still.is && !this.#figure && !this.#isRequested && (!plays || matchMedia('(prefers-reduced-motion: reduce)').matches);
  }

  get #view() { return this.getAttribute('view') ?? /(?:^|&)view=(\w+)/.exec(this.experiment)?.[1] ?? 'watch'; }

  /** Returns whether the figure has something to play. */
  get #canPlay() {
    const controls = this.getAttribute('controls') ?? 'play';
    return this.#view === 'watch' && /\bplay\b/.test(controls) && !/(?:^|&)switch=pairs(?:&|$)/.test(this.experiment);
  }

  // Shows the still, if there is one; without it, the figure opens as usual.
  #renderStill() {
    if (this.#figure) return;
    if (this.#still.is) {
      const [view, theme, caption] = ['view', 'theme', 'caption'].map(name => this.getAttribute(name) ?? '');
      this.#still.show({ text: this.experiment.trim(), view, theme, caption, plays: this.#canPlay });
      if (this.#opening) this.#still.say('Loading Faultlab');
    } else this.#still.hide();
    this.#root.hidden = this.#still.is;
    if (this.#isNear && this.isConnected && !this.#isStill) this.open();
  }

  #request() {
    this.#isRequested = true;
    this.open();
  }

  #showMessage(text, alert = false) {
    const message = document.createElement('p');
    message.className = alert ? 'error-message' : 'waiting';
    if (alert) message.setAttribute('role', 'alert');
    message.textContent = text;
    this.#root.replaceChildren(message);
  }

  // Returns the experiment's text, followed by the options.
  #fullText(text = this.getAttribute('experiment') ?? '') {
    const given = OPTIONS.filter(name => this.hasAttribute(name));
    // The program reports the other attributes that look like an option.
    const others = this.getAttributeNames().filter(name => name !== 'experiment' && !OPTIONS.includes(name));
    const options = given.map(name => `ui.${name}=${encodeURIComponent(this.getAttribute(name))}`);
    if (others.length) options.push(`ui.attributes=${others.map(encodeURIComponent).join()}`);
    return [text.trim(), ...options].filter(Boolean).join('&');
  }

  connectedCallback() { visibility.observe(this); }

  disconnectedCallback() {
    visibility.unobserve(this);
    // An element that is only moved within the page is connected again by then.
    queueMicrotask(() => {
      if (this.isConnected || !this.#figure) return;
      this.#figure.close();
      this.#leave();
      this.#text = this.#shown = this.#before = undefined;
      this.#reset();
    });
  }

  attributeChangedCallback(name, before) {
    // The still belongs to the previous experiment.
    if (!this.#figure && name === 'experiment' && before !== null && this.#still.is) this.#request();
    else if (this.#still.is) this.#renderStill();
    if (this.#hasFailed && name === 'experiment') {
      this.#text = this.#shown = undefined;
      this.again(true);
    }
    if (!this.#figure) return;
    this.#isReplaced ||= name === 'experiment';
    if (this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => this.#showChange());
  }

  // Shows the changed attributes. The reader's changes to the experiment remain unless the
  // attribute `experiment` is among the changed ones.
  #showChange() {
    const text = this.#isReplaced ? undefined : this.#figure?.text();
    this.#queued = this.#isReplaced = false;
    this.#figure?.show(this.#fullText(text));
  }

  near(isNear) {
    this.#isNear = isNear;
    this.#figure?.rest(!isNear);
    if (isNear && !this.#isStill) this.open();
  }

  /** Opens the figure before it comes near the viewport, unless it shows its still. */
  early() { if (!this.#isStill) this.open(); }

  /** Opens the figure unconditionally. */
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
      const figure = used.glue.openFigure(this.#root, this.#fullText(this.#text), this.number, (name, detail) => {
        if (name === 'change') [this.#before, this.#shown] = [this.#shown, detail];
        this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
      });
      // The program may have failed in the meantime.
      if (this.#program !== used) return;
      this.#figure = figure;
      figure.rest(!this.#isNear);
      // The first rendering is complete; an event may have set the text already.
      this.#shown ??= figure.text();
      if (this.#still.is) await this.#replace();
      if (this.#figure) this.#ready(this);
      idle(() => openFigures(EARLY));
    } catch (error) {
      // The failure has been reported already.
      if (used && this.#program !== used) return;
      this.#isRequested = this.#plays = false;
      if (this.#still.is) this.#still.say(startError(error), true);
      else this.#showMessage(startError(error), true);
    }
  }

  // Replaces the still as soon as the figure is drawn. The focus moves from the button of the still
  // to the figure.
  async #replace() {
    await drawn(this.#root, Number(/(?:^|&)time=([\d.]+)/.exec(this.#fullText(this.#text))?.[1] ?? 0));
    // The figure may have been closed in the meantime.
    if (!this.#figure) return;
    this.#root.classList.remove('behind');
    const hadFocus = this.#still.hide();
    if (this.#plays) this.#figure.play(true);
    const controls = ['.transport .play', '.transport button', 'canvas', 'a'].flatMap(one => [...this.#root.querySelectorAll(one)]);
    if (hadFocus) controls.find(control => control.getClientRects().length)?.focus();
  }

  // Detaches the figure from its program.
  #leave() {
    this.#program?.figures.delete(this);
    this.#figure = this.#program = undefined;
  }

  /** Returns whether the figure has been drawn; `shows` returns whether it was drawn with this
   * text. */
  get isDrawn() { return this.#shown !== undefined; }
  shows(text) { return this.#shown === text; }

  /** Opens the figure again after its program has failed, with a program of its own or the
   * shared one. */
  again(alone, text = this.#shown ?? this.#text) {
    this.#leave();
    [this.#text, this.#shown, this.#hasFailed] = [text, undefined, false];
    (this.#opening ?? Promise.resolve()).then(() => this.open(alone));
  }

  /** Reports that the figure has failed. */
  fail(panic) {
    this.#leave();
    this.#hasFailed = true;
    this.#still.hide();
    this.#root.hidden = false;
    this.#root.classList.remove('behind');
    const text = panic.text || this.#shown || this.#fullText(this.#text);
    const good = [this.#shown, this.#before].find(one => one && one !== text);
    const ways = [['Try this experiment again', () => this.again(true, text)]];
    if (good) ways.unshift(['Open the last experiment that was drawn', () => this.again(true, good)]);
    this.#root.replaceChildren(crash({ ...panic, text }, [`Figure: ${this.#fullText()}`], ways));
    this.dispatchEvent(new CustomEvent('crashed', { detail: panic.message, bubbles: true }));
  }

  /** Text of the experiment; setting it shows another one. */
  get experiment() { return this.#figure?.text() ?? this.#text ?? this.getAttribute('experiment') ?? ''; }
  set experiment(text) { this.setAttribute('experiment', text); }

  /** Results of the current view as JSON, as the command line writes them; undefined before
   * there are any. */
  get result() { return this.#figure?.result(); }

  /** Opens the figure if it shows its still, and returns the promise of its readiness. */
  #whenReady() {
    if (this.#isStill) this.#request();
    return this.ready;
  }

  async change(key, value) { await this.#whenReady(); this.#figure?.change(String(key), String(value)); }
  async play() { await this.#whenReady(); this.#figure?.play(true); }
  async pause() { await this.ready; this.#figure?.play(false); }
  async seek(time) { await this.#whenReady(); this.#figure?.seek(Number(time)); }
}

if (!customElements.get('fault-lab')) customElements.define('fault-lab', FaultLab);
