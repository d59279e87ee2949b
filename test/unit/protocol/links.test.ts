import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { normalPrd } from '../../../src/domain/requirements/prd.ts';
import { hydrateBeads } from '../../../src/domain/beads/readPlan.ts';
import { readLinks } from '../../../src/protocol/links.ts';
import { Links } from '../../../src/domain/links/links.ts';
import { FakeClient } from '../../support/fakes/fakeClient.ts';
import { beads, interviewDocument, prd } from '../../support/models/planningAnswers.ts';

const commit = 'c'.repeat(40);
const tree = 'd'.repeat(40);

describe('the links of a ticket', () => {
  const client = new FakeClient();
  const draft = {
    ...prd,
    epics: prd.epics.map((epic) => ({
      ...epic,
      user_stories: epic.user_stories.map((one) => ({ ...one, interview_refs: ['Q01'] })),
    })),
  };
  const rows = [
    { id: 'Q01', met_by: ['US-1-1'], note: '' },
    { id: 'Q02', met_by: [], note: 'A matter of taste.' },
  ];
  const report = (open: readonly string[]): string =>
    stringify({
      schema_version: 1,
      passes: [],
      outcome: open.length > 0 ? 'limit' : 'clean',
      open_gaps: open,
      rows,
    });

  beforeEach(() => {
    client.documents.clear();
    client.documents.set('interview', stringify(interviewDocument()));
    client.documents.set(
      'prd',
      stringify(normalPrd(draft, { ticketId: 'TST-1', interviewSha256: 'a'.repeat(64) })),
    );
    client.documents.set('prd_coverage', report([]));
    client.beads = () =>
      Promise.resolve({
        beads: hydrateBeads({ beads: [...beads] }, [], 'TST-1').map((bead, place) => ({
          ...bead,
          status: place === 0 ? 'done' : 'pending',
        })),
        sha256: 'b'.repeat(64),
      });
  });

  it('come from its documents as they are now, and fit through a wire', async () => {
    const links = await readLinks(client, 'TST-1');
    assert.deepEqual(links.holes, []);
    assert.equal(links.questions[1]?.note, 'A matter of taste.');
    assert.deepEqual(links.criteria[0]?.beads, ['greet-by-name', 'greet-nobody']);
    assert.deepEqual(Links.parse(JSON.parse(JSON.stringify(links))), links);
  });

  it('take nothing as settled that an open gap speaks of', async () => {
    client.documents.set('prd_coverage', report(['Q02 is ignored.']));
    assert.deepEqual((await readLinks(client, 'TST-1')).holes, [{ kind: 'question', id: 'Q02' }]);
  });

  it('end at the commit of a bead, and at the tests that failed without it', async () => {
    const ran = {
      command: 'node --test',
      cwd: '/',
      exitCode: 0,
      signal: null,
      timedOut: false,
      durationMs: 1,
      outputBytes: 0,
      head: '',
      tail: '',
    };
    const checkpoint = {
      beadId: 'greet-by-name',
      iteration: 1,
      startedAt: '',
      updatedAt: '',
      beadStartCommit: commit,
    };
    const done = {
      schema_version: 1,
      checkpoint,
      outcome: 'accepted',
      marker: null,
      devRecord: null,
      tree,
      reason: '',
    };
    client.documents.set(
      'bead_commit:greet-by-name',
      JSON.stringify({
        schema_version: 1,
        beadId: 'greet-by-name',
        iteration: 1,
        commit,
        noop: false,
        leftOut: [],
      }),
    );
    client.documents.set(
      'bead_execution:greet-by-name',
      JSON.stringify({ ...done, evidence: [{ ...ran, without: { tree, exitCode: 1 } }] }),
    );
    const red = {
      kind: 'test',
      timedOut: false,
      command: 'node --test',
      passed: false,
      failed: ['greets Ada'],
      flaky: [],
      durationMs: 1,
      tree,
      exitCode: 1,
    };
    client.documents.set(
      'runs_without_work',
      JSON.stringify({ schema_version: 1, runs: [red, { ...red, tree: commit, failed: ['another tree'] }] }),
    );
    const links = await readLinks(client, 'TST-1');
    assert.deepEqual(links.beads[0]?.evidence, { commit, tests: ['greets Ada'] });
    assert.equal(links.beads[1]?.evidence, undefined);
  });

  it('of a ticket without documents are none', async () => {
    assert.deepEqual(await readLinks(new FakeClient(), 'TST-1'), {
      questions: [],
      criteria: [],
      beads: [],
      holes: [],
    });
  });
});
