import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { commands } from '../../../src/cli/commandTable.ts';
import { inboxBodies } from '../../../src/domain/ticket/inbox.ts';
import { fieldsOf, type FormAction, forms, missingField } from '../../../src/domain/workflow/forms.ts';
import { fillForm } from '../../../src/views/shared/fillForm.ts';
import { editor, person } from '../../support/fakes/fakeEditor.ts';

const actions = Object.keys(forms) as readonly FormAction[];
const read = (file: string): string => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
/** The page on which each of them is taken, and the handler that carries it out. */
const places: { readonly [A in FormAction]: { readonly page: string; readonly handler: string } } = {
  approve: { page: 'webview-ui/approval/Decision.tsx', handler: 'src/phases/shared/gate/approvalGate.ts' },
};

describe('the form of an action', () => {
  beforeEach(() => editor.reset());

  for (const action of actions)
    for (const [name, field] of fieldsOf(action)) {
      const { needed, most, label } = field;

      it(`${action}: ${name} is a text of the action's body, of the same length`, () => {
        const body = inboxBodies[action].shape[name as keyof (typeof inboxBodies)[typeof action]['shape']];
        assert.ok(z.string().safeParse(body.safeParse('x').data).success, label);
        assert.equal(body.safeParse('x'.repeat(most)).success, true);
        assert.equal(body.safeParse('x'.repeat(most + 1)).success, false);
      });

      it(`${action}: ${name} has an option of the command line, with the same words`, () => {
        const command = commands.find((one) => one.name === action.replaceAll('_', '-'));
        const about = command?.options[name.replaceAll('_', '-')]?.about ?? '';
        assert.equal(about.slice(1), field.about.slice(1, -1));
      });

      if (!needed) continue;
      it(`${action}: ${name} can't be empty when it is needed, on any surface`, async () => {
        for (const given of [undefined, '', ' \n'])
          assert.equal(missingField(action, { [name]: given }, [needed.when])?.code, needed.code);
        assert.equal(missingField(action, { [name]: 'Because.' }, [needed.when]), undefined);
        assert.equal(missingField(action, {}, []), undefined);

        editor.will(person.writes(''), person.writes(' '), person.writes(' Because. '));
        assert.deepEqual(await fillForm(action, 'TST-1', [needed.when]), { [name]: 'Because.' });
        assert.equal(editor.refusals.length, 2);
        editor.will('leave');
        assert.equal(await fillForm(action, 'TST-1', [needed.when]), undefined);
        assert.deepEqual(await fillForm(action, 'TST-1', []), {});

        const { page, handler } = places[action];
        assert.ok(
          read(page).includes(`errorTexts.${needed.code}`),
          'the page refuses it with the same words',
        );
        assert.ok(read(handler).includes(`missingField('${action}'`), 'the engine refuses it');
      });
    }
});
