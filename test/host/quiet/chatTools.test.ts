import assert from 'node:assert/strict';
import { lm } from 'vscode';
import * as z from 'zod';
import { beadsmith } from '../../support/editor/hostWindow.ts';

const Manifest = z.object({
  contributes: z.object({ languageModelTools: z.array(z.object({ name: z.string() })) }),
});

describe('tools for the chat', () => {
  it('are known to the editor as contributed', async () => {
    await beadsmith().activate();
    const { languageModelTools } = Manifest.parse(beadsmith().packageJSON).contributes;
    const known = lm.tools.map(({ name }) => name).filter((name) => name.startsWith('beadsmith_'));
    assert.deepEqual(known.sort(), languageModelTools.map(({ name }) => name).sort());
  });
});
