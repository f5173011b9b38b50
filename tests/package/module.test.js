// Tests of the module: promises with progress and abort, errors, and the bytes of the native
// program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import * as faultlab from 'faultlab';
import { check, cost, route, run, svg, version } from 'faultlab';
import { reports } from './node_modules/faultlab/core.js';

const native = (...args) => execFileSync(process.env.FAULTLAB, args, { encoding: 'utf8' });
const TEXT = 'net=cube:5&faults=nodes:0.3&vary=p:0.2,0.4&within=0.02';

test('a measurement tells how far it is, and has the bytes of the command line', async () => {
  const told = [];
  const result = await run(TEXT, { progress: progress => told.push(progress), threads: 3 });
  assert.equal(result.csv, native('run', TEXT, '--csv', '--quiet'));
  assert.equal(result.json.trimEnd(), native('run', TEXT, '--json', '--quiet').trimEnd());
  assert.match(result.experiment, /^v=1&net=cube:5/);
  assert.match(result.svg, /^<svg/);
  assert.ok(told.length > 1);
  assert.deepEqual(told.at(-1), { share: 1, done: 2, points: 2 });
  for (let at = 1; at < told.length; ++at) assert.ok(told[at].done >= told[at - 1].done);
});

test('every report of the shared list is a function of the package', () => {
  assert.deepEqual(reports(), ['route', 'check', 'cost']);
  for (const name of reports()) assert.equal(typeof faultlab[name], 'function', name);
});

test('routes, checks and pictures', async () => {
  const text = 'net=mesh:4x4&faults=none&route=west-first';
  assert.equal((await route(text)).text, native('route', text));
  assert.equal((await check(text)).json.trimEnd(), native('check', text, '--json').trimEnd());
  assert.equal((await cost(text)).csv, native('cost', text, '--csv'));
  assert.equal((await svg(text, { width: 500, height: 300 })).trimEnd(), native('draw', text, '--size', '500x300').trimEnd());
  assert.equal(version, native('--version').trim().split(' ')[1]);
});

test('what is wrong rejects with the sentence of the command line', async () => {
  await assert.rejects(run('net=cube:99'), error => error instanceof Error && /^net=cube:99/.test(error.message));
  await assert.rejects(route('net=cube:4&rout=up'), /rout/);
  await assert.rejects(check(''), /accepted: an experiment's text/);
  await assert.rejects(run(TEXT, { threads: 0 }), RangeError);
  await assert.rejects(svg(TEXT, { width: 10 }), /width 10; accepted: a whole number from 240 to 1600/);
  await assert.rejects(run(7), TypeError);
});

test('an abort ends it at once, and its workers with it', async () => {
  const heavy = 'switch=wormhole&net=mesh:32x32&faults=none&route=e-cube&load=0.6&within=0.001';
  const start = performance.now();
  const aborter = new AbortController();
  setTimeout(() => aborter.abort(), 300);
  await assert.rejects(run(heavy, { signal: aborter.signal }), { name: 'AbortError' });
  await assert.rejects(check(heavy, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  // The runs would take minutes. If their workers continued, neither this process nor the test
  // would end.
  assert.ok(performance.now() - start < 20_000);
});
