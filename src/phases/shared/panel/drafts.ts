import * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import { type CouncilDraft, CouncilDrafts, CouncilWinner } from '../../../domain/council/council.ts';
import { readText } from '../../../domain/documents/base/text.ts';
import { inboxBodies } from '../../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Domain } from '../../../domain/documents/workDocuments.ts';
import type { RecordIo, Run, StepIo } from '../../../engine/run/run.ts';
import { storedDocument } from '../ticket/artifacts.ts';
import { commandsAndTexts } from '../../../domain/council/documentTexts.ts';
import { draftChecks } from '../../../domain/council/draftChecks.ts';
import { draftLabel } from '../../../domain/council/labels.ts';
import { isManifest, type RepositoryFiles } from '../../../domain/council/repositoryFiles.ts';
import type { ArtifactType } from '../../../domain/ticket/artifacts.ts';
import { Blueprint } from '../../../domain/beads/bead.ts';
import { Interview, interviewDocument } from '../../../domain/requirements/interview.ts';
import { PrdDraft, prdDocument } from '../../../domain/requirements/prd.ts';
import { type Hole, holeText } from '../../../domain/links/holes.ts';
import { type LinkSources, linksOf } from '../../../domain/links/links.ts';

export async function validDrafts(io: RecordIo, domain: Domain): Promise<readonly CouncilDraft[]> {
  const { document } = await storedDocument(io, `${domain}_drafts`, CouncilDrafts);
  return document.drafts.filter((draft) => draft.outcome === 'completed');
}

/** Null if it can't be read. */
export function valueOf(content: string): unknown {
  const read = readText('yaml', content);
  return read.ok ? read.value : null;
}

export async function storedWinner(io: RecordIo, domain: Domain): Promise<string> {
  return (await storedDocument(io, `${domain}_winner`, CouncilWinner)).document.winner;
}

export function winnerOf(run: Run, domain: Domain): Promise<string> {
  return run.record('winner', z.string(), (io) => storedWinner(io, domain));
}

export function regenerateNote(ticket: TicketSnapshot): readonly Section[] {
  if (ticket.entry.by !== 'regenerate') return [];
  const body = inboxBodies.regenerate.safeParse(ticket.entry.body);
  return body.success && body.data.note !== '' ? [{ name: 'user_note', content: body.data.note }] : [];
}

export const DraftChecks = z.record(z.string(), z.array(z.string()));
export type DraftChecks = z.infer<typeof DraftChecks>;

const Linked = z.object({ epics: PrdDraft.shape.epics });

const mostManifests = 200;

/** Checks each valid draft against the base (docs/decisions/097-votes-give-reasons.md). */
export function checkDrafts(run: Run, ticket: TicketSnapshot, domain: Domain): Promise<DraftChecks> {
  return run.step('draft-checks', DraftChecks, async (io) => {
    const files = await repositoryFiles(io, ticket.baseCommit);
    const links = await linkedDocuments(io, domain);
    const drafts = await validDrafts(io, domain);
    return Object.fromEntries(
      drafts.map(({ member, content }) => {
        const value = valueOf(content);
        const found = draftChecks({ ...commandsAndTexts(value), holes: holesOf(value, links) }, files);
        return [member, [...found]];
      }),
    );
  });
}

export function checksText(checks: DraftChecks, order: readonly string[]): string {
  if (order.every((member) => checks[member] === undefined)) return '';
  return order
    .map((member, place) => {
      const found = checks[member] ?? [];
      const lines = found.length === 0 ? ['- Nothing was found.'] : found.map((line) => `- ${line}`);
      return [`### ${draftLabel(place)}`, '', ...lines].join('\n');
    })
    .join('\n\n');
}

async function linkedDocuments(
  io: StepIo,
  domain: Domain,
): Promise<Partial<Pick<LinkSources, 'questions' | 'prd'>>> {
  const read = async (type: ArtifactType): Promise<unknown> =>
    valueOf((await io.ports.store.artifact(io.ticket, type))?.content ?? '');
  if (domain === prdDocument.kind) {
    const { data } = Interview.safeParse(await read(interviewDocument.kind));
    return data ? { questions: data.questions } : {};
  }
  if (domain === interviewDocument.kind) return {};
  const { data } = Linked.safeParse(await read(prdDocument.kind));
  return data ? { prd: data } : {};
}

function holesOf(
  draft: unknown,
  { questions = [], prd }: Partial<Pick<LinkSources, 'questions' | 'prd'>>,
): readonly string[] {
  const { data: drafted } = Linked.safeParse(draft);
  const { data: plan } = Blueprint.safeParse(draft);
  const ofPlan = (kind: Hole['kind']): boolean =>
    kind === 'criterion' || kind === 'bead' || kind === 'command' || kind === 'unknownName';
  if (prd && plan) {
    const { holes } = linksOf({ questions: [], prd, beads: plan.beads });
    return holes.filter(({ kind }) => ofPlan(kind)).map(holeText);
  }
  if (!drafted || questions.length === 0) return [];
  const { holes } = linksOf({ questions, prd: drafted });
  return holes.map((hole) => holeText(hole.kind === 'question' ? { ...hole, kind: 'draftQuestion' } : hole));
}

async function repositoryFiles({ ports: { git } }: StepIo, commit: string | null): Promise<RepositoryFiles> {
  if (commit === null) return { paths: [], manifests: {} };
  const paths = await git.regularFiles(commit);
  const named = paths.filter(isManifest).slice(0, mostManifests);
  const texts = await git.blobs(commit, named);
  const decoder = new TextDecoder();
  const manifests = named.flatMap((path, index) => {
    const bytes = texts[index];
    return bytes === undefined ? [] : [[path, decoder.decode(bytes)] as const];
  });
  return { paths, manifests: Object.fromEntries(manifests) };
}
