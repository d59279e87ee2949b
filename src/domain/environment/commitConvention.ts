import * as z from 'zod';
import { forgeText } from '../../base/forgeText.ts';
import { isRecord, jsonObject } from '../../base/json.ts';
import { ticketIdPattern } from '../core/ids.ts';

/** Forms of commits' first lines (docs/decisions/181-habits-of-the-repository.md). */
const CommitStyle = z.enum(['conventional', 'plain']);
type CommitStyle = z.infer<typeof CommitStyle>;

/** `commit_convention`. `because`: the file that asks for it, or how many commits have it. */
export const CommitConvention = z.object({ style: CommitStyle, because: z.string() });
export type CommitConvention = z.infer<typeof CommitConvention>;

/** Configurations of commitlint, besides npm's manifest. */
export const commitlintPlaces: readonly string[] = [
  ...['', '.json', '.yaml', '.yml', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts'].map(
    (ending) => `.commitlintrc${ending}`,
  ),
  ...['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts'].map((ending) => `commitlint.config${ending}`),
];

/** The number of newest subjects to read. */
export const subjectsSeen = 30;
const enough = 9;

const types = ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test'];
// Many repositories begin subjects with an area, so the list is closed.
const conventional = new RegExp(`^(?:${types.join('|')})(?:\\([^()]{1,60}\\))?!?: \\S`);
// Beadsmith's own commits aren't people's habit.
const ours = new RegExp(`^test\\(${ticketIdPattern}\\): final test$`);

const typesOfKinds: Readonly<Record<string, string>> = {
  ...Object.fromEntries(types.map((type) => [type, type])),
  bug: 'fix',
  bugfix: 'fix',
  hotfix: 'fix',
  defect: 'fix',
  regression: 'fix',
  'qa-fix': 'fix',
  documentation: 'docs',
  tests: 'test',
  testing: 'test',
  refactoring: 'refactor',
  performance: 'perf',
};

const longest = 100;

/** A repository's form. `manifest`: its package.json; `subjects`: newest first. */
export function conventionOf({
  files,
  manifest,
  subjects,
}: {
  readonly files: readonly string[];
  readonly manifest: string | undefined;
  readonly subjects: readonly string[];
}): CommitConvention {
  const file =
    commitlintPlaces.find((place) => files.includes(place)) ??
    (configures(manifest) ? 'package.json' : undefined);
  if (file !== undefined) return { style: 'conventional', because: file };
  const seen = subjects.slice(0, subjectsSeen);
  const fitting = seen.filter((subject) => conventional.test(subject) && !ours.test(subject)).length;
  return {
    style: fitting < enough ? 'plain' : 'conventional',
    because: `${String(fitting)} of ${String(seen.length)}`,
  };
}

/** A bead commit's first line. */
export function beadSubject(
  { id, title, issueType }: { readonly id: string; readonly title: string; readonly issueType: string },
  style: CommitStyle,
): string {
  const text = forgeText.plain(title);
  if (style === 'plain') return `bead(${id}): ${text}`;
  if (conventional.test(text)) return shortened(text);
  const type = Object.entries(typesOfKinds).find(([kind]) => kind === issueType.toLowerCase())?.[1] ?? 'feat';
  return shortened(`${type}: ${uncapitalized(text.replace(/[.\s]+$/, '')) || id}`);
}

function configures(manifest: string | undefined): boolean {
  return isRecord(jsonObject(manifest ?? '')['commitlint']);
}

function uncapitalized(text: string): string {
  return /^\p{Lu}[^\p{Lu}\s]*(?=\s|$)/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function shortened(text: string): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 1);
  // Never between the halves of a surrogate pair.
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(' '), longest / 2))
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}
