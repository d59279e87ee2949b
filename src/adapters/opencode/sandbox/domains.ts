import { basename, dirname } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import type { ToolPolicy } from '../../../domain/usage/promptPlan.ts';

/**
 * Sessions that may see each other's work share a sandboxed server. `tree`: the folder of all worktrees
 * (read-only) for planning, else one ticket's worktree.
 */
export interface Domain {
  readonly name: string;
  readonly kind: 'planning' | 'setup' | 'coding';
  readonly tree?: string;
}

export const bareDomain: Domain = { name: 'main', kind: 'planning' };

export function domainFor(policy: ToolPolicy, directory: string): Domain {
  if (policy === 'default') return { name: `coding-${short(directory)}`, kind: 'coding', tree: directory };
  if (policy === 'execution_setup_online')
    return { name: `setup-${short(directory)}`, kind: 'setup', tree: directory };
  return { name: `planning-${short(dirname(directory))}`, kind: 'planning', tree: dirname(directory) };
}

export function domainsOf(directory: string): readonly Domain[] {
  return [
    domainFor('default', directory),
    domainFor('execution_setup_online', directory),
    domainFor('read_only', directory),
    bareDomain,
  ];
}

function short(folder: string): string {
  return `${basename(folder)
    .replace(/[^\w-]/g, '_')
    .slice(0, 40)}-${sha256(folder).slice(0, 8)}`;
}
