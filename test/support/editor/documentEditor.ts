import type { Locator } from 'playwright-core';
import { untilItHelps } from '../../demo/editorWindow.ts';
import { until } from '../until.ts';
import type { Workbench } from './workbench.ts';

export class DocumentEditor {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  async show(title: string): Promise<void> {
    await this.#workbench.run('Beadsmith: Show Document');
    await this.#workbench.quickInput
      .locator('.quick-input-title', { hasText: 'Documents of SAMPL-1' })
      .waitFor();
    await this.#workbench.quickInput.locator('input').first().fill(title);
    await until(async () => (await this.#workbench.choice(/./).count()) === 1, `only ${title} is left`);
    await this.#workbench.page.keyboard.press('Enter');
    await this.#workbench.quickInput.waitFor({ state: 'hidden' });
  }

  dirty(name: string): Locator {
    return this.#workbench.page.locator('.editor-group-container .tab.dirty', { hasText: name });
  }

  async type(...keys: readonly string[]): Promise<void> {
    await this.#lines.click();
    for (const key of keys) await this.#workbench.page.keyboard.press(key);
  }

  async insertAfter(found: string, written: string): Promise<void> {
    await this.type('Control+Home', 'Control+f');
    const find = this.#workbench.page.locator('.find-widget.visible').first();
    await find.locator('textarea').first().fill(found);
    // Before it has searched, it has no first place to go to.
    await find.locator('.matchesCount', { hasText: /of [1-9]/ }).waitFor();
    // On a busy machine the cursor goes there only then, and Enter to the next one.
    await untilItHelps(
      () => this.#workbench.page.keyboard.press('Enter'),
      () => find.locator('.matchesCount', { hasText: /^1 of/ }).waitFor({ timeout: 5_000 }),
    );
    // A hover that just came up takes the first.
    for (let left = 3; left > 0 && (await find.count()) > 0; left--)
      await this.#workbench.page.keyboard.press('Escape');
    await find.waitFor({ state: 'detached' });
    await this.#workbench.page.keyboard.press('ArrowRight');
    await this.#workbench.page.keyboard.type(written);
  }

  text(): Promise<string> {
    return this.#lines.innerText();
  }

  get #lines(): Locator {
    return this.#workbench.page.locator('.editor-group-container .monaco-editor .view-lines').last();
  }
}
