import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { hydrateBeads } from '../../../../src/domain/beads/readPlan.ts';
import { normalPrd } from '../../../../src/domain/requirements/prd.ts';
import { LinkSide } from '../../../../src/host/language/linkSide.ts';
import { answeredSources, LinkAnswer, type LinksChanged } from '../../../../src/protocol/documentLinks.ts';
import { repositoryKey } from '../../../../src/protocol/documents.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { beads, interviewDocument, prd } from '../../../support/models/planningAnswers.ts';
import { until } from '../../../support/until.ts';

describe('the editor’s side of the links in documents', () => {
  const repository = repositoryKey('/sample');
  const asked = { repository, ticket: 'TST-1' };
  let client: FakeClient;
  let repositories: FakeRepositories;
  let side: LinkSide;
  let changed: LinksChanged[];
  let errors: unknown[];

  beforeEach(() => {
    client = new FakeClient();
    repositories = new FakeRepositories();
    changed = [];
    errors = [];
    side = new LinkSide({
      repositories,
      changed: (what) => changed.push(what),
      logError: (_what, error) => errors.push(error),
      pauseMs: 1,
    });
  });
  afterEach(() => side.dispose());

  it('answers what links are made of, and nothing else of the documents', async () => {
    repositories.show(client);
    client.documents.set('interview', stringify(interviewDocument()));
    client.documents.set(
      'prd',
      stringify(normalPrd(prd, { ticketId: 'TST-1', interviewSha256: 'a'.repeat(64) })),
    );
    client.beads = () =>
      Promise.resolve({ beads: hydrateBeads({ beads: [...beads] }, [], 'TST-1'), sha256: 'b'.repeat(64) });
    const answer = JSON.parse(JSON.stringify(await side.answer(asked))) as unknown;
    assert.deepEqual(LinkAnswer.parse(answer), answer);
    const sources = answeredSources(answer);
    assert.deepEqual(
      [sources?.questions[0]?.id, sources?.prd?.epics[0]?.user_stories[0]?.id],
      ['Q01', 'US-1-1'],
    );
    assert.deepEqual(Object.keys(sources?.beads?.[0] ?? {}).toSorted(), [
      'id',
      'issueType',
      'prdRefs',
      'testCommands',
      'title',
    ]);
  });

  it('leaves out documents that are not there', async () => {
    repositories.show(client);
    assert.deepEqual(await side.answer(asked), { questions: [], audited: [] });
  });

  it('answers null where a ticket can’t be read', async () => {
    assert.equal(await side.answer(asked), null);
    repositories.show(client);
    assert.equal(await side.answer({ repository: 'another', ticket: 'TST-1' }), null);
    for (const odd of [undefined, 7, { repository, ticket: '../x' }])
      assert.equal(await side.answer(odd), null);
    client.artifact = () => Promise.reject(new TypeError('The store is closed.'));
    assert.deepEqual([await side.answer(asked), errors.length], [null, 1]);
  });

  it('says once that a ticket changed that was asked about, and of no other', async () => {
    repositories.show(client);
    await side.answer(asked);
    client.change('TST-2');
    client.change('TST-1');
    client.change('TST-1');
    await until(() => changed.length > 0, 'it is said');
    assert.deepEqual(changed, [asked]);
    await side.answer({ repository, ticket: 'TST-2' });
    client.change('TST-1');
    client.change();
    await until(() => changed.length > 1, 'it is said of the other');
    assert.deepEqual(changed, [asked, { repository, ticket: 'TST-2' }]);
  });

  it('says that it can answer once the repository is open', async () => {
    assert.equal(await side.answer(asked), null);
    repositories.show(client);
    await until(() => changed.length > 0, 'it is said');
    assert.deepEqual(changed, [asked]);
    assert.notEqual(await side.answer(asked), null);
  });
});
