import { hiddenIn } from '../../base/visible.ts';
import { type ArtifactInfo, coverageOf } from '../../domain/ticket/artifacts.ts';
import type { Document } from '../../domain/documents/base/document.ts';
import { documentOf } from '../../domain/documents/documents.ts';
import { approvalHash, councilKinds } from '../../domain/documents/workDocuments.ts';
import { CoverageReport, Interview } from '../../domain/requirements/interview.ts';
import { type Client, documentsAt, type TicketDetail } from '../../protocol/api.ts';
import { ApprovalArtifact, type ApprovalState, type ShownDocument } from '../../protocol/pages/approval.ts';
import type { Given } from '../../protocol/pages/frame.ts';
import type { DecidedCouncil } from '../../protocol/council/councilReport.ts';
import { readArtifact, readDocument } from '../../protocol/readDocument.ts';
import { regenerationText } from '../gates/approveGate.ts';
import { readNotes } from '../../protocol/readNotes.ts';
import { editable } from '../documents/saveDocument.ts';
import { decidedCouncil } from './councils.ts';

const mostEarlier = 20;

const edits = { gate: 'save', rewind: 'rewind', ungated: 'no', no: 'no' } as const;

type Found = Pick<ShownDocument, 'sha256' | 'value' | 'problem'>;

export async function approvalState(client: Client, ticket: string): Promise<Given<ApprovalState>> {
  const detail = await client.ticket(ticket);
  const infos = await client.artifacts(ticket);
  const documents: Given<ShownDocument>[] = [];
  for (const artifact of ApprovalArtifact.options) {
    const document = await shownDocument(client, detail, infos, artifact);
    if (document) documents.push(document);
  }
  const { view } = detail;
  const { actions } = view;
  const gate = ApprovalArtifact.safeParse(detail.gate?.artifact).data ?? null;
  const asked = documentsAt(detail.gate).map(({ artifact }) => artifact);
  // The hash of what is shown, which may be newer or older than what was read of the gate.
  const shown = documents.filter(({ artifact }) => asked.includes(artifact));
  return {
    held: view.hold !== null,
    gate,
    together: shown.map(({ artifact }) => artifact),
    sha256: shown.length > 0 ? approvalHash(shown.map(({ sha256 }) => sha256)) : null,
    working: gate !== null && !detail.idle,
    can: {
      approve: gate !== null && actions.includes('approve'),
      fixGaps: gate !== null && actions.includes('fix_gaps'),
      checkAgain: gate !== null && actions.includes('check_again'),
      regenerate: gate !== null && actions.includes('regenerate'),
      planInFull: gate !== null && actions.includes('plan_in_full'),
    },
    regenerates: regenerationText(gate ?? ''),
    documents,
  };
}

async function shownDocument(
  client: Client,
  detail: TicketDetail,
  infos: readonly ArtifactInfo[],
  artifact: ApprovalArtifact,
): Promise<Given<ShownDocument> | undefined> {
  const versions = infos.filter((info) => info.type === artifact);
  const present = versions.findLast((info) => !info.archived);
  const found = present && (await contentOf(client, present.ticket, artifact));
  if (!found) return undefined;
  const has = (type: string): boolean => infos.some((info) => info.type === type && !info.archived);
  const domain = councilKinds.find((kind) => kind === artifact && has(`${kind}_winner`));
  const council = domain ? await decidedCouncil(client, detail.view.id, domain) : null;
  return {
    artifact,
    version: present.version,
    ...found,
    edit: found.problem === '' ? edits[editable(detail, artifact, client.repository.mode).kind] : 'no',
    hidden: hiddenOf(found.value),
    gaps: await gapsOf(client, detail.view.id, artifact, found.value, has),
    notes: await readNotes(client, detail.view.id, artifact),
    council,
    earlier: versions
      .filter((info) => info.version < present.version)
      .sort((a, b) => b.version - a.version)
      .slice(0, mostEarlier)
      .map(({ version, sha256, createdAt }) => ({ version, sha256, at: createdAt })),
    fullAnswers: await fullAnswersOf(client, detail.view.id, artifact, council),
  };
}

/** Limits of what is named, and of each text. */
const mostHidden = 20;

function hiddenOf(value: unknown): ShownDocument['hidden'] {
  const found = hiddenIn(value);
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    texts: found.slice(0, mostHidden).map(({ path, text }) => `${path}: ${text.slice(0, 1_000)}`),
  };
}

async function contentOf(
  client: Client,
  ticket: string,
  artifact: ApprovalArtifact,
): Promise<Found | undefined> {
  const document = documentOf(artifact);
  if (document.rows) {
    const { beads, sha256 } = await client.beads(ticket);
    return beads.length === 0 ? undefined : { sha256, value: beads, problem: '' };
  }
  const stored = await client.artifact(ticket, artifact);
  if (!stored) return undefined;
  const value = await readDocument(stored.content);
  return { sha256: stored.info.sha256, value: value ?? null, problem: problemOf(document, value) };
}

function problemOf({ schema }: Document<unknown>, value: unknown): string {
  const issue = schema.safeParse(value).error?.issues[0];
  return issue ? `${issue.path.map(String).join('.')}: ${issue.message}` : '';
}

/** Those of the last coverage check, and those of the document itself. */
async function gapsOf(
  client: Client,
  ticket: string,
  artifact: ApprovalArtifact,
  value: unknown,
  has: (type: string) => boolean,
): Promise<string[]> {
  const { approval, schema } = documentOf(artifact);
  const parsed = schema.safeParse(value);
  const own = parsed.success ? (approval?.gaps?.(parsed.data) ?? []) : [];
  const open = has(coverageOf(artifact))
    ? await readArtifact(client, ticket, coverageOf(artifact), CoverageReport)
    : undefined;
  return [...(open?.open_gaps ?? []), ...own];
}

async function fullAnswersOf(
  client: Client,
  ticket: string,
  artifact: ApprovalArtifact,
  council: DecidedCouncil | null,
): Promise<unknown> {
  const answers = documentOf(artifact).council?.answers;
  if (!council || answers === undefined) return null;
  return (await readArtifact(client, ticket, `${answers}:${council.winner}`, Interview)) ?? null;
}
