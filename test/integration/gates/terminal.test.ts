import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startMarked } from '../../../src/adapters/system/startedBy.ts';
import { runCli } from '../../support/cliProcess.ts';
import { tempFolders, tempRepositories, type TempRepository } from '../../support/git/tempRepository.ts';

const main = join(import.meta.dirname, '../../../src/cli/main.ts');

/** A person types the word that is asked for, or another one. */
const terminal = `
import os, pty, re, sys
seen, typed = b'', False
def read(fd):
    global seen, typed
    data = os.read(fd, 1024)
    seen += data
    found = re.search(rb'type (\\w+): $', seen)
    if found and not typed:
        typed = True
        os.write(fd, (found.group(1) if sys.argv[1] == 'right' else b'other') + b'\\n')
    return data
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:], read)))
`;

describe('a decision on the command line', function () {
  this.timeout(120_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  let repository: TempRepository;
  let config: string;
  let words: readonly string[];

  beforeEach(async () => {
    repository = await makeRepository();
    config = await makeFolder();
    const created = await runCli(['create', '--title', 'Greet', '--repo', repository.root], {
      env: { XDG_CONFIG_HOME: config },
    });
    assert.equal(created.code, 0, created.stderr);
    words = [main, 'cancel', 'SAMPL-1', '--reason', 'Not needed', '--no-wait', '--repo', repository.root];
  });

  /** In a session of its own, without a terminal unless the program makes one. */
  const run = (
    program: string,
    args: readonly string[],
  ): Promise<{ readonly code: number | null; readonly out: string }> =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, NODE_NO_WARNINGS: '1', XDG_CONFIG_HOME: config };
      const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
      let out = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => (out += text.toString()));
      // At a terminal, what is piped in would be typed.
      child.stdin.end(program === process.execPath ? 'yes\n' : '');
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, out }));
    });
  /** Whether it carries a seal. */
  const filed = (): readonly boolean[] => {
    const database = new DatabaseSync(join(repository.root, '.git/beadsmith/state.db'));
    try {
      return database
        .prepare('SELECT seal FROM inbox ORDER BY number')
        .all()
        .map(({ seal }) => seal !== null);
    } finally {
      database.close();
    }
  };
  const atTerminal = (typed: 'right' | 'wrong', marked = false) => {
    const args = ['-c', terminal, typed, process.execPath, ...words];
    return run(...(marked ? startMarked('python3', args) : (['python3', args] as const)));
  };

  it('needs a terminal: what is piped in doesn’t count', async () => {
    const { code, out } = await run(process.execPath, words);
    assert.equal(code, 6, out);
    assert.match(out, /needs a person.*no terminal[^]*in the editor.*--approve/);
    assert.deepEqual(filed(), [false]);
  });

  describe('with a terminal', () => {
    before(function () {
      if (process.platform === 'linux' && spawnSync('python3', ['-c', 'import pty']).status === 0) return;
      console.log('skipped: a terminal is made with python3 on Linux');
      this.skip();
    });

    it('shows what is decided, and counts when the word is typed', async () => {
      const { code, out } = await atTerminal('right');
      assert.equal(code, 0, out);
      assert.match(out, /SAMPL-1: cancel[^]*reason: "Not needed"[^]*To confirm, type \w{6}: /);
      assert.deepEqual(filed(), [true]);
    });

    it('isn’t made when another word is typed', async () => {
      const { code, out } = await atTerminal('wrong');
      assert.equal(code, 6, out);
      assert.match(out, /Nothing was changed/);
      assert.deepEqual(filed(), []);
    });

    it('isn’t made by what an agent started, although it made itself a terminal', async () => {
      const { code, out } = await atTerminal('right', true);
      assert.equal(code, 6, out);
      assert.match(out, /Agents and ticket commands can't make decisions or changes/);
      assert.deepEqual(filed(), []);
    });
  });

  it('is made in advance with --approve, and nothing that is printed or passed on says the key', async () => {
    const start = [
      main,
      'start',
      'SAMPL-1',
      '--model',
      'a/b',
      '--approve',
      'none',
      '--no-wait',
      '--repo',
      repository.root,
    ];
    const { code, out } = await run(process.execPath, start);
    assert.equal(code, 0, out);
    assert.deepEqual(filed(), [true]);
    const key = readFileSync(join(config, 'beadsmith/seal-key'), 'utf8');
    assert.match(key, /^[\w-]{43}$/);
    assert.ok(!out.includes(key));
  });
});
