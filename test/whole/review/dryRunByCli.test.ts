import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eventsOf, runCli } from '../../support/cliProcess.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

/** With text and time of change. */
async function everything(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const found = await stat(path);
      return `${name} ${String(found.mtimeMs)} ${found.isFile() ? (await readFile(path)).toString('base64') : ''}`;
    }),
  );
}

describe('a dry run on the command line', function () {
  this.timeout(120_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();

  it('AT-16: says phases, calls with their slices, and the cost; it writes nothing, makes no database, and starts no server', async () => {
    const repository = await makeRepository({ files: { 'README.md': '# Sample\n' }, name: 'sample' });
    const home = await makeFolder();
    // Whatever would start a server fails here.
    const options = {
      env: {
        XDG_CONFIG_HOME: home,
        XDG_CACHE_HOME: home,
        XDG_DATA_HOME: home,
        BEADSMITH_OPENCODE: '/nowhere/opencode',
      },
    };
    const before = await everything(repository.root);
    const words = [
      '--title',
      'Greet',
      '--model',
      'no/such',
      '--depth',
      'quick',
      '--retrospective',
      '--repo',
      repository.root,
      '--dry-run',
    ];
    const text = await runCli(['run', ...words], options);
    const json = await runCli(['run', ...words, '--json'], options);
    assert.deepEqual([text.code, json.code], [0, 0], text.stderr + json.stderr);
    assert.deepEqual(await everything(repository.root), before);
    assert.deepEqual(await readdir(home), []);
    assert.match(text.stdout, /Planning quickly\n {4}call quick_plan: .*relevant_files.*\+ticket_handoff/);
    assert.match(text.stdout, /Approve the plan \(needs you\)/);
    assert.match(text.stdout, /Estimate: 5–40 calls, .*no finished tickets here yet/);
    assert.match(text.stdout, /add to the ticket: 1 call, /);
    const [plan] = eventsOf(json.stdout).filter((event) => event.type === 'plan');
    assert.ok(plan?.phases.some(({ status }) => status === 'WRITING_RETROSPECTIVE'));
    assert.equal(plan?.estimate.basis, 'prior');
  });
});
