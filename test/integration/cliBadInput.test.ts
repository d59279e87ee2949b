import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { cliHere } from '../support/cliHere.ts';
import { type CliResult, eventsOf, runCli } from '../support/cliProcess.ts';
import { tempFolders, tempRepositories, type TempRepository } from '../support/git/tempRepository.ts';

/** What is only about words is in test/unit/cli/commands. */
describe('the command line, given bad input,', function () {
  this.timeout(120_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();

  async function cli(repository: { readonly root: string }, ...args: string[]): Promise<CliResult> {
    return cliHere([...args, '--repo', repository.root], { env: await isolated() });
  }

  /** Apart from the one of the user who runs the tests. */
  let config: string | undefined;
  async function isolated(): Promise<Record<string, string>> {
    config ??= await makeFolder();
    return { XDG_CONFIG_HOME: config };
  }
  afterEach(() => (config = undefined));

  function refused(result: CliResult, code: number, said: RegExp): void {
    assert.match(result.stderr, said);
    assert.equal(result.code, code, result.stderr);
    assert.doesNotMatch(result.stderr, /\n\s+at |node:internal/, 'never a stack');
  }

  async function ticketsOf(repository: TempRepository): Promise<number> {
    const result = await cli(repository, 'list', '--json');
    assert.equal(result.code, 0, result.stderr);
    return eventsOf(result.stdout).filter((event) => event.type === 'ticket').length;
  }

  it('says that a folder is no repository, and makes nothing in it', async () => {
    const root = await makeFolder();
    refused(await cli({ root }, 'create', '--title', 'x'), 2, /is not a git repository.*\n.*git init/s);
    refused(await cli({ root: join(root, 'nowhere') }, 'list'), 2, /is not a git repository/);
  });

  it('refuses without a sandbox what leaves people out, unless they accept it, and says what is missing', async () => {
    const repository = await makeRepository();
    assert.equal((await cli(repository, 'create', '--title', 'A ticket')).code, 0);
    const alone = {
      ...(await isolated()),
      BEADSMITH_SANDBOX: 'off',
      BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '',
    };
    const unattended = (...args: string[]) => cliHere([...args, '--repo', repository.root], { env: alone });
    const said =
      /refused without a sandbox.*Agents and commands run without a sandbox: it is turned off.*--unattended-without-sandbox/s;
    refused(await unattended('run', '--title', 'x', '--model', 'no/one', '--approve', 'all'), 2, said);
    assert.equal(await ticketsOf(repository), 1);
    refused(
      await unattended('merge', 'SAMPL-1', '--no-wait', '--unattended-without-sandbox'),
      2,
      /The action merge isn't available/,
    );
    assert.match(
      (await unattended('show', 'SAMPL-1')).stdout,
      /sandbox: Agents and commands run without a sandbox: it is turned off\./,
    );
  });

  it('files a ticket in a repository without commits, but does not start it', async () => {
    const repository = await makeRepository({ files: null });
    assert.equal((await cli(repository, 'create', '--title', 'A ticket')).code, 0);
    refused(
      await cli(repository, 'start', 'SAMPL-1', '--model', 'tiny/one', '--no-wait'),
      2,
      /no commits yet/,
    );
    assert.equal(await ticketsOf(repository), 1);
  });

  it('refuses to start while a prompt of the person’s own can’t be used, and names it', async () => {
    const repository = await makeRepository();
    const { XDG_CONFIG_HOME: folder = '' } = await isolated();
    await mkdir(join(folder, 'beadsmith', 'prompts'), { recursive: true });
    await writeFile(join(folder, 'beadsmith', 'prompts', 'coding.md'), 'Just do it.');
    assert.equal((await cli(repository, 'create', '--title', 'A ticket')).code, 0);
    refused(
      await cli(repository, 'start', 'SAMPL-1', '--model', 'tiny/one', '--no-wait'),
      1,
      /coding\.md can't be used: it has no front matter/,
    );
    const listed = await cli(repository, 'prompts', '--json');
    assert.equal(listed.code, 1, listed.stderr);
    const coding = eventsOf(listed.stdout).find(
      (event) => event.type === 'prompt' && event.name === 'coding',
    );
    assert.deepEqual(coding?.type === 'prompt' && [coding.state, coding.problem], [
      'refused',
      'it has no front matter',
    ]);
  });

  it('allows a dirty checkout, says so and leaves it alone', async () => {
    const repository = await makeRepository();
    await repository.write({ 'untracked.txt': 'mine' });
    const before = await repository.fingerprint();
    await cli(repository, 'create', '--title', 'A ticket');
    const started = await cli(repository, 'start', 'SAMPL-1', '--model', 'tiny/one', '--no-wait');
    assert.equal(started.code, 0, started.stderr);
    assert.match(started.stdout, /1 uncommitted change\. They stay|1 uncommitted change/);
    assert.equal(await repository.fingerprint(), before);
  });

  it('says how to get OpenCode when there is none, and files nothing that would need it', async () => {
    const repository = await makeRepository();
    await cli(repository, 'create', '--title', 'A ticket');
    const nothing = await makeFolder();
    // git has to be found all the same.
    await mkdir(join(nothing, 'bin'));
    await writeFile(
      join(nothing, 'bin', 'git'),
      `#!/bin/sh\nPATH='${process.env['PATH'] ?? ''}' exec git "$@"\n`,
    );
    await chmod(join(nothing, 'bin', 'git'), 0o755);
    const env = {
      ...(await isolated()),
      BEADSMITH_CACHE: nothing,
      PATH: `${join(nothing, 'bin')}:/usr/bin:/bin`,
    };
    const started = await cliHere(['start', 'SAMPL-1', '--model', 'tiny/one', '--repo', repository.root], {
      env,
    });
    refused(started, 1, /OpenCode was not found.*npm install --global opencode-ai@/s);
    const shown = await cli(repository, 'show', 'SAMPL-1', '--json');
    assert.match(shown.stdout, /"status":"DRAFT"/);
  });

  it('opens a newer database read-only and says so', async () => {
    const repository = await makeRepository();
    await cli(repository, 'create', '--title', 'A ticket');
    const database = new DatabaseSync(join(repository.root, '.git/beadsmith/state.db'));
    database.exec('PRAGMA user_version = 999');
    database.close();
    const list = await cli(repository, 'list');
    assert.equal(list.code, 0, list.stderr);
    assert.match(list.stdout, /newer version of Beadsmith[\s\S]*A ticket/);
    refused(await cli(repository, 'create', '--title', 'Another'), 1, /newer version|read-only/);
    refused(await cli(repository, 'run', 'SAMPL-1', '--model', 'tiny/one'), 1, /newer version|read-only/);
    assert.equal(await ticketsOf(repository), 1);
  });

  it('shows tickets of another installation, and writes them only after they were adopted', async () => {
    const repository = await makeRepository();
    await cli(repository, 'create', '--title', 'A ticket');
    config = await makeFolder();
    const list = await cli(repository, 'list');
    assert.match(list.stdout, /another installation[\s\S]*A ticket/);
    refused(
      await cli(repository, 'run', 'SAMPL-1', '--model', 'tiny/one', '--no-wait'),
      1,
      /another installation|read-only/,
    );
    assert.equal((await cli(repository, 'create', '--title', 'Another', '--adopt')).code, 0);
    assert.equal(await ticketsOf(repository), 2);
  });

  it('says that a database is damaged, and leaves it as it is', async () => {
    const repository = await makeRepository();
    await cli(repository, 'create', '--title', 'A ticket');
    const file = join(repository.root, '.git/beadsmith/state.db');
    await writeFile(file, 'This was a database once.'.repeat(400));
    const before = await readFile(file);
    refused(await cli(repository, 'list'), 1, /damaged/);
    refused(await cli(repository, 'create', '--title', 'Another'), 1, /damaged/);
    assert.deepEqual(await readFile(file), before);
  });

  it('ends with a last line that says so in JSON too, and as a process with that code', async () => {
    const repository = await makeRepository();
    const result = await runCli(['show', 'SAMPL-9', '--json', '--repo', repository.root], {
      env: await isolated(),
    });
    const events = eventsOf(result.stdout);
    assert.equal(result.code, 2);
    assert.deepEqual(
      events.map((event) => event.type),
      ['error', 'end'],
    );
    assert.equal(events[0]?.type === 'error' && events[0].code, 'TICKET_UNKNOWN');
  });
});
