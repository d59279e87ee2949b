import * as z from 'zod';
import { sha256 } from '../../../base/sha256.ts';
import {
  GuardedChange,
  guardedChanges,
  guardedLabels,
  type GuardedReceipt,
  type GuardedText,
} from '../../../domain/proof/guardedChanges.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, isoNow } from '../artifacts.ts';
import { askChoice } from '../askChoice.ts';
import { comparedTexts } from './changedTexts.ts';
import { runHooks } from './runHooks.ts';

/** `problem`: what is wrong with the commit besides, in words for the agent. */
const Guarded = z.object({
  accepted: z.boolean(),
  reason: z.string(),
  findings: z.array(GuardedChange),
  problem: z.string().default(''),
});

/** The commits to compare. `name`: what the receipt is about. `planned`: paths that a person approved with the plan. */
interface Work {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly planned: readonly string[];
}

/**
 * Looks in a commit, before the branch gets it, for secrets and for changes that reach beyond the code, and asks a person about them
 * (docs/decisions/077-guarded-changes.md). Returns what is wrong, in words for the agent; empty if nothing is, or if a person accepted it, which leaves a
 * receipt. The text of a secret is in neither.
 */
export async function guardChanges(run: Run, ticket: TicketSnapshot, { key, ...work }: Work & { readonly key: string }): Promise<string> {
  return refusal(
    await run.step(key, Guarded, async (io) => {
      const { name, from: start, to: commit } = work;
      const problem = await runHooks(io, ticket, { name, start, commit, limits: run.limits });
      if (problem !== '') return { accepted: false, reason: '', findings: [], problem };
      return askAbout(io, ticket, work, await findGuarded(io, work));
    }),
  );
}

/**
 * As `guardChanges`, within a step. `stands`: the other commits that the work stands on. What is new only in comparison with one of them came from there.
 */
export async function guardCommit(io: StepIo, ticket: TicketSnapshot, work: Work, stands: readonly string[] = []): Promise<string> {
  let found = await findGuarded(io, work);
  for (const from of stands) {
    if (found.length === 0) break;
    const others = new Set((await findGuarded(io, { ...work, from })).map((one) => JSON.stringify(one)));
    found = found.filter((one) => others.has(JSON.stringify(one)));
  }
  return refusal(await askAbout(io, ticket, work, found));
}

async function askAbout(io: StepIo, ticket: TicketSnapshot, work: Work, found: readonly GuardedChange[]): Promise<z.infer<typeof Guarded>> {
  if (found.length === 0) return { accepted: true, reason: '', findings: [], problem: '' };
  const { choice, words } = await askChoice(io, {
    asked: `guarded:${work.to}`,
    header: 'Secrets and protected files',
    text: `Review these changes before ${work.name} is committed:\n${listGuarded(found)}`,
    options: [
      { label: 'Accept', description: 'The changes are right. They are committed, and a receipt says who accepted them.' },
      { label: 'Send back', description: 'The agent has to do without them.' },
    ],
  });
  if (choice === 'Accept') {
    const receipt: GuardedReceipt = {
      schema_version: 1,
      name: work.name,
      commit: work.to,
      content_sha256: sha256(JSON.stringify(found)),
      findings: [...found],
      accepted_by: 'user',
      accepted_at: isoNow(io),
    };
    io.save(artifactChange(ticket, `guarded_changes_receipt:${work.name}`, receipt));
  }
  return { accepted: choice === 'Accept', reason: words, findings: [...found], problem: '' };
}

function refusal({ accepted, reason, findings, problem }: z.infer<typeof Guarded>): string {
  if (accepted || problem !== '') return problem;
  const said = reason === '' ? '' : `\n\nThey said: ${reason}`;
  return `A person did not accept these changes. Take them back, or reach the goal without them:\n\n${listGuarded(findings)}${said}`;
}

/** What in the changes from one commit to another needs a person's yes. */
export async function findGuarded(io: StepIo, work: Pick<Work, 'from' | 'to' | 'planned'>): Promise<readonly GuardedChange[]> {
  const texts = await comparedTexts(io, work.from, work.to);
  return [...guardedChanges(texts, work.planned), ...(await secretsIn(io, texts))];
}

/** Findings as lines of text, the first 20 of them. */
export function listGuarded(findings: readonly GuardedChange[]): string {
  const lines = findings.slice(0, 20).map(({ kind, path, line, text }) => {
    const place = line === null ? path : `${path}:${String(line)}`;
    return `- ${place}: ${guardedLabels[kind]}${text === '' ? '' : ` (${text})`}`;
  });
  if (findings.length > lines.length) lines.push(`- and ${String(findings.length - lines.length)} more`);
  return lines.join('\n');
}

/** Secrets that the files didn't hold before. Of their text only a hash is compared. */
async function secretsIn(io: StepIo, texts: readonly GuardedText[]): Promise<readonly GuardedChange[]> {
  const found: GuardedChange[] = [];
  for (const { path, before, after } of texts) {
    if (after === null) continue;
    const now = await io.ports.secrets.scan(path, after);
    if (now.length === 0) continue;
    const earlier = before === null ? [] : await io.ports.secrets.scan(path, before);
    const known = new Set(earlier.map(({ start, end }) => sha256((before ?? '').slice(start, end))));
    for (const { rule, line, start, end } of now) {
      if (!known.has(sha256(after.slice(start, end)))) found.push({ kind: 'secret', path, line, text: rule });
    }
  }
  return found;
}
