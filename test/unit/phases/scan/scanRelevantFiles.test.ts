import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { RelevantFile, RelevantFiles } from '../../../../src/domain/documents/relevantFiles.ts';
import { scanRelevantFiles } from '../../../../src/phases/scan/scanRelevantFiles.ts';
import { scanAnswer } from '../../../support/models/planningAnswers.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';
import { capped } from '../../../../src/phases/shared/relevantFiles/saveFiles.ts';

describe('the scan of relevant files', () => {
  const worlds = phaseWorlds();

  it('lists what exists or is to be made, and the rules files always', async () => {
    const world = await worlds('SCANNING_RELEVANT_FILES');
    world.files.there.add('src/greet.ts');
    for (const path of ['AGENTS.md', 'src/AGENTS.md', 'lib/AGENTS.md'])
      world.git.files.set(path, `Rules of ${path}.`);
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

  const nothing =
    '<RELEVANT_FILES_RESULT>\nfile_count: 0\nfiles: []\n</RELEVANT_FILES_RESULT>\nEND_OF_ANSWER';
  const stored = async (world: PhaseWorld) =>
    RelevantFiles.parse(parse(await world.content('relevant_files')));

  it('says what it left out, and why', async () => {
    const world = await worlds('SCANNING_RELEVANT_FILES');
    world.files.there.add('src/greet.ts');
    const twice = scanAnswer.replace(
      '  - path: src/gone.ts',
      '  - path: src/greet.ts\n    rationale: Again.\n  - path: src/gone.ts',
    );
    world.answers({ 'relevant-files-scan': twice });
    await world.drive(scanRelevantFiles);
    assert.deepEqual((await stored(world)).notes, [
      'src/gone.ts was left out, because there is no such file.',
      'src/greet.ts was listed more than once; the first entry counts.',
    ]);
  });

  it('leaves out what leads out of the repository, instead of failing', async () => {
    const world = await worlds('SCANNING_RELEVANT_FILES');
    world.files.exists = async (_worktree, path) => {
      if (path === 'src/gone.ts') throw new BeadsmithError('OUTSIDE_WORKTREE', { path });
      return true;
    };
    world.answers({ 'relevant-files-scan': scanAnswer });
    assert.deepEqual(await world.drive(scanRelevantFiles), { exit: 'ready' });
    assert.deepEqual((await stored(world)).notes, [
      'src/gone.ts was left out, because it leads out of the repository.',
    ]);
  });

  it('asks again where a repository with files gives an empty list, and takes the better answer', async () => {
    const world = await worlds('SCANNING_RELEVANT_FILES');
    world.git.files.set('src/greet.ts', 'x');
    world.files.there.add('src/greet.ts');
    world.answers({ 'relevant-files-scan': nothing, 'structured-repair': scanAnswer });
    assert.deepEqual(await world.drive(scanRelevantFiles), { exit: 'ready' });
    assert.match(world.agent.calls[1]?.text ?? '', /names no file, and the repository has some/);
    assert.deepEqual(
      (await stored(world)).files.map(({ path }) => path),
      ['src/greet.ts', 'src/new.ts'],
    );
  });

  it('chooses files by their names if the list stays empty, or names only what doesn’t exist, and says so', async () => {
    for (const useless of [nothing, scanAnswer.replace('likely_action: create', 'likely_action: read')]) {
      const world = await worlds('SCANNING_RELEVANT_FILES');
      for (const path of ['README.md', 'package-lock.json', 'logo.png', 'src/greeting.ts', 'src/other.ts'])
        world.git.files.set(path, 'x');
      world.answers({ 'relevant-files-scan': useless, 'structured-repair': useless });
      assert.deepEqual(await world.drive(scanRelevantFiles), { exit: 'ready' });
      assert.equal(world.agent.calls.length, 2, 'asked once more');
      const { files, notes } = await stored(world);
      assert.deepEqual(
        files.map(({ path }) => path),
        ['src/greeting.ts', 'README.md', 'src/other.ts'],
      );
      assert.match(notes[0] ?? '', /chosen by their names/);
    }
  });

  it('may be empty where the repository is', async () => {
    const world = await worlds('SCANNING_RELEVANT_FILES');
    world.answers({ 'relevant-files-scan': nothing });
    await world.drive(scanRelevantFiles);
    assert.deepEqual([world.agent.calls.length, (await stored(world)).files], [1, []]);
  });

  it('never lets a path out of the worktree in', async () => {
    const world = await worlds('SCANNING_RELEVANT_FILES', { structuredRetryCount: 0 });
    world.answers({ 'relevant-files-scan': scanAnswer.replace('src/gone.ts', '../../etc/passwd') });
    await assert.rejects(world.drive(scanRelevantFiles), {
      code: 'RESPONSE_INVALID',
      message: /files\[1\]\.path/,
    });
  });

  it('drops the least relevant first when there is too much', () => {
    const file = (path: string, relevance: RelevantFile['relevance'], size: number): RelevantFile =>
      RelevantFile.parse({ path, relevance, rationale: 'r'.repeat(size) });
    const files = [
      file('low.ts', 'low', 4),
      file('high.ts', 'high', 4),
      file('medium.ts', 'medium', 4),
      file('high.ts', 'high', 4),
    ];
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
