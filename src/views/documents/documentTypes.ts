import { l10n } from 'vscode';
import type { ArtifactInfo } from '../../domain/ticket/artifacts.ts';
import { documentKinds, documentOf, documentOfType } from '../../domain/documents/documents.ts';
import { qaChecklistDocument } from '../../domain/documents/qaChecklist.ts';
import type { DocumentKind } from '../../domain/workflow/rows.ts';

export const documentTypes = [
  ...documentKinds.filter((kind) => kind !== qaChecklistDocument.kind),
  'final_test_report',
  qaChecklistDocument.kind,
  'integration_report',
  'pull_request_report',
] as const;
type DocumentType = (typeof documentTypes)[number];

/** The beads are rows, so there they are as soon as there is one. */
export function documentsOf(
  beads: number,
  artifacts: readonly Pick<ArtifactInfo, 'type' | 'archived'>[],
): readonly DocumentType[] {
  return documentTypes.filter((type) =>
    documentOfType(type)?.rows
      ? beads > 0
      : artifacts.some((artifact) => artifact.type === artifactOf(type) && !artifact.archived),
  );
}

/** The artifact with the versions of a document. */
function artifactOf(type: string): string {
  return documentOfType(type)?.ungated?.artifact ?? type;
}

export interface VersionRow {
  readonly version: number;
  /** The one that counts now, of those that aren't archived. */
  readonly present: boolean;
  readonly archived: boolean;
  readonly status: ArtifactInfo['status'];
  readonly attempt: number;
  readonly createdAt: number;
}

/** Newest first. */
export function versionsOf(artifacts: readonly ArtifactInfo[], type: string): readonly VersionRow[] {
  const versions = artifacts
    .filter((info) => info.type === artifactOf(type))
    .toSorted((a, b) => b.version - a.version);
  const present = versions.find(({ archived }) => !archived)?.version;
  return versions.map(({ version, archived, status, attempt, createdAt }) => ({
    version,
    archived,
    status,
    attempt,
    createdAt,
    present: version === present,
  }));
}

export function previousOf(versions: readonly VersionRow[], version: number): VersionRow | undefined {
  return versions.find((row) => row.version < version);
}

export function documentTitle(type: DocumentType): string {
  return artifactTitle(type);
}

/** One without a name of its own is named after its type. */
export function artifactTitle(type: string): string {
  const known = titles();
  const [base = type, about] = type.split(':');
  if (base === 'bead_diff') return l10n.t('Diff');
  const [, domain = '', paper = ''] = /^([a-z]+)_(drafts|votes|winner)$/.exec(type) ?? [];
  if (Object.hasOwn(known, domain)) return paperTitle(paper, known[domain] ?? domain);
  const plain = base.replaceAll('_', ' ');
  if (Object.hasOwn(known, type)) return known[type] ?? type;
  return `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}${about === undefined ? '' : `: ${about}`}`;
}

function paperTitle(paper: string, document: string): string {
  if (paper === 'winner') return l10n.t('{0}: winner', document);
  return paper === 'votes' ? l10n.t('{0}: votes', document) : l10n.t('{0}: drafts', document);
}

function titles(): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(documentKinds.map((kind) => [kind, l10n.t(documentOf(kind).title)])),
    ...reportTitles(),
  };
}

function reportTitles(): Readonly<Record<Exclude<DocumentType, DocumentKind>, string>> {
  return {
    final_test_report: l10n.t('Final test'),
    integration_report: l10n.t('Integration'),
    pull_request_report: l10n.t('Pull request'),
  };
}
