import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import * as z from 'zod';
import { applyChanges } from '../../src/adapters/store/changes.ts';
import { SqliteDatabase } from '../../src/adapters/store/sqlite/database.ts';
import { SqliteStore } from '../../src/adapters/store/sqliteStore.ts';
import { whenFree } from '../../src/adapters/store/sql/whenFree.ts';
import { Bead } from '../../src/domain/beads/bead.ts';
import type { Ticket } from '../../src/domain/ticket/ticket.ts';
import type { Status } from '../../src/domain/workflow/workflow.ts';
import type { Change } from '../../src/engine/ports/storePort.ts';
import type { EditorScene } from '../support/editor/editorScene.ts';
import { moveTicket } from '../support/engine/moveTicket.ts';
import { sharedScene } from '../support/editor/sharedScene.ts';
import { directStore } from '../support/engine/tempStore.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/editor/workbench.ts';

/** As much of a browser as is needed. */
interface Node {
  readonly firstChild: Node | null;
}
interface Box {
  getBoundingClientRect(): { readonly left: number; readonly right: number };
}
declare const document: {
  querySelector(selector: string): Box | null;
  createRange(): Box & {
    setStart(node: Node, offset: number): void;
    setEnd(node: Node, offset: number): void;
  };
};

const greeting = /· Greet by name/;
/** The editor makes no side bar narrower, in pixels. */
const narrowest = 170;
const drafts = 300;

