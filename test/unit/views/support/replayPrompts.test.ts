import assert from 'node:assert/strict';
import type { ReplayedTexts } from '../../../../src/protocol/replays.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { replayPrompts } from '../../../../src/views/support/replayPrompts.ts';
import { editor } from '../../../support/fakes/fakeEditor.ts';
import { replayedCall } from '../../../support/fakes/inspectedCall.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

const replayed = (number: number, changes: Partial<ReplayedTexts['call']> = {}): ReplayedTexts => ({
  call: replayedCall(number, changes),
  sent: '',
  today: '',
});

describe('replaying prompts in the editor', () => {
  const documents: string[] = [];
  const workbench = {
    support: {
      show: (name: string, text: string) => Promise.resolve(void documents.push(`${name}\n${text}`)),
    },
  } as unknown as Workbench;

  beforeEach(() => (documents.length = 0));

  it('shows each call with what changed, as a document', async () => {
    const place = new FakePlace();
    place.client.history.replays = [
      replayed(1),
      replayed(2, { verdict: 'differs', reasons: [{ kind: 'over-cap', part: 'lens' }] }),
    ];
    await replayPrompts(workbench, place);
    const [document = ''] = documents;
    assert.ok(document.startsWith('replay.txt\n'), document);
    assert.ok(document.includes('\n2 calls: 1 the same, 1 differs (call 2, prd-draft)\n'), document);
    assert.ok(
      document.includes('\n2. prd-draft (a/b, Drafting PRD): differs: lens exceeds its current cap\n'),
      document,
    );
  });

  it('says so where no model was asked yet', async () => {
    await replayPrompts(workbench, new FakePlace());
    assert.deepEqual(documents, []);
    assert.equal(editor.shown.at(-1)?.text, 'No model calls yet.');
  });
});
