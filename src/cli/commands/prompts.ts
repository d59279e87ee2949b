import { copyPrompt, promptEntries } from '../../app/ownPrompts.ts';
import { appOptions, promptFolderOf } from '../options/appOptions.ts';
import { type Command, endCommand } from '../base/command.ts';
import { exitCodes } from '../base/exitCodes.ts';
import { commonOptions, promptOptions } from '../options/options.ts';
import { oneLine } from '../base/output.ts';
import { PartyKind, partyGroups } from '../../domain/personas/persona.ts';

/** `prompts`: every prompt, and which are the person's own. Exit 1 when one of those can't be used. */
export const prompts: Command = {
  name: 'prompts',
  words: '',
  about: 'list the prompts that you can override with your own files, and your overrides',
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
      return endCommand(context, {}, exit);
    } finally {
      await app.dispose();
    }
  },
};

/** `personas`: every persona, and where it is from. Exit 1 when one can't be used. */
export const personas: Command = {
  name: 'personas',
  words: '',
  about: 'list the personas available for parties: built-in ones and your own',
  takes: [0, 0],
  changes: 'nothing',
  options: { ...commonOptions, ...promptOptions },
  run: async (context, args) => {
    const app = await context.product.openApp(await appOptions(context, args, false));
    try {
      const entries = await app.ports.prompts.personas();
      for (const { id, path, isOwn, persona, problem } of entries) {
        const parties = PartyKind.options.filter((kind) => partyGroups[kind].includes(id));
        const { name = '', title = '', focus = '', model = null } = persona ?? {};
        const state = problem !== '' ? 'refused' : isOwn ? 'own' : 'built-in';
        context.output.event({
          type: 'persona',
          id,
          name,
          title,
          focus,
          model,
          state,
          path,
          problem,
          parties,
        });
        const what = problem === '' ? `${name}, ${title}: ${focus}` : `refused: ${path}: ${problem}`;
        context.output.text(`${problem === '' ? (isOwn ? '✓' : ' ') : '✗'} ${id}: ${oneLine(what, 1_000)}`);
      }
      context.output.text(`Your folder: ${promptFolderOf(context, args)}/personas`);
      const exit = entries.some(({ problem }) => problem !== '') ? exitCodes.failed : exitCodes.done;
      return endCommand(context, {}, exit);
    } finally {
      await app.dispose();
    }
  },
};
