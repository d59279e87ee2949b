import { PrdDraft } from '../../domain/requirements/prd.ts';
import { readDocument, readItems, readRecords, textField, yamlFence } from '../script/documentText.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import type { PromptParts } from '../script/promptParts.ts';
import { winningDraft } from './council.ts';
import { ticketFacts } from './ticketFacts.ts';

export function prdDraft({ parts, model }: ParsedChat): string {
  return yamlFence(genericPrd(parts, model));
}

export function prdRefine({ parts, model }: ParsedChat): string {
  const winner = winningDraft(parts, (value) => PrdDraft.safeParse(value).data);
  return yamlFence({ ...(winner ?? genericPrd(parts, model)), changes: [] });
}

export function prdRevise({ parts, model }: ParsedChat): string {
  const present = PrdDraft.safeParse(readDocument(parts.get('prd'))).data ?? genericPrd(parts, model);
  const gaps = readItems(parts.get('gaps'));
  return yamlFence({
    ...present,
    risks: [...present.risks, ...gaps.map((gap) => `Noted by the scripted model: ${gap}`)],
    changes: [],
    gap_resolutions: resolutions(gaps, 'updated_prd'),
  });
}

/** One resolution a gap, in the gap's own words. */
export function resolutions(gaps: readonly string[], action: 'updated_prd' | 'already_covered'): unknown[] {
  const listed = gaps.length > 0 ? gaps : ['(no gap was named)'];
  return listed.map((gap) => ({
    gap,
    action: gaps.length > 0 ? action : 'already_covered',
    rationale: 'Written down where a reader will look for it.',
    affected_items: [],
  }));
}

export function genericPrd(parts: PromptParts, model: string): PrdDraft {
  const { title, description } = ticketFacts(parts);
  const asked = readRecords(parts.get('full_answers') ?? parts.get('interview'), 'questions').map(
    (question) => textField(question, 'id'),
  );
  const wishes = ticketWishes(title, description);
  return {
    product: {
      problem_statement: `${title}. (Written by the scripted model ${model} from the ticket alone.)`,
      target_users: ['The people who use and maintain this repository'],
    },
    scope: { in_scope: [...wishes], out_of_scope: ['Changes to existing files'] },
    technical_requirements: {
      architecture_constraints: ['New files only, below beadsmith-notes/.'],
      tooling_assumptions: ['Node 20 or later runs the tests.'],
    },
    epics: [
      {
        id: 'EPIC-1',
        title,
        objective: 'A small tested note for every wish of the ticket.',
        implementation_steps: ['Write a module and its test for each story.'],
        user_stories: wishes.map((wish, index) => ({
          id: `US-1-${String(index + 1)}`,
          title: wish,
          interview_refs: index === 0 && asked.length > 0 ? asked : ['ticket'],
          acceptance_criteria: [`A module records "${wish}" and its test passes.`],
          implementation_steps: ['Write the module.', 'Write its test.', 'Run the test.'],
          verification: { required_commands: [] },
        })),
      },
    ],
    risks: ['The scripted model understands nothing; its work is a stand-in.'],
  };
}

/** One to three wishes: the bullets of the description, else its title alone. */
export function ticketWishes(title: string, description: string): readonly string[] {
  const bullets = description
    .split('\n')
    .map((line) => /^\s*(?:[-*]|\d+[.)])\s+(\S.*)$/.exec(line)?.[1]?.trim())
    .filter((line) => line !== undefined)
    .map((line) => line.slice(0, 120));
  const wishes = [...new Set(bullets)].slice(0, 3);
  return wishes.length > 0 ? wishes : [title.slice(0, 120)];
}
