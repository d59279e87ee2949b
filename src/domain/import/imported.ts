import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { IssueOrigin } from '../forge/issue.ts';

/** Formats that tickets are taken in from, with their names. */
export const importFormats = {
  'spec-kit': 'Spec Kit',
  kiro: 'Kiro',
  backlog: 'Backlog.md',
  'task-master': 'Task Master',
  bd: 'bd',
  markdown: 'Markdown',
  todo: 'TODO comments',
  github: 'GitHub',
} as const;
/** The name of a format. */
export type ImportFormat = keyof typeof importFormats;

const Text = z.string();
/** `met`: checked off in the source. */
const Criterion = z.object({ id: Text, text: Text, met: z.boolean().default(false) });
const Requirement = z.object({ id: Text, title: Text, text: Text, criteria: z.array(Criterion) });
/** `requirements`: ids of requirements or criteria that the source names. */
const Task = z.object({
  id: Text,
  title: Text,
  text: Text,
  done: z.boolean(),
  dependsOn: z.array(Text),
  requirements: z.array(Text),
});
const NotUnderstood = z.object({ where: Text, text: Text });

/**
 * One ticket of a source. `path`: of its file or folder. `id`: in a source of several tickets. `dependsOn`:
 * ids of other tickets of the source. `origin`: the issue that it is.
 */
export const Imported = z.object({
  format: z.enum(Object.keys(importFormats) as [ImportFormat, ...ImportFormat[]]),
  path: Text,
  id: Text,
  title: Text,
  description: Text,
  priority: z.number().int().min(1).max(5),
  requirements: z.array(Requirement),
  tasks: z.array(Task),
  dependsOn: z.array(Text),
  files: z.array(Text),
  origin: IssueOrigin.optional(),
});
export type Imported = z.infer<typeof Imported>;
/** A requirement with its criteria. */
export type ImportedRequirement = Imported['requirements'][number];
/** A task, open or done. */
export type ImportedTask = Imported['tasks'][number];

/** The content of a source. `done`: its tickets that are done, which are left out. */
export const ImportedSource = z.object({
  tickets: z.array(Imported),
  done: z.number().int(),
  notUnderstood: z.array(NotUnderstood),
});
export type ImportedSource = z.infer<typeof ImportedSource>;

/** A file of a source. `path`: with slashes, relative to the repository if it is inside. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The key of a ticket's source: importing it again finds the ticket. */
export function importKey({ format, path, id }: Pick<Imported, 'format' | 'path' | 'id'>): string {
  return `import:${format}:${sha256(JSON.stringify([path, id]))}`;
}

/** An empty ticket of a source, to be filled. */
export function importedOf(given: Pick<Imported, 'format' | 'path' | 'title'> & Partial<Imported>): Imported {
  return {
    id: '',
    description: '',
    priority: 3,
    requirements: [],
    tasks: [],
    dependsOn: [],
    files: [given.path],
    ...given,
  };
}
