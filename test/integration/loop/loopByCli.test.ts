import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { noteFiles } from '../../../src/demo/generic/noteFiles.ts';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import { startScriptedServer, type ScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { CliProcess, type CliResult, eventsOf } from '../../support/cliProcess.ts';
import { tempFolders, type TempRepository, tempRepositories } from '../../support/git/tempRepository.ts';

const End = z.looseObject({
  type: z.literal('end'),
  ticket: z.string().nullable(),
  status: z.string().nullable(),
  commits: z.array(z.looseObject({ bead: z.string() })).default([]),
  evidence: z.array(z.looseObject({ command: z.string(), exitCode: z.number() })).default([]),
});
const prompt = '# Note what the project is\n\nWrite a note, with a test.\n\n- [ ] the note has a test\n';
const command = `node --test ${noteFiles('loop').test}`;

/** A loop as a person starts it: real processes, real git, SQLite and OpenCode; only the model is scripted. */
describe('a loop on the command line', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();
  let model: ScriptedServer;
  let repository: TempRepository;
  let folder: string;
  let running: CliProcess | undefined;

  before(async () => {
    model = await startScriptedServer();
  });
  after(async () => {
    running?.child.kill('SIGTERM');
    await running?.ended;
    await model.close();
  });
  beforeEach(async () => {
    repository = await makeRepository({ files: { 'package.json': '{ "name": "sample", "type": "module" }\n' }, name: 'sample' });
    folder = await makeFolder();
    await writeFile(join(folder, 'opencode.json'), JSON.stringify(providerConfig(model.url)));
    await writeFile(join(folder, 'PROMPT.md'), prompt);
  });

  function cli(...words: readonly string[]): Promise<CliResult> {
    running = new CliProcess([...words, '--repo', repository.root, '--json'], { cwd: folder, env: { XDG_CONFIG_HOME: folder } });
    return running.ended;
  }
  const opencode = process.env['BEADSMITH_OPENCODE'];
  const driving = ['--opencode-config', 'opencode.json', ...(opencode === undefined ? [] : ['--opencode', opencode])];
  const loop = (...words: readonly string[]): Promise<CliResult> => cli('loop', ...words, '--model', 'scripted/alpha', ...driving);

  it('becomes a proved commit on a branch of its own, and no model plans it', async () => {
    const { code, stdout, stderr } = await loop('PROMPT.md', '--test', command, '--max', '3', '--approve', 'review');
    assert.equal(code, 0, `${stdout}\n${stderr}`);
    const end = End.parse(eventsOf(stdout).at(-1));
    assert.deepEqual([end.ticket, end.status], ['SAMPL-1', 'COMPLETED']);
    assert.deepEqual(
      end.commits.map(({ bead }) => bead),
      ['loop'],
    );
    assert.ok(end.evidence.some((evidence) => evidence.command === command && evidence.exitCode === 0));
    const tasks = new Set(model.requests.map(({ task }) => task));
    for (const planning of [
      'relevant-files-scan',
      'quick-plan',
      'interview-draft',
      'prd-draft',
      'beads-draft',
      'setup-plan',
      'setup',
      'final-test',
    ])
      assert.ok(!tasks.has(planning), planning);
    assert.ok(tasks.has('coding'));
    const status = await cli('loop', 'SAMPL-1', '--status');
    assert.equal(status.code, 0, status.stdout);
    assert.match(status.stdout, /"type":"report"/);
  });

  it('is refused before anything is filed, with the reason', async () => {
    const files: Readonly<Record<string, string | Uint8Array>> = {
      'empty.md': ' \n\n',
      'long.md': `# Long\n${'x'.repeat(50_001)}`,
      'binary.md': new Uint8Array([0x23, 0x20, 0x41, 0, 1]),
      'latin.md': new Uint8Array([0x23, 0x20, 0xe4]),
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    const refused: readonly [said: RegExp, ...words: string[]][] = [
      [/it is empty/, 'empty.md', '--test', 'true'],
      [/more than 50,000 characters/, 'long.md', '--test', 'true'],
      [/it is binary/, 'binary.md', '--test', 'true'],
      [/not UTF-8/, 'latin.md', '--test', 'true'],
      [/no such file/, 'nowhere.md', '--test', 'true'],
      [/--no-tests REASON/, 'PROMPT.md'],
      [/either test commands, or a reason/, 'PROMPT.md', '--test', 'true', '--no-tests', 'why'],
      [/--max 2 is less than --min 3/, 'PROMPT.md', '--test', 'true', '--min', '3', '--max', '2'],
      [/1 to 100 passes, not 0/, 'PROMPT.md', '--test', 'true', '--max', '0'],
      [/--depth does not apply/, 'PROMPT.md', '--test', 'true', '--depth', 'full'],
    ];
    for (const [said, ...words] of refused) {
      const { code, stdout, stderr } = await loop(...words);
      assert.match(`${stdout}${stderr}`, said, words.join(' '));
      assert.equal(code, 2, words.join(' '));
    }
    assert.doesNotMatch((await cli('list')).stdout, /"type":"ticket"/);
  });
});
