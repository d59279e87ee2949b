import type { Frame, Locator } from 'playwright-core';
import { until } from '../until.ts';
import type { Workbench } from './workbench.ts';

/** The page of a ticket, however it is opened. */
export class TicketPage {
  readonly #workbench: Workbench;
  readonly #command: string;
  #frame: Frame | undefined;

  constructor(workbench: Workbench, command = 'Beadsmith: Open Ticket') {
    this.#workbench = workbench;
    this.#command = command;
  }

  /** Another frame each time the page is shown. */
  get frame(): Frame {
    if (!this.#frame) throw new Error('the page was not opened');
    return this.#frame;
  }

  async open(): Promise<void> {
    await this.#workbench.run(this.#command);
    await this.comeBack();
  }

  /** Waits for a page that something else opens. */
  async comeBack(): Promise<void> {
    this.#frame = await this.#workbench.openedPage();
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name, exact: typeof name === 'string' });
  }

  tab(name: string | RegExp): Locator {
    return this.frame.getByRole('tab', { name, exact: typeof name === 'string' });
  }

  /** Opens a part that is closed. */
  async part(name: 'Plan' | 'Work' | 'Review' | 'Details'): Promise<void> {
    const title = this.button(name);
    // The page opens parts, too: a press that came after it closes what it opened.
    await until(async () => {
      if ((await title.getAttribute('aria-expanded')) === 'true') return true;
      await title.click();
      return false;
    }, `${name} is open`);
  }

  async details(tab: string): Promise<void> {
    await this.part('Details');
    await this.tab(tab).click();
  }

  /** The title of one that is open. */
  document(name: RegExp): Locator {
    return this.button(name).and(this.frame.locator('[aria-expanded=true]'));
  }
}

/** Opened by the command that answers. */
export class InterviewPage extends TicketPage {
  constructor(workbench: Workbench) {
    super(workbench, 'Beadsmith: Open Interview');
  }

  question(id: string): Locator {
    return this.frame.locator('.question', { has: this.frame.locator(`#question-${id}`) });
  }

  answered(text: string | RegExp): Locator {
    return this.frame.locator('.answered > li', { hasText: text });
  }
}

/** Opened by the command that approves. */
export class ApprovalPage extends TicketPage {
  constructor(workbench: Workbench) {
    super(workbench, 'Beadsmith: Review and Approve');
  }

  bead(text: string | RegExp): Locator {
    return this.frame.locator('.bead', { hasText: text });
  }
}
