import * as z from 'zod';
import { Blueprint } from '../../domain/beads/bead.ts';
import { yamlFence } from '../script/documentText.ts';
import type { ScriptInput } from '../script/modelScript.ts';
import { sample } from './sample.ts';

/** As they are written, without defaults: a model's answer. */
const { beads } = z
  .custom<z.input<typeof Blueprint>>((plan) => Blueprint.safeParse(plan).success)
  .parse({ beads: sample.beads });

function firstThought(title: string): string {
  return `${title} (first thought)`;
}

export const beadTasks: ScriptInput['tasks'] = {
  'beads-draft': [
    { when: { model: 'alpha' }, text: yamlFence({ beads }) },
    {
      text: yamlFence({
        beads: beads.map((bead) => ({
          ...bead,
          tests: bead.tests?.slice(0, 1),
          title: firstThought(bead.title),
        })),
      }),
    },
  ],
  'beads-refine': [
    {
      text: yamlFence({
        beads,
        changes: beads.map(({ id, title }) => ({
          type: 'modified',
          item_type: 'bead',
          before: { id, title: firstThought(title) },
          after: { id, title },
          inspiration: { alternative_draft: 'Draft 2', item: id },
        })),
      }),
    },
  ],
  'beads-expand': [
    {
      text: beads
        .map(({ id }) => {
          const { blocked_by, targetFiles } = sample.expansion[id] ?? { blocked_by: [], targetFiles: [] };
          return JSON.stringify({
            id,
            issueType: 'feature',
            labels: ['epic:epic-1', 'area:report'],
            dependencies: { blocked_by },
            targetFiles,
          });
        })
        .join('\n'),
    },
  ],
};

export const sampleBeads = beads.map(({ id, title, testCommands = [] }) => ({ id, title, testCommands }));
