import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { mostMegabytes } from '../../.build/packed.mjs';
import { root } from '../../.build/paths.mjs';
import { EditorScene } from '../support/editor/editorScene.ts';
import { tempFolder } from '../support/tempFolder.ts';
import { inflateRawSync } from 'node:zlib';

/** Sources and their maps, tests, and anything like a key. */
const forbiddenNames = /\.map$|\.tsx?$|\.test\.|\/test\/|\/node_modules\/|\.env|\.pem$/;
const secrets =
  /-----BEGIN [A-Z ]*PRIVATE KEY|\bsk-[A-Za-z0-9_-]{20,}|\bghp_[A-Za-z0-9]{30,}|\bAKIA[0-9A-Z]{16}\b/;
/** Of the documentation of AWS; secret scanners know it as an example. */
const example = 'AKIAIOSFODNN7EXAMPLE';
/** What any window may load of us, without the language client and what a driven ticket or the demo loads. */
const bundleNames = /^extension\/dist\/(extension|part-\w+)\.cjs$/;
const mostToShow = 1_051_268;
/** Loaded on top where tickets are driven. */
const mostToDrive = 786_432;
const mostToWake = 16_384;
/** Loads a file as the editor does, and prints all files that this took. */
const listLoaded = `
  const Module = require('node:module');
  const load = Module._load;
  Module._load = (request, ...rest) => (request === 'vscode' ? {} : load(request, ...rest));
  require(process.argv[1]);
  for (const file of Object.keys(require.cache)) console.log(file);
`;

describe('the packed extension', function () {
  this.bail(true);
  const folder = tempFolder('package');
  const vsix = join(folder.path, 'beadsmith.vsix');

  before(async function () {
    this.timeout(120_000);
    await promisify(execFile)(process.execPath, [join(root, '.build', 'package.mjs'), '--out', vsix], {
      cwd: root,
    });
  });

  after(() => folder.remove());

  it('holds what it needs, and neither sources nor tests nor secrets', () => {
    const entries = zipEntries(vsix);
    const names = entries.map(({ name }) => name);
    for (const name of [
      'extension/package.json',
      'extension/dist/extension.cjs',
      'extension/dist/storeWorker.js',
      'extension/dist/textWorker.js',
      'extension/dist/secretRules.cjs',
      'extension/dist/opencodeSdk.cjs',
      'extension/dist/driver.cjs',
      'extension/dist/yaml.cjs',
      'extension/dist/simpleGit.cjs',
      'extension/dist/sampleRepository.cjs',
      'extension/dist/githubForge.cjs',
      'extension/media/demo/sample.yaml',
      'extension/dist/prompts/prd-draft.md',
      'extension/dist/prompts/personas/winston.md',
    ])
      assert.ok(names.includes(name), name);
    assert.deepEqual(
      names.filter((name) => forbiddenNames.test(name)),
      [],
    );
    for (const { name, content } of entries)
      assert.doesNotMatch(content().toString('latin1').replaceAll(example, ''), secrets, name);
    const readme =
      entries
        .find(({ name }) => name === 'extension/readme.md')
        ?.content()
        .toString('utf8') ?? '';
    assert.match(readme, /^# Beadsmith$/m);
    assert.doesNotMatch(readme, /!\[/, 'it shows no picture that isn’t packed');
    assert.ok(
      statSync(vsix).size <= mostMegabytes.extension * 1_048_576,
      `${String(statSync(vsix).size)} bytes`,
    );
    const bundles = entries.filter(({ name }) => bundleNames.test(name));
    const bytes = bundles.reduce((sum, { content }) => sum + content().length, 0);
    assert.ok(
      bytes <= mostToShow,
      `the extension and its parts have ${String(bytes)} bytes, at most ${String(mostToShow)}`,
    );
    const driver = entries.find(({ name }) => name === 'extension/dist/driver.cjs')?.content().length ?? 0;
    assert.ok(
      driver <= mostToDrive,
      `the driver has ${String(driver)} bytes, at most ${String(mostToDrive)}`,
    );
  });

  it('has the command line and a list of what they contain beside it, and checksums of all', () => {
    const Sbom = z.object({
      bomFormat: z.literal('CycloneDX'),
      components: z.array(
        z.object({
          name: z.string(),
          version: z.string().min(1),
          hashes: z.array(z.object({ content: z.string().length(128) })),
        }),
      ),
    });
    const { components } = Sbom.parse(JSON.parse(readFileSync(join(folder.path, 'sbom.cdx.json'), 'utf8')));
    const names = components.map(({ name }) => name);
    for (const name of ['zod', 'yaml', '@opencode-ai/sdk', 'preact', '@vscode/codicons'])
      assert.ok(names.includes(name), name);
    assert.ok(
      !names.includes('mocha') && !names.includes('esbuild'),
      'it lists what only those need who build it',
    );
    const sums = readFileSync(join(folder.path, 'SHA256SUMS'), 'utf8').trim().split('\n');
    assert.deepEqual(
      sums.map((line) => line.split('  ')[1]?.replace(/\d+\.\d+\.\d+/, 'VERSION')),
      ['beadsmith.vsix', 'beadsmith-cli-VERSION.tgz', 'sbom.cdx.json'],
    );
    for (const [sum = '', name = ''] of sums.map((line) => line.split('  ')))
      assert.equal(
        sum,
        createHash('sha256')
          .update(readFileSync(join(folder.path, name)))
          .digest('hex'),
        name,
      );
  });

  it('wakes by a few kilobytes, and loads what answers with the first call', async () => {
    const main = join(folder.path, '.cache', 'package', 'extension', 'dist', 'extension.cjs');
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', listLoaded, main]);
    const loaded = stdout.trim().split('\n');
    const bytes = loaded.reduce((sum, file) => sum + statSync(file).size, 0);
    assert.ok(loaded.includes(main) && bytes <= mostToWake, `${stdout} have ${String(bytes)} bytes`);
  });

  it('is installed and files a ticket', async function () {
    this.timeout(120_000);
    const scene = await EditorScene.start({ vsix });
    try {
      const { workbench } = scene;
      await workbench.showView();
      await workbench.page
        .locator('.welcome-view-content .monaco-button', { hasText: 'New Ticket' })
        .waitFor();
      await workbench.run('Beadsmith: New Ticket');
      const description = 'Add a function greet(name) with a test.';
      await workbench.writeTicket({ title: 'Greet by name', description }, 'Solo');
      await workbench.row(/· Greet by name/).waitFor();
      await workbench.row(/Needs Input/).waitFor();
      await workbench.screenshots('installed');
    } finally {
      await scene.end();
    }
  });
});

interface ZipEntry {
  readonly name: string;
  readonly content: () => Buffer;
}

/** From the directory at the end. No zip64, no encryption. */
function zipEntries(file: string): readonly ZipEntry[] {
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (end === -1) throw new Error(`${file} is no zip archive`);
  const entries: ZipEntry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extraLength, commentLength] = [
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ];
    const header = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    entries.push({
      name,
      content: () => {
        const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
        const data = bytes.subarray(start, start + packed);
        return method === 0 ? data : inflateRawSync(data);
      },
    });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}
