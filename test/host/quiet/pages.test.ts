import assert from 'node:assert/strict';
import { TabInputWebview, ViewColumn, window } from 'vscode';
import * as z from 'zod';
import { definePage, type Page } from '../../../src/views/pages/pageKind.ts';
import { PagePanels } from '../../../src/views/pages/pagePanel.ts';
import type { OpenRepository } from '../../../src/views/shared/repositories.ts';
import type { Workbench } from '../../../src/views/shared/workbench.ts';
import { FakeDrafts } from '../../support/fakes/fakeDrafts.ts';
import { FakeRepositories } from '../../support/fakes/fakeRepositories.ts';
import { beadsmith } from '../../support/editor/hostWindow.ts';
import { until } from '../../support/until.ts';

/** A page of its own, so that the extension's are left alone. */
const page: Page = definePage({
  contract: { name: 'ticket', state: z.null(), hint: z.never(), requests: {} },
  title: (ticket) => `Test of ${ticket}`,
  build: () => Promise.resolve(null),
  requests: () => ({}),
});

describe('a page of the window before', () => {
  const kept = new Map<string, unknown>();
  const memory = {
    get: (key: string): unknown => kept.get(key),
    set: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
  let panels: PagePanels;

  beforeEach(() => {
    kept.clear();
    const workbench = {
      repositories: new FakeRepositories(),
      logError: () => undefined,
    } as unknown as Workbench;
    panels = new PagePanels(beadsmith().extensionUri, workbench, page, {
      memory,
      drafts: new FakeDrafts(),
    });
  });

  afterEach(async () => {
    panels.dispose();
    await window.tabGroups.close([...tabs(), ...tabs('beadsmith.ticket')]);
  });

  it('returns by what it kept, and is known to the window after that', async () => {
    restore('TST-1', { place: { root: '/a', ticket: 'TST-1' } });
    await until(() => titles().includes('Test of TST-1'), 'it is there');
    assert.deepEqual(kept.get('pages.open'), [{ root: '/a', ticket: 'TST-1' }]);
  });

  it('returns although it was left before its script ran', async () => {
    kept.set('pages.open', [
      { root: '/a', ticket: 'TST-1' },
      { root: '/a', ticket: 'TST-2' },
    ]);
    const panel = restore('TST-1', undefined);
    assert.match(panel.webview.html, /data-place="[^"]*TST-1/);
    await until(() => titles().includes('Test of TST-1'), 'it is there');
  });

  it('is replaced, in its place, by the page that is opened before its tab was shown', async () => {
    kept.set('pages.open', [{ root: '/a', ticket: 'TST-1' }]);
    const left = '● Test of TST-1';
    // A second column is made only beside a first one that holds something.
    const other = window.createWebviewPanel('beadsmith.ticket', 'Test of TST-10', ViewColumn.One);
    await until(() => titlesOf('beadsmith.ticket').length === 1, 'the first column is there');
    window.createWebviewPanel('beadsmith.ticket', left, ViewColumn.Two);
    await until(() => titlesOf('beadsmith.ticket').length === 2, 'both are there');
    panels.open({ repository: { root: '/a' } as OpenRepository, ticket: 'TST-1' });
    await until(
      () => titlesOf('beadsmith.ticket').length === 2 && !titlesOf('beadsmith.ticket').includes(left),
      'one page a ticket',
    );
    assert.deepEqual(window.tabGroups.all.map(({ tabs }) => tabs.map(({ label }) => label)).at(-1), [
      'Test of TST-1',
    ]);
    other.dispose();
  });

  it('is closed when nothing tells whose page it is, or when that is open already', async () => {
    restore('TST-1', undefined);
    await until(() => titles().length === 0, 'it is closed');
    restore('TST-2', { place: { root: '/a', ticket: 'TST-2' } });
    restore('TST-2', { place: { root: '/a', ticket: 'TST-2' } });
    await until(() => titles().length === 1, 'one of them is closed');
  });

  function restore(ticket: string, state: unknown): ReturnType<typeof window.createWebviewPanel> {
    const panel = window.createWebviewPanel('beadsmith.test', `Test of ${ticket}`, ViewColumn.Active);
    panels.restore(panel, state);
    return panel;
  }
});

function tabs(type = 'beadsmith.test') {
  return window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith(type));
}

function titles(): readonly string[] {
  return titlesOf('beadsmith.test');
}

function titlesOf(type: string): readonly string[] {
  return tabs(type).map(({ label }) => label);
}
