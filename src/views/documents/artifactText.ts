import type { ArtifactInfo } from '../../domain/ticket/artifacts.ts';
import { Bead } from '../../domain/beads/bead.ts';
import { planLines } from '../../domain/beads/beadPlan.ts';
import { documentOfType, isUngated } from '../../domain/documents/documents.ts';
import { PullRequestReport } from '../../domain/beads/reports.ts';
import type { Client } from '../../protocol/api.ts';
import { fileOf } from '../../protocol/documents.ts';
import { ungatedText } from '../../protocol/readDocument.ts';

/** A document as it is shown. `sha256` is what an approval or an edit of exactly this carries. */
export interface ArtifactText {
  readonly type: string;
  /** Below the ticket. */
  readonly file: string;
  readonly version: number | undefined;
  readonly sha256: string;
  readonly content: string;
  /** Unix milliseconds; 0 if nobody noted it. */
  readonly changedAt: number;
}

export async function artifactText(
  client: Client,
  ticket: string,
  type: string,
  version?: number,
): Promise<ArtifactText | undefined> {
  const file = fileOf(type);
  if (file === undefined) return undefined;
  const rows = documentOfType(type)?.rows;
  if (rows && version === undefined) return presentPlan(client, ticket, { type, file });
  if (isUngated(type)) {
    const text = await ungatedText(client, ticket, type, version);
    return text && { ...text, type, file, version: text.info?.version, changedAt: text.info?.createdAt ?? 0 };
  }
  const artifact = await client.artifact(ticket, type, version);
  if (!artifact) return undefined;
  const { info, content } = artifact;
  return {
    type,
    file,
    version: info.version,
    sha256: info.sha256,
    content: shown(type, file, content),
    changedAt: info.createdAt,
  };
}

function shown(type: string, file: string, content: string): string {
  if (documentOfType(type)?.rows) return storedPlan(content);
  if (type === 'pull_request_report') return pullRequest(content);
  return file.endsWith('.json') ? spread(content) : content;
}

/** Beads are rows, and their versions are what was written of them. */
async function presentPlan(
  client: Client,
  ticket: string,
  { type, file }: { readonly type: string; readonly file: string },
): Promise<ArtifactText | undefined> {
  const { beads, sha256 } = await client.beads(ticket);
  if (beads.length === 0) return undefined;
  const newest = newestOf(await client.artifacts(ticket), type);
  return {
    type,
    file,
    version: newest?.version,
    sha256,
    content: planLines(beads),
    changedAt: newest?.createdAt ?? 0,
  };
}

export function newestOf(artifacts: readonly ArtifactInfo[], type: string): ArtifactInfo | undefined {
  return artifacts.findLast((info) => info.type === type && !info.archived);
}

/** Without what changes while beads run. What can't be read is shown as it is. */
function storedPlan(content: string): string {
  try {
    const lines = content.split('\n').filter((line) => line.trim() !== '');
    return planLines(lines.map((line) => Bead.parse(JSON.parse(line))));
  } catch {
    return content;
  }
}

/** A text that can't be read is shown as it is. */
function pullRequest(content: string): string {
  try {
    const { title, branch, base, location, body } = PullRequestReport.parse(JSON.parse(content));
    return `# ${title.replace(/\s+/g, ' ').trim()}\n\n\`${branch}\` into \`${base}\` · ${location}\n\n${body.trimEnd()}\n`;
  } catch {
    return content;
  }
}

function spread(content: string): string {
  try {
    return `${JSON.stringify(JSON.parse(content), null, 2)}\n`;
  } catch {
    return content;
  }
}
