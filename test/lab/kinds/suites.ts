import { join } from 'node:path';
import { type Kind, greeting, greetingFiles, plainChecks, plainFiles, shell, writing } from '../kind.ts';

const red = "require('node:test')('was red before', () => { throw new Error('red'); });\n";

/** What a project's own tests may do to a ticket. */
export const suites: readonly Kind[] = [
  {
    name: 'red-base',
    about: 'a test fails on the base, and stays red',
    files: { ...plainFiles, 'old.test.js': red },
    checks: { test_full: ['node --test --test-reporter=tap'] },
    beads: [greeting],
    comes: { delivers: greetingFiles },
  },
  {
    name: 'new-red',
    about: 'a bead breaks a test that passed on the base',
    files: plainFiles,
    checks: plainChecks,
    beads: [{ ...greeting, does: [...greeting.does, shell("echo 'echo broken' > hello.sh")] }],
    options: ['--iterations', '0', '--continuations', '0'],
    comes: { stops: /test-hello\.sh/, exit: 4 },
  },
  {
    name: 'flaky-base',
    about: 'every second run of the suite fails',
    files: plainFiles,
    make: (place) => {
      const flips = join(place.folder, 'flips');
      const suite = `echo x >> '${flips}'\necho TAP version 13; echo 1..1\nif [ $(($(wc -l < '${flips}') % 2)) = 1 ]; then echo 'not ok 1 - flaky'; exit 1; fi\necho 'ok 1 - flaky'\n`;
      place.write({ 'flaky.sh': suite });
      place.commit('Add a flaky suite');
    },
    checks: { test_full: ['sh flaky.sh'] },
    beads: [greeting],
    comes: { delivers: greetingFiles },
  },
  {
    name: 'slow-suite',
    about: 'the suite takes longer than an iteration may',
    files: { ...plainFiles, 'slow.sh': 'sleep 12\n' },
    checks: { test_full: ['sh slow.sh'] },
    beads: [greeting],
    options: ['--timeout', '10', '--command-timeout', '60'],
    comes: { delivers: greetingFiles },
  },
  {
    name: 'hanging-base',
    about: 'the suite hangs on the base as well, with a process of its own',
    files: { ...plainFiles, 'hang.sh': 'setsid sleep 3600 &\nsleep 3600\n' },
    checks: { test_full: ['sh hang.sh'] },
    beads: [greeting],
    options: ['--command-timeout', '5'],
    comes: { delivers: greetingFiles },
  },
  {
    name: 'hanging-test',
    about: 'the test of a bead hangs',
    files: plainFiles,
    checks: plainChecks,
    beads: [{ ...writing('hang', { 'hang.sh': 'sleep 3600\n' }, 'sh hang.sh'), untried: true }],
    options: ['--command-timeout', '5', '--iterations', '0', '--continuations', '0'],
    comes: { stops: /sh hang\.sh.*(?:5\.\d s|5 s)/s, exit: 4 },
  },
  {
    name: 'noisy-tests',
    about: 'tests write reports and logs, and rewrite a tracked file',
    files: {
      ...plainFiles,
      'counter.txt': '0\n',
      'test-hello.sh':
        'echo run >> counter.txt\necho "<x/>" > junit.xml\nmkdir -p logs && date > logs/run.log\ntest "$(sh hello.sh world)" = "hello world"\n',
    },
    checks: plainChecks,
    beads: [
      writing(
        'greet',
        { 'greet.sh': 'echo "good day, $1"\n' },
        'sh test-hello.sh && test "$(sh greet.sh Ada)" = "good day, Ada"',
      ),
    ],
    comes: { delivers: ['greet.sh', 'lab-final.sh'] },
  },
  {
    name: 'service',
    about: 'the tests need a server beside them, on the port of the ticket',
    files: {
      'store.js':
        "const words = require('node:fs').readFileSync('words.txt', 'utf8');\nrequire('node:net').createServer((socket) => socket.end(words)).listen(process.env.BEADSMITH_PORT_BASE, '127.0.0.1');\n",
      'ask.js':
        "const socket = require('node:net').connect(process.env.BEADSMITH_PORT_BASE, '127.0.0.1');\nsocket.on('data', (text) => process.exit(String(text).includes(process.argv[2] ?? '') ? 0 : 1));\nsocket.on('error', () => process.exit(1));\n",
      'words.txt': 'hello\n',
    },
    services: [{ name: 'store', start: 'node store.js', ready: 'node ask.js' }],
    checks: { test_full: ['node ask.js hello'] },
    beads: [
      { ...writing('words', { 'words.txt': 'hello\ngood day\n' }, "node ask.js 'good day'"), untried: true },
    ],
    comes: { delivers: ['lab-final.sh', 'words.txt'] },
  },
  {
    name: 'no-tests',
    about: 'no tests at all: a bead without commands, whose plan says why',
    files: { 'README.md': '# Sample\n' },
    beads: [
      { ...writing('notes', { 'NOTES.md': 'What we know.\n' }), unproved: 'Only words for people change.' },
    ],
    comes: { delivers: ['NOTES.md', 'lab-final.sh'] },
  },
  {
    name: 'proves-nothing',
    about: 'the command of a bead passes without its work',
    files: plainFiles,
    checks: plainChecks,
    beads: [{ ...greeting, commands: ['sh test-hello.sh'] }],
    options: ['--continuations', '0'],
    comes: { stops: /nothing that ran would fail without this work.*passes without it as well/s, exit: 3 },
  },
  {
    name: 'fewer-tests',
    about: 'the coder leaves tests out in a file that is neither a test nor a configuration',
    files: {
      'a.test.js': "require('node:test')('a', () => {});\n",
      'b.test.js': "require('node:test')('b', () => {});\n",
      'suites.txt': 'a.test.js b.test.js\n',
    },
    checks: { test_full: ['node --test --test-reporter=tap $(cat suites.txt)'] },
    beads: [{ ...greeting, does: [...greeting.does, shell('echo a.test.js > suites.txt')] }],
    comes: { stops: /2 tests ran before this work, and 1 with it/, exit: 3 },
  },
  {
    name: 'cheating-coder',
    about: 'the coder deletes a test that is in its way',
    files: plainFiles,
    checks: plainChecks,
    beads: [{ ...greeting, does: [...greeting.does, shell("echo 'exit 0' > test-hello.sh")] }],
    comes: { stops: /test-hello\.sh/, exit: 3 },
  },
];
