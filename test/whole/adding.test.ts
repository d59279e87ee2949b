import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { addingPatches, applyPatch } from '../support/addingPatches.ts';
import { folderForEach } from '../support/tempFolder.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** They compare tables with the files written from them. */
const tableTests = [
  'house',
  'l10n',
  'manifest',
  'house/forms',
  'house/cliCommands',
  'views/commands/commands',
  'views/commands/menus',
  'domain/settings/editorValues',
  'domain/workflow/sequence',
].map((name) => `test/unit/${name}.test.ts`);

describe('adding something as docs/adding.md says', function () {
  this.timeout(600_000);
  const folder = folderForEach('adding');
  beforeEach(() => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
    for (const file of tracked)
      if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(folder.path, file));
    symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
    execFileSync('git', ['init', '--quiet'], { cwd: folder.path });
    // As a link it isn't the folder that .gitignore names.
    appendFileSync(join(folder.path, '.git/info/exclude'), 'node_modules\n');
  });

  /** Throws with what it printed. */
  async function node(...args: readonly string[]): Promise<void> {
    const ended = await run(process.execPath, args, { cwd: folder.path, maxBuffer: 50_000_000 }).catch(
      (error: unknown) => error,
    );
    const { stdout, stderr } = ended as { readonly stdout: string; readonly stderr: string };
    assert.ok(!(ended instanceof Error), `node ${args.join(' ')}\n${stdout}\n${stderr}`);
  }

  for (const patch of addingPatches())
    it(`${patch.path} compiles, passes its tests, and needs no other file edited`, async () => {
      applyPatch(folder.path, patch);
      for (const script of docScripts()) await node(script);
      await node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json');
      const own = patch.files.filter((file) => file.endsWith('.test.ts'));
      assert.notDeepEqual(own, []);
      execFileSync('git', ['add', '--all'], { cwd: folder.path });
      await node('node_modules/mocha/bin/mocha.js', '--timeout', '60000', ...own, ...tableTests);
    });

  /** Of `npm run docs`. */
  function docScripts(): readonly string[] {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8')));
    return Array.from(
      `${scripts['docs'] ?? ''} ${scripts['l10n'] ?? ''}`.matchAll(/node (\S+)/g),
      ([, script = '']) => script,
    );
  }
});
