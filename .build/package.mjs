// Makes the files that people install: the extension, and the command line for machines without an editor. For
// each, copies what belongs to it into a folder of its own, builds for release there, and packs it.
//
//   node .build/package.mjs [--out FILE.vsix]
//
// Beside the extension: beadsmith-cli-VERSION.tgz, sbom.cdx.json, the list of what both contain, and SHA256SUMS.
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { npm, run } from './npm.mjs';
import { cliFiles, cliManifest, copyPacked, mostMegabytes, unpackedFiles } from './packed.mjs';
import { root, vsceMain } from './paths.mjs';
import { sbomOf } from './sbom.mjs';

ensureNode24();

const manifest = readJson(join(root, 'package.json'));
const vsix = process.argv.includes('--out')
  ? resolve(process.argv[process.argv.indexOf('--out') + 1])
  : join(root, `${manifest.name}-${manifest.version}.vsix`);
const out = dirname(vsix);
const stage = join(out, '.cache', 'package');
const cli = cliManifest(manifest);
const tarball = join(out, `${cli.name}-${cli.version}.tgz`);

rmSync(stage, { recursive: true, force: true });
try {
  await packExtension(join(stage, 'extension'));
  await packCli(join(stage, 'cli'));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${error?.output ?? ''}`);
  process.exit(1);
}
const bundled = ['extension', 'cli'].flatMap((part) => readJson(inputsOf(part)));
const sbom = join(out, 'sbom.cdx.json');
writeFileSync(
  sbom,
  `${JSON.stringify(sbomOf(manifest, readJson(join(root, 'package-lock.json')), bundled), null, 2)}\n`,
);
writeFileSync(
  join(out, 'SHA256SUMS'),
  [vsix, tarball, sbom].map((file) => `${sha256(file)}  ${basename(file)}\n`).join(''),
);
say(vsix, mostMegabytes.extension);
say(tarball, mostMegabytes.cli);

async function packExtension(folder) {
  mkdirSync(folder, { recursive: true });
  copyPacked(root, folder);
  withoutPictures(folder);
  writeJson(join(folder, 'package.json'), shippedManifest(manifest));
  await build('extension', folder);
  const unnamed = unpackedFiles(folder);
  if (unnamed.length > 0)
    throw new Error(
      `These files belong to the package, and no line of .vscodeignore names them:\n${unnamed.join('\n')}`,
    );
  // The links of the README are for people who read it in the repository.
  const args = [
    'package',
    '--no-dependencies',
    '--no-rewrite-relative-links',
    '--allow-missing-repository',
    '--skip-license',
    '--out',
    vsix,
  ];
  await run(process.execPath, [vsceMain(), ...args], folder);
}

async function packCli(folder) {
  for (const file of cliFiles) cpSync(join(root, file), join(folder, file));
  withoutPictures(folder);
  writeJson(join(folder, 'package.json'), cli);
  await build('cli', folder);
  await npm(['pack', '--ignore-scripts', '--pack-destination', out], folder);
}

function build(part, folder) {
  const options = ['--quiet', '--release', part, '--out', join(folder, 'dist'), '--inputs', inputsOf(part)];
  return run(process.execPath, [join(root, '.build', 'build.mjs'), ...options], root);
}

/** A list of all files that were bundled for it. */
function inputsOf(part) {
  return join(stage, `${part}.json`);
}

/** An installed README can't show pictures of the repository, so they stay there. */
function withoutPictures(folder) {
  const file = join(folder, 'README.md');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^!\[.*\]\(.*\)\n\n?/gm, ''));
}

function say(file, most) {
  console.log(`${file}  ${(statSync(file).size / 1_048_576).toFixed(2)} MB of at most ${most} MB`);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Without what only those need who build it. `private` would keep it from being packed. */
function shippedManifest(whole) {
  const ours = [
    'scripts',
    'devDependencies',
    'optionalDependencies',
    'overrides',
    'private',
    'prettier',
    'allowScripts',
  ];
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !ours.includes(name)));
}
