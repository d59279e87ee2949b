import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { documentUri } from '../../../../src/views/documents/documentUri.ts';
import { definePage } from '../../../../src/views/pages/pageKind.ts';
import { ticketPage } from '../../../../src/views/pages/ticketPage.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import { withInverseEdges } from '../../../../src/domain/beads/beadPlan.ts';
import { addBlocker, moveBead, splitBead } from '../../../../src/domain/beads/editPlan.ts';
import { editDocument } from '../../../../src/domain/documents/base/text.ts';
import { documentOf } from '../../../../src/domain/documents/documents.ts';
import type { ApprovedKind } from '../../../../src/domain/documents/workDocuments.ts';
import { SetupPlan } from '../../../../src/domain/documents/setupPlan.ts';
import type { Interview } from '../../../../src/domain/requirements/interview.ts';
import type { Prd } from '../../../../src/domain/requirements/prd.ts';
import { editedText } from '../../../../src/views/pages/planRequests.ts';
import {
  planOf,
  problemsOf,
  questionsOf,
  shownOf,
  withAnswer,
} from '../../../../webview-ui/ticket/documents/drafts.ts';
import { insertAt, setAt } from '../../../../webview-ui/ticket/documents/form/jsonPath.ts';
import { editor, person, Uri, workspace } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { bead } from '../../../support/storeContract/samples.ts';
import { storedInterview, storedPrd, storedSetup } from './approvalDocuments.ts';

describe('the requests of a plan', () => {
  let place: FakePlace;
  const workbench = { logError: () => undefined } as unknown as Workbench;
  const serve = (method: string, params: unknown): unknown =>
    definePage(ticketPage).serve(method, params, place, workbench);

  beforeEach(() => {
    editor.reset();
    place = new FakePlace({ ticket: { status: 'WAITING_PRD_APPROVAL' } });
  });

  for (const kind of ['fix_gaps', 'check_again'] as const)
    it(`send ${kind} without a question`, async () => {
      await serve('act', { kind, body: {} });
      assert.deepEqual([place.sent, editor.shown], [[[kind, {}]], []]);
    });

  it('send an approval with the hash of what was shown, and only of what is saved', async () => {
    const body = { sha256: 'a'.repeat(64), reason: 'Enough.' };
    const uri = Uri.from(documentUri('/sample', 'TST-1', 'prd'));
    workspace.textDocuments = [{ uri, isDirty: true, save: async () => true }];
    editor.will('cancel', person.presses(0));
    assert.deepEqual([await serve('act', { kind: 'approve', body }), place.sent], [{ state: 'left' }, []]);
    assert.deepEqual(await serve('act', { kind: 'approve', body }), { state: 'consumed' });
    assert.deepEqual(place.sent, [['approve', body]]);
  });

  it('send nothing that isn’t decided on this page', async () => {
    for (const kind of ['merge', 'edit', 'limits', 'constructor'])
      await assert.rejects(async () => serve('act', { kind, body: {} }), { code: 'INVALID_INPUT' }, kind);
    assert.deepEqual(place.sent, []);
  });

  it('checks again only what is saved, and asks about changes that aren’t', async () => {
    const uri = Uri.from(documentUri('/sample', 'TST-1', 'prd'));
    workspace.textDocuments = [{ uri, isDirty: true, save: async () => true }];
    editor.will('cancel', person.presses(0));
    const check = { kind: 'check_again', body: {} };
    assert.deepEqual([await serve('act', check), place.sent], [{ state: 'left' }, []]);
    await serve('act', check);
    assert.deepEqual(place.sent, [['check_again', {}]]);
  });

  it('compare a version with the current one in a diff', async () => {
    assert.deepEqual(await serve('compareDocument', { artifact: 'prd', version: 1 }), {});
    const [[command, before, now] = []] = editor.ran;
    assert.deepEqual(
      [command, before, now],
      ['vscode.diff', documentUri('/sample', 'TST-1', 'prd', 1), documentUri('/sample', 'TST-1', 'prd')],
    );
  });

  it('plan in full by the command, which asks for a note, and only where that can be done', async () => {
    await assert.rejects(async () => serve('run', { command: 'planInFull' }), { code: 'STATUS_CONFLICT' });
    place.become({ actions: ['plan_in_full'] });
    await serve('run', { command: 'planInFull' });
    assert.deepEqual(editor.ran, [['beadsmith.planInFull', { root: '/sample', ticket: 'TST-1' }]]);
  });
});

const sha256 = 'a'.repeat(64);

/** What the engine makes of an edit of the page. */
function accepted<T>(kind: ApprovedKind, sent: Awaited<ReturnType<typeof editedText>>, present: T): T {
  const read = editDocument(documentOf(kind), sent, present, { ticket: 'TST-1', at: 'now' });
  assert.ok(read.ok);
  return read.value as T;
}