/** What tickets come to is written beside the window, as by another process. */
describe('the view of tickets', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let filed = 0;
  sharedScene(
    this,
    { name: 'tickets-view', tickets: [{ title: 'Greet by name', at: 'draft' }] },
    (started) => {
      scene = started;
      workbench = scene.workbench;
    },
  );

  it('shows below a ticket its beads with the files that each changed, and opens the diff of a file', async () => {
    const { repository } = scene;
    const start = await repository.git('rev-parse', 'HEAD');
    const commit = await repository.commit({ 'src/greet.txt': 'Hello\n', 'farewell.txt': 'Bye\n' });
    await write(scene.stateFolder, (database) =>
      database.write(() => applyChanges(database, 'SAMPL-1', work(start, commit), Date.now())),
    );
    await workbench.showView();
    await workbench.unfold(/1\/2 beads/);
    await named('Bead 2 of 2, Say goodbye, failed, iteration 3').waitFor();
    await named('Bead 1 of 2').click();
    await workbench.row(/^\s*farewell\.txt\+1 −0/).waitFor();
    await workbench.allScreenshots('tickets-view-ticket');
    await changed().click();
    await workbench.tab(/greet\.txt \(SAMPL-1: greet, added\)/).waitFor();
  });

  it('checks a file that is marked as viewed in its diff, by keyboard', async () => {
    const box = changed().getByRole('checkbox');
    await box.and(workbench.page.locator('[aria-checked=false]')).waitFor();
    await workbench.page.locator('.editor-group-container .view-line', { hasText: 'Hello' }).click();
    await workbench.page.keyboard.press('Shift+Alt+F6');
    await box.and(workbench.page.locator('[aria-checked=true]')).waitFor();
  });

  it('opens the page of a ticket by a click, and by the Enter key', async () => {
    await workbench.row(greeting).click();
    await workbench.openedPage('ticket');
    await workbench.run('View: Close All Editors');
    await named('Bead 2 of 2').click();
    const nothing = workbench.row(/No changes yet/);
    await nothing.waitFor();
    await workbench.page.keyboard.press('ArrowLeft');
    await nothing.waitFor({ state: 'hidden' });
    await workbench.page.keyboard.press('ArrowLeft');
    await workbench.page.keyboard.press('Enter');
    await workbench.openedPage('ticket');
    await workbench.run('View: Close All Editors');
  });

  it('begins the row of a ticket with its state, which no narrow view cuts off', async () => {
    await move('WAITING_EXECUTION_SETUP_APPROVAL');
    const state = 'Approve setup';
    const name = workbench.row(greeting).filter({ hasText: state }).locator('.label-name');
    await name.waitFor();
    assert.match(await name.innerText(), new RegExp(`^${state} · Greet by name`));
    const width = await widthOf(name, state.length);
    assert.ok(width > 0 && width < narrowest, `${String(width)} pixels`);
  });

  it('has a short menu, also where much can be done', async () => {
    await move('WAITING_PR_REVIEW');
    await workbench.row(greeting).filter({ hasText: 'Review pull request' }).click({ button: 'right' });
    const entries = workbench.page.locator('.monaco-menu .action-item:not(.disabled) .action-menu-item');
    await entries.filter({ hasText: 'Show Available Actions' }).waitFor();
    assert.ok((await entries.count()) <= 18, String(await entries.count()));
    await workbench.screenshots('tickets-view-review-menu');
    await workbench.page.keyboard.press('Escape');
    await move('DRAFT');
  });

  it('keeps it unfolded wherever it goes, alone and beside others, and folded once a person folded it', async () => {
    const go = async (status: Status, column: RegExp, state: RegExp): Promise<void> => {
      await move(status);
      await workbench.row(column).waitFor();
      await workbench.row(greeting).filter({ hasText: state }).waitFor();
    };
    const isUnfolded = async (): Promise<void> => changed().waitFor();
    for (const others of [0, 1]) {
      if (others > 0) {
        await file(others);
        await workbench.row(/Draft 1/).waitFor();
      }
      await go('WAITING_PR_REVIEW', /Needs Input\s*1/, /Review pull request ·/);
      await isUnfolded();
      await go('DRAFT', new RegExp(`To Do\\s*${String(1 + others)}`), /Draft ·/);
      await isUnfolded();
    }
    await workbench.row(greeting).locator('.monaco-tl-twistie').click();
    await changed().waitFor({ state: 'hidden' });
    await go('WAITING_PR_REVIEW', /Needs Input\s*1/, /Review pull request ·/);
    assert.equal(await workbench.row(greeting).locator('.monaco-tl-twistie.collapsed').count(), 1);
    await go('DRAFT', /To Do\s*2/, /Draft ·/);
    await workbench.unfold(greeting);
    await isUnfolded();
  });

  it('keeps it unfolded while it changes and others are filed, and shows only the page of a column', async () => {
    await write(scene.stateFolder, (database) =>
      database.write(() =>
        applyChanges(
          database,
          'SAMPL-1',
          [{ type: 'bead', id: 'goodbye', set: { status: 'done' } }],
          Date.now(),
        ),
      ),
    );
    await workbench.row(/2\/2 beads/).waitFor();
    await named('Bead 2 of 2, Say goodbye, done').waitFor();
    await changed().waitFor();
    await file(1);
    await workbench.row(/To Do\s*3/).waitFor();
    await changed().waitFor();
    await file(drafts - 2);
    await workbench.row(/To Do\s*301/).waitFor();
  });

  it('shows only tickets that match', async () => {
    await filter('greet');
    await workbench.row(greeting).waitFor();
    await workbench.row(/Draft 300/).waitFor({ state: 'hidden' });
    await workbench.message(/^\s*Filtered: “greet” · Agents/).waitFor();
    await workbench.allScreenshots('tickets-view-filtered');
  });

  it('opens a document, and a version of it, from the tree', async () => {
    await workbench.unfold(greeting);
    await workbench.unfold(/^\s*Details/);
    await workbench.row(/^\s*PRD.*version 2/).click();
    await workbench.tab('prd.yaml').first().waitFor();
    await workbench.row(/^\s*PRD.*version 2/).click();
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.row(/Version 1.*archived/).waitFor();
  });

  it('says when nothing matches, and shows everything again', async () => {
    await filter('nothing like this');
    const clear = workbench.page.locator('.welcome-view-content .monaco-button', { hasText: 'Clear Filter' });
    await clear.waitFor();
    await workbench.screenshots('tickets-view-nothing');
    await clear.click();
    await workbench.row(/Draft 300/).waitFor();
    // It takes room from the rows.
    await workbench.message(/run without a sandbox/).waitFor();
  });

  it('shows a page of a column, and more when asked', async () => {
    await pressInView('End');
    await workbench.row(/Load 100 more of 201/).waitFor();
    await workbench.row(/Load 100 more of 201/).click();
    await workbench.row(/Draft 200/).waitFor();
    await pressInView('End');
    await workbench.row(/Load 100 more of 101/).waitFor();
    await workbench.screenshots('tickets-view-more');
  });

  it('offers in the menu of a ticket what its status allows', async () => {
    await pressInView('Home');
    await workbench.row(/Draft 300/).click({ button: 'right' });
    const menu = workbench.page.locator('.monaco-menu');
    await menu.locator('.action-item', { hasText: 'Start Ticket' }).waitFor();
    await menu.locator('.action-item', { hasText: 'Copy Ticket ID' }).waitFor();
    for (const never of ['Merge', 'Show Changes'])
      assert.equal(await menu.locator('.action-item', { hasText: never }).count(), 0, never);
    await workbench.screenshots('tickets-view-menu');
    await workbench.page.keyboard.press('Escape');
  });

  it('gives a draft the priority of the one onto which it is dragged', async () => {
    await file(1, 1);
    const urgent = workbench.row(/· Draft 301/);
    await urgent.waitFor();
    await workbench.row(/· Draft 300/).dragTo(urgent);
    await until(async () => (await stored('Draft 300'))?.priority === 1, 'its priority changed');
  });

  it('begins a ticket with a problem in the code', async () => {
    await scene.repository.write({ 'broken.json': 'nonsense\n' });
    await workbench.openFile('broken.json');
    await workbench.page.locator('.squiggly-error').first().waitFor();
    await workbench.quickFix('Create ticket from this problem');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Save as Draft' }).waitFor();
    await workbench.screenshots('tickets-view-new-ticket');
    await workbench.writeTicket({});
    await workbench.row(/Expected a JSON object/).waitFor();
    assert.match(
      (await stored('Expected a JSON object'))?.description ?? '',
      /^broken\.json:1\n\nExpected a JSON object.*\(json \d+\)\n\n```\nnonsense\n```$/,
    );
  });

  it('begins a ticket with what is selected, and keeps its saved text over a reload, outside of the repository', async () => {
    await workbench.page.locator('.editor-group-container .monaco-editor .view-lines').last().click();
    await workbench.page.keyboard.press('Control+A');
    await workbench.run('Beadsmith: New Ticket from Selection, TODO, Problem, or File');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Save as Draft' }).waitFor();
    await workbench.page.keyboard.insertText('Make sense');
    await workbench.run('File: Save');
    assert.match(await scene.repository.git('status', '--porcelain'), /^\?\? broken\.json\n?$/);
    await workbench.reloadWindow();
    await workbench.writeTicket({});
    await workbench.row(/Make sense/).waitFor();
    assert.match((await stored('Make sense'))?.description ?? '', /^broken\.json:1\n\n```\nnonsense\n/);
  });

  async function stored(title: string): Promise<Ticket | undefined> {
    let found: Ticket | undefined;
    await write(scene.stateFolder, (database) => {
      const tickets = new SqliteStore(database, () => Date.now()).calls.tickets();
      found = tickets.find((ticket) => ticket.title.startsWith(title));
    });
    return found;
  }

  async function filter(words: string): Promise<void> {
    await workbench.run('Beadsmith: Filter Tickets');
    await workbench.choose('contain words');
    await workbench.write('Words in the ID', words);
  }

  /** Clicked rows won't do: the page that a click opens takes the keyboard, whenever it is there. */
  async function pressInView(key: string): Promise<void> {
    await workbench.run('Beadsmith: Focus on Tickets View');
    await workbench.page.keyboard.press(key);
  }

  /** As its driver would. */
  async function move(status: Status): Promise<void> {
    await write(scene.stateFolder, async (database) => {
      const { value } = z
        .object({ value: z.coerce.number() })
        .parse(database.get(`SELECT value FROM meta WHERE key = 'epoch'`));
      await moveTicket(directStore(new SqliteStore(database, () => Date.now(), value)), 'SAMPL-1', status);
    });
  }

  /** As another process does. */
  async function file(count: number, priority = 3): Promise<void> {
    await write(scene.stateFolder, async (database) => {
      const store = new SqliteStore(database, () => Date.now());
      for (let left = count; left > 0; left--) {
        const ticket = {
          prefix: 'SAMPL',
          atLeast: 1,
          title: `Draft ${String((filed += 1))}`,
          description: '',
          priority,
        };
        await whenFree(() => store.calls.createTicket(ticket));
      }
    });
  }

  const changed = () => workbench.row(/^\s*greet\.txt\+1 −0 · src/);

  function named(label: string) {
    return workbench.page.locator(`.sidebar .monaco-list-row[aria-label^="${label}"]`);
  }
});

/** In pixels, from the left edge of the view to the end of so many characters. */
function widthOf(name: Locator, characters: number): Promise<number> {
  return name.evaluate((element: Node, length) => {
    let text = element;
    while (text.firstChild) text = text.firstChild;
    const range = document.createRange();
    range.setStart(text, 0);
    range.setEnd(text, length);
    const view = document.querySelector('.sidebar')?.getBoundingClientRect().left ?? 0;
    return range.getBoundingClientRect().right - view;
  }, characters);
}

async function write(stateFolder: string, work: (database: SqliteDatabase) => unknown): Promise<void> {
  const database = await whenFree(() => new SqliteDatabase(stateFolder));
  try {
    database.exec('PRAGMA synchronous = OFF');
    await whenFree(() => work(database));
  } finally {
    database.close();
  }
}

const bead = Bead.parse(JSON.parse(readFileSync(new URL('../fixtures/bead.json', import.meta.url), 'utf8')));
const work = (beadStartCommit: string, commit: string): readonly Change[] => [
  {
    type: 'beads',
    beads: [
      { ...bead, id: 'greet', title: 'Greet by name', status: 'done', beadStartCommit },
      { ...bead, id: 'goodbye', title: 'Say goodbye', status: 'error', iteration: 3 },
    ],
  },
  artifact('bead_commit:greet', {
    schema_version: 1,
    beadId: 'greet',
    iteration: 1,
    commit,
    noop: false,
    leftOut: [],
  }),
  artifact('prd', 'epics: []\n'),
  { type: 'artifacts.archive', statuses: ['WAITING_PRD_APPROVAL'] },
  artifact('prd', 'epics: []\n# again\n'),
];

function artifact(type: Extract<Change, { type: 'artifact' }>['artifact'], content: unknown): Change {
  const status = type === 'prd' ? 'WAITING_PRD_APPROVAL' : 'DRAFT';
  return {
    type: 'artifact',
    artifact: type,
    content: typeof content === 'string' ? content : JSON.stringify(content),
    status,
    attempt: 1,
  };
}
