// Describes in one sentence why the program cannot start, and what to do.
const trouble = error => {
  const said = String(error?.message ?? error ?? '');
  if (location.protocol === 'file:')
    return 'This is Faultlab in several files, which browsers do not open from a disk. Open faultlab.html, which is the same in one file, or put the folder on a web server.';
  if (typeof WebAssembly !== 'object')
    return 'This browser runs no WebAssembly, or it is switched off here. Faultlab computes with it: allow it for this page, or use another browser.';
  if (/content security policy|unsafe-eval/i.test(said))
    return 'The page around does not let WebAssembly run. Its content security policy needs \'wasm-unsafe-eval\' in script-src.';
  if (self.origin === 'null')
    return 'This frame is sandboxed without an origin. Give it sandbox="allow-scripts allow-same-origin", or have the host send Access-Control-Allow-Origin: *, or frame faultlab.html, which is whole in one file.';
  if (/compile|magic|wasm|CompileError/i.test(said + error?.name))
    return 'The program arrived damaged: the download was cut, or the host sent another file in its place. Reload; if it stays, the host must serve the whole folder as it was built.';
  return 'A part of Faultlab could not be loaded: the network is gone, or the host does not have all of its files. Reload; if it stays, the host must serve the whole folder as it was built.';
};
