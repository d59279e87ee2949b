import * as z from 'zod';
import { joined } from '../../base/joined.ts';
import { isRecord } from '../../base/json.ts';
import { oneLine } from '../../base/oneLine.ts';
import { CouncilDrafts } from '../../domain/council/council.ts';
import { draftPlace } from '../../domain/council/labels.ts';
import { type ChangeRecord, ChangeRecords } from '../../domain/requirements/interview.ts';
import { documents } from '../../domain/documents/documents.ts';
import type { Domain } from '../../domain/documents/workDocuments.ts';
import type { Client } from '../../protocol/api.ts';
import { readCouncil } from '../../protocol/council/councilPapers.ts';
import type { Attribution, DecidedCouncil } from '../../protocol/council/councilReport.ts';
import { readArtifact, readDocument } from '../../protocol/readDocument.ts';

const Changes = z.object({ changes: ChangeRecords });

const longestText = 200;

/** The council that decided a document, with what its winner changed. */
export async function decidedCouncil(
  client: Client,
  ticket: string,
  domain: Domain,
): Promise<DecidedCouncil | null> {
  const council = await readCouncil(client, ticket, domain);
  if (!council || council.winner === null) return null;
  const { winner } = council;
  const refined = await readArtifact(client, ticket, documents[domain].council.refined, z.unknown());
  const { changes } = Changes.safeParse(refined).data ?? { changes: [] };
  const { drafts } = (await readArtifact(client, ticket, `${domain}_drafts`, CouncilDrafts)) ?? {
    drafts: [],
  };
  const own = drafts.find(({ member }) => member === winner)?.content ?? '';
  const names = { before: namesIn(await readDocument(own)), after: namesIn(refined) };
  const valid = drafts.filter(({ outcome }) => outcome === 'completed').map(({ member }) => member);
  const order = [winner, ...valid.filter((member) => member !== winner)];
  return { ...council, winner, changes: changes.map((change) => attribution(change, order, names)) };
}

type Names = ReadonlyMap<string, string>;

function attribution(
  { type, before, after, inspiration }: ChangeRecord,
  order: readonly string[],
  names: { readonly before: Names; readonly after: Names },
): Attribution {
  return {
    type,
    before: lineOf(before, names.before),
    after: lineOf(after, names.after),
    inspiredBy: inspiration ? inspirer(inspiration.alternative_draft, order) : null,
  };
}

/**
 * Drafts are named by the label the winner saw, `Draft 2`, or by number. What names none of them is shown as
 * it is.
 */
function inspirer(label: string | number | undefined, order: readonly string[]): string | null {
  if (label === undefined) return null;
  return order[draftPlace(label) ?? -1] ?? String(label).slice(0, longestText);
}

/** Changes often name only the id of an item; then the document says what it is called. */
function lineOf(item: unknown, names: Names): string {
  const id =
    typeof item === 'string' ? item : isRecord(item) && typeof item['id'] === 'string' ? item['id'] : '';
  const name = (isRecord(item) ? nameOf(item) : undefined) ?? names.get(id) ?? '';
  return oneLine(joined([id, name], ' '), longestText);
}

function namesIn(value: unknown): Names {
  if (Array.isArray(value)) return new Map(value.flatMap((item) => [...namesIn(item)]));
  if (!isRecord(value)) return new Map();
  const { id } = value;
  const name = nameOf(value);
  const own: readonly (readonly [string, string])[] =
    typeof id === 'string' && name !== undefined ? [[id, name]] : [];
  return new Map([
    ...own,
    ...Object.entries(value).flatMap(([key, item]) => (key === 'changes' ? [] : [...namesIn(item)])),
  ]);
}

function nameOf(item: Readonly<Record<string, unknown>>): string | undefined {
  return [item['title'], item['question'], item['prompt'], item['label']].find(
    (text) => typeof text === 'string' && text !== '',
  ) as string | undefined;
}
