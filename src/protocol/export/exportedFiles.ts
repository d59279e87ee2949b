import * as z from 'zod';
import { fenced, inline } from '../../base/markdown.ts';
import { withoutSecretsInText } from '../../base/outputSecrets.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Bead } from '../../domain/beads/bead.ts';
import { beadLines } from '../../domain/beads/beadPlan.ts';
import { missingText, outcomeOf } from '../../domain/beads/outcome.ts';
import { TicketId } from '../../domain/core/ids.ts';
import type { ArtifactInfo } from '../../domain/ticket/artifacts.ts';
import type { Client, TicketDetail } from '../api.ts';
import { type ApprovalView, approvalText, readApprovals } from '../approvals.ts';
import { fileOf } from '../documents.ts';
import type { LogLine, RunView } from '../history.ts';

/** A file of an export; `path` has slashes, and is valid on every system. */
interface ExportedFile {
  readonly path: string;
  readonly content: string;
}

/** Marks a folder as an export. Written last: without it, it is incomplete. */
export const manifestName = 'export.json';

/** A folder may be replaced only with this manifest. */
export const ExportManifest = z.looseObject({
  schema: z.literal(1),
  ticket: TicketId,
  exportedAt: z.string(),
});

const logPage = 250;

/**
 * All of a ticket as files, without secrets. `at`: now, in milliseconds since 1970. Throws TICKET_UNKNOWN.
 */
export async function* exportedFiles(
  client: Client,
  ticket: string,
  at: number,
): AsyncGenerator<ExportedFile, void, undefined> {
  const written: { path: string; sha256: string }[] = [];
  const names = new Set<string>();
  const file = (wanted: string, stored: string): ExportedFile => {
    const content = withoutSecretsInText(stored);
    const path = freeName(wanted, names);
    written.push({ path, sha256: sha256(content) });
    return { path, content };
  };
  const detail = await client.ticket(ticket);
  const [artifacts, { beads }, runs] = await Promise.all([
    client.artifacts(ticket),
    client.beads(ticket),
    client.history.runs(ticket),
  ]);
  yield file('ticket.json', pretty(detail.ticket));
  if (beads.length > 0) yield file('beads.jsonl', beadLines(beads));
  const listed: ListedDocument[] = [];
  for (const info of artifacts) {
    const artifact = await client.artifact(ticket, info.type, info.version);
    if (!artifact) continue;
    const isPresent = info === presentOf(artifacts, info.type);
    // With the salt, short secrets could be guessed from their hashes.
    const content =
      info.type === 'prompt_secrets_receipt'
        ? artifact.content.replace(/"salt": "[^"]*"/, '"salt": ""')
        : artifact.content;
    const made = file(isPresent ? presentPath(info) : versionPath(info), content);
    if (isPresent)
      listed.push({ type: info.type, path: made.path, version: info.version, sha256: info.sha256 });
    yield made;
  }
  yield* calls(client, ticket, file);
  yield file('usage.ndjson', lines(await client.usage(ticket)));
  yield file('log.ndjson', lines(await wholeLog(client, ticket)));
  yield file('journal.ndjson', lines(await client.history.journal(ticket)));
  yield file(
    'README.md',
    overview({ detail, beads, runs, approvals: await readApprovals(client, ticket) }, listed),
  );
  const manifest = { schema: 1, ticket, exportedAt: new Date(at).toISOString(), files: written };
  yield { path: manifestName, content: pretty(manifest) };
}

async function* calls(
  { history }: Client,
  ticket: string,
  file: (path: string, content: string) => ExportedFile,
): AsyncGenerator<ExportedFile, void, undefined> {
  const all = await history.calls(ticket);
  for (const [at, { id, prompt, member }] of all.entries()) {
    const call = await history.call(ticket, id);
    if (!call) continue;
    const { input, output, plan, ...facts } = call;
    const name = `calls/${String(at + 1).padStart(4, '0')}-${prompt}-${member.replaceAll('/', '-')}`;
    yield file(`${name}.json`, pretty({ ...facts, plan: parsed(plan) }));
    yield file(`${name}.input.md`, input);
    yield file(`${name}.output.md`, output);
  }
}

/** Pages come from the end. */
async function wholeLog({ history }: Client, ticket: string): Promise<readonly LogLine[]> {
  const pages: (readonly LogLine[])[] = [];
  for (let before: number | undefined; ;) {
    const page = await history.log(ticket, { limit: logPage, ...(before === undefined ? {} : { before }) });
    pages.push(page.lines);
    if (page.earlier === null || page.earlier === before) return pages.toReversed().flat();
    before = page.earlier;
  }
}

function presentOf(artifacts: readonly ArtifactInfo[], type: string): ArtifactInfo | undefined {
  return artifacts.findLast((info) => info.type === type && !info.archived);
}

/** Its hash is that of the stored document; the editor shows Markdown instead. */
function storedPath({ type, id }: ArtifactInfo): string {
  if (type === 'pull_request_report') return 'pull-request-report.json';
  return fileOf(type) ?? `other/${String(id)}.txt`;
}

