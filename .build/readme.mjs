// Writes the parts of README.md and docs/ARCHITECTURE.md that are read off the code: the workflow table and the rooms.
// `node .build/readme.mjs` writes, `--check` fails when a page isn't up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';
import { rooms } from './rooms.mjs';

ensureNode24();
const { workflow } = await import('../src/domain/workflow/workflow.ts');

const check = process.argv.includes('--check');
write('README.md', { workflow: workflowTable(), rooms: roomsTable() });
write('docs/ARCHITECTURE.md', { rooms: importsTable() });

/** Writes the parts of a page, or with `--check` fails when they aren't up to date. */
function write(name, parts) {
  const page = join(root, name);
  const before = readFileSync(page, 'utf8');
  const after = Object.entries(parts).reduce((text, [part, content]) => replace(text, name, part, content), before);
  if (after === before) return;
  if (!check) return writeFileSync(page, after);
  console.error(`${name} is not up to date: run "node .build/readme.mjs".`);
  process.exitCode = 1;
}

function workflowTable() {
  const rows = Object.entries(workflow).map(([status, row]) => {
    const exits = Object.entries(row.exits).map(([exit, to]) => `${exit} → ${to}`);
    const actions = Object.keys(row.actions).filter(
      (action) =>
        !['cancel', 'context', 'withdraw_context', 'question_reply', 'permission_reply', 'pause', 'resume', 'limits'].includes(action),
    );
    return `| ${status} | ${row.column} | ${exits.join('<br>')} | ${actions.join(', ')} |`;
  });
  return [
    'Printed from `src/domain/workflow/workflow.ts`. In any status that isn’t over a ticket can also be canceled, paused and given context, and it can block. Its limits can be changed once it has started.',
    '',
    '| Status | Column | Leads to | You can |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function roomsTable() {
  const rows = Object.entries(rooms).map(([room, { about }]) => `| \`${room}/\` | ${about} |`);
  return ['| Room | What is in it |', '|---|---|', ...rows].join('\n');
}

function importsTable() {
  const rows = Object.entries(rooms).map(([room, { about, imports, vscode, node }]) => {
    const others = [vscode ? '`vscode`' : '', node ? 'Node' : ''].filter(Boolean).join(', ');
    return `| \`${room}/\` | ${about} | ${imports.join(', ') || '–'} | ${others || '–'} |`;
  });
  return ['| Room | Responsibility | May import | Also |', '|---|---|---|---|', ...rows].join('\n');
}

function replace(text, page, part, content) {
  const open = `<!-- ${part} -->`;
  const close = `<!-- /${part} -->`;
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < 0) throw new Error(`${page} has no part "${part}"`);
  return `${text.slice(0, start + open.length)}\n${content}\n${text.slice(end)}`;
}
