import assert from 'node:assert/strict';
import { commands, lm } from 'vscode';
import * as z from 'zod';
import { beadsmith } from '../../support/editor/hostWindow.ts';

const Manifest = z.object({
  contributes: z.object({
    commands: z.array(z.object({ command: z.string() })),
    languageModelTools: z.array(z.object({ name: z.string() })),
  }),
});
/** The editor makes some for each view. */
const ofTheView = /^beadsmith\.\w+\.(focus|open|removeView|resetViewLocation|toggleVisibility)$/;

describe('commands', () => {
  it('are registered exactly as contributed', async () => {
    await beadsmith().activate();
    const manifest = Manifest.parse(beadsmith().packageJSON);
    const registered = (await commands.getCommands(true)).filter(
      (name) => name.startsWith('beadsmith.') && !ofTheView.test(name),
    );
    assert.deepEqual(registered.sort(), manifest.contributes.commands.map(({ command }) => command).sort());
  });
});

describe('tools for the chat', () => {
  it('are known to the editor as contributed', async () => {
    await beadsmith().activate();
    const { languageModelTools } = Manifest.parse(beadsmith().packageJSON).contributes;
    const known = lm.tools.map(({ name }) => name).filter((name) => name.startsWith('beadsmith_'));
    assert.deepEqual(known.sort(), languageModelTools.map(({ name }) => name).sort());
  });
});
