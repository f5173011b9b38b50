// Describes in one sentence why the program cannot start, and what to do.
const startError = error => {
  const said = String(error?.message ?? error ?? '');
  if (location.protocol === 'file:')
    return 'Browsers do not open this edition of Faultlab from a disk, because it has several files. Open faultlab.html, which is one file, or put the folder on a web server.';
  if (typeof WebAssembly !== 'object')
    return 'This browser does not support WebAssembly, or it is disabled. Faultlab needs it: enable it for this page, or use another browser.';
  if (/content security policy|unsafe-eval/i.test(said))
    return 'The surrounding page does not allow WebAssembly. Its content security policy needs \'wasm-unsafe-eval\' in script-src.';
  if (self.origin === 'null')
    return 'This frame is sandboxed without an origin. Give it sandbox="allow-scripts allow-same-origin", or have the server send Access-Control-Allow-Origin: *, or embed faultlab.html, which is one file.';
  if (/compile|magic|wasm|CompileError/i.test(said + error?.name))
    return 'The program is damaged: the download was incomplete, or the server sent another file. Reload; if the error persists, the server must serve the whole folder unchanged.';
  return 'A part of Faultlab could not be loaded: the network is down, or the server lacks some of its files. Reload; if the error persists, the server must serve the whole folder unchanged.';
};
