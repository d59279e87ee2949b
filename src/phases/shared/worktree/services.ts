import type { Service } from '../../../domain/environment/services.ts';
import { type Evidence, passed } from '../../../domain/core/evidence.ts';
import type { CommandSandbox, CommandSecrets, Ports } from '../../../engine/ports/ports.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import { say } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { type Allowed, sandboxOf, profileOf, secretsOf, shellQuote, writeRuntime } from './runtime.ts';

interface ServicePlace {
  readonly cwd: string;
  readonly wrapper: string;
  readonly allowed: CommandSecrets;
  readonly sandbox: CommandSandbox;
  readonly signal?: AbortSignal;
}

/** `end` never rejects and may be called again. `failed`: the service that isn't ready. */
interface RunningServices {
  readonly failed: Evidence | undefined;
  readonly end: () => Promise<void>;
}

const readyLimit = 'ready_timeout_seconds';
const pauseMs = 200;
const longestProbeMs = 10_000;
const longestStopMs = 60_000;
/** A service runs as long as what needs it. */
const unlimitedMs = 7 * 24 * 3_600_000;

/**
 * Each once the one before is ready: commands that aren't waited for, ended also after a crash
 * (docs/decisions/071-services-of-a-ticket.md).
 */
export async function startServices(
  ports: Pick<Ports, 'process' | 'clock'>,
  services: readonly Service[],
  place: ServicePlace,
): Promise<RunningServices> {
  const running: RunningService[] = [];
  const end = async (): Promise<void> => {
    for (const service of running.splice(0).reverse()) await service.end();
  };
  try {
    for (const service of services) {
      const started = new RunningService(ports, service, place);
      running.push(started);
      const failed = await started.untilReady();
      if (!failed) continue;
      await end();
      return { failed, end };
    }
  } catch (error) {
    await end();
    throw error;
  }
  return { failed: undefined, end };
}

export async function servicesFor(
  io: StepIo,
  ticket: TicketSnapshot,
  services: readonly Service[],
  { cwd, wrapper, allowed }: { readonly cwd: string; readonly wrapper: string; readonly allowed: Allowed },
): Promise<RunningServices> {
  if (services.length === 0) return { failed: undefined, end: () => Promise.resolve() };
  await io.fence();
  for (const { start } of services) say(io, start, 'command');
  return startServices(io.ports, services, {
    cwd,
    wrapper,
    ...given(ticket, { ...allowed, services }, cwd),
    signal: io.signal,
  });
}

/** Of a killed process, what it gave others is left. */
export async function stopServices(io: StepIo, ticket: TicketSnapshot): Promise<void> {
  const profile = await profileOf(io);
  const services = profile?.services.filter(({ stop }) => stop !== '') ?? [];
  if (!profile || services.length === 0) return;
  const place = {
    cwd: ticketParts(ticket).worktree,
    wrapper: await writeRuntime(io, ticket),
    ...given(ticket, profile, ticketParts(ticket).worktree),
  };
  for (const service of services.toReversed()) await new RunningService(io.ports, service, place).end();
}

function given(
  ticket: TicketSnapshot,
  allowed: Allowed,
  cwd: string,
): Pick<ServicePlace, 'allowed' | 'sandbox'> {
  return { allowed: secretsOf(allowed), sandbox: sandboxOf(ticket, allowed, { cwd }) };
}

class RunningService {
  readonly #ports: Pick<Ports, 'process' | 'clock'>;
  readonly #service: Service;
  readonly #place: ServicePlace;
  readonly #stopping = new AbortController();
  #ended: Promise<Evidence> | undefined;

  constructor(ports: Pick<Ports, 'process' | 'clock'>, service: Service, place: ServicePlace) {
    this.#ports = ports;
    this.#service = service;
    this.#place = place;
  }

  async untilReady(): Promise<Evidence | undefined> {
    const { process, clock } = this.#ports;
    const { start, ready, ready_timeout_seconds } = this.#service;
    // What a killed process left, or an agent, would be in the way.
    await this.#stop();
    let ended: Evidence | undefined;
    this.#ended = process.run(stayingCommand(start), {
      ...this.#place,
      timeoutMs: unlimitedMs,
      signal: this.#signal(),
    });
    // That it can't be started at all is thrown by the next command as well.
    this.#ended.then(
      (evidence) => (ended = evidence),
      () => undefined,
    );
    const limitMs = ready_timeout_seconds * 1_000;
    const from = clock.monotonic();
    const left = (): number => limitMs - (clock.monotonic() - from);
    let probe: Evidence | undefined;
    while (!ended && left() > 0) {
      probe = await process.run(ready, {
        ...this.#place,
        timeoutMs: Math.max(1, Math.min(longestProbeMs, left())),
        signal: this.#signal(),
      });
      this.#place.signal?.throwIfAborted();
      if (passed(probe)) return undefined;
      await clock.sleep(Math.min(pauseMs, Math.max(0, left())), this.#place.signal);
    }
    const isGone = ended !== undefined;
    this.#stopping.abort();
    const output = await this.#ended;
    this.#place.signal?.throwIfAborted();
    const { name: service } = this.#service;
    if (isGone) return { ...output, command: start, service, bootstrap: true };
    const said = outputOf(probe);
    const limit = { setting: readyLimit, ms: limitMs };
    const tail = [outputOf(output), ...(said === '' ? [] : [`$ ${ready}\n${said}`])].join('\n').trim();
    const durationMs = Math.round(clock.monotonic() - from);
    const timedOut = { timedOut: true, exitCode: null, signal: null, limit, durationMs };
    return { ...output, ...timedOut, command: ready, service, bootstrap: true, head: tail, tail };
  }

  async end(): Promise<void> {
    await this.#stop();
    this.#stopping.abort();
    await this.#ended?.catch(() => undefined);
  }

  /** Its success doesn't matter: processes are ended anyway. */
  async #stop(): Promise<void> {
    const { stop } = this.#service;
    const { cwd, wrapper, allowed, sandbox } = this.#place;
    if (stop !== '')
      await this.#ports.process
        .run(stop, { cwd, wrapper, allowed, sandbox, timeoutMs: longestStopMs })
        .catch(() => undefined);
  }

  #signal(): AbortSignal {
    const { signal } = this.#place;
    return signal ? AbortSignal.any([signal, this.#stopping.signal]) : this.#stopping.signal;
  }
}

/**
 * Stays until it is stopped: processes end with their command. Waits for `start`, so that a database closes.
 */
function stayingCommand(start: string): string {
  return [
    `trap 'exit 143' TERM`,
    `/bin/sh -c ${shellQuote(start)} || exit $?`,
    'while :; do sleep 3600 & wait $!; done',
  ].join('\n');
}

function outputOf(evidence: Evidence | undefined): string {
  if (!evidence) return '';
  return (evidence.tail === '' ? evidence.head : evidence.tail)
    .replace(/(?:^|\n)Stopped by Beadsmith\.\n?$/, '')
    .trim();
}
