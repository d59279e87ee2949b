import { type Check, checkMachine, checkRepository, failure } from '../../app/checkup.ts';
import { createApp } from '../../app/createApp.ts';
import { appOptions } from '../appOptions.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exitCodes.ts';
import { commonOptions, opencodeOptions } from '../options.ts';
import { oneLine } from '../printable.ts';

const marks = { pass: '✓', warn: '!', fail: '✗' } as const;

/** `doctor`: what works and what doesn't, each with the next step. Exit 1 when something fails. */
export const doctor: Command = {
  name: 'doctor',
  words: '',
  about: 'check git, OpenCode, its models, the repository and its tickets',
  takes: [0, 0],
  options: { ...commonOptions, ...opencodeOptions },
  run: async (context, args) => {
    const options = await appOptions(context, args, false);
    const told: Check[] = [];
    const tell = (check: Check): void => {
      told.push(check);
      context.output.event({ type: 'check', ...check });
      context.output.text(
        `${marks[check.result]} ${check.name}: ${oneLine(check.message, 4_000)}${check.nextStep === '' ? '' : `\n    ${oneLine(check.nextStep, 1_000)}`}`,
      );
    };
    for (const check of await checkMachine(options)) tell(check);
    try {
      const app = await createApp(options);
      try {
        for (const check of await checkRepository(app, options)) tell(check);
      } finally {
        await app.dispose();
      }
    } catch (error) {
      tell(failure('repository', error));
    }
    const exit = told.some((check) => check.result === 'fail') ? exitCodes.failed : exitCodes.done;
    context.output.event({ type: 'end', exit, ticket: null, status: null });
    return exit;
  },
};
