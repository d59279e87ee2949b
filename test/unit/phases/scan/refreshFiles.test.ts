import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { RelevantFiles } from '../../../../src/domain/documents/relevantFiles.ts';
import { draftPrd } from '../../../../src/phases/prd/draftPrd.ts';
import { interviewDocument, prd } from '../../../support/models/planningAnswers.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';
import { namesIn } from '../../../../src/phases/shared/relevantFiles/askForFiles.ts';

const file = { rationale: 'Known.', relevance: 'medium', likely_action: 'read', content_preview: '' };
const list = {
  schema_version: 1,
  ticket_id: 'TST-1',
  artifact: 'relevant_files',
  file_count: 1,
  rules_files: [],
  files: [{ ...file, path: 'src/greet.ts' }],
};
const rescan = (...paths: readonly string[]): string =>
  `<RELEVANT_FILES_RESULT>\n${stringify({ files: paths.map((path) => ({ ...file, path, rationale: 'Found again.' })) })}</RELEVANT_FILES_RESULT>\nEND_OF_ANSWER`;

describe('the relevant files after the interview', () => {
  const worlds = phaseWorlds();

  /** A ticket whose first question was answered so. */
  async function answered(text: string): Promise<PhaseWorld> {
    const world = await worlds('DRAFTING_PRD', { councilMembers: [] });
    const interview = interviewDocument();
    const [first, ...others] = interview.questions;
    assert.ok(first);
    const questions = [{ ...first, answer: { ...first.answer, free_text: text } }, ...others];
    await world.put('interview', stringify({ ...interview, questions }));
    await world.put('relevant_files', stringify(list), 'SCANNING_RELEVANT_FILES');
    for (const path of ['src/greet.ts', 'src/legacy/banner.ts', 'src/other.ts']) {
      world.git.files.set(path, 'x');
      world.files.there.add(path);
    }
    world.answers({
      'relevant-files-scan': rescan('src/legacy/banner.ts', 'src/other.ts'),
      'full-answers': stringify({
        questions: [{ id: 'Q02', answer: { selected_option_ids: ['yes'], free_text: 'Yes.' } }],
      }),
      'prd-draft': stringify(prd),
    });
    return world;
  }
  const scans = (world: PhaseWorld) => world.agent.calls.filter(({ task }) => task === 'relevant-files-scan');
  const files = async (world: PhaseWorld) =>
    RelevantFiles.parse(parse(await world.content('relevant_files')));

  it('are looked for again, once, where an answer names a file that isn’t on the list, and nothing is lost', async () => {
    const world = await answered('As the old `banner.ts` does it.');
    world.killAt = 'exit';
    assert.equal(await world.drive(draftPrd), 'killed');
    await world.drive(draftPrd);
    const [scan, ...more] = scans(world);
    assert.deepEqual(more, []);
    assert.match(scan?.whole ?? '', /## interview\n[^]*old `banner\.ts`/);
    assert.match(scan?.whole ?? '', /## relevant_files\n[^]*src\/greet\.ts/);
    const { files: found } = await files(world);
    assert.deepEqual(
      found.map(({ path, rationale }) => [path, rationale]),
      [
        ['src/legacy/banner.ts', 'Found again.'],
        ['src/other.ts', 'Found again.'],
        ['src/greet.ts', 'Known.'],
      ],
    );
    assert.match(
      world.agent.calls.find(({ task }) => task === 'prd-draft')?.whole ?? '',
      /src\/legacy\/banner\.ts/,
    );
    assert.equal((await world.artifact('relevant_files'))?.info.status, 'SCANNING_RELEVANT_FILES');
  });

  it('are left as they are where the answers name nothing new', async () => {
    for (const text of ['Everyone, loudly.', 'See src/greet.ts.', 'As in nowhere.ts.']) {
      const world = await answered(text);
      await world.drive(draftPrd);
      assert.deepEqual(scans(world), [], text);
      assert.equal((await files(world)).file_count, 1);
    }
  });

  it('follow a name of the code to the files that have it', async () => {
    const world = await answered('Use drawBanner for it.');
    world.git.filesNaming = async (_commit: string, words: readonly string[]) =>
      words.includes('drawBanner') ? ['src/legacy/banner.ts'] : [];
    await world.drive(draftPrd);
    assert.equal(scans(world).length, 1);
  });

  it('have at least what the answers name if the model fails, and say so', async () => {
    const world = await answered('As src/legacy/banner.ts.');
    world.agent.answer = (call) =>
      call.task === 'prd-draft'
        ? stringify(prd)
        : call.task === 'full-answers'
          ? stringify({
              questions: [{ id: 'Q02', answer: { selected_option_ids: ['yes'], free_text: 'Yes.' } }],
            })
          : 'I can’t say.';
    await world.drive(draftPrd);
    const { files: found, notes } = await files(world);
    assert.deepEqual(
      found.map(({ path }) => path),
      ['src/legacy/banner.ts', 'src/greet.ts'],
    );
    assert.match(notes.join('\n'), /could not be made again after the interview/);
  });

  it('take names, and no ordinary words', () => {
    const { paths, words } = namesIn(
      'Please keep lib/a.ts, `b.test.ts` and applyCode; max_items stays. It works, e.g. as before. See ./src/x.py.',
    );
    assert.deepEqual(paths.toSorted(), ['b.test.ts', 'lib/a.ts', 'src/x.py']);
    assert.deepEqual(words.toSorted(), ['applyCode', 'max_items']);
  });
});
