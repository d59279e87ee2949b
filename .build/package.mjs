// Makes the file that people install: copies what .vscodeignore names into a folder of its own, builds for
// release there, and packs it.
//
//   node .build/package.mjs [--out FILE.vsix]
//
// Beside it: sbom.cdx.json, the list of what it contains, and SHA256SUMS of both.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { run } from './npm.mjs';
import { copyPacked, unpackedFiles } from './packed.mjs';
import { root, vsceMain } from './paths.mjs';
import { sbomOf } from './sbom.mjs';

ensureNode24();

const stage = join(root, '.cache', 'package');
const bundled = join(root, '.cache', 'bundled.json');

const manifest = readJson(join(root, 'package.json'));
const out = process.argv.includes('--out')
  ? resolve(process.argv[process.argv.indexOf('--out') + 1])
  : join(root, `${manifest.name}-${manifest.version}.vsix`);

rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
copyPacked(root, stage);
// An installed extension's page can't show pictures of the repository, so they stay there.
writeFileSync(
  join(stage, 'README.md'),
  readFileSync(join(stage, 'README.md'), 'utf8').replaceAll(/^!\[.*\]\(.*\)\n\n?/gm, ''),
);
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(shippedManifest(manifest), null, 2)}\n`);
try {
  await run(
    process.execPath,
    [
      join(root, '.build', 'build.mjs'),
      '--quiet',
      '--release',
      '--out',
      join(stage, 'dist'),
      '--inputs',
      bundled,
    ],
    root,
  );
  const unnamed = unpackedFiles(stage);
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
    out,
  ];
  await run(process.execPath, [vsceMain(), ...args], stage);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${error?.output ?? ''}`);
  process.exit(1);
}
const sbom = join(dirname(out), 'sbom.cdx.json');
writeFileSync(
  sbom,
  `${JSON.stringify(sbomOf(manifest, readJson(join(root, 'package-lock.json')), readJson(bundled)), null, 2)}\n`,
);
writeFileSync(
  join(dirname(out), 'SHA256SUMS'),
  [out, sbom].map((file) => `${sha256(file)}  ${basename(file)}\n`).join(''),
);
console.log(`${out}  ${(statSync(out).size / 1_048_576).toFixed(2)} MB`);

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
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
