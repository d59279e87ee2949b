import type { Locator } from 'playwright-core';
import { until } from '../until.ts';
import type { Workbench } from './workbench.ts';

export class ReviewEditor {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  get multiDiff(): Locator {
    return this.#workbench.page.locator('.monaco-component.multiDiffEditor');
  }

  thread(text: string): Locator {
    return this.#workbench.page.locator('.review-widget:visible', { hasText: text }).first();
  }

  /** Leaves it open. */
  async writeComment(line: string, text: string): Promise<void> {
    const modified = this.multiDiff.locator('.editor.modified');
    await modified.locator('.comment-range-glyph').first().waitFor();
    const [target, plus] = [
      modified.locator('.view-line', { hasText: line }).first(),
      modified.locator('.line-hover').first(),
    ];
    // Editors move while others beside them load.
    await until(async () => {
      await this.#workbench.page.mouse.move(0, 0);
      await target.hover();
      return plus.isVisible();
    }, 'the line offers a comment');
    await plus.click();
    await this.#workbench.page.locator('.review-widget .comment-form .monaco-editor').first().waitFor();
    await this.#workbench.page.keyboard.insertText(text);
  }

  /** Leaves it open. The editor opens the form by itself where it kept an earlier text. */
  async writeReply(comment: string, text: string): Promise<void> {
    const form = this.thread(comment).locator('.comment-form .monaco-editor');
    const start = this.thread(comment).locator('.review-thread-reply-button');
    await until(async () => {
      if (await start.isVisible()) await start.click({ timeout: 2_000 }).catch(() => undefined);
      return form.isVisible();
    }, 'a reply can be written');
    await form.click();
    await this.#workbench.page.keyboard.press('Control+a');
    await this.#workbench.page.keyboard.insertText(text);
  }

  /** Actions come up below the mouse, and go when what was saved is drawn. */
  async act(comment: Locator, action: string): Promise<void> {
    const item = comment.locator(`a[aria-label^="${action}"]`).first();
    await until(async () => {
      await this.#workbench.page.mouse.move(0, 0);
      await comment.first().hover();
      return item.isVisible();
    }, `the comment offers ${action}`);
    await item.click();
  }

  /** The editor folds the form where it draws the thread again meanwhile. The text stays. */
  async press(button: string): Promise<void> {
    const widget = this.#workbench.page.locator('.review-widget');
    const pressed = widget.locator('.form-actions .monaco-button', { hasText: button }).first();
    const folded = widget.locator('.review-thread-reply-button').first();
    await until(async () => {
      if (!(await pressed.isVisible()) && (await folded.isVisible()))
        await folded.click({ timeout: 2_000 }).catch(() => undefined);
      return pressed.click({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    }, `${button} can be pressed`);
  }
}
