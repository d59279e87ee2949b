// Writes the parts of README.md that are read off the code: the workflow table and the map of rooms.
// `node .build/readme.mjs` writes, `--check` fails when the page isn't up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';

ensureNode24();
const { workflow } = await import('../src/domain/workflow/workflow.ts');

const page = join(root, 'README.md');
const before = readFileSync(page, 'utf8');
const after = replace(replace(before, 'workflow', workflowTable()), 'rooms', roomsTable());
if (process.argv.includes('--check')) {
  if (after !== before) {
    console.error('README.md is not up to date: run "node .build/readme.mjs".');
    process.exitCode = 1;
  }
} else writeFileSync(page, after);

function workflowTable() {
  const rows = Object.entries(workflow).map(([status, row]) => {
    const exits = Object.entries(row.exits).map(([exit, to]) => `${exit} → ${to}`);
    const actions = Object.keys(row.actions).filter(
      (action) => !['cancel', 'context', 'question_reply', 'permission_reply', 'pause', 'resume', 'limits'].includes(action),
    );
    return `| ${status} | ${row.column} | ${exits.join('<br>')} | ${actions.join(', ')} |`;
  });
  return [
    'Printed from `src/domain/workflow/workflow.ts`. Any status that isn’t over can also be canceled, paused and given context, and can block; its limits can be changed once it was started.',
    '',
    '| Status | Column | Leads to | You can |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function roomsTable() {
  const layers = readFileSync(join(root, '.build/rooms.mjs'), 'utf8');
  const rooms = {
    base: 'helpers that know nothing of tickets',
    domain: 'what things are: the two tables, schemas, errors, settings',
    protocol: 'words on wires: the client API, CLI events',
    context: 'what goes into a model call: slices, sections, order, budget, prompt files',
    engine: 'runs tickets durably: journal, steps, transitions; declares the ports',
    phases: 'what happens in a status, one handler a file',
    adapters: 'the outside world, one folder a port',
    app: 'composition without an editor',
    demo: 'sample repository, its ticket, the scripted model',
    language: 'the language server for documents of tickets, a process of its own',
    views: 'what a person sees in the editor',
    host: 'VS Code wiring',
    cli: 'the command line',
  };
  for (const room of Object.keys(rooms)) if (!layers.includes(room)) throw new Error(`${room} is no room of .build/rooms.mjs`);
  return ['| Room | What is in it |', '|---|---|', ...Object.entries(rooms).map(([room, about]) => `| \`${room}/\` | ${about} |`)].join(
    '\n',
  );
}

function replace(text, name, content) {
  const open = `<!-- ${name} -->`;
  const close = `<!-- /${name} -->`;
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < 0) throw new Error(`README.md has no part "${name}"`);
  return `${text.slice(0, start + open.length)}\n${content}\n${text.slice(end)}`;
}
