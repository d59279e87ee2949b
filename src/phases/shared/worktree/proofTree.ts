import { type Evidence, passed } from '../../../domain/core/evidence.ts';
import { classifyChange } from '../../../domain/core/noise.ts';
import type { Git } from '../../../engine/ports/ports.ts';
import { namesText } from '../../../base/listed.ts';

type ScratchGit = Pick<Git, 'checkOutScratch' | 'scratchChanges'>;

/** The same files for every command. What git ignores stays: the commit's commands made it. */
export class ProofTree {
  readonly #git: ScratchGit;
  readonly #name: string;
  readonly #commit: string;
  readonly #kept: readonly string[];
  readonly #made = new Set<string>();

  constructor(git: ScratchGit, name: string, commit: string, kept: readonly string[]) {
    this.#git = git;
    this.#name = name;
    this.#commit = commit;
    this.#kept = kept;
  }

  get made(): readonly string[] {
    return [...this.#made];
  }

  async putBack(): Promise<readonly string[]> {
    const { changes, ignored } = await this.#git.scratchChanges(this.#name);
    for (const path of [...changes.map((change) => change.path), ...ignored]) this.#made.add(path);
    const rules = { setup: this.#kept };
    const stays = (path: string): boolean =>
      classifyChange({ path, state: 'untracked' }, rules) !== 'committable';
    const kept = changes
      .filter(({ path, state }) => state === 'untracked' && stays(path))
      .map(({ path }) => path);
    const changed = changes.map(({ path }) => path).filter((path) => !kept.includes(path));
    if (changed.length > 0) await this.#git.checkOutScratch(this.#name, this.#commit, [...ignored, ...kept]);
    return changed;
  }
}

const mostNamed = 20;

export function explainPutBack(
  evidence: readonly Pick<Evidence, 'command' | 'changed' | 'exitCode' | 'timedOut' | 'knownFailures'>[],
): string {
  const failed = evidence.findIndex((item) => !passed(item));
  const before = evidence.slice(0, Math.max(0, failed)).filter(({ changed = [] }) => changed.length > 0);
  if (before.length === 0) return '';
  const lines = before.map(
    ({ command, changed = [] }) => `- \`${command}\` changed ${namesText(changed, mostNamed)}`,
  );
  return [
    'Checks before this one changed files of the commit. They were put back, because each check has to pass on the files that are committed:',
    ...lines,
    'If the work needs these changes, commit them.',
  ].join('\n');
}
