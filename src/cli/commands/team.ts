import { join } from 'node:path';
import { configRoot } from '../../adapters/system/configRoot.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { type Command, endCommand } from '../base/command.ts';
import { commonOptions } from '../options/options.ts';

export const up: Command = {
  name: 'team up',
  words: '',
  about: "start a PostgreSQL server for a team's tickets on this machine, until Ctrl+C",
  takes: [0, 0],
  changes: 'always',
  options: { json: commonOptions.json, debug: commonOptions.debug },
  run: async (context) => {
    const { output, product, env, signal } = context;
    const server = await product.startTeam({ folder: join(configRoot(env), 'team') });
    output.event({ type: 'team', url: server.url });
    output.text(
      [
        `PostgreSQL is ready: ${server.url}`,
        '',
        'To use it, run in another terminal:',
        `  export BEADSMITH_TEAM='${server.url}'`,
        '  beadsmith list',
        '',
        'Ctrl+C stops it. The tickets stay.',
      ].join('\n'),
    );
    const stopped = new Promise<'stopped'>((resolve) => {
      if (signal.aborted) resolve('stopped');
      signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    });
    const end = await Promise.race([stopped, server.ended]);
    if (end !== 'stopped' && !signal.aborted)
      throw new BeadsmithError('UNEXPECTED', { reason: 'PostgreSQL ended by itself' });
    await server.stop();
    return endCommand(context);
  },
};
