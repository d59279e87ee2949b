// Writes the tables of docs/statuses.md and docs/ARCHITECTURE.md that come from the code: the workflow and the
// rooms. `node .build/docsTables.mjs` writes; a test fails when a page isn't up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';
import { rooms } from './rooms.mjs';

/**
 * The pages whose parts aren't what the code says, and what they would be. @returns {Promise<{ name: string,
 * text: string }[]>}
 */
export async function outdatedPages() {
  const { workflow } = await import('../src/domain/workflow/workflow.ts');
  const pages = {
    'docs/statuses.md': { workflow: workflowTable(workflow) },
    'docs/ARCHITECTURE.md': { rooms: roomsTable() },
  };
  return Object.entries(pages).flatMap(([name, parts]) => {
    const before = readFileSync(join(root, name), 'utf8');
    const text = Object.entries(parts).reduce(
      (page, [part, content]) => replace(page, name, part, content),
      before,
    );
    return text === before ? [] : [{ name, text }];
  });
}

function workflowTable(workflow) {
  const rows = Object.entries(workflow).map(([status, row]) => {
    const exits = Object.entries(row.exits).map(([exit, to]) => `${exit} → ${to}`);
    const actions = Object.keys(row.actions).filter(
      (action) =>
        ![
          'cancel',
          'context',
          'withdraw_context',
          'question_reply',
          'permission_reply',
          'pause',
          'resume',
          'limits',
        ].includes(action),
    );
    return `| ${status} | ${row.column} | ${exits.join('<br>')} | ${actions.join(', ')} |`;
  });
  return ['| Status | Column | Leads to | You can |', '|---|---|---|---|', ...rows].join('\n');
}

function roomsTable() {
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

if (process.argv[1] === import.meta.filename) {
  ensureNode24();
  for (const { name, text } of await outdatedPages()) writeFileSync(join(root, name), text);
}
