import { commandsRef } from '../../domain/core/ids.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import { SetupProfile } from '../../domain/documents/setupPlan.ts';
import { Limits, timeoutMs } from '../../domain/settings/settings.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type { CommandSandbox, Ports } from '../../engine/ports/ports.ts';
import { readJson } from '../../phases/shared/ticket/artifacts.ts';
import {
  nothingAllowed,
  placeWrapper,
  runtimePaths,
  secretsOf,
} from '../../phases/shared/worktree/runtime.ts';
import { startServices } from '../../phases/shared/worktree/services.ts';
import type { Client } from '../../protocol/api.ts';
import type {
  CommandGroup,
  CommandRun,
  PreparedCommand,
  TicketCommands,
} from '../../protocol/ticketCommands.ts';

export type PersonsPorts = Pick<Ports, 'process' | 'clock'> & {
  readonly files: Pick<Ports['files'], 'write'>;
  readonly workplace: Pick<Ports['workplace'], 'provide' | 'reserve'>;
  readonly git: Pick<Ports['git'], 'writeTree' | 'compare' | 'head' | 'keep' | 'restore'>;
};

type PersonsClient = Pick<Client, 'ticket' | 'artifact' | 'beads' | 'onDidChange'>;

type RunningTicket = Pick<Ticket, 'id' | 'limits'> & { readonly worktree: string };
type Refusal = Extract<CommandRun, { readonly kind: 'refused' }>;

/** As the engine runs them: the same wrapper, environment, sandbox and limit. Nothing is recorded. */
export class PersonsCommands implements TicketCommands {
  readonly #client: PersonsClient;
  readonly #ports: PersonsPorts;

  constructor(client: PersonsClient, ports: PersonsPorts) {
    this.#client = client;
    this.#ports = ports;
  }

  async list(ticket: string): Promise<readonly CommandGroup[]> {
    const [profile, { beads }] = await Promise.all([this.#profile(ticket), this.#client.beads(ticket)]);
    const { test_full, build_full, typecheck_full, lint_full } = profile?.project_commands ?? noCommands;
    const groups: readonly CommandGroup[] = [
      { bead: null, commands: unique([...test_full, ...build_full, ...typecheck_full, ...lint_full]) },
      ...beads
        .filter(({ status }) => status !== 'skipped')
        .map(({ id, title, testCommands }) => ({ bead: { id, title }, commands: unique(testCommands) })),
    ];
    return groups.filter(({ commands }) => commands.length > 0);
  }

  async run(id: string, command: string, signal: AbortSignal): Promise<CommandRun> {
    const ticket = await this.#ready(id, command);
    if ('reason' in ticket) return ticket;
    const { git } = this.#ports;
    const { worktree } = ticket;
    const before = await git.writeTree(worktree);
    const ticketContinues = new AbortController();
    const watch = this.#client.onDidChange((changed) => {
      if (changed !== undefined && changed !== id) return;
      this.#client.ticket(id).then(
        (now) => now.idle || ticketContinues.abort(),
        () => undefined,
      );
    });
    try {
      const both = AbortSignal.any([signal, ticketContinues.signal]);
      const evidence = await this.#runIn(ticket, command, both).catch((error: unknown) => {
        if (!both.aborted) throw error;
        return undefined;
      });
      // The files may be an agent's by now.
      const isLeft = ticketContinues.signal.aborted || !(await this.#client.ticket(id)).idle;
      const files = isLeft ? undefined : await this.#putBack(id, worktree, before);
      signal.throwIfAborted();
      return evidence && files
        ? { kind: 'ran', evidence, ...files }
        : { kind: 'refused', reason: 'continued' };
    } finally {
      watch.dispose();
    }
  }

  async prepare(id: string, command: string): Promise<PreparedCommand> {
    const ticket = await this.#ready(id, command);
    if ('reason' in ticket) return ticket;
    await this.#provide(ticket, await this.#profile(id));
    return { kind: 'ready', folder: ticket.worktree, command: `${runtimePaths.wrapper} ${command}` };
  }

  async #ready(id: string, command: string): Promise<RunningTicket | Refusal> {
    const { ticket, idle } = await this.#client.ticket(id);
    const isKnown = (await this.list(id)).some(({ commands }) => commands.includes(command));
    const { worktree } = ticket;
    if (!isKnown || worktree === null) return { kind: 'refused', reason: 'unknown' };
    return idle ? { ...ticket, worktree } : { kind: 'refused', reason: 'working' };
  }

  /** An agent can change the wrapper: the one that is there isn't trusted. Returns its path. */
  async #provide({ id, worktree }: RunningTicket, profile: SetupProfile | undefined): Promise<string> {
    const { files, workplace } = this.#ports;
    await workplace.provide(worktree, (profile ?? nothingAllowed).inputs);
    const environment = profile?.environment ?? { path_prepend: [], variables: {} };
    return placeWrapper(files, { folder: worktree, worktree }, environment, await workplace.reserve(id));
  }

  async #runIn(ticket: RunningTicket, command: string, signal: AbortSignal): Promise<Evidence> {
    const { id, worktree, limits } = ticket;
    const profile = await this.#profile(id);
    const wrapper = await this.#provide(ticket, profile);
    const services = profile?.services ?? [];
    const sandbox: CommandSandbox = {
      ticket: id,
      worktree,
      network: services.length > 0 ? 'services' : 'none',
    };
    const place = { cwd: worktree, wrapper, allowed: secretsOf(profile ?? nothingAllowed), sandbox, signal };
    const running = await startServices(this.#ports, services, place);
    try {
      const limit = timeoutMs((limits ?? Limits.parse({})).commandTimeout);
      return running.failed ?? (await this.#ports.process.run(command, { ...place, timeoutMs: limit }));
    } finally {
      await running.end();
    }
  }

  /** Else the changes would count as a person's edits, or as the work of the next agent. */
  async #putBack(
    id: string,
    worktree: string,
    before: string,
  ): Promise<{ readonly restored: readonly string[]; readonly changed: readonly string[] }> {
    const { git } = this.#ports;
    const after = await git.writeTree(worktree);
    if (after === before) return { restored: [], changed: [] };
    const paths = async (from: string, to: string): Promise<readonly string[]> =>
      (await git.compare(from, to)).flatMap(({ path, oldPath }) =>
        oldPath === null ? [path] : [oldPath, path],
      );
    const open = new Set(await paths(await git.head(worktree), before));
    const made = await paths(before, after);
    const restored = made.filter((path) => !open.has(path));
    if (restored.length > 0) {
      await git.keep(worktree, commandsRef(id), `${id}: what commands changed`);
      await git.restore(worktree, restored);
    }
    return { restored, changed: made.filter((path) => open.has(path)) };
  }

  async #profile(ticket: string): Promise<SetupProfile | undefined> {
    return readJson(SetupProfile, (await this.#client.artifact(ticket, 'execution_setup_profile'))?.content);
  }
}

const noCommands = { test_full: [], build_full: [], typecheck_full: [], lint_full: [] };

function unique(commands: readonly string[]): readonly string[] {
  return [...new Set(commands)];
}
