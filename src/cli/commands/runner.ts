import { resolve } from 'node:path';
import { labelPrefix, needOf } from '../../domain/team/needs.ts';
import { UsageError } from '../base/args.ts';
import { type Command, endCommand } from '../base/command.ts';
import { teamOptions, teamUrl } from '../drive/team.ts';
import { appOptions, commonOptions, opencodeOptions, policyOptions } from '../options/options.ts';

const mostAtOnce = 20;

export const runner: Command = {
  name: 'runner',
  words: '--team URL',
  about: "drive tickets of a team's repositories on this machine, until Ctrl+C",
  takes: [0, 0],
  changes: 'always',
  options: {
    ...teamOptions,
    'at-once': {
      value: 'N',
      about: 'how many tickets this runner drives at a time; default: 2',
    },
    label: {
      value: 'LABEL',
      about: 'an ability that you name, such as gpu, for "beadsmith fleet need"',
      many: true,
    },
    folder: { value: 'FOLDER', about: 'where the repositories are cloned; default: the current folder' },
    ...opencodeOptions,
    sandbox: commonOptions.sandbox,
    'sandbox-host': commonOptions['sandbox-host'],
    'unattended-without-sandbox': policyOptions['unattended-without-sandbox'],
    json: commonOptions.json,
    debug: commonOptions.debug,
  },
  run: async (context, args) => {
    const { output, product, env, cwd, signal } = context;
    const url = teamUrl(context, args);
    const atOnce = args.whole('at-once');
    if (atOnce !== undefined && (atOnce < 1 || atOnce > mostAtOnce))
      throw new UsageError(`--at-once takes a number from 1 to ${mostAtOnce}.`);
    const labels = args.list('label').map((word) => {
      const label = needOf(word);
      if (label?.startsWith(labelPrefix) !== true)
        throw new UsageError('A label has up to 60 letters, digits, dots, dashes and colons.');
      return label;
    });
    const silent = Number(env['BEADSMITH_RUNNER_SILENT_MS'] ?? '');
    const {
      folder: _folder,
      drive: _drive,
      decisions: _decisions,
      ...app
    } = await appOptions(context, args, true);
    const say = (message: string): void => output.event({ type: 'note', message });
    const started = await product.startRunner({
      url,
      folder: resolve(cwd, args.text('folder') ?? '.'),
      atOnce,
      labels,
      ...(silent > 0 ? { silentMs: silent } : {}),
      app,
      onEvent: (event) => output.event(event),
      log: say,
    });
    say(`Runner ${started.id} is ready. Ctrl+C stops it; other runners carry on.`);
    const stopped = new Promise<void>((done) => {
      if (signal.aborted) done();
      signal.addEventListener('abort', () => done(), { once: true });
    });
    await Promise.race([stopped, started.asked]);
    await started.stop();
    return endCommand(context);
  },
};
