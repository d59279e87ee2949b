import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Evidence } from '../../../../../src/domain/core/evidence.ts';
import { stripAnsi } from '../../../../../src/base/lastLines.ts';
import { describeEvidence, failuresOf } from '../../../../../src/phases/shared/worktree/commands.ts';
import { errorContext, fallbackNote } from '../../../../../src/phases/shared/failureNote.ts';

const evidence = (fields: Partial<Evidence> = {}): Evidence => ({
  command: 'npm test',
  cwd: '/w',
  exitCode: 1,
  signal: null,
  timedOut: false,
  durationMs: 1_240,
  outputBytes: 0,
  head: '',
  tail: '',
  ...fields,
});

describe('what a command did, in words', () => {
  for (const [what, fields, words] of [
    ['an exit code', {}, '`npm test` exited with 1 after 1.2 s.'],
    [
      'a time-out',
      { exitCode: null, signal: 'SIGKILL', timedOut: true },
      '`npm test` timed out after 1.2 s.',
    ],
    ['a signal', { exitCode: null, signal: 'SIGSEGV' }, '`npm test` was ended by SIGSEGV after 1.2 s.'],
    ['an end without a reason', { exitCode: null }, '`npm test` was ended by a signal after 1.2 s.'],
  ] as const)
    it(`names ${what}`, () => {
      assert.equal(describeEvidence(evidence(fields)), words);
    });

  it('ends with the output, without colors', () => {
    assert.match(describeEvidence(evidence({ head: '\u001B[31mred\u001B[0m\n' })), /after 1\.2 s\.\n\nred$/);
  });

  it('shows the end of a long output, where failures are reported', () => {
    const text = describeEvidence(
      evidence({ head: 'start\n', tail: `${'x'.repeat(100)}\nthe failure\n` }),
      20,
    );
    assert.match(text, /\n\n\[…\]\nx+\nthe failure$/);
    assert.doesNotMatch(text, /start/);
  });

  it('counts a command that timed out as failed, whatever it exited with', () => {
    const all = [
      evidence({ exitCode: 0 }),
      evidence({ exitCode: 0, timedOut: true }),
      evidence(),
      evidence({ exitCode: null }),
    ];
    assert.deepEqual(failuresOf(all), all.slice(1));
  });

  it('leaves no control sequence of a terminal in any text, and every other character', () => {
    const sequence = fc.constantFrom(
      '\u001B[0m',
      '\u001B[38;5;196m',
      '\u001B[2K',
      '\u001B]0;title\u0007',
      '\u001B]8;;x\u001B\\',
      '\u001BM',
    );
    const word = fc.string({ unit: fc.constantFrom('a', 'ß', '€', ' ', '\n', '[', ']', '0', 'm') });
    fc.assert(
      fc.property(fc.array(fc.tuple(word, sequence)), (parts) => {
        assert.equal(stripAnsi(parts.flat().join('')), parts.map(([text]) => text).join(''));
      }),
    );
  });
});

describe('what a note on a failed attempt is made of', () => {
  it('has the error, the tools that failed, and the end of the last answer', () => {
    const text = errorContext('\u001B[31mTests fail.\u001B[0m', {
      failedTools: ['bash: \u001B[1mno such file'],
      lastOutput: 'I tried.',
    });
    assert.equal(
      text,
      'What failed:\nTests fail.\n\nTools that failed:\n- bash: no such file\n\nThe end of the last answer:\nI tried.',
    );
  });

  it('says so when there was no reason', () => {
    assert.equal(
      errorContext('  ', { failedTools: [], lastOutput: '\n' }),
      'What failed:\nNo reason was given.',
    );
  });

  it('is short when no model writes it, and says what was being done', () => {
    const note = fallbackNote('Iteration 2 failed.', 'p'.repeat(5_000), {
      failedTools: [],
      lastOutput: `${'x'.repeat(5_000)}end`,
    });
    assert.match(
      note,
      /^Iteration 2 failed\.\n\nWhat failed:\np{600}\n\nThe end of the last answer:\nx{497}end$/,
    );
  });
});
