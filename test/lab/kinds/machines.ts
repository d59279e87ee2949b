import {
  type Kind,
  greeting,
  greetingFiles,
  plainChecks,
  plainFiles,
  shell,
  write,
  writing,
} from '../kind.ts';
import type { Place } from '../place.ts';

const plain = { files: plainFiles, checks: plainChecks, beads: [greeting] };
/** A bead whose one command is a script that the coder writes. */
const scripted = (name: string, ...lines: readonly string[]) =>
  writing(name, { [`${name}.sh`]: `${lines.join('\n')}\n` }, `sh ${name}.sh`);
const proved = (name: string) => ({ delivers: ['lab-final.sh', `${name}.sh`] });
/** A program for Node as an argument of a shell. */
const inNode = (program: string): string => `node -e '${program}'`;
const once = ['--iterations', '0', '--continuations', '0'];

/** What people's machines have: names, places, services, hooks, links, long texts. */
export const machines: readonly Kind[] = [
  {
    ...plain,
    name: 'own-host-name',
    about: 'the tests look up the name of the machine',
    beads: [
      scripted(
        'host',
        inNode('require("dns").lookup(require("os").hostname(), (error) => process.exit(error ? 1 : 0))'),
      ),
    ],
    comes: proved('host'),
  },
  {
    ...plain,
    name: 'installed-in-home',
    about: 'the bootstrap installs into the home folder, and coder, tests and proof need it',
    bootstrap: [`mkdir -p "$HOME/.cache/beadsmith-lab" && echo there > "$HOME/.cache/beadsmith-lab/tool"`],
    beads: [
      {
        id: 'use',
        does: [
          shell('cp "$HOME/.cache/beadsmith-lab/tool" seen.txt'),
          write('use.sh', 'cat "$HOME/.cache/beadsmith-lab/tool"\n'),
        ],
        commands: ['test "$(sh use.sh)" = there', 'test "$(cat seen.txt)" = there'],
        targets: ['use.sh', 'seen.txt'],
      },
    ],
    comes: { delivers: ['lab-final.sh', 'seen.txt', 'use.sh'] },
  },
  {
    ...plain,
    name: 'own-server',
    about: 'the tests start a server on localhost and ask it',
    beads: [
      scripted(
        'serve',
        inNode(
          'const s = require("http").createServer((q, r) => r.end("hi")).listen(0, "localhost", () => fetch("http://localhost:" + s.address().port).then((r) => r.text()).then((t) => process.exit(t === "hi" ? 0 : 1)))',
        ),
      ),
    ],
    comes: proved('serve'),
  },
  {
    ...plain,
    name: 'refused-service',
    about: 'the tests ask a database on localhost that is not there for them',
    beads: [
      scripted(
        'query',
        inNode(
          'require("net").connect(1, "127.0.0.1").on("error", (error) => { console.error(error.message); process.exit(1) })',
        ),
      ),
    ],
    options: once,
    comes: { stops: /127\.0\.0\.1:1/, exit: 4 },
  },
  {
    ...plain,
    name: 'commits-in-tests',
    about: 'the tests make a repository of their own and commit in it',
    beads: [
      scripted(
        'repo',
        'dir=$(mktemp -d)',
        'cd "$dir"',
        'git init -q -b main',
        'echo x > x',
        'git add x',
        'git commit -qm One',
        'git log -1',
      ),
    ],
    comes: proved('repo'),
  },
  {
    ...plain,
    name: 'temporary-files',
    about: 'the tests write below TMPDIR, HOME and /dev/shm',
    beads: [
      scripted(
        'scratch',
        'set -e',
        'f=$(mktemp)',
        'echo x > "$f"',
        'mkdir -p "$HOME/.made"',
        'echo x > "$HOME/.made/x"',
        'echo x > /dev/shm/lab-$$',
        'rm /dev/shm/lab-$$',
      ),
    ],
    comes: proved('scratch'),
  },
  {
    ...plain,
    name: 'much-output',
    about: 'the tests print five megabytes',
    beads: [scripted('loud', 'i=0', 'yes "a line of a very talkative test" | head -c 5000000', 'echo done')],
    comes: proved('loud'),
  },
  {
    ...plain,
    name: 'executable-script',
    about: 'the bead makes a script executable, and its command runs it by its name',
    beads: [
      {
        id: 'run',
        does: [write('run-me.sh', '#!/bin/sh\necho run\n'), shell('chmod +x run-me.sh')],
        commands: ['./run-me.sh'],
        targets: ['run-me.sh'],
      },
    ],
    comes: { delivers: ['lab-final.sh', 'run-me.sh'] },
  },
  {
    ...plain,
    name: 'failing-assertion',
    about: 'a test fails: what was expected and what was there is said',
    beads: [
      writing(
        'sum',
        {
          'sum.test.mjs':
            'import assert from "node:assert/strict";\nimport test from "node:test";\n' +
            'test("adds", () => assert.equal(1 + 1, 3));\n' +
            Array.from({ length: 30 }, (_, at) => `test("stays ${String(at)}", () => {});\n`).join(''),
        },
        'node --test sum.test.mjs',
      ),
    ],
    options: once,
    comes: { stops: /2 !== 3/, exit: 4 },
  },
  {
    ...plain,
    name: 'long-place',
    about: 'the path of the checkout is longer than a socket may have',
    folder: `${'a-long-name-'.repeat(12)}x`,
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'merge-driver-true',
    about: 'an attribute uses a merge driver that keeps our side',
    files: { ...plainFiles, '.gitattributes': '*.lock merge=ours\n', 'some.lock': '1\n' },
    make: (place) => place.git('config', 'merge.ours.driver', 'true'),
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'merge-driver-unused',
    about: 'a merge driver with a program of its own that no attribute uses',
    make: (place) => place.git('config', 'merge.odd.driver', 'odd-merge %A %O %B'),
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'merge-driver-used',
    about: 'an attribute uses a merge driver with a program of its own',
    files: { ...plainFiles, '.gitattributes': '*.md merge=odd\n' },
    make: (place) => place.git('config', 'merge.odd.driver', 'odd-merge %A %O %B'),
    comes: { stops: /merge\.odd\.driver/, exit: 4 },
  },
  {
    ...plain,
    name: 'diff-driver',
    about: 'a diff driver and a text converter in the configuration, which would run programs',
    files: { ...plainFiles, '.gitattributes': '*.md diff=odd\n' },
    make: (place) => {
      place.git('config', 'diff.odd.command', 'sh -c "exit 7"');
      place.git('config', 'diff.odd.textconv', 'sh -c "exit 7"');
    },
    beads: [writing('guide', { 'guide.md': '# Guide\n' }, 'grep -q Guide guide.md')],
    comes: { delivers: ['guide.md', 'lab-final.sh'] },
  },
  {
    ...plain,
    name: 'long-description',
    about: 'a specification of 120,000 characters',
    description: `# A long specification\n\n${'## Part\n\nEach part says what holds for it, at length, as specifications do.\n\n'.repeat(1_700)}`,
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'very-long-description',
    about: 'a specification of 400,000 characters, which becomes a document',
    description: `# A very long specification\n\n${'## Part\n\nEach part says what holds for it, at length, as specifications do.\n\n'.repeat(5_600)}`,
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'colored-description',
    about: 'a log with colors and control characters as the description',
    description:
      'The build fails:\n\u001b[31mERROR\u001b[0m in \u001b[1mgreet\u001b[22m\u0007\r\nit greets nobody\n',
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'linked-rules',
    about: 'the rules for agents are a link to another file, which names a third',
    files: {
      ...plainFiles,
      'guide/rules.md': 'Use plain words.\n@guide/more.md\n',
      'guide/more.md': 'Greet politely.\n',
    },
    make: (place) => {
      place.run('ln', '-s', 'guide/rules.md', 'AGENTS.md');
      place.commit('Rules');
    },
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'rules-of-other-tools',
    about: 'rules in the places of other tools, and a rule that leads out of the repository',
    files: {
      ...plainFiles,
      '.clinerules/one.md': 'Use plain words.\n',
      '.windsurfrules': 'No new dependencies.\n',
    },
    make: (place) => {
      place.run('ln', '-s', '/etc/hostname', 'CLAUDE.md');
      place.commit('A rule elsewhere');
    },
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'hook-that-passes',
    about: 'hooks are to run, and accept the commit',
    make: (place) => hook(place, 'pre-commit', 'exit 0'),
    options: ['--git-hooks', 'run'],
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'hook-that-refuses',
    about: 'hooks are to run, and one refuses with words of its own',
    make: (place) => hook(place, 'pre-commit', 'echo "format greet.sh first" >&2; exit 1'),
    options: ['--git-hooks', 'run', ...once],
    comes: { stops: /format greet\.sh first/, exit: 4 },
  },
  {
    ...plain,
    name: 'conventional-commits',
    about: 'the repository has a convention for its commits',
    make: (place) => {
      for (let at = 0; at < 12; at++) {
        place.write({ 'count.txt': `${String(at)}\n` });
        place.commit(`feat(count): count to ${String(at)}`);
      }
    },
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'windows-name',
    about: 'the coder makes a file with a name that Windows keeps for a device',
    beads: [{ ...greeting, does: [...greeting.does, write('aux.txt', 'x\n')] }],
    comes: { stops: /aux\.txt/, exit: 3 },
  },
  {
    ...plain,
    name: 'linked-input',
    about: 'an ignored input is a link to a file beside the repository, which the coder writes to',
    files: { ...plainFiles, '.gitignore': 'settings.local\n', '.worktreeinclude': 'settings.local\n' },
    make: (place) => {
      place.run(
        'sh',
        '-c',
        'echo mine > ../settings.of-the-person && ln -s ../settings.of-the-person settings.local',
      );
    },
    beads: [{ ...greeting, does: [...greeting.does, shell('echo changed > settings.local || true')] }],
    keeps: { '../settings.of-the-person': 'mine\n' },
    comes: { delivers: greetingFiles },
  },
];

function hook(place: Place, name: string, body: string): void {
  const path = `.git/hooks/${name}`;
  place.write({ [path]: `#!/bin/sh\n${body}\n` });
  place.run('chmod', '+x', path);
}
