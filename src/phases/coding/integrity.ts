import * as z from 'zod';
import type { Bead } from '../../domain/beads/bead.ts';
import { sha256 } from '../../base/sha256.ts';
import { findWeakenings, type WeakenedTests, Weakening, weakeningLabels } from '../../domain/proof/testIntegrity.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange, isoNow } from '../shared/artifacts.ts';
import { startOf } from './candidate.ts';
import { changedTexts } from './changedTexts.ts';

/** How long a person has. The ticket is held meanwhile, and its clocks stop. */
const windowMs = 20 * 24 * 3_600_000;
const accept = 'Accept';
const sendBack = 'Send back';

const Reviewed = z.object({ accepted: z.boolean(), reason: z.string(), weakenings: z.array(Weakening) });

/**
 * Looks in a proved candidate for changes that make tests prove less, and asks a person about them (docs/decisions/050-test-integrity.md), and about
 * what else was found. Returns what is wrong, in words for the coder; empty if nothing is, or if a person accepted it, which leaves a receipt.
 */
export async function reviewTests(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  candidate: string | null,
  others: readonly Weakening[],
): Promise<string> {
  if (candidate === null && others.length === 0) return '';
  const { accepted, reason, weakenings } = await run.step('tests-reviewed', Reviewed, async (io) => {
    const changes = candidate === null ? [] : await changedTexts(io, startOf(bead), candidate);
    const found = [...others, ...findWeakenings(changes)];
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
