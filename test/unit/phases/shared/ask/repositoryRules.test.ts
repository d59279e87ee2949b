import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { StepIo } from '../../../../../src/engine/run/run.ts';
import { rulesFilesOf } from '../../../../../src/phases/shared/ask/repositoryRules.ts';
import { gitOf } from '../../../../support/git/gitBench.ts';
import { tempRepositories } from '../../../../support/git/tempRepository.ts';

describe('The rules files of a commit', () => {
  const make = tempRepositories();

  async function found(
    files: Readonly<Record<string, string>>,
    links: Readonly<Record<string, string>> = {},
    about: readonly string[] = ['src/a.ts'],
  ) {
    const sample = await make({ files });
    for (const [path, to] of Object.entries(links)) await symlink(to, join(sample.root, path));
    await sample.git('add', '--all');
    await sample.git('commit', '--quiet', '--allow-empty', '-m', 'Links');
    const io = { ports: { git: gitOf(sample) } } as unknown as StepIo;
    const places = await rulesFilesOf(io, (await sample.git('rev-parse', 'HEAD')).trim(), about);
    return places.map(({ folder, path }) => (folder === '' ? path : `${path} for ${folder}`)).sort();
  }

  it('are those of many tools, by folder', async () => {
    const paths = [
      '.clinerules/a.md',
      '.roo/rules/b.md',
      '.claude/rules/c.md',
      '.kiro/steering/d.md',
      '.windsurf/rules/e.md',
      '.github/instructions/f.md',
    ];
    const files = Object.fromEntries(
      [...paths, '.roo/rules/data.json', 'guide/other.md'].map((path) => [path, `${path}\n`]),
    );
    assert.deepEqual(await found(files), paths.toSorted());
  });

  it('are where a link leads within the repository, and nowhere else', async () => {
    const files = { 'guide/agents.md': 'Be brief.\n', 'src/.keep': '' };
    assert.deepEqual(
      await found(files, { 'AGENTS.md': 'guide/agents.md', 'src/CLAUDE.md': '../guide/agents.md' }),
      ['guide/agents.md'],
    );
    assert.deepEqual(
      await found(files, { 'AGENTS.md': '/etc/passwd', 'CLAUDE.md': '../outside.md', 'GEMINI.md': 'docs' }),
      [],
    );
  });

  it('are what they name on lines of their own, twice at most, and never out of the repository', async () => {
    const files = {
      'AGENTS.md':
        'Read these:\n@guide/form.md\n- @guide/tests.md\n@../outside.md\n@/etc/passwd\nmail @guide/no.md to me\n@gone.md\n',
      'guide/form.md': '@more.md\n@guide/tests.md\n',
      'guide/tests.md': 'Test.\n@../AGENTS.md\n',
      'guide/more.md': '@last.md\n',
      'guide/last.md': 'Too deep.\n',
      'guide/no.md': 'No.\n',
    };
    assert.deepEqual(await found(files), ['AGENTS.md', 'guide/form.md', 'guide/more.md', 'guide/tests.md']);
  });
});
