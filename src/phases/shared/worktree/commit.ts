import { classifyChange } from '../../../domain/core/noise.ts';
import type { ComparedFile, FileChange } from '../../../engine/ports/ports.ts';
import type { RecordIo, StepIo } from '../../../engine/run/run.ts';
import { profileOf } from './runtime.ts';

/** See docs/decisions/032-bead-finalization.md. */
export interface PathSelection {
  readonly paths: readonly string[];
  readonly leftOut: readonly string[];
  readonly doubtful: readonly string[];
}

export function pathsOf({ path, oldPath }: ComparedFile): readonly string[] {
  return oldPath === null ? [path] : [path, oldPath];
}

export async function markPrograms(
  { ports: { git } }: StepIo,
  worktree: string,
  changes: readonly FileChange[],
): Promise<readonly FileChange[]> {
  const untracked = changes.filter(({ state }) => state === 'untracked').map(({ path }) => path);
  const programs = new Set(await git.programs(worktree, untracked));
  return changes.map((change) => (programs.has(change.path) ? { ...change, program: true } : change));
}

/** `setup`: left out. `wanted`: never left out. `rewritten`: always. */
export async function selectPaths(
  io: RecordIo,
  rules: {
    readonly wanted?: readonly string[];
    readonly setup?: readonly string[];
    readonly rewritten?: readonly string[];
  } = {},
): Promise<(changes: readonly FileChange[]) => PathSelection> {
  const profile = await profileOf(io);
  const prepared = profile
    ? [...profile.temp_roots, ...[...profile.reusable_artifacts, ...profile.inputs].map((item) => item.path)]
    : [];
  const setup = [...prepared, ...(rules.setup ?? [])];
  return (changes) => {
    const paths: string[] = [];
    const leftOut: string[] = [];
    const doubtful: string[] = [];
    for (const change of changes) {
      const isRewritten = rules.rewritten?.includes(change.path) === true;
      const found = isRewritten ? 'noise' : classifyChange(change, { setup, wanted: rules.wanted ?? [] });
      if (found === 'committable') paths.push(change.path);
      else if (found !== 'ticket') leftOut.push(change.path);
      if (found === 'doubtful') doubtful.push(change.path);
    }
    return { paths, leftOut, doubtful };
  };
}
