import * as z from 'zod';
import { type Bead, reasonWithoutProof } from '../../domain/beads/bead.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import { Baseline } from '../../domain/proof/baseline.ts';
import { unseenTests } from '../../domain/proof/seenToPass.ts';
import type { Weakening } from '../../domain/proof/testIntegrity.ts';
import { RunWithout } from '../../domain/proof/withoutWork.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { readJson } from '../shared/ticket/artifacts.ts';
import { runWithoutWork } from '../shared/proof/withoutWork.ts';
import { startOf } from './bead/candidate.ts';

const Seen = z.object({ seen: RunWithout.optional(), tests: z.array(z.string()) });

/**
 * The evidence with what was seen without the work; if nothing was seen to fail there, the finding, and it in
 * words for the coder.
 */
interface RedFirst {
  readonly evidence: readonly Evidence[];
  readonly finding: Weakening | null;
  readonly problem: string;
}

/**
 * Requires that a command of the bead fails without its work (docs/decisions/051-red-first.md): on the commit
 * it started at, with the tests that came with it. A bead whose approved plan says why nothing can fail, and
 * one without commands, are taken as they are.
 */
export async function requireFailure(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  { candidate, evidence }: { readonly candidate: string | null; readonly evidence: readonly Evidence[] },
): Promise<RedFirst> {
  const own = evidence.slice(0, bead.testCommands.length);
  if (own.length === 0 || reasonWithoutProof(bead) !== '') return { evidence, finding: null, problem: '' };
  if (candidate === null) return unproved(bead, evidence, []);
  const { seen, tests } = await run.step('red-first', Seen, async (io) => {
    const found = await runWithoutWork(io, ticket, {
      start: startOf(bead),
      commit: candidate,
      passed: own,
      limits: run.limits,
      declared: declaredTests(bead),
    });
    return { ...(found.seen ? { seen: found.seen } : {}), tests: [...found.tests] };
  });
  if (!seen) return unproved(bead, evidence, tests);
  const { command, tree, exitCode } = seen;
  const marked = evidence.map((item) =>
    item.command === command ? { ...item, without: { tree, exitCode } } : item,
  );
  const ran = own.find((item) => item.command === command);
  const text = (ran && unseenTests(ran, seen.failed ?? [])) ?? (await stillRed(run, ticket, own));
  if (text === undefined) return { evidence: marked, finding: null, problem: '' };
  const finding = { kind: 'unseen', path: bead.id, line: null, text } as const;
  const problem = `The bead's commands succeed, but ${text}. Make these tests pass.`;
  return { evidence: marked, finding, problem };
}

/** Target files that the bead's tests name, in whatever words. */
function declaredTests({ tests, targetFiles }: Bead): readonly string[] {
  return targetFiles.filter((path) => tests.some((text) => text.split(/[\s`'"(),;]+/).includes(path)));
}

/**
 * Tests that are red on the base and still are, beside others of the same command that the bead turned green:
 * probably it was to turn all of them. In words; undefined if there are none.
 */
async function stillRed(
  run: Run,
  ticket: TicketSnapshot,
  own: readonly Evidence[],
): Promise<string | undefined> {
  if (own.every(({ knownFailures = [] }) => knownFailures.length === 0)) return undefined;
  const red = await run.step('still-red', z.array(z.string()), async (io) => {
    const { checks = [] } =
      readJson(Baseline, (await io.ports.store.artifact(ticket.id, 'baseline'))?.content) ?? {};
    return own.flatMap(({ command, knownFailures = [] }) => {
      const failed = checks.find((check) => check.kind === 'test' && check.command === command)?.failed ?? [];
      return failed.some((name) => !knownFailures.includes(name)) ? knownFailures : [];
    });
  });
  return red.length === 0
    ? undefined
    : `these tests were red and still are, beside others that pass now: ${red.slice(0, 10).join(', ')}`;
}

function unproved(
  { id, testCommands }: Bead,
  evidence: readonly Evidence[],
  tests: readonly string[],
): RedFirst {
  const commands = testCommands.map((command) => `\`${command}\``).join(', ');
  const withTests =
    tests.length === 0 ? '' : `, with the tests of this work (${tests.slice(0, 20).join(', ')}),`;
  const text = `${commands} ${testCommands.length === 1 ? 'passes' : 'pass'} without it as well`;
  const problem = [
    `Nothing that ran would fail without this work. On the commit that the bead started at${withTests} its commands pass as well: ${commands}.`,
    'Write tests that fail without the work, in a place where these commands run them.',
  ];
  return { evidence, finding: { kind: 'unproved', path: id, line: null, text }, problem: problem.join('\n') };
}
