import type { App } from '../../app/app.ts';
import { copyPrompt, promptEntries } from '../../app/ownPrompts.ts';
import { filled } from '../../domain/core/errors.ts';
import { PartyKind, partyGroups } from '../../domain/personas/persona.ts';
import { type Check, failedCheck, textsOf } from '../../protocol/checks.ts';
import type { Args } from '../base/args.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { type ExitCode, exitCodes } from '../base/exitCodes.ts';
import { oneLine } from '../base/output.ts';
import {
  appOptions,
  commonOptions,
  opencodeOptions,
  promptFolderOf,
  promptOptions,
} from '../options/options.ts';

const marks = { pass: '✓', warn: '!', fail: '✗', skip: '-' } as const;

export const doctor: Command = {
  name: 'doctor',
  words: '',
  about: 'check git, OpenCode, its models, the repository and its tickets',
  takes: [0, 0],
  changes: 'nothing',
  options: { ...commonOptions, ...opencodeOptions },
  run: async (context, args) => {
    const { product } = context;
    const options = await appOptions(context, args, false);
    const told: Check[] = [];
    const tell = (check: Check): void => {
      told.push(check);
      const { subject, result, code, args: values } = check;
      const [message = '', nextStep = ''] = textsOf(code).map((text) => filled(text, values));
      context.output.event({ type: 'check', name: subject, result, message, nextStep });
      context.output.text(
        `${marks[result]} ${subject}: ${oneLine(message, 4_000)}${nextStep === '' ? '' : `\n    ${oneLine(nextStep, 1_000)}`}`,
      );
    };
    for await (const check of product.checkMachine(options)) tell(check);
    try {
      const app = await product.openApp(options);
      try {
        for await (const check of product.checkRepository(app, options)) tell(check);
      } finally {
        await app.dispose();
      }
    } catch (error) {
      tell(failedCheck('repository', error));
    }
    const exit = told.some((check) => check.result === 'fail') ? exitCodes.failed : exitCodes.done;
    return endCommand(context, {}, exit);
  },
};

const states = { 'built-in': ' ', own: '✓', refused: '✗' } as const;

/** Exit 1 if one of the person's own can't be used. */
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
    const { output } = context;
    const copied = args.text('override');
    const folder = promptFolderOf(context, args);
    if (copied !== undefined) output.text(await copyPrompt(copied, folder));
    return withApp(context, args, async ({ ports }) => {
      const entries = await promptEntries(ports.prompts);
      for (const { name, about, override } of entries) {
        const state = override === undefined ? 'built-in' : override.problem === '' ? 'own' : 'refused';
        const { path = null, sha256 = null, problem = '' } = override ?? {};
        output.event({ type: 'prompt', name, about, state, path, sha256, problem });
        if (copied !== undefined) continue;
        const what = {
          'built-in': about,
          own: `your own, ${(sha256 ?? '').slice(0, 12)}`,
          refused: `refused: ${problem}`,
        }[state];
        output.text(`${states[state]} ${name}: ${oneLine(what, 1_000)}`);
      }
      if (copied === undefined) output.text(`Your folder: ${folder}`);
      return entries.some(({ override }) => (override?.problem ?? '') !== '');
    });
  },
};

/** Exit 1 if one can't be used. */
export const personas: Command = {
  name: 'personas',
  words: '',
  about: 'list the personas available for parties: built-in ones and your own',
  takes: [0, 0],
  changes: 'nothing',
  options: { ...commonOptions, ...promptOptions },
  run: (context, args) =>
    withApp(context, args, async ({ ports }) => {
      const entries = await ports.prompts.personas();
      for (const { id, path, isOwn, persona, problem } of entries) {
        const parties = PartyKind.options.filter((kind) => partyGroups[kind].includes(id));
        const { name = '', title = '', focus = '', model = null } = persona ?? {};
        const state = problem !== '' ? 'refused' : isOwn ? 'own' : 'built-in';
        const about = { id, name, title, focus, model, state, path, problem, parties } as const;
        context.output.event({ type: 'persona', ...about });
        const what = problem === '' ? `${name}, ${title}: ${focus}` : `refused: ${path}: ${problem}`;
        context.output.text(`${states[state]} ${id}: ${oneLine(what, 1_000)}`);
      }
      context.output.text(`Your folder: ${promptFolderOf(context, args)}/personas`);
      return entries.some(({ problem }) => problem !== '');
    }),
};

/** `work` returns true if something can't be used. */
async function withApp(
  context: CommandContext,
  args: Args,
  work: (app: App) => Promise<boolean>,
): Promise<ExitCode> {
  const app = await context.product.openApp(await appOptions(context, args, false));
  try {
    return endCommand(context, {}, (await work(app)) ? exitCodes.failed : exitCodes.done);
  } finally {
    await app.dispose();
  }
}
