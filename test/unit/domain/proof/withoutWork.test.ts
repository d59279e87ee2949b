import assert from 'node:assert/strict';
import { isProving } from '../../../../src/domain/proof/provingFiles.ts';
import { failsWithout, type RunWithout, withInlineTests } from '../../../../src/domain/proof/withoutWork.ts';

const run = (change: Partial<RunWithout>): RunWithout => ({
  kind: 'test',
  command: 'npm test',
  passed: false,
  timedOut: false,
  durationMs: 1,
  failed: [],
  flaky: [],
  unsteady: false,
  ran: null,
  tree: 'a'.repeat(40),
  exitCode: 1,
  ...change,
});

describe('a run without the work', () => {
  it('fails if the command failed, and not only as it does with the work', () => {
    assert.equal(failsWithout({}, run({ failed: ['adds'] })), true);
    assert.equal(failsWithout({}, run({ passed: true })), false);
    assert.equal(failsWithout({ knownFailures: ['old'] }, run({ failed: ['old'] })), false);
    assert.equal(failsWithout({ knownFailures: ['old'] }, run({ failed: ['adds', 'old'] })), true);
    assert.equal(
      failsWithout({ knownFailures: ['old'] }, run({ failed: null })),
      true,
      'it doesn’t even compile',
    );
  });

  it('takes what proves the work, and not the work', () => {
    const proving = [
      'test/a.test.js',
      'tests/data/in.json',
      'jest.config.js',
      'conftest.py',
      'package.json',
      'Makefile',
      'a_test.go',
      '.cargo/config.toml',
    ];
    for (const path of proving) assert.ok(isProving(path), path);
    for (const path of ['src/a.js', 'greet.txt', 'README.md', 'lib/attest.py', 'cmd/main.go'])
      assert.ok(!isProving(path), path);
  });

  it('takes the tests that end a file of Rust, without the rest of it', () => {
    const tests = '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n}\n';
    assert.equal(withInlineTests('fn add() {}\n', `fn add() { todo!() }\n${tests}`), `fn add() {}\n${tests}`);
    assert.equal(
      withInlineTests(`fn add() {}\n${tests}`, `fn sub() {}\n${tests}// more\n`),
      `fn add() {}\n${tests}// more\n`,
    );
    assert.equal(withInlineTests('fn add() {}\n', 'fn sub() {}\n'), undefined);
  });
});
