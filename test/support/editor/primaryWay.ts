import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { ReviewEditor } from './reviewEditor.ts';
import { until } from '../until.ts';
import type { Workbench } from './workbench.ts';

/** As much of a browser as is needed. */
interface Box {
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
}
declare const innerHeight: number;

interface Stop {
  /** As the row of the ticket begins. */
  readonly state: string;
  readonly frame: Frame;
  readonly primary: Locator;
}

const stepMs = 300_000;

/**
 * Takes a ticket to its end, and presses only what stands out: the first button of a notification, the
 * primary button of the page, and *Accept and Next* in the title of a diff. Counts the stops at which it
 * decided something, and its clicks.
 */
export class PrimaryWay {
  readonly stops: string[] = [];
  clicks = 0;
  /** The stops at which a person had to scroll to what they pressed. */
  readonly outOfSight: string[] = [];
  /** The diffs that were shown before anything could be merged, by the names of their tabs. */
  readonly diffs: string[] = [];
  readonly #workbench: Workbench;
  readonly #ticket: { readonly id: string; readonly title: string };
  #waitedMs = 0;

  constructor(workbench: Workbench, ticket: { readonly id: string; readonly title: string }) {
    this.#workbench = workbench;
    this.#ticket = ticket;
  }

  async walk(): Promise<void> {
    for (let before = ''; ;) {
      const stop = await this.#next(before);
      if (!stop) return;
      before = await this.#place(stop);
      this.stops.push(stop.state);
      const start = performance.now();
      if ((await stop.frame.locator('.question').count()) > 0) await this.#answer(stop.frame);
      if (!(await isInSight(stop.primary))) this.outOfSight.push(before);
      if (/^Review/.test(stop.state)) await this.#review(stop);
      else await this.#press(stop.primary);
      this.#waitedMs += performance.now() - start;
    }
  }

  /** For people who compare. */
  summary(what: string): string {
    const counts = [`${String(this.stops.length)} decisions`, `${String(this.clicks)} clicks`];
    const seconds = `${String(Math.round(this.#waitedMs / 1_000))} s`;
    return `${what}: ${[...counts, seconds].join(', ')} (${this.stops.join(', ')})`;
  }

  /** By its first button. */
  async openNotification(): Promise<void> {
    const workbench = this.#workbench;
    await workbench.showNotification(`${this.#ticket.id} “`);
    const notification = workbench.notification(new RegExp(`${this.#ticket.id} .* needs your input`)).first();
    await this.#press(
      notification.locator('.notification-list-item-buttons-container .monaco-button').first(),
    );
    await workbench.openedPage(this.#ticket.id);
    await workbench.hideNotifications();
  }

  /** Where the ticket waits with something to press; undefined once it is over. */
  async #next(before: string): Promise<Stop | undefined> {
    const { id, title } = this.#ticket;
    const row = this.#workbench.row(title).first();
    const found = await until(
      async () => {
        if (await this.#workbench.row(/^\s*Done/).isVisible()) await this.#workbench.unfold(/^\s*Done/);
        const [, state = ''] = new RegExp(`^\\W*(.+?) · `).exec(await row.innerText().catch(() => '')) ?? [];
        if (state === 'Completed') return { isOver: true } as const;
        if (!/^(Answer|Approve|Review)/.test(state)) return undefined;
        const frame = await this.#workbench.openedPage(id);
        const primary = frame.locator('[data-primary]:not([aria-disabled=true])');
        const stop = { state, frame, primary };
        if ((await primary.count().catch(() => 0)) === 0) return undefined;
        if (!(await leadsOn(stop)) || (await this.#place(stop)) === before) return undefined;
        return { isOver: false, stop } as const;
      },
      `${id} stops somewhere else than at “${before}”`,
      stepMs,
    );
    return found.isOver ? undefined : found.stop;
  }

  /** The same as long as nothing moved. */
  async #place({ state, frame }: Stop): Promise<string> {
    const round = frame.getByRole('heading', { name: /^Questions, round/ });
    return (await round.count()) > 0 ? `${state}, ${await round.innerText()}` : state;
  }

  /** With what is offered first. */
  async #answer(frame: Frame): Promise<void> {
    for (const question of await frame.locator('.question').all()) {
      const options = question.getByRole('group').locator('input');
      if ((await options.count()) > 0) {
        await this.#press(options.first());
        continue;
      }
      const field = question.getByLabel('Your answer');
      await this.#press(field);
      await field.fill('The simplest thing that serves the ticket.');
    }
  }

  async #review({ frame, primary }: Stop): Promise<void> {
    const heading = await frame.getByRole('heading', { name: /^Beads: \d+ of \d+ accepted/ }).innerText();
    const beads = Number(/of (\d+)/.exec(heading)?.[1]);
    const workbench = this.#workbench;
    assert.match(await primary.innerText(), /Review Changes/, 'the diff comes before the merge');
    await this.#press(primary);
    const { multiDiff } = new ReviewEditor(workbench);
    for (let left = beads; left > 0; left--) {
      const tab = workbench.page.locator('.editor-group-container .tab.active');
      const name = await until(async () => {
        if (!(await multiDiff.isVisible())) return false;
        // A number of files follows once they are loaded.
        const text = (await tab.innerText()).trim().replace(/ \(.*$/, '');
        return text.startsWith(`${this.#ticket.id}: `) && !this.diffs.includes(text) && text;
      }, 'the next diff is shown');
      await multiDiff.locator('.editor.modified .view-line').first().waitFor();
      this.diffs.push(name);
      const title = workbench.page.locator('.editor-group-container.active .editor-actions');
      await this.#press(title.locator('a[aria-label^="Accept and Next"]').first());
      await this.#press(dialogButton(workbench, 'Accept and Next'));
    }
    const page = await workbench.openedPage(this.#ticket.id);
    await this.#press(page.locator('[data-primary]', { hasText: 'Merge…' }));
    await this.#press(dialogButton(workbench, 'Merge'));
  }

  async #press(what: Locator): Promise<void> {
    await what.click();
    this.clicks += 1;
  }
}

/** A page shows what stands out in its head until it has loaded the part that is due. */
async function leadsOn({ state, primary }: Stop): Promise<boolean> {
  const text = await primary.innerText().catch(() => '');
  if (state.startsWith('Approve')) return /^\s*Approve/.test(text);
  return /^\s*(Send Answers|Review Changes)/.test(text);
}

function isInSight(button: Locator): Promise<boolean> {
  return button.evaluate((element: Box) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

function dialogButton(workbench: Workbench, name: string): Locator {
  return workbench.page.locator('.monaco-dialog-box').getByRole('button', { name, exact: true });
}
