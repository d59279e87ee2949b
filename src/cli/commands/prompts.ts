import { copyPrompt, promptEntries } from '../../app/ownPrompts.ts';
import { appOptions, promptFolderOf } from '../options/appOptions.ts';
import type { Command } from '../base/command.ts';
import { exitCodes } from '../base/exitCodes.ts';
import { commonOptions, promptOptions } from '../options/options.ts';
import { oneLine } from '../base/output.ts';

/**
 * `prompts`: every prompt, and which of them a file of the person's own stands in for. Exit 1 when one of
 * those can't be used.
 */
export const prompts: Command = {
  name: 'prompts',
  words: '',
  about: 'list the prompts that you can override with files of your own, and those that you do',
  takes: [0, 0],
  changes: ['override'],
  options: {
    ...commonOptions,
    ...promptOptions,
    override: { value: 'NAME', about: 'copy a built-in prompt into your folder, to edit it there' },
  },
  run: async (context, args) => {
    const name = args.text('override');
    const folder = promptFolderOf(context, args);
    if (name !== undefined) context.output.text(await copyPrompt(name, folder));
    const app = await context.product.openApp(await appOptions(context, args, false));
    try {
      const entries = await promptEntries(app.ports.prompts);
      for (const { name: prompt, about, override } of entries) {
        const state = override === undefined ? 'built-in' : override.problem === '' ? 'own' : 'refused';
        const { path = null, sha256 = null, problem = '' } = override ?? {};
        context.output.event({ type: 'prompt', name: prompt, about, state, path, sha256, problem });
        if (name !== undefined) continue;
        const what =
          state === 'refused'
            ? `refused: ${problem}`
            : state === 'own'
              ? `your own, ${(sha256 ?? '').slice(0, 12)}`
              : about;
        context.output.text(
          `${state === 'refused' ? '✗' : state === 'own' ? '✓' : ' '} ${prompt}: ${oneLine(what, 1_000)}`,
        );
      }
      if (name === undefined) context.output.text(`Your folder: ${folder}`);
      const exit = entries.some(({ override }) => (override?.problem ?? '') !== '')
        ? exitCodes.failed
        : exitCodes.done;
      context.output.event({ type: 'end', exit, ticket: null, status: null });
      return exit;
    } finally {
      await app.dispose();
    }
  },
};
