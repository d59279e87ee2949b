import { stripAnsi } from '../../../base/lastLines.ts';
import { type Evidence, passed } from '../../../domain/core/evidence.ts';
import { describeRefused } from '../../../domain/environment/refusedNetwork.ts';
import { settingName } from '../../../domain/settings/rows.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import { contradictionText } from '../../../domain/proof/contradiction.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { say } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { explainPutBack } from './proofTree.ts';
import { type Allowed, allowedBy, sandboxOf, secretsOf } from './runtime.ts';

/** In characters, of a command and of its output, where people follow the work. */
const longestSaid = 4_000;

interface CommandWork {
  readonly commands: readonly string[];
  /** Absolute path of the wrapper that `writeRuntime` wrote just now. */
  readonly wrapper: string;
  readonly limits: Run['limits'];
  /** Milliseconds on the base: it gets three times as long, if that is more than its limit. */
  readonly baseMs?: number;
  readonly cwd?: string;
  readonly allowed?: Allowed;
  readonly all?: boolean;
  /** They get a network. */
  readonly installs?: boolean;
  /** They run without the changes, to compare. */
  readonly isOnBase?: boolean;
}

/** Stops at the first failure, unless `all`. */
export async function runCommands(
  io: StepIo,
  ticket: TicketSnapshot,
  work: CommandWork,
): Promise<Evidence[]> {
  const { cwd = ticketParts(ticket).worktree, installs = false, isOnBase = false, wrapper } = work;
  const limit = limitOf(work);
  const evidence: Evidence[] = [];
  const parts = work.allowed ?? (await allowedBy(io));
  const allowed = secretsOf(parts);
  const sandbox = sandboxOf(ticket, parts, { cwd, installs });
  for (const [index, command] of work.commands.entries()) {
    await io.fence();
    const part = `${io.key}#${String(index)}`;
    const call = { tool: 'command', command: command.slice(0, longestSaid), ...(isOnBase && { isOnBase }) };
    const where = isOnBase ? ' on the base' : '';
    say(io, `${command}${where}`, 'command', { part, call: { ...call, state: 'running' } });
    const seen = await io.ports.process.run(command, {
      cwd,
      wrapper,
      timeoutMs: limit.ms,
      signal: io.signal,
      allowed,
      sandbox,
    });
    // A command that was killed because the process is ending proves nothing about the work.
    io.signal.throwIfAborted();
    say(io, `${command}${where} ${outcomeOf(seen)}`, 'command', {
      part,
      call: { ...call, state: passed(seen) ? 'done' : 'failed', output: excerptOf(seen, longestSaid) },
    });
    evidence.push(seen.timedOut ? { ...seen, limit } : seen);
    if (!passed(seen) && !work.all) break;
  }
  return evidence;
}

export async function runCommand(
  io: StepIo,
  ticket: TicketSnapshot,
  command: string,
  work: Omit<CommandWork, 'commands' | 'all'>,
): Promise<Evidence> {
  const [evidence] = await runCommands(io, ticket, { ...work, commands: [command] });
  return evidence as Evidence;
}

const grace = 3;

/** Checks have clocks of their own: neither the other commands nor the agent's time count. */
function limitOf({ limits, baseMs = 0 }: CommandWork): NonNullable<Evidence['limit']> {
  const setting = { setting: settingName('commandTimeout'), ms: timeoutMs(limits.commandTimeout) };
  return grace * baseMs > setting.ms ? { ...setting, ms: grace * baseMs, times: grace } : setting;
}

export function describeEvidence(evidence: Evidence, excerptChars = 4_000): string {
  const output = [
    ...(evidence.unreachable ? [describeRefused(evidence.unreachable)] : []),
    excerptOf(evidence, excerptChars),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
  if (evidence.service !== undefined) return describeService(evidence, output);
  return `\`${evidence.command}\` ${outcomeOf(evidence)}.${output ? `\n\n${output}` : ''}`;
}

function describeService(
  { service = '', command, timedOut, exitCode, signal, limit, durationMs }: Evidence,
  output: string,
): string {
  const end = exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `exited with ${exitCode}`;
  const why = timedOut
    ? `wasn't ready after ${(durationMs / 1_000).toFixed(1)} s: \`${command}\` didn't succeed${limit ? ` (${limit.setting} in the setup plan allows ${limit.ms / 1_000} s)` : ''}`
    : `can't be started: \`${command}\` ${end} before the service was ready`;
  return `The service \`${service}\` ${why}.${output ? `\n\n${output}` : ''}`;
}

export function describeFailures(evidence: readonly Evidence[]): string {
  const failures = failuresOf(evidence).map((item) => describeEvidence(item));
  return [...failures, explainPutBack(evidence)].filter((text) => text !== '').join('\n\n');
}

export function failuresOf(evidence: readonly Evidence[]): readonly Evidence[] {
  return evidence.filter((item) => !passed(item));
}

function outcomeOf({ exitCode, signal, timedOut, limit, durationMs, contradicted }: Evidence): string {
  const seconds = (durationMs / 1_000).toFixed(1);
  if (timedOut) return `timed out after ${seconds} s${limit ? `: ${limitText(limit)}` : ''}`;
  if (exitCode === null) return `was ended by ${signal ?? 'a signal'} after ${seconds} s`;
  const denied = contradicted ? `, ${contradictionText(contradicted)}` : '';
  return `exited with ${exitCode} after ${seconds} s${denied}`;
}

function limitText({ setting, ms, times }: NonNullable<Evidence['limit']>): string {
  const seconds = `${ms / 1_000} s`;
  if (times === undefined) return `the setting ${setting} allows ${seconds}`;
  return `${seconds} is ${times} times as long as it took on the base, which is more than the setting ${setting} allows`;
}

/** `tail` repeats the whole of a short output that is in `head` already. */
function excerptOf(evidence: Evidence, chars: number): string {
  if (evidence.excerpt !== undefined) return evidence.excerpt;
  const text = stripAnsi(
    evidence.tail.length >= evidence.head.length ? evidence.tail : evidence.head || evidence.tail,
  ).trim();
  return text.length <= chars ? text : `[…]\n${text.slice(-chars)}`;
}
