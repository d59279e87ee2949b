// Writes docs/prompts.md, the inventory of prompts, from the prompt files and the tables of src/context.
// `npm run docs` calls it; a test compares the page with what this would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';

/** The whole page. */
export async function promptDocs() {
  const [
    { heldBack, slicesOf },
    { parsePromptFile },
    { promptInventory },
    { sectionAllowed, sectionRow, sectionTable },
    { contextKeys },
    { slices },
    { defaultTokenBudget },
  ] = await Promise.all(
    [
      'context/allowlists',
      'context/promptFile',
      'context/promptInventory',
      'context/sections',
      'domain/workflow/contextKeys',
      'context/slices',
      'context/buildMinimalContext',
    ].map((name) => import(`../src/${name}.ts`)),
  );

  const prompts = Object.entries(promptInventory).map(([name, { keys, session }]) => {
    const file = parsePromptFile(name, readFileSync(join(root, 'prompts', `${name}.md`), 'utf8'));
    const key = keys === 'any' ? '–' : keys.map(code).join(', ');
    const budget =
      session === 'system' || session === 'part'
        ? '–'
        : file.budget >= ownBudget
          ? "the ticket's"
          : file.budget.toLocaleString('en');
    const inputs = file.inputs.map(code).join(', ') || '–';
    return [
      `[${name}](../prompts/${name}.md)`,
      file.about,
      session,
      file.policy,
      key,
      inputs,
      file.output,
      budget,
    ];
  });
  const keys = contextKeys.map((key) => {
    const own = Object.keys(sectionTable).filter(
      (name) => sectionRow(name).keys !== 'all' && sectionAllowed(name, key),
    );
    return [code(key), list(slicesOf(key)), list(heldBack[key] ?? []), list(own)];
  });
  const everywhere = Object.keys(sectionTable).filter((name) => sectionRow(name).keys === 'all');
  const parts = [
    ...Object.entries(slices).map(([name, row]) => [
      code(name),
      'slice',
      row.stability,
      row.refresh,
      row.protected ? 'never cut' : '–',
      row.heading,
    ]),
    ...Object.entries(sectionTable).map(([name, row]) => [
      code(name),
      'section',
      row.stability,
      row.refresh,
      row.cap.toLocaleString('en'),
      row.heading,
    ]),
  ];

  return `# Prompts

<!-- Written by .build/promptDocs.mjs (npm run docs). Don't edit by hand. -->

Every model call is made from one file of \`prompts/\` and the context that its key allows. The text of a prompt lives in its file and nowhere else; to
change one, edit the file. A file has front matter (\`about\`, \`inputs\`, \`budget\`, \`policy\`, \`output\`) and a body with \`{{holes}}\`; inputs and holes
are the same set. An agent's file also has \`rules\`, in short for the end of a long prompt
([decision 151](decisions/151-rules-are-repeated-in-long-prompts.md)). A person's own file of the same name can stand in for one ([decision 100](decisions/100-own-prompts.md)).

A call is laid out from stable to fleeting: instructions, then the parts of class 0 (fixed for the ticket) and 1 (for the bead), then class 2 (per
attempt) and 3 (per call). The stable head goes ahead when it is over 1,024 tokens, so that a provider's cache can keep it.
Each part stands under \`## name\`. Material is in a fence of its own that no content can close; what people decided, rules and numbers of the engine are
quoted with \`>\` instead. The last line says what to answer: \`output\` of the file, what the answer \`begins\` with, and its last line
([decision 173](decisions/173-what-holds-stands-outside-of-fences.md)).

## The files

${table(['Prompt', 'What for', 'Session', 'Tools', 'Context key', 'Inputs', 'Answer', 'Budget (tokens)'], prompts)}

*Session*: \`fresh\` opens one, \`same\` continues in the one that answered before, \`system\` is an agent's own system prompt, \`part\` becomes a part of another prompt. A repair and \`continue\` are
sent with the tools of the prompt they follow. *Budget*: what instructions and context may take together; a file may ask for less than the ticket's token
budget (setting, default ${defaultTokenBudget.toLocaleString('en')}), and never gets more.

## What each context key may hold

${table(['Key', 'Slices, in order', 'Allowed but held back', 'Sections of its own'], keys)}

Every key but \`capability_probe\` may hold ${everywhere.map(code).join(' and ')} as well. \`ticket_details\` always comes first.

## The parts

${table(['Part', 'Kind', 'Class', 'Refreshed from', 'Cap (tokens)', 'What the model is told it is'], parts)}

*Refreshed from*: \`state\` the database, \`file\` files or git's objects, \`live\` the machine or the clock; always when the prompt is made. Sections stand in the
order of this table at first; within a class, what changed later stands behind what changed earlier ([decision 154](decisions/154-order-by-last-change.md)).

A section over its cap, or over a quarter of the budget, is shrunk to it. When a prompt is over its budget, slices give way in a fixed order, first
shrunk to 500 tokens (head and tail, with a line between them that says how much is missing), then dropped; after them the sections, the last one
first. What was cut is kept with the plan of the call and shown.
`;
}

/** The highest token budget a ticket can have; a file that names it has no limit of its own. */
const ownBudget = 1_000_000;
const code = (name) => `\`${name}\``;
const list = (names) => names.map(code).join(', ') || '–';
const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
const table = (head, rows) => [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

if (process.argv[1] === import.meta.filename) {
  ensureNode24();
  writeFileSync(join(root, 'docs/prompts.md'), await promptDocs());
}
