// Common part of the module for Node.js and browsers: promises and workers around the core. Each
// platform supplies the program and a function that starts workers.
import * as core from './core.js';

const MOST_THREADS = 1024;

/** Returns the functions of the module for a platform `{ program, start, processors }`, see
 * `node.js` and `browser.js`. */
export function functions(platform) {
  /** Starts a worker, which answers one call after the other. */
  const start_worker = () => {
    const waiting = [];
    const worker = platform.start(answer => {
      const { fulfil, refuse } = waiting.shift();
      if ('problem' in answer) refuse(new Error(answer.problem));
      else fulfil(answer.value);
    }, error => waiting.splice(0).forEach(({ refuse }) => refuse(error)));
    const ask = (name, ...given) => new Promise((fulfil, refuse) => {
      waiting.push({ fulfil, refuse });
      worker.post({ name, given });
    });
    return { ask, end: () => worker.end() };
  };

  /** Runs `work` with `count` workers, which are terminated at its end or by the signal. */
  const with_workers = async (count, signal, work) => {
    signal?.throwIfAborted();
    const workers = [];
    let stop;
    const stopped = new Promise((_, refuse) => { stop = () => refuse(signal.reason); });
    stopped.catch(() => {});
    signal?.addEventListener('abort', stop, { once: true });
    try {
      for (let number = 0; number < count; ++number) workers.push(start_worker());
      return await Promise.race([work(workers), stopped]);
    } finally {
      signal?.removeEventListener('abort', stop);
      for (const worker of workers) worker.end();
    }
  };

  const measure = async (experiment, { rules, threads, progress, signal }) => {
    await platform.ready();
    const run = called(() => new core.Run(text_of(experiment), rules));
    const text = run.text();
    const count = whole('threads', threads ?? platform.processors(), 1, MOST_THREADS);
    const report_progress = () => {
      const [done, points] = run.points();
      progress?.({ share: run.share(), done, points });
    };
    await with_workers(count, signal, async workers => {
      const idle = [];
      // An idle worker waits for results of other workers, which may produce further tasks.
      const wake = () => idle.splice(0).forEach(next => next());
      await Promise.all(workers.map(async worker => {
        while (!run.done()) {
          const task = run.task();
          if (task === undefined) {
            await new Promise(next => idle.push(next));
            continue;
          }
          const tally = await worker.ask('work', text, task);
          run.finish(task, tally);
          report_progress();
          wake();
        }
        wake();
      }));
    });
    return run;
  };

  const report_of = name => async (experiment, { rules, signal } = {}) => {
    const given = text_of(experiment);
    return with_workers(1, signal, async ([worker]) => {
      const [text, csv, json] = await worker.ask('report', name, given, rules);
      return { text, csv, json };
    });
  };

  return {
    async run(experiment, options = {}) {
      const run = await measure(experiment, options);
      const [text, csv, json, lengths] = ['text', 'csv', 'json', 'lengths'].map(format => called(() => run.output(format)));
      const withoutLengths = run.withoutLengths();
      return { experiment: run.text(), text, csv, json, lengths, withoutLengths, get svg() { return called(() => run.chart()); } };
    },
    route: report_of('route'),
    check: report_of('check'),
    cost: report_of('cost'),
    async svg(experiment, options = {}) {
      const { rules, signal, view, show } = options;
      const width = whole('width', options.width ?? 640, 240, 1600);
      const height = whole('height', options.height ?? 420, 160, 1200);
      const chosen = Object.entries({ view, show }).filter(([, value]) => value !== undefined);
      const ui = chosen.map(pair => pair.join('=')).join('&');
      const given = text_of(experiment);
      const drawn = await with_workers(1, signal, ([worker]) => worker.ask('draw', given, rules, ui, width, height));
      if (drawn !== undefined) return drawn;
      const run = await measure(experiment, options);
      return called(() => run.draw(width, height));
    },
  };
}

/** Runs a call in a worker and returns its answer. */
export function answer({ name, given }) {
  try {
    if (name === 'report') {
      const [what, text, rules] = given;
      return { value: ['text', 'csv', 'json'].map(format => core.report(what, text, rules, format)) };
    }
    return { value: core[name](...given) };
  } catch (problem) {
    return { problem: problem instanceof Error ? problem.message : String(problem) };
  }
}

/** Converts texts thrown by the core to errors. */
export function called(call) {
  try {
    return call();
  } catch (problem) {
    throw problem instanceof Error ? problem : new Error(String(problem));
  }
}

function text_of(experiment) {
  if (typeof experiment !== 'string') throw new TypeError('an experiment is a string, such as net=cube:6&faults=nodes:0.3');
  return experiment;
}

function whole(name, value, least, most) {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} ${value}; accepted: a whole number from ${least} to ${most}`);
  }
  return value;
}
