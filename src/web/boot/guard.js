
// Appended to the script that wasm-bindgen generates for the page. A call into the program that
// ends with an error, such as a panic or a stack overflow, leaves its memory in an inconsistent
// state. No further calls are made, and its workers are terminated.
const workers = new Set();
// Replaces `Worker` in this script, to record the workers that the program starts.
function Worker(...all) {
  const worker = new self.Worker(...all);
  workers.add(worker);
  worker.terminate = () => { workers.delete(worker); Object.getPrototypeOf(worker).terminate.call(worker); };
  return worker;
}
let panic;
// Called by the program when it panics, before the call ends with a less specific error.
function faultlabPanicked(message, text, figure) { panic = { message, text, figure }; }

/** Guards all calls into the program. `tell` is called once, with the error that ended a call.
 * After a panic it also gets the message, the experiment drawn last, and the number of its
 * figure. */
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
