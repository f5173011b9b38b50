/** Text of an experiment, such as `net=cube:6&faults=nodes:0.3`, a link of the page, or
 * `preset:ID`. */
export type Experiment = string;

/** Options of every call. */
export interface Options {
  /** User-defined routings, in the rule language; they become part of the experiment's text. */
  rules?: string;
  /** Signal that aborts the call: its promise is rejected with the signal's reason, an
   * AbortError. */
  signal?: AbortSignal;
}

/** Progress of a measurement. */
export interface Progress {
  /** Predicted share of the work that is done, 0 to 1. */
  share: number;
  /** Number of finished points. */
  done: number;
  /** Number of all points. */
  points: number;
}

export interface RunOptions extends Options {
  /** Number of workers, 1 to 1024; one per processor by default. The results do not depend on
   * it. */
  threads?: number;
  /** Callback for the progress, called after every task. */
  progress?: (progress: Progress) => void;
}

/** Result of a measurement, byte-identical to the output of `faultlab run`. */
export interface Result {
  /** Text of the experiment with everything that determines the results, including the seed. */
  readonly experiment: Experiment;
  /** Aligned tables, one for each metric. */
  readonly text: string;
  /** CSV with one line for each algorithm, value and metric. */
  readonly csv: string;
  /** JSON `{experiment, seed, version, points}`, see `docs/schemas/run.json`. */
  readonly json: string;
  /** Histogram of path lengths, as CSV. */
  readonly lengths: string;
  /** Reason why this run has no path lengths, so that `lengths` has headings only; undefined if
   * it has some. */
  readonly withoutLengths?: string;
  /** Chart as SVG, as drawn by `faultlab run --svg`. */
  readonly svg: string;
}

/** Report on an instance, byte-identical to the output of the command line. */
export interface Report {
  readonly text: string;
  readonly csv: string;
  readonly json: string;
}

/** Measures an experiment: sends messages until the confidence intervals are narrow enough. */
export function run(experiment: Experiment, options?: RunOptions): Promise<Result>;

/** Traces one message, and explains every hop. */
export function route(experiment: Experiment, options?: Options): Promise<Report>;

/** Checks the theorems on this instance: dependency graph, exact probabilities. */
export function check(experiment: Experiment, options?: Options): Promise<Report>;

/** Counts what routers know and do: bits of routing state and of headers, comparisons per hop. */
export function cost(experiment: Experiment, options?: Options): Promise<Report>;

export interface SvgOptions extends RunOptions {
  /** Width of the figure in CSS pixels, 240 to 1600; 640 by default. */
  width?: number;
  /** Height of the figure in CSS pixels, 160 to 1200; 420 by default. */
  height?: number;
  /** View, instead of the experiment's own. */
  view?: 'watch' | 'measure' | 'check';
  /** Parts to show, separated by commas. */
  show?: string;
}

/** Renders the initial state of a figure as SVG, like `faultlab draw`; charts are measured
 * completely. */
export function svg(experiment: Experiment, options?: SvgOptions): Promise<string>;

/** Version of Faultlab. */
export const version: string;
