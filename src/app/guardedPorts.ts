import { basename, dirname } from 'node:path';
import { scratchFolder } from '../adapters/git/openRepository.ts';
import { SharedGuard } from '../adapters/git/guard/sharedGuard.ts';
import { ScratchName, TicketId } from '../domain/core/ids.ts';
import type { Agent, CommandRunner, Ports, Repository } from '../engine/ports/ports.ts';

/** Puts the guard of the shared git state around sessions and commands. */
export function guardedPorts(
  { agent, process: runner, events, clock }: Pick<Ports, 'agent' | 'process' | 'events' | 'clock'>,
  {
    root,
    commonDir,
    environment,
  }: Pick<Repository, 'root' | 'commonDir'> & {
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
): Pick<Ports, 'agent' | 'process'> {
  const scratch = basename(scratchFolder(environment, commonDir));
  const isOurs = (worktree: string) =>
    TicketId.safeParse(basename(worktree)).success ||
    (basename(dirname(worktree)) === scratch && ScratchName.safeParse(basename(worktree)).success);
  const guard = new SharedGuard({ root, commonDir, environment, isOurs });
  const around = <T>(folder: string, work: () => Promise<T>): Promise<T> =>
    guard.around(work, (text) => {
      const ticket = basename(folder).replace(/\.verify$/, '');
      events.emit({ type: 'activity', ticket, at: clock.now(), source: 'engine', kind: 'info', text });
    });
  const process: CommandRunner = {
    run: (command, options) => around(options.cwd, () => runner.run(command, options)),
  };
  const guarded: Pick<Agent, 'prompt' | 'await'> = {
    prompt: (session, ...rest) => around(session.directory, () => agent.prompt(session, ...rest)),
    await: (session, ...rest) => around(session.directory, () => agent.await(session, ...rest)),
  };
  return {
    process,
    agent: new Proxy(agent, {
      get: (target, name) => {
        if (name === 'prompt' || name === 'await') return guarded[name];
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
  };
}
