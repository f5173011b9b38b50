#!/usr/bin/env node
// Command line of the package, without the commands that need the system. Its output is
// byte-identical to that of the native program.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { check, cost, route, run, svg, version } from './node.js';
import { remarks } from './core.js';

const HELP = `A laboratory for fault-tolerant routing in interconnection networks

Usage: faultlab <command> EXPERIMENT [options]

EXPERIMENT is an experiment's text such as "net=cube:20&faults=nodes:0.5" (quote it), a page link, preset:ID, the path of a file, or
- for standard input.

Commands:
  run      Measure: send messages until the intervals are narrow enough
  route    Trace one message and explain every hop
  check    Check the theorems on this instance: dependency graph, exact probabilities
  cost     Count what routers know and do: bits, comparisons, virtual channels
  draw     Render the figure's initial state as SVG

Options:
  --json, --csv           Print JSON or CSV
  --lengths               run: print the histogram of path lengths as CSV
  --svg FILE              run: also draw the chart into FILE; draw: write into FILE
  --threads N             run, draw: number of threads (default: one per processor); the results do not depend on it
  --quiet                 run, draw: show no progress
  --rules FILE            User-defined routings: a file of rules, which becomes part of the experiment's text
  --view VIEW             draw: watch, measure or check, instead of the experiment's own view
  --show PARTS            draw: parts to show, separated by commas
  --size WIDTHxHEIGHT     draw: size of the figure in pixels (default 640x420)
  --help, --version

The native program has more commands: compare, activity, worst, refute, journals, Slurm, papers, presets, and help on every key of an experiment.`;

/** Options of each command. */
const TAKES = {
  run: ['json', 'csv', 'lengths', 'table', 'svg', 'threads', 'quiet', 'rules'],
  route: ['json', 'csv', 'rules'],
  check: ['json', 'csv', 'rules'],
  cost: ['json', 'csv', 'rules'],
  draw: ['svg', 'threads', 'quiet', 'rules', 'view', 'show', 'size'],
};
const FLAGS = ['json', 'csv', 'lengths', 'table', 'quiet', 'help', 'version'];
const VALUES = ['svg', 'threads', 'rules', 'view', 'show', 'size'];

class BadInput extends Error {}

function options() {
  const option = type => name => [name, { type }];
  const known = Object.fromEntries([...FLAGS.map(option('boolean')), ...VALUES.map(option('string'))]);
  try {
    return parseArgs({ options: known, allowPositionals: true, strict: true });
  } catch (error) {
    throw new BadInput(`${error.message.split('. ')[0]}; faultlab --help lists the options`);
  }
}

/** Returns the text of an experiment: the argument itself, or the contents of a file or of
 * standard input. */
function given(name) {
  if (name === '-') return readFileSync(0, 'utf8');
  const is_file = !name.startsWith('preset:') && existsSync(name) && !statSync(name).isDirectory();
  if (is_file) return readFileSync(name, 'utf8');
  if (!name.includes('=') && !name.includes('://') && !name.startsWith('preset:')) {
    throw new BadInput(`${JSON.stringify(name)} is neither an experiment nor an existing file; accepted: KEY=VALUE pairs joined by &, a page link, preset:ID, a file, or - for standard input`);
  }
  return name;
}

function size(text) {
  const [width, height] = (/^(\d+)x(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (!(width >= 240 && width <= 1600 && height >= 160 && height <= 1200)) {
    throw new BadInput(`--size ${text}; accepted: WIDTHxHEIGHT in pixels, from 240x160 to 1600x1200`);
  }
  return { width, height };
}

function threads(text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1024) throw new BadInput(`--threads ${text}; accepted: 1 to 1024`);
  return count;
}

/** Shows progress on one line of a terminal, which is cleared at the end. */
function progress({ share, done, points }) {
  process.stderr.write(`\r${Math.floor(share * 100)}%, ${done} of ${points} points\x1b[K`);
}

function print(text) {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

async function main() {
  const { values, positionals: [command, experiment, ...more] } = options();
  if (values.version) return print(`faultlab ${version}`);
  if (values.help || command === undefined) return print(HELP);
  if (!Object.hasOwn(TAKES, command)) throw new BadInput(`unknown command ${command}; accepted: ${Object.keys(TAKES).join(', ')}`);
  const wrong = Object.keys(values).find(name => !TAKES[command].includes(name));
  if (wrong) throw new BadInput(`${command} takes no --${wrong}; accepted: ${TAKES[command].map(name => `--${name}`).join(', ')}`);
  if (experiment === undefined) throw new BadInput(`${command} needs an EXPERIMENT; faultlab --help explains it`);
  if (more.length) throw new BadInput(`unexpected arguments ${more.join(' ')}; accepted: one EXPERIMENT`);
  const formats = ['json', 'csv', 'lengths', 'table'].filter(name => values[name]);
  if (formats.length > 1) throw new BadInput(`--${formats[0]} and --${formats[1]} exclude each other; give one`);
  const text = given(experiment);
  const notes = remarks(text);
  if (notes) process.stderr.write(notes.split('\n').map(note => `note: ${note}\n`).join(''));
  const shows = process.stderr.isTTY && !values.quiet;
  const asked = {
    rules: values.rules === undefined ? undefined : readFileSync(values.rules, 'utf8'),
    threads: values.threads === undefined ? undefined : threads(values.threads),
    progress: shows ? progress : undefined,
  };
  const format = { json: 'json', csv: 'csv', lengths: 'lengths' }[formats[0]] ?? 'text';
  const clear = () => shows && process.stderr.write('\r\x1b[K');
  if (command === 'draw') {
    const sides = values.size === undefined ? {} : size(values.size);
    const drawn = await svg(text, { ...asked, ...sides, view: values.view, show: values.show }).finally(clear);
    return values.svg === undefined || values.svg === '-' ? print(drawn) : writeFileSync(values.svg, drawn);
  }
  if (command === 'run') {
    const result = await run(text, asked).finally(clear);
    if (format === 'lengths' && result.withoutLengths) throw new BadInput(result.withoutLengths);
    if (values.svg !== '-') print(result[format]);
    if (values.svg === '-') print(result.svg);
    else if (values.svg !== undefined) writeFileSync(values.svg, result.svg);
    return;
  }
  print((await { route, check, cost }[command](text, asked))[format]);
}

// A closed pipe (`| head`) ends the command.
process.stdout.on('error', error => process.exit(error.code === 'EPIPE' ? 0 : 1));
main().catch(error => {
  const is_system = typeof error.code === 'string' && !error.code.startsWith('ERR_');
  process.stderr.write(`faultlab: ${error.message}\n`);
  process.exitCode = is_system ? 1 : 2;
});
