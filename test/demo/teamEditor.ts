import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { opencodeBinary, root } from '../../.build/paths.mjs';
import { InstallationKey } from '../../src/adapters/keys/installationKey.ts';
import { teamKeyId } from '../../src/domain/team/keys.ts';
import { newProfile } from '../support/editor/browser.ts';
import { quietEditor, VscodeServer } from '../support/editor/vscodeServer.ts';
import { Workbench } from '../support/editor/workbench.ts';
import type { TeamBench } from '../support/team/teamBench.ts';
import { until } from '../support/until.ts';
import { type Decider, decider, type DemoTicket } from './teamPeople.ts';

const slowMs = 60_000;

interface EditorPlace {
  readonly bench: TeamBench;
  readonly browser: Browser;
  /** Of the team's database, with its password. */
  readonly url: string;
  readonly say: (line?: string) => void;
}

/** A person with VS Code, whose device joins the team with its first decision. */
export class TeamEditor {
  readonly #server: VscodeServer;
  readonly #workbench: Workbench;
  readonly #place: EditorPlace;
  #hasJoined = false;

  private constructor(server: VscodeServer, workbench: Workbench, place: EditorPlace) {
    this.#server = server;
    this.#workbench = workbench;
    this.#place = place;
  }

  /** A window on the person's clone, which has asked for the password of the team's database. */
  static async open(place: EditorPlace): Promise<TeamEditor> {
    const url = new URL(place.url);
    const { password } = url;
    url.password = '';
    const own = {
      'beadsmith.team': url.href,
      'beadsmith.opencode.path': opencodeBinary(),
      // He watches the tree. The list of notifications renders only the first six.
      'beadsmith.notifications': { needsYou: false },
    };
    const server = await VscodeServer.start({ settings: { ...quietEditor, ...own } });
    try {
      const context = await newProfile(place.browser, { width: 1280, height: 800 });
      const page = await context.newPage();
      page.setDefaultTimeout(slowMs);
      const workbench = new Workbench(page);
      await workbench.open(server.address(place.bench.repository.root, root));
      await workbench.showView();
      const refused = 'no password is stored';
      await workbench.showNotification(refused);
      await workbench.answerNotification(refused, 'Enter Password…');
      await workbench.write('secret storage', decodeURIComponent(password));
      await workbench.hideNotifications();
      return new TeamEditor(server, workbench, place);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** On the page of each of these tickets that waits for it, until they are told to stop. */
  approve(tickets: readonly DemoTicket[]): Decider {
    return decider(async (over) => {
      // Without tickets there are no rows.
      for (const { title } of tickets) await this.#workbench.row(title).first().waitFor();
      while (!over.aborted)
        for (const ticket of tickets) {
          const state = await this.#stateOf(ticket);
          if (state.startsWith('Approve')) await this.#approve(ticket, state);
        }
    });
  }

  async closeTicket(ticket: DemoTicket): Promise<void> {
    await this.#workbench.takeAction('Close Without Merging', ticket.id);
    await this.#workbench.answerDialog('Close Without Merging…');
    await this.#workbench.answerDialog('Close Without Merging');
    await this.#leaves(ticket, 'Review');
    this.#place.say(`  closed: ${ticket.id} ${ticket.title}`);
  }

  /** The ID of the key in the configuration folder of the person's editor. */
  async device(): Promise<string> {
    const spki = await new InstallationKey(join(this.#server.home, 'config', 'beadsmith')).spki();
    return teamKeyId(Buffer.from(spki, 'base64'));
  }

  async end(): Promise<void> {
    await this.#workbench.page.context().close();
    await this.#server.stop();
  }

  async #approve(ticket: DemoTicket, state: string): Promise<void> {
    await this.#workbench.row(ticket.title).first().click();
    const frame = await this.#workbench.openedPage(ticket.id);
    const approve = frame.locator('[data-primary]:not([aria-disabled=true])', { hasText: /^\s*Approve\s*$/ });
    // A setup that equals one that was approved meanwhile passes its gate by itself.
    const hasLeft = (): Promise<boolean> => this.#hasLeft(ticket, state);
    await until(async () => (await approve.isVisible()) || (await hasLeft()), `${ticket.id} can be approved`);
    if (await hasLeft()) return;
    await approve.click();
    if (!this.#hasJoined) {
      await this.#join();
      await approve.click();
    }
    await this.#leaves(ticket, state);
    this.#place.say(`  approved in the editor: ${ticket.title} ${state} ${ticket.id}`);
  }

  async #join(): Promise<void> {
    const refused = 'This device isn';
    await this.#workbench.showNotification(refused);
    await this.#workbench.answerNotification(refused, 'Enter Pairing Code…');
    await this.#workbench.write('An admin of the team', await this.#place.bench.pairingCode('Ben'));
    await this.#workbench.statusBarItem('Joined the team as Ben').waitFor();
    await this.#workbench.hideNotifications();
    this.#hasJoined = true;
  }

  /** As its row begins; empty while it isn't shown. */
  async #stateOf({ title }: DemoTicket): Promise<string> {
    const row = this.#workbench.row(title).first();
    const text = (await row.count()) > 0 ? await row.innerText().catch(() => '') : '';
    return /^\W*(.+?) · /.exec(text)?.[1] ?? '';
  }

  #leaves(ticket: DemoTicket, state: string): Promise<unknown> {
    return until(() => this.#hasLeft(ticket, state), `${ticket.id} moves on from “${state}”`);
  }

  async #hasLeft(ticket: DemoTicket, state: string): Promise<boolean> {
    return !(await this.#stateOf(ticket)).startsWith(state);
  }
}
