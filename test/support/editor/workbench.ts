import type { Locator } from 'playwright-core';
import { EditorWindow, untilItHelps } from '../../demo/editorWindow.ts';
import { until } from '../until.ts';
import { arePicturesTaken, pageFolder, screenshot } from './browser.ts';
import type { ShownPage } from './onlooker.ts';

/** As much of an element as tests ask for. */
interface Element {
  matches(selector: string): boolean;
}

interface Line {
  readonly offsetTop: number;
  readonly innerText: string;
}

export class Workbench extends EditorWindow {
  async reload(): Promise<void> {
    await this.page.reload();
    await this.page.locator('.monaco-workbench .activitybar').waitFor();
  }

  /** As the editor's own command does: what is open is kept at once. */
  async reloadWindow(awaited: 'load' | 'workbench' = 'workbench'): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: 60_000 });
    await this.run('Developer: Reload Window');
    await loaded;
    if (awaited === 'workbench') await this.page.locator('.monaco-workbench .activitybar').waitFor();
  }

  /** What belongs to the window ends at once. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank');
  }

  async write(asked: string | RegExp, text: string): Promise<void> {
    await this.quickInput.locator('.quick-input-message', { hasText: asked }).waitFor();
    await this.quickInput.locator('input[type="text"], input.input').first().fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** A command that only the list of a ticket's actions has. */
  async takeAction(title: string, ticket?: string): Promise<void> {
    await this.run('Beadsmith: Show Available Actions');
    if (ticket !== undefined) await this.choose(ticket);
    const action = this.choice(title).first();
    await this.quickInput.locator('.quick-input-title', { hasText: /^[A-Z]+-\d+: / }).waitFor();
    await this.quickInput.locator('input').first().fill(title);
    await action.click();
    // What it asks next may be in a list as well.
    await action.waitFor({ state: 'detached' });
  }

  async takeFromTitle(title: string): Promise<void> {
    await this.page
      .locator(`.editor-group-container.active .editor-actions a[aria-label^="${title}"]`)
      .first()
      .click();
  }

  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+P');
    await this.quickInput.locator('input').first().fill(name);
    // Until the list is filtered, Enter takes another file.
    await this.quickInput.locator('.monaco-list-row.focused', { hasText: name }).waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator('.editor-group-container .tab.active', { hasText: name }).waitFor();
    await this.quickInput.waitFor({ state: 'hidden' });
  }

  /** Fills in the open document of a new ticket. With a depth its key starts it, else it stays a draft. */
  async writeTicket(
    { title, description = '' }: { readonly title?: string; readonly description?: string },
    depth?: 'Solo' | 'Quick',
  ): Promise<void> {
    await this.page.locator('.editor-group-container .tab.active', { hasText: 'New Ticket' }).waitFor();
    const codeLens = (text: string): Locator =>
      this.page.locator('.codelens-decoration a', { hasText: text });
    await codeLens('Save as Draft').waitFor();
    // The cursor is behind the mark of the heading.
    if (title !== undefined) await this.page.keyboard.insertText(title);
    if (description !== '') {
      await this.page.keyboard.press('Control+End');
      await this.page.keyboard.insertText(`\n${description}\n`);
    }
    if (depth === undefined) {
      await codeLens('Save as Draft').click();
    } else {
      await codeLens('(suggested)').click();
      await this.choose(depth);
      await codeLens('(suggested)').waitFor({ state: 'detached' });
      await this.page.keyboard.press('Control+Enter');
    }
    await this.page
      .locator('.editor-group-container .tab', { hasText: 'New Ticket' })
      .waitFor({ state: 'detached' });
  }

  /** Asks again, as extensions that still start offer nothing. */
  async quickFix(title: string): Promise<void> {
    const fix = this.page.locator('.action-widget .monaco-list-row', { hasText: title }).first();
    const ask = async (): Promise<void> => {
      if (await this.page.locator('.action-widget').isVisible()) await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+.');
    };
    await untilItHelps(ask, () => fix.waitFor({ timeout: 5_000 }));
    await fix.click();
  }

  /** In the list behind the bell: the driver of VS Code's smoke tests keeps notifications from popping up. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-center .notification-list-item', { hasText: text });
  }

  async showNotifications(options: { readonly timeout?: number } = {}): Promise<void> {
    const bell = this.page.locator('[id="status.notifications"]');
    await bell.locator('.codicon-bell-dot').waitFor(options);
    await this.#openNotifications();
    await this.page.locator('.notifications-center.visible').waitFor();
    // A hover would cover the notifications.
    await this.page.mouse.move(640, 300);
  }

  /** The list closes by itself when its last notification goes, as one about progress does. */
  async showNotification(text: string): Promise<void> {
    await until(async () => {
      await this.#openNotifications();
      return (await this.notification(text).count()) > 0;
    }, `a notification says “${text}”`);
    await this.page.mouse.move(640, 300);
  }

  async #openNotifications(): Promise<void> {
    const isOpen = (await this.page.locator('.notifications-center.visible').count()) > 0;
    if (!isOpen) await this.page.locator('[id="status.notifications"]').click();
  }

  /** While it is open, Escape is for it. */
  async hideNotifications(): Promise<void> {
    const list = this.page.locator('.notifications-center.visible');
    if ((await list.count()) > 0) await this.page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  }

  async notifications(): Promise<readonly string[]> {
    await this.#openNotifications();
    return this.page.locator('.notifications-center .notification-list-item').allInnerTexts();
  }

  async answerNotification(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).first().locator('.monaco-button', { hasText: button }).click();
  }

  message(text: string | RegExp): Locator {
    return this.page.locator('.sidebar .pane-body .tree-explorer-viewlet-tree-view .message', {
      hasText: text,
    });
  }

  tab(name: string | RegExp): Locator {
    return this.page.locator('.editor-group-container .tab', { hasText: name });
  }

  async editorText(): Promise<string> {
    const lines = this.page.locator('.editor-group-container.active .monaco-editor .view-line');
    const shown = await lines.evaluateAll((all: readonly Line[]) =>
      all.map(({ offsetTop, innerText }) => ({ offsetTop, innerText })),
    );
    return shown
      .toSorted((a, b) => a.offsetTop - b.offsetTop)
      .map(({ innerText }) => innerText.replaceAll('\u00a0', ' '))
      .join('\n');
  }

  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item', { hasText: text });
  }

  async acceptFolder(path: string, button: string): Promise<void> {
    const input = this.quickInput.locator('input').first();
    const accept = this.quickInput.locator('.monaco-button', { hasText: button });
    await accept.waitFor();
    const propose = async (): Promise<void> => {
      // It first reads a folder of its own, and proposes that over what was typed meanwhile.
      await this.choice('..').waitFor();
      await input.fill(`${path}/`);
      await accept.click();
    };
    await untilItHelps(propose, () => accept.waitFor({ state: 'hidden', timeout: 5_000 }));
  }

  async answerDialog(button: string): Promise<void> {
    await this.page.locator('.monaco-dialog-box').getByRole('button', { name: button, exact: true }).click();
  }

  async renderedMarkdown(): Promise<Locator> {
    let found: Locator | undefined;
    await until(async () => {
      for (const body of this.page
        .frames()
        .map((frame) => frame.locator('.markdown-body', { has: frame.locator('h1') })))
        // A frame may go away while it is asked.
        if ((await body.count().catch(() => 0)) > 0) found = body;
      return found !== undefined;
    }, 'the preview shows a heading');
    if (!found) throw new Error('there is no preview');
    return found;
  }

  async shownPage(ticket: string): Promise<ShownPage> {
    const frame = await this.openedPage(ticket);
    const typed = await frame
      .locator('input, textarea')
      .evaluateAll((fields: readonly { readonly value: string }[]) => fields.map(({ value }) => value));
    return { text: await frame.locator('body').innerText(), typed };
  }

  async tabTo(target: Locator, most = 40): Promise<void> {
    for (let left = most; left > 0; left--) {
      if (await target.evaluate((element: Element) => element.matches(':focus, :focus-within'))) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`${String(most)} times the Tab key don't lead to ${String(target)}`);
  }

  /** In the high-contrast themes too. */
  async allScreenshots(name: string): Promise<void> {
    if (pageFolder !== undefined) await this.#pagePictures(name);
    else if (arePicturesTaken) await this.inEveryTheme((theme) => screenshot(this.page, `${name}-${theme}`));
  }

  /** Narrow and wide: of the page alone and as high as it is, or of a window without one in front. */
  async #pagePictures(name: string): Promise<void> {
    const before = this.page.viewportSize();
    if (!before) return;
    // A menu closes when its window gets another size.
    if ((await this.page.locator('.monaco-menu').count()) > 0)
      return this.inEveryTheme((theme) => screenshot(this.page, `${name}-${theme}`));
    const own = 'iframe.webview.ready[src*="extensionId=beadsmith."]:visible';
    const page = this.page.locator(own).first();
    const inFront = this.page.locator(
      '.quick-input-widget:visible, .monaco-dialog-box, .notifications-center.visible',
    );
    const isOfPage = (await page.count()) > 0 && (await inFront.count()) === 0;
    for (const wanted of [420, 1_600]) {
      await this.page.setViewportSize({ width: wanted + 400, height: 900 });
      if (isOfPage) await this.#fitPage(page, wanted);
      await this.inEveryTheme((theme) =>
        screenshot(this.page, `${name}-${String(wanted)}-${theme}`, isOfPage ? page : undefined),
      );
    }
    await this.page.setViewportSize(before);
  }

  async #fitPage(page: Locator, wanted: number): Promise<void> {
    const { width = 0 } = (await page.boundingBox()) ?? {};
    const window = { width: 2 * wanted + 400 - Math.round(width), height: 900 };
    await this.page.setViewportSize(window);
    const outer = await (await page.elementHandle()).contentFrame();
    const heights = await Promise.all(
      (outer?.childFrames() ?? []).map((frame) =>
        frame.evaluate<number>('document.documentElement.scrollHeight'),
      ),
    );
    await this.page.setViewportSize({ ...window, height: Math.min(4_000, Math.max(900, ...heights) + 120) });
  }

  /** Ends in the light theme. */
  async inEveryTheme(
    look: (theme: 'dark' | 'light' | 'hc-black' | 'hc-light') => Promise<void>,
  ): Promise<void> {
    for (const theme of await this.#themes()) {
      await this.#show(theme);
      await look(theme);
    }
    for (const [theme, colorScheme] of [
      ['hc-black', 'dark'],
      ['hc-light', 'light'],
    ] as const) {
      await this.page.emulateMedia({ colorScheme, forcedColors: 'active' });
      await this.page.locator(`.monaco-workbench.${theme}`).waitFor();
      await look(theme);
    }
    await this.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await this.page.locator('.monaco-workbench.vs').waitFor();
  }

  async failed(name: string): Promise<void> {
    await screenshot(this.page, `failed-${name}`);
  }

  /** In the light and the dark theme. */
  async screenshots(name: string): Promise<void> {
    if (pageFolder !== undefined) return this.#pagePictures(name);
    if (!arePicturesTaken) return;
    for (const theme of await this.#themes()) {
      await this.#show(theme);
      await screenshot(this.page, `${name}-${theme}`);
    }
  }

  async #show(theme: 'dark' | 'light'): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme });
    await this.page.locator(`.monaco-workbench.${theme === 'dark' ? 'vs-dark' : 'vs'}`).waitFor();
  }

  async #themes(): Promise<readonly ('dark' | 'light')[]> {
    // Needs `window.autoDetectColorScheme`.
    const isDark = await this.page.locator('.monaco-workbench.vs-dark').count();
    return isDark > 0 ? ['dark', 'light'] : ['light', 'dark'];
  }
}
