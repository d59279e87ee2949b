import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { takeContextFile } from '../../../../src/adapters/workplace/localWorkplace.ts';
import { folderForEach } from '../../../support/tempFolder.ts';

describe('a context file that a person dropped', () => {
  const temp = folderForEach('dropped');

  const path = () => join(temp.path, 'context.txt');
  const drop = (content: string | Uint8Array) => writeFileSync(path(), content);
  const take = async (
    key = 'step',
  ): Promise<Partial<Record<'id' | 'text' | 'path' | 'refused', string>> | undefined> =>
    takeContextFile(temp.path, key);

  it('is taken once, and given again only to the step that took it', async () => {
    assert.equal(await take(), undefined);
    drop('  Use tabs.\r\nNo spaces.\n');
    const first = await take();
    assert.deepEqual(first, { id: first?.id, text: 'Use tabs.\nNo spaces.' });
    assert.match(first.id ?? '', /^file-[0-9a-f]{12}$/);
    assert.ok(!existsSync(path()));
    assert.equal(await take('another step'), undefined);
    drop('Another one.');
    assert.deepEqual(await take(), first);
    const second = await take('another step');
    assert.deepEqual([second?.text, second?.id === first.id], ['Another one.', false]);
  });

  for (const [what, content, reason] of [
    ['is empty', ' \n\t', 'it is empty.'],
    ['is no text', Uint8Array.of(0xff, 0xfe, 0x41), 'it is not UTF-8 text.'],
    ['has control characters', 'a\u001Bb', 'it has control characters.'],
    [
      'is too long',
      'x'.repeat(20_001),
      'it has more than 20000 characters. Name a file of the repository instead.',
    ],
    [
      'is much too long',
      'x'.repeat(80_001),
      'it has more than 20000 characters. Name a file of the repository instead.',
    ],
  ] as const)
    it(`gets its name back if it ${what}`, async () => {
      drop(content);
      assert.deepEqual(await take(), { path: path(), refused: reason });
      assert.deepEqual(readdirSync(temp.path), ['context.txt']);
      assert.deepEqual(readFileSync(path()), Buffer.from(content));
    });

  it('may be as long as context may be', async () => {
    const text = '€'.repeat(20_000);
    drop(text);
    assert.equal((await take())?.text, text);
  });

  it('is not read through a link, and is no folder', async () => {
    writeFileSync(join(temp.path, 'secret'), 'secret');
    symlinkSync(join(temp.path, 'secret'), path());
    assert.deepEqual(await take(), { path: path(), refused: 'it is not a file.' });
    rmSync(path());
    mkdirSync(path());
    assert.deepEqual(await take(), { path: path(), refused: 'it is not a file.' });
  });

  it('does not replace one that was dropped while it could not be used', async () => {
    drop('text');
    const { id } = (await take()) ?? {};
    const left = join(temp.path, `context.${id ?? ''}.taken.txt`);
    // As a step leaves it that ended before it gave the name back.
    writeFileSync(left, ' ');
    drop('The next one.');
    assert.deepEqual(await take(), { path: path(), refused: 'it is empty.' });
    assert.deepEqual([readFileSync(path(), 'utf8'), existsSync(left)], ['The next one.', true]);
  });
});
