import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../../src/cli/commandTable.ts';
import { inboxBodies } from '../../../src/domain/ticket/inbox.ts';
import type { Condition } from '../../../src/domain/workflow/formFields.ts';
import {
  flagOf,
  type FormAction,
  formActions as actions,
  formOf,
  missingField,
  textsOf,
} from '../../../src/domain/workflow/forms.ts';
import { fillForm } from '../../../src/views/shared/fillForm.ts';
import { editor, person } from '../../support/fakes/fakeEditor.ts';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
const commandOf = (action: FormAction) =>
  commands.find(({ name }) => [action.replaceAll('_', '-'), action.replaceAll('_', ' ')].includes(name));
const option = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const asOption = (about: string): string =>
  (about.charAt(0).toLowerCase() + about.slice(1)).replace(/\.$/, '').replaceAll('’', "'");
/** The page on which an action with a field that may not be empty is taken, and its handler. */
const places: { readonly [A in FormAction]?: { readonly page: string; readonly handler: string } } = {
  approve: {
    page: 'webview-ui/ticket/documents/Decision.tsx',
    handler: 'src/phases/shared/gate/approvalGate.ts',
  },
};

describe('the form of an action', () => {
  for (const action of actions) {
    it(`${action}: has a command of the command line, with the same sentence`, () => {
      const about = commandOf(action)?.about ?? '';
      // One command continues in two ways.
      if (action !== 'continue') assert.equal(about, asOption(formOf(action).about));
      assert.notEqual(about, '');
    });

    it(`${action}: may be filled in by nobody, unless a field can't be empty`, () => {
      const isFilled = inboxBodies[action].safeParse(action === 'approve' ? { sha256: 'a'.repeat(64) } : {});
      assert.equal(isFilled.success, !textsOf(action).some(([, { needed }]) => needed === 'always'));
    });

    const flag = flagOf(action);
    if (flag)
      it(`${action}: ${flag[0]} has its options, and is a button of the confirmation`, () => {
        const options = commandOf(action)?.options ?? {};
        assert.equal(options[option(flag[0])]?.about, asOption(flag[1].about));
        if (flag[1].no) assert.equal(options[flag[1].no.option]?.about, asOption(flag[1].no.about));
        assert.ok(formOf(action).confirmation);
      });

    for (const [name, { needed, most, about, label }] of textsOf(action)) {
      it(`${action}: ${name} is a text of the action's body, of the same length`, () => {
        const needs = textsOf(action).filter(([, field]) => field.needed === 'always');
        const others = {
          ...(action === 'approve' ? { sha256: 'a'.repeat(64) } : {}),
          ...Object.fromEntries(needs.map(([other]) => [other, 'x'])),
        };
        const accepts = (text: string): boolean =>
          inboxBodies[action].safeParse({ ...others, [name]: text }).success;
        assert.deepEqual([accepts('x'.repeat(most)), accepts('x'.repeat(most + 1))], [true, false], label);
      });

      it(`${action}: ${name} has an option or a word of the command line`, () => {
        const command = commandOf(action);
        assert.ok(
          command?.options[option(name)]?.about === asOption(about) || / TEXT$/.test(command?.words ?? ''),
        );
      });

      if (needed === undefined) continue;
      it(`${action}: ${name} can't be empty when it is needed, on any surface`, async () => {
        const met: readonly Condition[] = needed === 'always' ? [] : [needed.when];
        const code = needed === 'always' ? 'INVALID_INPUT' : needed.code;
        for (const given of [undefined, '', ' \n'])
          assert.equal(missingField(action, { [name]: given }, met)?.code, code);
        assert.equal(missingField(action, { [name]: 'Because.' }, met), undefined);

        editor.will(person.writes(''), person.writes(' '), person.writes(' Because. '));
        assert.deepEqual(await fillForm(action, 'TST-1', met), { [name]: 'Because.' });
        assert.equal(editor.refusals.length, 2);
        editor.will('leave');
        assert.equal(await fillForm(action, 'TST-1', met), undefined);
        if (needed === 'always') {
          assert.equal(
            inboxBodies[action].safeParse({ [name]: ' ' }).success,
            false,
            'the engine refuses it',
          );
          return;
        }
        assert.equal(missingField(action, {}, []), undefined);
        assert.deepEqual(await fillForm(action, 'TST-1', []), {});
        const { page, handler } = places[action] ?? assert.fail('it has no page');
        assert.ok(
          read(page).includes(`errorTexts.${needed.code}`),
          'the page refuses it with the same words',
        );
        assert.ok(read(handler).includes(`missingField('${action}'`), 'the engine refuses it');
      });
    }
  }
});
