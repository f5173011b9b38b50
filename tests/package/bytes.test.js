// The package's command line prints the bytes of the native program, errors and exit statuses
// included.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

// Program that npm has installed. It is called directly, because npx may print warnings of its own.
const INSTALLED = ['node_modules/.bin/faultlab'];
const call = ([program, ...first], args, input) => {
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args], { encoding: 'utf8', input });
  return { status, stdout, stderr };
};
const same = (args, input) => {
  const native = call([process.env.FAULTLAB], args, input);
  const package_ = call(INSTALLED, args, input);
  assert.deepEqual(package_, native, args.join(' '));
  return native;
};

const KINDS = {
  message: 'net=cube:5&faults=nodes:0.3&route=sidetracking,random&vary=p:0.2,0.4&within=0.03',
  circuit: 'switch=circuit&net=cube:4&faults=count:1&route=e-cube,up&rate=0.2&within=0.1',
  pairs: 'switch=pairs&net=cube:5&faults=link-count:2&within=0.05',
  worm: 'switch=wormhole&net=mesh:6x6&faults=isolated:0.05&route=f-cube2,lh2&load=0.3&within=0.1',
  permutation: 'switch=permutation&net=cube:6&faults=count:2&within=0.1',
  batch: 'switch=batch&net=cube:5&length=4&within=0.1',
  delivery: 'switch=delivery&net=tree:64&within=0.05',
};

// Kinds whose messages have path lengths.
const COUNT_LENGTHS = ['message', 'permutation'];

for (const [kind, text] of Object.entries(KINDS)) {
  test(`${kind}: run, route, check, cost and draw`, () => {
    for (const format of ['--csv', '--json', '--table', '--lengths']) {
      const { status, stdout } = same(['run', text, format, '--quiet']);
      const isRefused = format === '--lengths' && !COUNT_LENGTHS.includes(kind);
      assert.equal(status, isRefused ? 2 : 0);
      assert.ok(isRefused || stdout.length > 80, stdout);
    }
    for (const command of ['route', 'check', 'cost']) {
      for (const format of [[], ['--csv'], ['--json']]) same([command, text, ...format]);
    }
    assert.match(same(['draw', text, '--quiet', '--view', 'watch']).stdout, /^(<svg|$)/);
  });
}

test('charts, measured figures and proofs are drawn the same', () => {
  assert.match(same(['run', KINDS.message, '--svg', '-', '--quiet']).stdout, /^<svg/);
  assert.match(same(['draw', KINDS.message, '--view', 'measure', '--quiet', '--size', '500x300']).stdout, /^<svg/);
  assert.match(same(['draw', 'net=mesh:4x4&faults=none', '--view', 'check', '--quiet']).stdout, /^<svg/);
});

test('npx finds it', () => {
  const { status, stdout } = call(['npx', '--offline', 'faultlab'], ['route', KINDS.message]);
  assert.equal(status, 0);
  assert.equal(stdout, call([process.env.FAULTLAB], ['route', KINDS.message]).stdout);
});

test('one thread or many', () => {
  const one = call(INSTALLED, ['run', KINDS.worm, '--json', '--threads', '1']).stdout;
  assert.equal(call(INSTALLED, ['run', KINDS.worm, '--json', '--threads', '5']).stdout, one);
});

test('experiments come from presets, files and standard input, rules from files', () => {
  same(['route', 'preset:around']);
  writeFileSync('asked.txt', '# a comment\nnet=cube:4\nfaults=nodes:0.3\nwithin=0.1\n');
  same(['run', 'asked.txt', '--csv', '--quiet']);
  same(['run', '-', '--csv', '--quiet'], readFileSync('asked.txt', 'utf8'));
  writeFileSync('mine.rules', 'routing mine on mesh 2\nwhen some minimal is live   take minimal     "any minimal hop"\n');
  same(['check', 'net=mesh:4x4&faults=none', '--rules', 'mine.rules']);
});

test('what is wrong is said in the same words', () => {
  for (const text of ['net=cube:99', 'net=cube:4&rout=up', 'net=cube:4&route=none-such', 'switch=pairs&net=cube:4', 'net=cube:3&break=0,1,2,3,4,5,6,7', 'preset:none']) {
    const { status, stderr } = same(['route', text]);
    assert.equal(status, 2);
    assert.match(stderr, /^faultlab: /);
  }
  for (const args of [['run'], ['fly', 'net=cube:3'], ['route', 'net=cube:3', '--threads', '2'], ['run', 'net=cube:3', '--far'], ['run', 'net=cube:3', '--threads', '0'], ['run', 'nowhere']]) {
    const { status, stdout, stderr } = call(INSTALLED, args);
    assert.equal(status, 2, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /^faultlab: .*(accepted|--help)/, args.join(' '));
  }
});
