import type { PromptPart } from '../domain/usage/promptPlan.ts';

export interface SeedNames {
  readonly ticket: string;
  readonly bead: string;
}

interface Group {
  readonly label: string;
  readonly names: readonly string[];
}

/**
 * A loop's coding prompt: preamble, the user's additions, ticket and PRD, bead, then the task and other
 * parts, with `---` between them (docs/decisions/140-passes.md).
 */
export function inSeedOrder(
  instructions: string,
  parts: readonly PromptPart[],
  { ticket, bead }: SeedNames,
  frame: (part: PromptPart) => string,
): string {
  const framed = groupsOf({ ticket, bead }).map(({ label, names }) => {
    const own = partsOf(parts, names).map(frame);
    return own.length === 0 ? '' : [...(label === '' ? [] : [label]), ...own].join('\n\n');
  });
  const rest = seedSequence(parts).after.map(frame);
  return [...framed.filter((text) => text !== ''), [instructions, ...rest].join('\n\n')].join('\n\n---\n\n');
}

/** The parts before and after the task, as `inSeedOrder` writes them. */
export function seedSequence(parts: readonly PromptPart[]): {
  readonly before: readonly PromptPart[];
  readonly after: readonly PromptPart[];
} {
  const before = groupsOf({ ticket: '', bead: '' }).flatMap(({ names }) => partsOf(parts, names));
  return { before, after: parts.filter((part) => !before.includes(part)) };
}

function groupsOf({ ticket, bead }: SeedNames): readonly Group[] {
  return [
    { label: '', names: ['preamble', 'iteration'] },
    { label: '## Additional Context (added by user mid-loop)', names: ['user_context', 'added_context'] },
    { label: `## Change Proposal (${ticket})`, names: ['change_proposal'] },
    { label: `## Module (${bead})`, names: ['bead_data', 'bead_notes'] },
  ];
}

function partsOf(parts: readonly PromptPart[], names: readonly string[]): readonly PromptPart[] {
  return names.flatMap((name) => parts.filter((part) => part.name === name));
}
