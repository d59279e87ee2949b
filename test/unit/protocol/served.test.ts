import assert from 'node:assert/strict';
import type { ActionForm } from '../../../src/domain/workflow/formFields.ts';
import { type FormAction, formActions, formOf } from '../../../src/domain/workflow/forms.ts';
import { servedKinds } from '../../../src/protocol/team/served.ts';

/** The browser's reason for not having an action that has a form. */
const notThere: Readonly<Partial<Record<FormAction, string>>> = {
  merge: 'a team merges on its forge',
  undo_merge: 'a team merges on its forge',
  merge_pull_request: 'a team merges on its forge',
  create_pull_request: 'it asks for places on a forge',
  fix_comment: 'it asks for a comment on a forge',
  reply_comment: 'it asks for a comment on a forge',
  change_models: 'it asks for models of the runners',
};
/** The names that the page puts into questions. */
const known = ['ticket', 'title', 'branch', 'base'];

describe('the actions in a browser', () => {
  const served = formActions.filter((action) => servedKinds.some((kind) => kind === action));

  it('are all that have a form, but for those with a reason', () => {
    const missing = formActions.filter((action) => !served.includes(action));
    assert.deepEqual(missing.toSorted(), Object.keys(notThere).toSorted());
  });

  it('ask for nothing that the page can’t show', () => {
    for (const action of served) {
      const { fields, confirmation }: ActionForm = formOf(action);
      for (const { kind } of Object.values(fields)) assert.ok(kind === 'text' || kind === 'flag', action);
      const texts = `${confirmation?.question ?? ''} ${confirmation?.detail ?? ''}`;
      for (const [, name = ''] of texts.matchAll(/\{(\w+)\}/g)) assert.ok(known.includes(name), action);
    }
  });
});
