import * as z from 'zod';
import { jsonOf } from '../../base/json.ts';
import { noChoices, PromptChoices, StandingRule } from '../prompts/promptChoices.ts';
import type { Document } from './base/document.ts';

const Rule = z.strictObject({ ...StandingRule.shape, bead: StandingRule.shape.bead.default(null) });

/** `prompt-rules.yaml`: all rules for later prompts; without a bead, for the whole ticket. */
const PromptRules = z.strictObject({ rules: z.array(Rule).max(500) }).check(({ value, issues }) => {
  for (const [index, { part, bead }] of value.rules.entries())
    if (value.rules.findIndex((one) => one.part === part && one.bead === bead) < index)
      issues.push({
        code: 'custom',
        input: part,
        path: ['rules', index, 'part'],
        message: `There is another rule for ${part}${bead === null ? '' : ` of ${bead}`}.`,
      });
});
type PromptRules = z.infer<typeof PromptRules>;

/** Parts that people pin and exclude (docs/decisions/157-people-choose-what-later-prompts-hold.md). */
export const promptRulesDocument = {
  kind: 'prompt_rules',
  title: 'Prompt rules',
  subject: 'The list of prompt rules',
  file: 'prompt-rules.yaml',
  format: 'yaml',
  schema: PromptRules,
  ungated: {
    action: 'prompt_rule',
    artifact: 'prompt_choices',
    text: (stored) => {
      const { rules } = PromptChoices.safeParse(jsonOf(stored ?? '')).data ?? noChoices;
      return rules.length === 0 ? 'rules: []\n' : `rules:\n${rules.map(linesOf).join('')}`;
    },
  },
} as const satisfies Document<PromptRules>;

function linesOf({ part, rule, bead }: StandingRule): string {
  return `  - part: ${part}\n    rule: ${rule}\n    bead: ${JSON.stringify(bead)}\n`;
}
