import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  logFormat,
  parseCompared,
  parseLog,
  parseNameStatus,
  parseStatus,
  parseWorktrees,
  toFileChanges,
} from '../../../../../src/adapters/git/cli/parseGit.ts';

const nul = (...fields: readonly string[]): string => fields.map((field) => `${field}\0`).join('');
const [zero, blob] = ['0'.repeat(40), 'b'.repeat(40)];
/** Modes are 000000 where the file is missing. */
const tracked = (path: string, head: boolean, disk: boolean): string =>
  `1 .M N... ${head ? '100644' : '000000'} 100644 ${disk ? '100644' : '000000'} ${head ? blob : zero} ${blob} ${path}`;
/** Spaces, line ends, tabs, quotes, letters of all kinds; never kept out. */
const names = fc
  .string({
    minLength: 1,
    maxLength: 12,
    unit: fc.constantFrom('a', 'b', ' ', '\n', '\t', '"', "'", '|', '\\', '*', '?', '→', 'ü', '🙂', '-', '.'),
  })
  .map((rest) => `n${rest}`);

const raw = (letter: string, ...paths: readonly string[]): readonly string[] => [
  `:100644 100644 ${blob} ${zero} ${letter}`,
  ...paths,
];

describe('reading what git says', () => {
  it('finds every changed path in a status, whatever it is called', () => {
    const kinds = fc.constantFrom('untracked', 'modified', 'added', 'deleted');
    const changes = fc.uniqueArray(fc.record({ path: names, state: kinds }, { noNullPrototype: true }), {
      selector: ({ path }) => path,
    });
    fc.assert(
      fc.property(changes, (files) => {
        const output = nul(
          ...files.map(({ path, state }) =>
            state === 'untracked' ? `? ${path}` : tracked(path, state !== 'added', state !== 'deleted'),
          ),
        );
        assert.deepEqual(toFileChanges(parseStatus(output)), files);
      }),
    );
  });

  it('takes a path that was removed from the index alone for modified, and one that only the index had for nothing', () => {
    const removed = nul(tracked('kept.txt', true, false), '? kept.txt');
    assert.deepEqual(toFileChanges(parseStatus(removed)), [{ path: 'kept.txt', state: 'modified' }]);
    assert.deepEqual(toFileChanges(parseStatus(nul(tracked('gone.txt', false, false)))), []);
  });

  it('reads conflicts', () => {
    const conflict = `u UU N... 100644 100644 100644 100644 ${blob} ${blob} ${blob} both sides.txt`;
    assert.deepEqual(toFileChanges(parseStatus(nul(conflict))), [
      { path: 'both sides.txt', state: 'modified' },
    ]);
  });

  it('leaves out our own files, repositories inside the worktree, and names that are no text', () => {
    const ours = ['? .ticket', '? .ticket/inner.txt', tracked('.ticket/x', true, true)];
    assert.deepEqual(parseStatus(nul(...ours, '? nested/', '? bad\uFFFD.txt')), []);
    const similar = ['.ticket.md', 'opencode.json', 'src/.ticket', '.opencode/x'];
    assert.deepEqual(
      parseStatus(nul(...similar.map((path) => `? ${path}`))).map(({ path }) => path),
      similar,
    );
  });

  it('ignores headers and an empty status', () => {
    assert.deepEqual(parseStatus(''), []);
    assert.deepEqual(parseStatus(nul('# branch.oid abc', '! ignored.txt')), []);
  });

  it('names what changed between two commits, renamed and copied files by their new name', () => {
    const letters = fc.constantFrom('A', 'M', 'D', 'T', 'R100', 'C075');
    fc.assert(
      fc.property(fc.array(fc.tuple(letters, names, names)), (changes) => {
        const moved = (letter: string): boolean => letter.startsWith('R') || letter.startsWith('C');
        const output = nul(
          ...changes.flatMap(([letter, from, to]) => (moved(letter) ? [letter, from, to] : [letter, to])),
        );
        const states = {
          A: 'added',
          M: 'modified',
          D: 'deleted',
          T: 'modified',
          R: 'renamed',
          C: 'added',
        } as const;
        const expected = changes.map(([letter, from, to]) => ({
          path: to,
          state: states[letter.charAt(0) as 'A'],
          from,
          letter,
        }));
        assert.deepEqual(
          parseNameStatus(output),
          expected.map(({ path, state }) => ({ path, state })),
        );
        const records = changes.flatMap(([letter, from, to]) =>
          moved(letter) ? raw(letter, from, to) : raw(letter, to),
        );
        assert.deepEqual(
          parseCompared(nul(...records)),
          expected.map(({ path, state, from, letter }) => ({
            path,
            oldPath: letter === 'R100' ? from : null,
            change: state,
            binary: false,
            blob: zero,
          })),
        );
      }),
    );
  });

  it('counts lines, and knows which files are binary, moved ones and those with a tab in their name, too', () => {
    const output = nul(
      ...raw('M', 'text.txt'),
      ...raw('A', 'image.png'),
      ...raw('M', 'a\tb.bin'),
      ...raw('R100', 'old.txt', 'new.txt'),
      ...raw('R090', 'old.png', 'new.png'),
      '1\t2\ttext.txt',
      '-\t-\timage.png',
      '-\t-\ta\tb.bin',
      '0\t0\t',
      'old.txt',
      'new.txt',
      '-\t-\t',
      'old.png',
      'new.png',
    );
    assert.deepEqual(
      parseCompared(output)
        .filter(({ binary }) => binary)
        .map(({ path }) => path),
      ['image.png', 'a\tb.bin', 'new.png'],
    );
    assert.deepEqual(
      parseCompared(output).map(({ added, deleted }) => [added, deleted]),
      [
        [1, 2],
        [undefined, undefined],
        [undefined, undefined],
        [0, 0],
        [undefined, undefined],
      ],
    );
    assert.deepEqual(parseCompared(''), []);
  });

  it('reads commits with their trailers, whatever else the message says', () => {
    const output = nul(
      `${blob}\nbead(a): do: it\nTicket: TST-1\nBead: a b\nnot a trailer\nIteration: 2`,
      `${zero}\n\n`,
    );
    assert.deepEqual(parseLog(output), [
      { sha: blob, subject: 'bead(a): do: it', trailers: { Ticket: 'TST-1', Bead: 'a b', Iteration: '2' } },
      { sha: zero, subject: '', trailers: {} },
    ]);
    assert.match(logFormat, /%H%n%s%n/);
  });

  it('lists worktrees: their branch if they have one, and whether they are locked', () => {
    const output = [
      'worktree /repo\0HEAD a\0branch refs/heads/main\0\0',
      'worktree /repo.worktrees/TST 1\0HEAD b\0branch refs/heads/ticket/TST-1\0locked by hand\0\0',
      'worktree /detached\0HEAD c\0detached\0locked\0\0',
    ].join('');
    assert.deepEqual(parseWorktrees(output), [
      { path: '/repo', branch: 'main', locked: false },
      { path: '/repo.worktrees/TST 1', branch: 'ticket/TST-1', locked: true },
      { path: '/detached', branch: null, locked: true },
    ]);
    assert.deepEqual(parseWorktrees(''), []);
  });
});
