import assert from 'node:assert/strict';
import { commandNames, commandRow } from '../../../../src/views/commands/commands.ts';
import { isMeant } from '../../../../src/views/commands/isMeant.ts';
import { ownTarget } from '../../../../src/views/shared/ownTargets.ts';
import { Nodes } from '../../../../src/views/tickets/tree/nodes.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';

describe('A command that decides something', () => {
  const target = { root: '/sample', ticket: 'TST-1' };

  it('called by another extension, or from the Command Palette, is confirmed by a person first', async () => {
    for (const argument of [target, undefined, 'TST-1', { ...new Nodes().ticket('/sample', 'TST-1') }]) {
      editor.reset();
      editor.will('cancel', person.presses(0), person.presses(1));
      assert.equal(await isMeant('acceptBead', 'TST-1', argument), false, 'the dialog is closed');
      assert.equal(await isMeant('acceptBead', 'TST-1', argument), false, 'Enter takes the first');
      assert.equal(await isMeant('acceptBead', 'TST-1', argument), true);
      assert.match(JSON.stringify(editor.shown[0]), /TST-1: Accept Bead\?/);
    }
  });

  it('is carried out where a person chose it in a surface of ours', async () => {
    for (const argument of [
      ownTarget({ ...target }),
      new Nodes().ticket('/sample', 'TST-1'),
      new Nodes().fact(target, 'bead:greet', {}),
    ])
      assert.equal(await isMeant('acceptBead', 'TST-1', argument), true);
    assert.deepEqual(editor.shown, []);
  });

  it('is any that needs neither words nor a dialog of its own; others ask nothing more', async () => {
    const decides = commandNames.filter((name) => commandRow(name).decides);
    assert.deepEqual(
      ['continue', 'retry', 'fixGaps', 'checkAgain', 'acceptBead', 'replyToAgent'].filter(
        (name) => !decides.some((one) => one === name),
      ),
      [],
    );
    for (const name of ['pause', 'merge', 'approve', 'showDiff'] as const)
      assert.equal(await isMeant(name, 'TST-1', target), true, name);
    assert.deepEqual(editor.shown, []);
  });
});
