import assert from 'node:assert/strict';
import type { OwnPrompts, Workbench } from '../../../../src/views/shared/workbench.ts';
import { overridePrompt } from '../../../../src/views/support/overridePrompt.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';

describe('Override Prompt…', () => {
  const copied: string[] = [];
  const prompts: OwnPrompts = {
    list: async () => [
      { name: 'coding', about: 'Implements one bead.', state: 'built-in', problem: '' },
      { name: 'prd-draft', about: 'Drafts the PRD.', state: 'refused', problem: 'it has no front matter' },
    ],
    override: async (name) => {
      copied.push(name);
      return `/config/${name}.md`;
    },
  };
  const workbench = { support: { prompts } } as unknown as Workbench;
  beforeEach(() => (copied.length = 0));

  it('copies the prompt that is picked, and opens the copy', async () => {
    editor.will(person.picks('coding'));
    await overridePrompt(workbench);
    assert.deepEqual([copied, editor.opened], [['coding'], ['file:///config/coding.md focused']]);
  });

  it('says which of the person’s own can’t be used, and why; leaving changes nothing', async () => {
    editor.will('leave');
    await overridePrompt(workbench);
    assert.match(editor.shown[0]?.items[1]?.description ?? '', /it has no front matter/);
    assert.deepEqual([copied, editor.opened], [[], []]);
  });
});
