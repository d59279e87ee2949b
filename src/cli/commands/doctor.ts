import { filled } from '../../domain/core/errors.ts';
import { type Check, failedCheck, textsOf } from '../../protocol/checks.ts';
import { appOptions } from '../options/appOptions.ts';
import { type Command, endCommand } from '../base/command.ts';
import { exitCodes } from '../base/exitCodes.ts';
import { commonOptions, opencodeOptions } from '../options/options.ts';
import { oneLine } from '../base/output.ts';

const marks = { pass: '✓', warn: '!', fail: '✗', skip: '-' } as const;

/** `doctor`: what works and what doesn't, each with the next step. Exit 1 when something fails. */
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
