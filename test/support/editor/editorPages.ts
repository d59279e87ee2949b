import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

class EditorPage {
  readonly #workbench: Workbench;
  readonly #name: 'interview' | 'approval' | 'ticket';
  readonly #command: string;
  #frame: Frame | undefined;

  constructor(workbench: Workbench, name: 'interview' | 'approval' | 'ticket', command: string) {
    this.#workbench = workbench;
    this.#name = name;
    this.#command = command;
  }

  /** Another frame each time the page is shown. */
  get frame(): Frame {
    if (!this.#frame) throw new Error(`the page ${this.#name} was not opened`);
    return this.#frame;
  }

  async open(): Promise<void> {
    await this.#workbench.run(this.#command);
    this.#frame = await this.#workbench.openedPage(this.#name);
  }

  /** Waits for a page that something else opens. */
  async comeBack(): Promise<void> {
    this.#frame = await this.#workbench.openedPage(this.#name);
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name, exact: typeof name === 'string' });
  }

  tab(name: string | RegExp): Locator {
    return this.frame.getByRole('tab', { name, exact: typeof name === 'string' });
  }
}

export class InterviewPage extends EditorPage {
  constructor(workbench: Workbench) {
    super(workbench, 'interview', 'Beadsmith: Open Interview');
  }

  question(id: string): Locator {
    return this.frame.locator('.question', { has: this.frame.locator(`#question-${id}`) });
  }

  answered(text: string | RegExp): Locator {
    return this.frame.locator('.answered > li', { hasText: text });
  }
}

export class ApprovalPage extends EditorPage {
  constructor(workbench: Workbench) {
    super(workbench, 'approval', 'Beadsmith: Review and Approve');
  }

  bead(text: string | RegExp): Locator {
    return this.frame.locator('.bead', { hasText: text });
  }
}

export class TicketPage extends EditorPage {
  constructor(workbench: Workbench) {
    super(workbench, 'ticket', 'Beadsmith: Open Ticket');
  }

  /** Opens a part that is closed. */
  async part(name: 'Plan' | 'Work' | 'Review' | 'Details'): Promise<void> {
    const title = this.button(name);
    if ((await title.getAttribute('aria-expanded')) !== 'true') await title.click();
  }

  async details(tab: string): Promise<void> {
    await this.part('Details');
    await this.tab(tab).click();
  }
}
