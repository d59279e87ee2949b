import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/** Nothing, lines, what is centered, and the one scale. */
const distance = /^(0|1px|-1px|auto|var\(--space-\d\))$/;
/** The one scale, and what the editor says. */
const letters = /^(var\(--text-\d\)|var\(--vscode-[a-z-]+\)|inherit)$/;

describe('the style of pages', () => {
  it('has one scale of distances, and one of letters', () => {
    const odd = globSync('webview-ui/**/*.css', { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^ +([a-z-]+): ([^;{}]+);/gm)].flatMap(
        ([, name = '', value = '']) => {
          const allowed = /^(margin|padding|gap|column-gap|row-gap)/.test(name)
            ? distance
            : name === 'font-size'
              ? letters
              : undefined;
          const isOdd = value.split(/\s+/).some((one) => allowed?.test(one) === false);
          return isOdd ? [`${file}: ${name}: ${value}`] : [];
        },
      ),
    );
    assert.deepEqual(odd, []);
  });

  it('leaves the color of the primary button to that button', () => {
    const loud = globSync('webview-ui/**/*.css', { cwd: root }).filter((file) =>
      // A page in a browser says itself what an editor's theme says.
      /var\(--vscode-button-(background|foreground)/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(loud, []);
  });

  it('has headings of one outline', () => {
    const own = globSync('webview-ui/**/*.tsx', { cwd: root }).filter((file) =>
      /<h[2-6]\b/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(own, [], 'a heading without a level of its own is `Heading`');
  });
});
