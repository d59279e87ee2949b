import * as z from 'zod';
import type { Bead } from '../../domain/beads/bead.ts';
import { sha256 } from '../../base/sha256.ts';
import { Baseline } from '../../domain/proof/baseline.ts';
import { scriptsOfManifest } from '../../domain/proof/checkChanges.ts';
import { programsOf } from '../../domain/proof/provingFiles.ts';
import { findWeakenings, type WeakenedTests, Weakening, weakeningLabels } from '../../domain/proof/testIntegrity.ts';
import { testResultsOf } from '../../domain/proof/testResults.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { BeadExecution } from '../../domain/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange, isoNow, readJson } from '../shared/artifacts.ts';
import { projectChecks } from '../shared/proof/baseline.ts';
import { startOf } from './candidate.ts';
import { changedTexts } from './changedTexts.ts';

/** How long a person has. The ticket is held meanwhile, and its clocks stop. */
const windowMs = 20 * 24 * 3_600_000;
const accept = 'Accept';
const sendBack = 'Send back';

const Reviewed = z.object({ accepted: z.boolean(), reason: z.string(), weakenings: z.array(Weakening) });

/** A proved candidate, what was seen of it, and what else was found. */
interface Work {
  readonly candidate: string | null;
  readonly evidence: readonly Evidence[];
  readonly others: readonly Weakening[];
}

/**
 * Looks in a proved candidate for changes that make tests prove less, and asks a person about them (docs/decisions/050-test-integrity.md), and about
 * what else was found. Returns what is wrong, in words for the coder; empty if nothing is, or if a person accepted it, which leaves a receipt.
 */
export async function reviewTests(run: Run, ticket: TicketSnapshot, bead: Bead, { candidate, evidence, others }: Work): Promise<string> {
  if (candidate === null && others.length === 0) return '';
  const { accepted, reason, weakenings } = await run.step('tests-reviewed', Reviewed, async (io) => {
    const changes = candidate === null ? [] : await changedTexts(io, startOf(bead), candidate);
    const found = [...others, ...(await fewerTests(io, bead, evidence)), ...findWeakenings(changes, await checkPrograms(io, bead))];
    if (found.length === 0) return { accepted: true, reason: '', weakenings: [] };
    const decision = await askAbout(io, bead, candidate ?? startOf(bead), found);
    if (decision.accepted) {
      const receipt: WeakenedTests = {
        schema_version: 1,
        bead_id: bead.id,
        commit: candidate,
        content_sha256: sha256(JSON.stringify(found)),
        weakenings: found,
        accepted_by: 'user',
        accepted_at: isoNow(io),
      };
      io.save(artifactChange(ticket, `weakened_tests_receipt:${bead.id}`, receipt));
    }
    return { ...decision, weakenings: found };
  });
  if (accepted) return '';
  const list = weakenings.map((weakening) => `- ${describe(weakening)}`).join('\n');
  return `This makes checks prove less, and a person did not accept it:\n\n${list}${reason === '' ? '' : `\n\nThey said: ${reason}`}`;
}

/** Files of the repository that its checks start, as they were before the bead. */
async function checkPrograms(io: StepIo, bead: Bead): Promise<readonly string[]> {
  const manifest = new TextDecoder().decode((await io.ports.git.blob(startOf(bead), 'package.json')) ?? new Uint8Array());
  const scripts = Object.values(scriptsOfManifest(manifest, /test|lint|check|spec|verify|build|ci/i));
  return programsOf([...(await projectChecks(io)).map(({ command }) => command), ...scripts]);
}

/** Commands of the project that ran fewer tests than with the bead before, or else on the base: something leaves them out, whatever it is. */
async function fewerTests(io: StepIo, bead: Bead, evidence: readonly Evidence[]): Promise<readonly Weakening[]> {
  const { store } = io.ports;
  const { checks = [] } = readJson(Baseline, (await store.artifact(io.ticket, 'baseline'))?.content) ?? {};
  const counted = evidence.flatMap((item) => {
    const base = checks.find(({ command }) => command === item.command)?.ran ?? null;
    const ran = testResultsOf(item)?.ran ?? null;
    return base === null || ran === null ? [] : [{ command: item.command, base, ran }];
  });
  if (counted.length === 0) return [];
  const done = (await store.beads(io.ticket)).filter(({ id, status }) => id !== bead.id && status === 'done');
  const last = done.reduce<Bead | undefined>((latest, one) => (latest && latest.updatedAt >= one.updatedAt ? latest : one), undefined);
  const execution = last && readJson(BeadExecution, (await store.artifact(io.ticket, `bead_execution:${last.id}`))?.content);
  return counted.flatMap(({ command, base, ran }) => {
    const earlier = execution?.evidence.find((item) => item.command === command);
    const before = (earlier && testResultsOf(earlier)?.ran) ?? base;
    const text = `${String(before)} tests ran before this work, and ${String(ran)} with it: \`${command}\``;
    return ran < before ? [{ kind: 'narrowed', path: bead.id, line: null, text } as const] : [];
  });
}

async function askAbout(
  io: StepIo,
  bead: Bead,
  candidate: string,
  found: readonly Weakening[],
): Promise<{ readonly accepted: boolean; readonly reason: string }> {
  const shown = found.slice(0, 20).map(describe);
  if (found.length > shown.length) shown.push(`and ${String(found.length - shown.length)} more`);
  const question = {
    header: 'Weaker tests',
    text: `Bead ${bead.id} passes its checks, but they prove less than they should:\n${shown.join('\n')}`,
    options: [
      { label: accept, description: 'The changes are right. They are listed in the pull request.' },
      { label: sendBack, description: 'The agent has to reach the goal without them.' },
    ],
    multiple: false,
    custom: true,
  };
  const withdrawn = new AbortController().signal;
  const decision = await io.ask(
    { asked: `weakened:${candidate}`, content: { kind: 'question', questions: [question] } },
    { source: 'Beadsmith', windowMs, withdrawn },
  );
  io.signal.throwIfAborted();
  const words = decision?.kind === 'answers' ? decision.answers.flat() : [];
  return { accepted: words.includes(accept), reason: words.filter((word) => word !== accept && word !== sendBack).join(' ') };
}

function describe({ kind, path, line, text }: Weakening): string {
  const place = line === null ? path : `${path}:${String(line)}`;
  return `${place}: ${weakeningLabels[kind]}${text === '' ? '' : ` (${text})`}`;
}