describe('what is written of an edited document', () => {
  it('is a PRD the engine accepts, with what was edited and nothing else changed', async () => {
    const stored = storedPrd();
    const story = { id: '', title: 'Greet nobody', acceptance_criteria: ['An empty name is refused.'] };
    const edited = insertAt(
      setAt(stored, ['epics', 0, 'title'], 'Greetings'),
      ['epics', 0, 'user_stories'],
      1,
      story,
    );
    assert.deepEqual(problemsOf('prd', edited), []);
    const sent = await editedText('prd', edited);
    const prd = accepted<Prd>('prd', sent, stored);
    assert.equal(sent.surface, 'structured');
    const [epic] = prd.epics;
    assert.deepEqual(
      [epic?.title, epic?.user_stories[1]?.title, epic?.user_stories[1]?.id],
      ['Greetings', 'Greet nobody', 'US-1-2'],
    );
    assert.deepEqual({ ...prd, epics: [] }, { ...stored, epics: [] });
  });

  it('keeps fields nobody here knows', async () => {
    const stored = { ...storedSetup(), later: { kept: [1] } };
    const { content } = await editedText(
      'execution_setup_plan',
      setAt(stored, ['steps', 0, 'title'], 'Install'),
    );
    const written = parse(content) as typeof stored;
    assert.deepEqual(written.later, { kept: [1] });
    assert.equal(SetupPlan.parse(written).steps[0]?.title, 'Install');
  });

  it('is a plan the engine accepts: moved, split, and with another edge', async () => {
    const stored = withInverseEdges(
      ['one', 'two'].map((id, place) => ({
        ...bead(id),
        priority: place + 1,
        acceptanceCriteria: ['x', 'y'],
      })),
    );
    const split = splitBead(moveBead(stored, 'two', -1), 'one', {
      id: 'one-2',
      title: 'Rest',
      acceptanceCriteria: [1],
      tests: [],
    });
    assert.ok(split.ok);
    const edged = addBlocker(split.value, 'one', 'two');
    assert.ok(edged.ok);
    assert.deepEqual(problemsOf('beads', edged.value), []);
    const plan = accepted<readonly Bead[]>('beads', await editedText('beads', edged.value), stored);
    assert.deepEqual(
      plan.map(({ id, priority, dependencies }) => [id, priority, dependencies.blocked_by]),
      [
        ['two', 1, []],
        ['one', 2, ['two']],
        ['one-2', 3, ['one']],
      ],
    );
  });

  it('is the changed answers of an interview, which the engine dates', async () => {
    const stored = storedInterview();
    const [, skipped] = questionsOf(stored);
    assert.ok(skipped);
    const changed = withAnswer({}, skipped, {
      selected_option_ids: [],
      free_text: 'In all.',
      skipped: false,
    });
    const interview = accepted<Interview>('interview', await editedText('interview', changed), stored);
    assert.deepEqual(
      interview.questions.map(({ answer }) => [answer.free_text, answer.answered_at]),
      [
        ['People.', 'then'],
        ['In all.', 'now'],
      ],
    );
  });

  it('is refused when it has another shape altogether', async () => {
    await assert.rejects(editedText('beads', { beads: [] }), /can't be used/);
    await assert.rejects(editedText('interview', { Q01: { free_text: 7 } }), /can't be used/);
  });
});

describe('a draft of a document', () => {
  const document = { artifact: 'prd', sha256, value: storedPrd() } as const;

  it('is shown until it says what is stored', () => {
    const value = setAt(document.value, ['epics', 0, 'title'], 'Greetings');
    assert.deepEqual(shownOf(document, { base: sha256, value }), { value, isDirty: true, isConflict: false });
    assert.equal(shownOf(document, { base: sha256, value: structuredClone(document.value) }).isDirty, false);
  });

  it('is in conflict when the document was changed since, and lost by nobody', () => {
    const value = setAt(document.value, ['epics', 0, 'title'], 'Greetings');
    assert.deepEqual(shownOf({ ...document, sha256: 'b'.repeat(64) }, { base: sha256, value }), {
      value,
      isDirty: true,
      isConflict: true,
    });
  });

  it('says what keeps it from being saved, and where', () => {
    const empty = setAt(setAt(document.value, ['epics', 0, 'title'], ''), ['scope', 'in_scope'], []);
    assert.deepEqual(
      problemsOf('prd', empty).map(({ path, kind }) => [path, kind]),
      [
        ['scope.in_scope', 'none'],
        ['epics.0.title', 'empty'],
      ],
    );
    const ready = setAt(storedSetup(), ['readiness', 'status'], 'ready');
    assert.match(problemsOf('execution_setup_plan', ready)[0]?.message ?? '', /A ready plan has no steps/);
    const circle = planOf(
      ['one', 'two'].map((id) => ({
        ...bead(id),
        dependencies: { blocked_by: [id === 'one' ? 'two' : 'one'], blocks: [id === 'one' ? 'two' : 'one'] },
      })),
    );
    assert.match(problemsOf('beads', circle)[0]?.message ?? '', /in a circle/);
  });
});
