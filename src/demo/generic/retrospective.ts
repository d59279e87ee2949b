import { yamlFence } from '../script/documentText.ts';
import type { Plan } from '../script/modelScript.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import { noteFiles } from './noteFiles.ts';
import { ticketFacts } from './ticketFacts.ts';

/** Looks back without having seen anything: says so, and refers to the files that its own coding writes. */
export function lookBack({ parts }: ParsedChat): Plan {
  const { id, title } = ticketFacts(parts);
  const beads = [...(parts.get('bead_stories') ?? '').matchAll(/^### ([a-z0-9-]+): /gm)].map(
    ([, bead = '']) => bead,
  );
  const { module, test } = noteFiles(beads[0] ?? 'unknown-bead');
  const handoff = {
    patterns: [
      { text: `${id} keeps each note in a module of its own. (A scripted handoff.)`, evidence: [module] },
    ],
    decisions: [],
    gotchas: [],
    files: [],
    test_patterns: [{ text: 'Each note has a test beside it. (A scripted handoff.)', evidence: [test] }],
    risks: [],
  };
  const text = yamlFence({
    patterns: ['Each note is a module. (A scripted answer.)'],
    decisions: [],
    gotchas: [],
    went_well: [`${title}: done as scripted.`],
    went_badly: [],
    handoff,
    uat: [],
  });
  return { calls: [], text };
}
