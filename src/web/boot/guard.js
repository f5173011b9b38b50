
// Stands behind the script that wasm-bindgen has written for the page. A call into the program that ends with an error, as a panic does and
// a full stack, leaves the program's memory in the middle of something: nobody calls it again, and its workers end.
const workers = new Set();
// In this script, what the program starts its workers with.
function Worker(...all) {
  const worker = new self.Worker(...all);
  workers.add(worker);
  worker.terminate = () => { workers.delete(worker); Object.getPrototypeOf(worker).terminate.call(worker); };
  return worker;
}
let panic;
// What the program calls when it panics, just before the call ends with an error that says less.
function faultlabPanicked(message, text, figure) { panic = { message, text, figure }; }

/** Guards all calls into the program. `tell` hears once what ended one: the error; and of a panic its message, the experiment that was drawn last, and the number of its figure. */
export const guard = tell => {
  let isOver = false;
  const guarded = call => (...all) => {
    if (isOver) return undefined;
    try {
      return call(...all);
    } catch (error) {
      if (!isOver) {
        isOver = true;
        workers.forEach(worker => worker.terminate());
        tell(error, panic ?? { message: String(error) });
      }
      throw error;
    }
  };
  wasm = Object.fromEntries(Object.entries(wasm).map(([name, part]) => [name, typeof part === 'function' ? guarded(part) : part]));
};
