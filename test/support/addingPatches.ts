import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const folder = 'test/fixtures/adding';
const mostFiles: Readonly<Record<string, number>> = {
  'setting.patch': 2,
  'fact.patch': 3,
  'action.patch': 3,
  'status.patch': 5,
  'bead-stage.patch': 5,
};
const mostOtherwise = 10;

export interface AddingPatch {
  readonly path: string;
  readonly files: readonly string[];
  readonly most: number;
}

export function addingPatches(): readonly AddingPatch[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.patch'));
  return names.map((name) => {
    const path = `${folder}/${name}`;
    const text = readFileSync(join(root, path), 'utf8');
    const files = Array.from(text.matchAll(/^diff --git a\/\S+ b\/(\S+)$/gm), ([, file = '']) => file);
    return { path, files, most: mostFiles[name] ?? mostOtherwise };
  });
}

/** Throws with what to do when the patch no longer fits. */
export function applyPatch(copy: string, { path, files }: AddingPatch, ...options: readonly string[]): void {
  try {
    execFileSync('git', ['apply', ...options, join(root, path)], { cwd: copy, stdio: 'pipe' });
  } catch (error) {
    throw new Error(
      [
        `${path} no longer applies. To refresh it, in a checkout without changes:`,
        `  git apply --3way ${path}    and resolve the conflicts`,
        `  git add -A && git diff --cached -- ${files.join(' ')} > /tmp/refreshed.patch`,
        `  git reset --hard && mv /tmp/refreshed.patch ${path}`,
        `and keep the list of files in docs/adding.md in step.`,
        error instanceof Error ? error.message : String(error),
      ].join('\n'),
      { cause: error },
    );
  }
}

/** The files that docs/adding.md lists for a patch: the first name in code of each numbered item. */
export function listedFiles(patch: string): readonly string[] {
  const sections = readFileSync(join(root, 'docs/adding.md'), 'utf8').split(/^## /m);
  const section = sections.find((text) => text.includes(`\`${patch}\``)) ?? '';
  return Array.from(section.matchAll(/^\d+\. `([^`]+)`/gm), ([, file = '']) => file);
}
