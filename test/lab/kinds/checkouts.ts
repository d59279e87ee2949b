import { join } from 'node:path';
import { type Kind, greeting, greetingFiles, plainChecks, plainFiles } from '../kind.ts';

const plain = { files: plainFiles, checks: plainChecks, beads: [greeting] };

/** States and shapes a person's checkout may be in. */
export const checkouts: readonly Kind[] = [
  {
    ...plain,
    name: 'dirty-checkout',
    about: 'staged, unstaged, untracked and stashed work',
    make: (place) => {
      place.write({ 'hello.sh': 'echo stashed\n' });
      place.git('stash', '--quiet');
      place.write({ 'hello.sh': 'echo staged\n' });
      place.git('add', 'hello.sh');
      place.write({ 'hello.sh': 'echo unstaged\n', 'mine.txt': 'untracked\n' });
    },
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'detached-head',
    about: 'a detached HEAD: the base is never guessed',
    make: (place) => place.git('checkout', '--quiet', '--detach'),
    comes: { stops: /--base/, exit: 2 },
  },
  {
    ...plain,
    name: 'detached-head-with-base',
    about: 'a detached HEAD, and the base is named',
    make: (place) => place.git('checkout', '--quiet', '--detach'),
    options: ['--base', 'main'],
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'unborn-branch',
    about: 'a repository without a commit',
    files: null,
    comes: { stops: /commit/, exit: 2 },
  },
  {
    ...plain,
    name: 'bare',
    about: 'a bare repository',
    make: (place) => {
      const bare = join(place.folder, 'shared.git');
      place.git('clone', '--quiet', '--bare', '.', bare);
      place.repository = bare;
    },
    comes: { stops: /bare repository/i, exit: 2 },
  },
  {
    ...plain,
    name: 'linked-worktree',
    about: 'the person works in a linked worktree',
    make: (place) => {
      const linked = join(place.folder, 'linked');
      place.git('worktree', 'add', '--quiet', '-b', 'work', linked);
      place.repository = linked;
    },
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'shallow-clone',
    about: 'a clone with a depth of one',
    make: (place) => {
      place.write({ 'more.txt': 'more\n' });
      place.commit('Second commit');
      const clone = join(place.folder, 'clone');
      place.git('clone', '--quiet', '--depth', '1', `file://${place.repository}`, clone);
      place.repository = clone;
      place.identify();
    },
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'sparse-checkout',
    about: 'the checkout shows only a part of the repository',
    files: { ...plainFiles, 'pages/guide.md': '# Guide\n', 'src/one.txt': '1\n' },
    make: (place) => place.git('sparse-checkout', 'set', 'src'),
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'many-files',
    about: '50,000 files',
    make: (place) => {
      const stream = [
        'blob',
        'mark :1',
        'data 2',
        'x',
        'commit refs/heads/main',
        'committer Ada Tester <ada@example.invalid> 1700000000 +0000',
      ];
      stream.push('data 5', 'Many', 'from refs/heads/main^0');
      for (let at = 0; at < 50_000; at++)
        stream.push(`M 100644 :1 many/${String(at % 500)}/file-${String(at)}.txt`);
      place.feed(`${stream.join('\n')}\n`, 'git', 'fast-import', '--quiet');
      place.git('reset', '--quiet', '--hard');
    },
    comes: { delivers: greetingFiles },
  },
];
