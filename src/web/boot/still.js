// Still of a figure until a reader starts it: the picture in the element, its summary, and one
// button. It has the layout of the figure, so that nothing moves when the figure replaces it.
const made = (name, properties = {}, ...inside) => {
  const element = document.createElement(name);
  tell(element, properties);
  element.append(...inside);
  return element;
};
const tell = (element, properties) => {
  for (const [name, value] of Object.entries(properties)) {
    if (name !== 'role' && !name.startsWith('aria-')) element[name] = value;
    else if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
};

class Still {
  #box; #slot; #part; #broken = false; #timer;

  /** `wants` is called when a reader starts the figure, `changed` when the picture changes. */
  constructor(shadow, wants, changed) {
    const slot = this.#slot = made('slot', { name: 'still' });
    const words = made('h2', { 'aria-hidden': 'true' }), picture = made('div', { className: 'still__picture' });
    const button = made('button', { type: 'button', className: 'wide primary' }), said = made('p', { role: 'status' });
    const caption = made('p', { className: 'figure__caption' });
    const link = made('a', { className: 'icon', target: '_blank', rel: 'noopener', title: 'Open in Faultlab', 'aria-label': 'Open in Faultlab' });
    link.innerHTML = '<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 3H3V17H17V10M12 3H17V8M17 3L9 11" /></svg>';
    const figure = made('div', {},
      made('div', { className: 'figure__body' }, made('div', { className: 'stage' },
        made('div', { className: 'caption' }, words), picture, made('div', { className: 'transport' }, button, said))),
      made('div', { className: 'figure__foot' }, link), caption);
    this.#part = { figure, words, picture, button, said, caption, link };
    // Without a picture, a figure has only the empty slot.
    this.#box = made('div', { className: 'mount still', hidden: true }, slot);
    for (const pressed of [button, picture]) pressed.addEventListener('click', wants);
    slot.addEventListener('slotchange', () => { this.#look(changed); changed(); });
    shadow.addEventListener('error', event => {
      if (event.target === this.#image) { this.#broken = true; changed(); }
    }, true);
    this.#preload();
    shadow.append(this.#box);
  }

  get #image() {
    const [given] = this.#slot.assignedElements();
    return given?.matches('img') ? given : given?.querySelector('img');
  }

  /** Returns whether the element has a picture whose loading has not failed. */
  get is() { return !this.#broken && !!this.#image; }

  // The picture may have failed before the listener was installed.
  #look(changed) {
    this.#broken = false;
    const image = this.#image;
    if (image?.complete && !image.naturalWidth) image.decode().catch(() => {
      if (image === this.#image && image.complete && !image.naturalWidth) { this.#broken = true; changed(); }
    });
  }

  // Loads the program when the mouse stays on the still or the button gets the focus, because the
  // reader may start the figure next.
  #preload() {
    const load = () => { if (!navigator.connection?.saveData) program().catch(() => {}); };
    this.#box.addEventListener('pointerenter', event => {
      if (event.pointerType === 'mouse') this.#timer = setTimeout(load, 150);
    });
    this.#box.addEventListener('pointerleave', () => clearTimeout(this.#timer));
    this.#part.button.addEventListener('focus', load);
  }

  /** Shows the still for a figure with this text. */
  show({ text, view, theme, caption, plays }) {
    const { figure, words, picture, button, link } = this.#part;
    if (!figure.parentNode) {
      picture.append(this.#slot);
      this.#box.append(figure);
    }
    figure.className = `figure has-play theme-${/^(light|dark)$/.test(theme) ? theme : 'auto'}`;
    words.textContent = this.#image?.alt ?? '';
    const name = plays ? 'Play' : 'Open the figure';
    button.replaceChildren(...plays ? [made('span', { 'aria-hidden': 'true', textContent: '▶' })] : [], name);
    // Buttons on the same page need distinct names.
    tell(button, { 'aria-label': `${name}: ${words.textContent || caption}` });
    this.#part.caption.textContent = caption;
    link.href = Object.assign(new URL(PAGE), { hash: `${/^v=/.test(text) ? '' : 'v=1&'}${text}${view ? `&view=${view}` : ''}` }).href;
    this.say('');
    this.#box.hidden = false;
  }

  /** Shows that the figure is loading, or why it cannot load; an empty text means that it waits. */
  say(said, alert = false) {
    const { button, said: place } = this.#part;
    tell(place, { textContent: said, className: alert ? 'error-message' : '', role: alert ? 'alert' : 'status' });
    tell(button, { 'aria-disabled': said && !alert ? 'true' : null });
  }

  /** Hides the still, and returns whether it had the focus. */
  hide() {
    const had = !!this.#box.getRootNode().activeElement?.closest?.('.still');
    this.#box.hidden = true;
    return had;
  }
}
