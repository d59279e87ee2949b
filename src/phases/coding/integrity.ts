import * as z from 'zod';
import type { Bead } from '../../domain/beads/bead.ts';
import { sha256 } from '../../base/sha256.ts';
import { type ChangedText, findWeakenings, isTestFile, Weakening, weakeningLabels } from '../../domain/proof/testIntegrity.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange, isoNow } from '../shared/artifacts.ts';
import { startOf } from './candidate.ts';

/** Files larger than this aren't read: nobody writes such a test by hand. */
const largestFile = 1_000_000;
/** How long a person has. The ticket is held meanwhile, and its clocks stop. */
const windowMs = 20 * 24 * 3_600_000;
const accept = 'Accept';
const sendBack = 'Send back';

const Reviewed = z.object({ accepted: z.boolean(), reason: z.string(), weakenings: z.array(Weakening) });

/**
 * Looks in a proved candidate for changes that make tests prove less, and asks a person about them (docs/decisions/050-test-integrity.md). Returns what
 * is wrong, in words for the coder; empty if nothing is, or if a person accepted it. An accepted change leaves a receipt.
 */
export async function reviewTests(run: Run, ticket: TicketSnapshot, bead: Bead, candidate: string | null): Promise<string> {
  if (candidate === null) return '';
  const { accepted, reason, weakenings } = await run.step('tests-reviewed', Reviewed, async (io) => {
    const found = [...findWeakenings(await changedTexts(io, startOf(bead), candidate))];
    if (found.length === 0) return { accepted: true, reason: '', weakenings: [] };
    const decision = await askAbout(io, bead, candidate, found);
    if (decision.accepted) {
      const receipt = {
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
  return `These changes make tests prove less, and a person did not accept them:\n\n${list}${reason === '' ? '' : `\n\nThey said: ${reason}`}`;
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
    text: `Bead ${bead.id} passes its checks, but it changes what they prove:\n${shown.join('\n')}`,
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

async function changedTexts(io: StepIo, from: string, to: string): Promise<readonly ChangedText[]> {
  const { git } = io.ports;
  const texts: ChangedText[] = [];
  for (const { path, oldPath, change, binary } of await git.compare(from, to)) {
    if (binary) continue;
    const before = change === 'added' ? null : await textOf(io, from, oldPath ?? path);
    const after = change === 'deleted' ? null : await textOf(io, to, path);
    const isLost = oldPath !== null && isTestFile(oldPath) && !isTestFile(path);
    // A test that was moved to where no runner looks for it is gone.
    texts.push(isLost ? { path: oldPath, before, after: null } : { path, before, after });
  }
  return texts;
}

async function textOf(io: StepIo, commit: string, path: string): Promise<string | null> {
  const bytes = await io.ports.git.blob(commit, path);
  return bytes && bytes.length <= largestFile ? new TextDecoder().decode(bytes) : null;
}

function describe({ kind, path, line, text }: Weakening): string {
  const place = line === null ? path : `${path}:${String(line)}`;
  return `${place}: ${weakeningLabels[kind]}${text === '' ? '' : ` (${text})`}`;
}
