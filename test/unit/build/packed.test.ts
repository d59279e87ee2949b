import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import * as z from 'zod';
import {
  cliFiles,
  cliManifest,
  copyPacked,
  packedFiles,
  packedPatterns,
  unpackedFiles,
} from '../../../.build/packed.mjs';
import { root } from '../../../.build/paths.mjs';
import { nodeTooOld } from '../../../src/cli/nodeVersion.ts';
import { tempFolder } from '../../support/tempFolder.ts';

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const isPacked = (file: string): boolean => packedPatterns().some((pattern) => matchesGlob(file, pattern));

describe('what is packed', () => {
  const folder = tempFolder('packed');

  after(() => folder.remove());

  function checkout(name: string, files: readonly string[]): string {
    for (const file of files) {
      mkdirSync(dirname(join(folder.path, name, file)), { recursive: true });
      writeFileSync(join(folder.path, name, file), file);
    }
    return join(folder.path, name);
  }

  it('is named in .vscodeignore alone, line by line, and everything else stays out', () => {
    const lines = text('.vscodeignore').split('\n');
    assert.deepEqual(
      lines.filter((line) => line !== '' && !/^[#!]/.test(line)),
      ['**'],
    );
    assert.doesNotMatch(
      text('.build/package.mjs'),
      /LICENSE|'media|\bl10n\b/,
      'the script that packs has no list of its own',
    );
  });

  it('is what people read, what the editor loads, and bundles', () => {
    const folders = new Set(packedFiles(root).map((file) => file.split('/')[0]));
    folders.delete('dist');
    const known = ['CHANGELOG.md', 'LICENSE', 'README.md', 'media', 'package.json', 'package.nls.json'];
    assert.deepEqual([...folders].sort(), known);
  });

  it('holds every file that package.json names', () => {
    const strings: string[] = [];
    JSON.parse(text('package.json'), (_, value: unknown) => typeof value === 'string' && strings.push(value));
    const files = strings
      .map((value) => value.replace(/^\.\//, ''))
      .filter((value) => /^(?:media|dist|l10n)\/\S+$/.test(value));
    assert.ok(files.length >= 10, files.join(', '));
    assert.deepEqual(
      files.filter((file) => !isPacked(file)),
      [],
    );
    assert.ok(files.every((file) => file.startsWith('dist/') || existsSync(join(root, file))));
  });

  it('holds no map, source, test or prompt of the checkout, though they lie beside what ships', () => {
    for (const file of [
      'dist/cli.js.map',
      'dist/test/host/index.cjs',
      'dist/webview/ticket.js.map',
      'prompts/coding.md',
      'src/extension.ts',
      '.npmrc',
    ])
      assert.ok(!isPacked(file), file);
    for (const file of [
      'dist/cli.js',
      'dist/driver.cjs',
      'dist/prompts/personas/bob.md',
      'dist/webview/codicon.ttf',
      'package.nls.de.json',
    ])
      assert.ok(isPacked(file), file);
  });

  it('is copied from a checkout without the bundles of who works there', () => {
    const from = checkout('from', [
      '.vscodeignore',
      'LICENSE',
      'media/walkthrough/demo.svg',
      'dist/cli.js',
      'src/a.ts',
      'docs/cli.md',
      'beadsmith.vsix',
    ]);
    const to = join(folder.path, 'to');
    copyPacked(from, to);
    assert.deepEqual(packedFiles(to), ['LICENSE', 'media/walkthrough/demo.svg']);
    assert.deepEqual(unpackedFiles(to), []);
    assert.ok(existsSync(join(to, '.vscodeignore')), 'the packager finds the list there');
  });

  it('has a command line that asks npm for the Node that it needs, and for no other package', () => {
    const Manifest = z.looseObject({ name: z.string(), version: z.string() });
    const manifest = cliManifest(Manifest.parse(JSON.parse(text('package.json'))));
    const least = [...manifest.engines.node.matchAll(/\d+\.\d+\.\d+/g)].map(([version]) => version);
    assert.deepEqual(least, ['22.13.0', '23.4.0']);
    for (const version of least) {
      assert.equal(nodeTooOld(version), undefined);
      const [major = 0, minor = 0] = version.split('.').map(Number);
      assert.ok(nodeTooOld(`${String(major)}.${String(minor - 1)}.9`));
    }
    assert.deepEqual(
      Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name)),
      [],
    );
    assert.deepEqual(
      cliFiles.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });

  it('says which bundle no line names, so that none is left out in silence', () => {
    const built = checkout('built', [
      '.vscodeignore',
      'package.json',
      'dist/cli.js',
      'dist/parser.wasm',
      'dist/webview/font.woff2',
    ]);
    assert.deepEqual(unpackedFiles(built), ['dist/parser.wasm', 'dist/webview/font.woff2']);
  });
});
