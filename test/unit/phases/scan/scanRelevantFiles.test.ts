import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { RelevantFile, RelevantFiles } from '../../../../src/domain/documents/relevantFiles.ts';
import { capped, scanRelevantFiles } from '../../../../src/phases/scan/scanRelevantFiles.ts';
import { scanAnswer } from '../../../support/models/planningAnswers.ts';
import { phaseWorlds } from '../../../support/engine/phaseWorld.ts';

describe('the scan of relevant files', () => {
  const worlds = phaseWorlds();

  it('lists what exists or is to be made, and the rules files always', async () => {
    const world = await worlds('SCANNING_RELEVANT_FILES');
    world.files.there.add('src/greet.ts');
    for (const path of ['AGENTS.md', 'src/AGENTS.md', 'lib/AGENTS.md']) world.git.files.set(path, `Rules of ${path}.`);
    world.answers({ 'relevant-files-scan': scanAnswer });
    world.killAt = 'exit';
    assert.equal(await world.drive(scanRelevantFiles), 'killed');
    assert.deepEqual(await world.drive(scanRelevantFiles), { exit: 'ready' });
    assert.equal(world.agent.calls.length, 1, 'asked once, over the kill');
    const document = RelevantFiles.parse(parse(await world.content('relevant_files')));
    assert.deepEqual(
      document.files.map((file) => file.path),
      ['src/greet.ts', 'src/new.ts'],
    );
    assert.deepEqual([document.file_count, document.rules_files], [2, ['AGENTS.md', 'src/AGENTS.md']]);
    assert.equal(world.agent.calls[0]?.policy, 'read_only');
  });

  it('never lets a path out of the worktree in', async () => {
    const world = await worlds('SCANNING_RELEVANT_FILES', { structuredRetryCount: 0 });
    world.answers({ 'relevant-files-scan': scanAnswer.replace('src/gone.ts', '../../etc/passwd') });
    await assert.rejects(world.drive(scanRelevantFiles), { code: 'RESPONSE_INVALID', message: /files\[1\]\.path/ });
  });

  it('drops the least relevant first when there is too much', () => {
    const file = (path: string, relevance: RelevantFile['relevance'], size: number): RelevantFile =>
      RelevantFile.parse({ path, relevance, rationale: 'r'.repeat(size) });
    const files = [file('low.ts', 'low', 4), file('high.ts', 'high', 4), file('medium.ts', 'medium', 4), file('high.ts', 'high', 4)];
    assert.deepEqual(
      capped(files, 8).map(({ path }) => path),
      ['high.ts', 'medium.ts'],
    );
    assert.deepEqual(
      capped(files, 100).map(({ path }) => path),
      ['low.ts', 'high.ts', 'medium.ts'],
    );
  });
});