function presentPath(info: ArtifactInfo): string {
  const { type } = info;
  const path = storedPath(info);
  const about = /^[^/]+\/(.*)$/.exec(path)?.[1];
  if (about !== undefined && type.startsWith('bead_diff:')) return `diffs/${about}`;
  if (about !== undefined && /^bead_(?:execution|commit):/.test(type))
    return `evidence/${path.replace(/^bead-(\w+)\//, '$1/')}`;
  return `documents/${path}`;
}

function versionPath(info: ArtifactInfo): string {
  return `versions/${storedPath(info).replace(/(\.\w+)$/, `.v${String(info.version)}$1`)}`;
}

/** Valid on every system, and unique without regard to case. */
function freeName(wanted: string, names: Set<string>): string {
  const safe = wanted
    .replace(/[^\w./@+-]/g, '-')
    .split('/')
    .map((part) => part.replace(/^\.+|\.+$/g, '').slice(0, 120) || '-')
    .join('/');
  let name = safe;
  for (let number = 2; names.has(name.toLowerCase()); number++)
    name = safe.replace(/(\.\w+)?$/, `-${String(number)}$1`);
  names.add(name.toLowerCase());
  return name;
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

interface ListedDocument {
  readonly type: string;
  readonly path: string;
  readonly version: number;
  readonly sha256: string;
}

/** The first page of an export. Texts are in fences that they can't close. */
export function overview(
  {
    detail,
    beads,
    runs,
    approvals,
  }: {
    readonly detail: TicketDetail;
    readonly beads: readonly Bead[];
    readonly runs: readonly RunView[];
    readonly approvals: readonly ApprovalView[];
  },
  documents: readonly ListedDocument[],
): string {
  const { ticket, view } = detail;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Status', view.label],
    ['Priority', String(ticket.priority)],
    ['Base branch', ticket.baseBranch],
    ['Branch', ticket.branch],
    ['Filed', time(ticket.createdAt)],
    ['Changed', time(ticket.updatedAt)],
  ];
  return [
    `# ${ticket.id} ${inline(ticket.title)}`,
    facts.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${inline(value)}`])).join('\n'),
    ...(ticket.description.trim() === '' ? [] : ['## Description', fenced(ticket.description, '')]),
    ...(detail.error
      ? ['## Why it is blocked', `${inline(detail.error.message)} ${inline(detail.error.nextStep)}`]
      : []),
    ...section(
      '## Progress',
      beads.map(
        (bead) =>
          `- [${bead.status === 'done' ? 'x' : ' '}] \`${bead.id}\` ${inline(bead.title)} (${bead.status}, iteration ${String(bead.iteration)})`,
      ),
    ),
    ...(beads.length > 0 ? outcomeLines(beads) : []),
    ...section(
      '## Runs',
      runs.map(({ label, attempt, startedAt, endedAt, state, exit, error }) => {
        const span = `${time(startedAt)} – ${endedAt === null ? '' : time(endedAt)}`.trim();
        return `- ${span}: ${label}, attempt ${String(attempt)}, ${error ? `${error.code}: ${inline(error.message)}` : (exit ?? state)}`;
      }),
    ),
    ...section(
      '## Approvals',
      approvals.map((one) => `- ${one.at}: ${inline(approvalText(one))}`),
    ),
    ...section(
      '## Documents',
      documents.map(
        ({ type, path, version, sha256: hash }) =>
          `- [${inline(type)}](<${path}>), version ${String(version)}, SHA-256 \`${hash}\``,
      ),
    ),
    '## What lies here',
    [
      '- `documents/`: the current version of each document; `versions/`: every earlier one',
      '- `evidence/`: what Beadsmith saw when it ran a bead’s commands; `diffs/`: what each bead changed',
      '- `calls/`: what every model was sent and answered, in order',
      '- `ticket.json`, `beads.jsonl`, `usage.ndjson`: the ticket, its plan with its state, and its tokens',
      '- `journal.ndjson`: every finished step. Each entry’s hash covers the one before',
      '- `log.ndjson`: the small things, for looking at only',
      '- `export.json`: every file here with its SHA-256',
    ].join('\n'),
    'Nothing was taken out: prompts, answers and diffs are here as they were. Look before you hand it on.',
    '',
  ].join('\n\n');
}

function section(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [title, items.join('\n')];
}

/** A skipped or failed bead is never a success. */
function outcomeLines(beads: readonly Bead[]): readonly string[] {
  const outcome = outcomeOf(beads);
  const lines = outcome.missing.flatMap(({ bead, state, reason }) =>
    reason === '' ? [] : [`- \`${bead}\` (${state}): ${inline(reason)}`],
  );
  if (outcome.success) return ['Outcome: every bead is done.'];
  return [
    `Outcome: incomplete, ${String(outcome.done)} of ${String(outcome.total)} beads are done. Missing: ${missingText(outcome)}.`,
    ...(lines.length > 0 ? [lines.join('\n')] : []),
  ];
}

function time(at: number): string {
  return new Date(at).toISOString();
}
