// Returns the message that replaces a failed program: the problem, ways to continue, and a report
// to copy. `ways` are buttons, each with a label and an action.
const crash = ({ message, text }, more, ways) => {
  const make = (name, properties, ...inside) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...inside);
    return element;
  };
  const button = ([textContent, onclick], place) => make('button', { type: 'button', className: place ? '' : 'primary', textContent, onclick });
  const report = [
    'Faultlab %VERSION% (%WASM%) failed.', message.trim(), `Experiment: ${text}`, ...more, `Browser: ${navigator.userAgent}`,
  ].join('\n');
  console.error(report);
  const said = make('p', { textContent: 'Faultlab stopped because of an internal error. Your experiment is not lost: its text is in the report below.' });
  said.setAttribute('role', 'alert');
  const written = make('textarea', { readOnly: true, rows: 6, value: report });
  written.setAttribute('aria-label', 'Report of the error');
  const copy = button(['Copy the report', () => {
    written.select();
    copy.textContent = document.execCommand('copy') ? 'Copied' : 'Selected: copy it with the keyboard';
  }], 1);
  return make('div', { className: 'error-message crash' }, said, make('div', {}, ...ways.map(button)),
    make('p', { textContent: 'No data was sent. To have the error fixed, send this report to the authors of Faultlab.' }), written, copy);
};
