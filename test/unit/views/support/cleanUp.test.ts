import assert from 'node:assert/strict';
import type { Cleanable, CleanKind } from '../../../../src/domain/core/cleaning.ts';
import type { Cleaned, CleanUp } from '../../../../src/protocol/upkeep.ts';
import { cleanUp } from '../../../../src/views/support/cleanUp.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { openRepository } from '../../../support/fakes/fakeRepositories.ts';

const dayMs = 86_400_000;
const one = (ticket: string, kind: CleanKind, days: number): Cleanable => ({
  ticket,
  kind,
  count: 2,
  bytes: 1_500_000,
  at: Date.now() - days * dayMs,
});

describe('cleaning up in the editor', () => {
  const old = one('TST-1', 'texts', 40);
  const own = one('TST-1', 'left', 41);
  const young = one('TST-2', 'attempts', 3);
  let wanted: (readonly Cleanable[])[];
  beforeEach(() => (wanted = []));

  const clean = (all: readonly Cleanable[], failed: Cleaned['failed'] = []): Promise<void> => {
    const cleaner: CleanUp = {
      rule: () => ({ days: 30, megabytes: 500 }),
      list: () => Promise.resolve(all),
      remove: (due) => {
        wanted.push(due);
        return Promise.resolve({ removed: due.slice(failed.length), failed });
      },
    };
    return cleanUp(openRepository(new FakeClient(), { cleaner }));
  };
  const said = () => editor.shown.filter(({ kind }) => kind === 'information' || kind === 'warning');

  it('shows everything with its size, oldest first, and chooses what is old and no person made', async () => {
    editor.will('leave');
    await clean([young, own, old]);
    const { items = [] } = editor.shown.find(({ kind }) => kind === 'pick') ?? {};
    assert.deepEqual(
      items.map(({ label, picked }) => [label, picked]),
      [
        ['TST-1: ignored files of the worktree', false],
        ['TST-1: prompts and answers', true],
        ['TST-2: refs of attempts', false],
      ],
    );
    assert.match(items[1]?.description ?? '', /^1\.5 MB · items: 2 · ended \d/);
    assert.deepEqual(wanted, []);
  });

  it('removes what is chosen after a warning, which names what the person may have made', async () => {
    editor.will(person.picks(old, own), 'leave');
    await clean([young, own, old]);
    assert.deepEqual(wanted, []);
    assert.equal(said()[0]?.text, 'Remove 3.0 MB?');
    assert.match(said()[0]?.detail ?? '', /can’t be undone[^]*TST-1: ignored files of the worktree/);
    editor.will(person.picks(old), person.presses(0));
    await clean([young, own, old]);
    assert.deepEqual(wanted, [[old]]);
    assert.equal(said().at(-1)?.text, 'Removed 1.5 MB.');
  });

  it('says what is still there, and why', async () => {
    editor.will(person.picks(old), person.presses(0));
    await clean([old], [{ ...old, reason: 'It is in use.' }]);
    assert.equal(
      said().at(-1)?.text,
      'Removed 0 B. TST-1: prompts and answers can’t be removed: It is in use.',
    );
  });

  it('says when there is nothing', async () => {
    await clean([]);
    assert.match(said()[0]?.text ?? '', /^Nothing to clean up\./);
  });
});
