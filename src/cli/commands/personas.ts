import { PartyKind, partyGroups } from '../../domain/personas/persona.ts';
import type { Command } from '../base/command.ts';
import { exitCodes } from '../base/exitCodes.ts';
import { appOptions, promptFolderOf } from '../options/appOptions.ts';
import { commonOptions, promptOptions } from '../options/options.ts';
import { oneLine } from '../base/output.ts';

/**
 * `personas`: every persona, where it is from, and which can't be used. Exit 1 when there is one of those.
 */
export const personas: Command = {
  name: 'personas',
  words: '',
  about: 'list the personas that parties can have: those that ship, and your own',
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
      context.output.event({ type: 'end', exit, ticket: null, status: null });
      return exit;
    } finally {
      await app.dispose();
    }
  },
};
