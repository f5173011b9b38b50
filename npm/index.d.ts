/** An experiment's text, such as `net=cube:6&faults=nodes:0.3`, a link of the page, or `preset:ID`. */
export type Experiment = string;

/** What every call may be given. */
export interface Options {
  /** Routings of your own, in the language of rules; they become part of the experiment's text. */
  rules?: string;
  /** Ends it: its promise is rejected with the signal's reason, an AbortError. */
  signal?: AbortSignal;
}

/** How far a measurement is. */
export interface Progress {
  /** The share that is done, 0 to 1, as far as can be foreseen. */
  share: number;
  /** The points that have ended. */
  done: number;
  /** All points. */
  points: number;
}

export interface Measured extends Options {
  /** How many workers, 1 to 1024; one for each processor, unless told. The numbers are the same with any. */
  threads?: number;
  /** Is told how far it is, after every task. */
  progress?: (progress: Progress) => void;
}

/** What is measured, in the very bytes of `faultlab run`. */
export interface Result {
  /** The experiment's text with everything that decides the numbers, seed included. */
  readonly experiment: Experiment;
  /** Aligned tables, one for each metric. */
  readonly text: string;
  /** One line for each algorithm, value and metric. */
  readonly csv: string;
  /** `{experiment, seed, version, points}`, see `docs/schemas/run.json`. */
  readonly json: string;
  /** The histogram of path lengths, as CSV. */
  readonly lengths: string;
  /** Says why this run has no path lengths, so that `lengths` has headings only; undefined if it has some. */
  readonly withoutLengths?: string;
  /** The chart, as `faultlab run --svg` draws it. */
  readonly svg: string;
}

/** What is told of an instance, in the very bytes of the command line. */
export interface Told {
  readonly text: string;
  readonly csv: string;
  readonly json: string;
}

/** Measures: sends messages until the intervals are narrow enough. */
export function run(experiment: Experiment, options?: Measured): Promise<Result>;

/** Sends one message, and says of each hop why it was taken. */
export function route(experiment: Experiment, options?: Options): Promise<Told>;

/** Checks the theorems on this instance: dependency graph, exact probabilities. */
export function check(experiment: Experiment, options?: Options): Promise<Told>;

export interface Drawn extends Measured {
  /** The width of the figure in CSS pixels, 240 to 1600; 640 unless told. */
  width?: number;
  /** Its height, 160 to 1200; 420 unless told. */
  height?: number;
  /** Which view, in place of the experiment's own. */
  view?: 'watch' | 'measure' | 'check';
  /** The parts that are shown, separated by commas. */
  show?: string;
}

/** Draws a figure as it stands at first, as `faultlab draw`; of a chart all is measured that the experiment asks for. */
export function svg(experiment: Experiment, options?: Drawn): Promise<string>;

/** The version of Faultlab. */
export const version: string;
