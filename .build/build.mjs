// Bundles.
//
//   node .build/build.mjs [--quiet] [--watch] [--release extension|cli] [--out FOLDER] [--inputs FILE]
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { basename, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';
import { teamParts } from './teamParts.mjs';

ensureNode24();
const esbuild = await import('esbuild');
const has = (flag) => process.argv.includes(flag);
const valueOf = (flag) => process.argv[process.argv.indexOf(flag) + 1];
/** A release has what one of the two packages ships, and a build for who works here has everything. */
const isOf = (part) => !has('--release') || valueOf('--release') === part;
/**
 * Default: dist/ of the project. What is shipped is built elsewhere, so that nobody who works here loses his
 * build.
 */
const out = has('--out') ? resolve(valueOf('--out')) : join(root, 'dist');
const partsFile = 'teamParts.json';
const say = (line) => has('--quiet') || console.log(line);

/** Programs for Node, in one build so that they share chunks. */
const programs = {
  cli: 'src/cli/main.ts',
  storeWorker: 'src/adapters/store/worker.ts',
  teamWorker: 'src/adapters/store/postgres/worker.ts',
  textWorker: 'src/app/textWorker.ts',
  opencodeGuard: 'src/adapters/opencode/server/guard.ts',
  gitHelper: 'src/adapters/git/start/gitHelper.ts',
  // Of the demo in an editor.
  ...(isOf('extension') ? { scriptedModel: 'src/demo/main.ts' } : {}),
  sandboxInside: 'src/adapters/system/relay/inside.ts',
};

/**
 * Programs of tests that start often: from their sources each takes three times as long. They are never
 * shipped.
 */
const testPrograms = has('--release')
  ? {}
  : { personCli: '.build/personCli.mjs', crashDriver: 'test/support/crash/crashDriver.ts' };

/** What `beadsmith serve` loads. The extension's package has no room for it and its page. */
const teamPrograms = isOf('cli') ? { serve: 'src/cli/serve/main.ts' } : {};

/**
 * What an editor loads with `require`, in one build so that they share parts, and load what they don't need
 * at once later.
 */
const editorSide = {
  extension: 'src/extension.ts',
  driver: 'src/host/repositories/driveRepository.ts',
  languageClient: 'src/host/language/languageClient.ts',
  language: 'src/language/main.ts',
  sampleRepository: 'src/demo/writeSampleRepository.ts',
  githubForge: 'src/adapters/forge/github/githubForge.ts',
};

/** In browsers, and not in the editor. */
const servedPage = 'webview-ui/served/main.tsx';

const common = {
  absWorkingDir: root,
  outdir: out,
  bundle: true,
  platform: 'node',
  target: 'node22',
  sourcemap: has('--release') ? false : 'linked',
  minify: has('--release'),
  legalComments: 'linked',
  // Quotation marks and ellipses of texts are half as long as their escapes.
  charset: 'utf8',
  logLevel: 'warning',
  metafile: true,
};

/** A CommonJS bundle has no `import.meta.url`; the sources use it to find their neighbours in dist/. */
const metaUrl = "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;";

/**
 * A program that lives as long as a command or a ticket reads by most schemas a few times: to have zod
 * compile each of them first was a tenth of the command line's processor time. It stands before all else,
 * because a bundle's parts aren't evaluated in the order of the imports.
 */
const plainSchemas = '(globalThis.__zod_globalConfig ??= {}).jitless = true;';

const forEditor = {
  outExtension: { '.js': '.cjs' },
  external: ['vscode', 'mocha'],
  define: { 'import.meta.url': 'importMetaUrl' },
  plugins: [
    tokenizerApart(),
    secretRulesApart(),
    sdkApart(),
    languageClientApart(),
    ownTextDocument(),
    driverApart(),
    yamlApart(),
    gitApart(),
    sampleApart(),
    forgeApart(),
    postgresApart(),
  ],
};

const builds = [
  {
    ...common,
    entryPoints: { ...programs, ...teamPrograms, ...testPrograms },
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    // CommonJS packages inside an ES module still ask for `require`.
    banner: {
      js: `import { createRequire as createRequireHere } from 'node:module';\nconst require = createRequireHere(import.meta.url);\n${plainSchemas}`,
    },
    plugins: [
      tokenizerApart(),
      secretRulesApart(),
      sdkApart(),
      postgresApart(),
      httpByRequire(),
      executable('cli.js'),
    ],
  },
  {
    ...common,
    ...forEditor,
    entryPoints: isOf('extension') ? editorSide : {},
    format: 'esm',
    splitting: true,
    chunkNames: 'part-[hash]',
    sourcemap: has('--release') ? false : 'inline',
    write: false,
    plugins: [...forEditor.plugins, commonJs()],
  },
  {
    ...common,
    ...forEditor,
    entryPoints: has('--release') ? {} : hostTests(),
    format: 'cjs',
    banner: { js: metaUrl },
    // The files that the extension finds beside itself aren't beside its tests.
    plugins: forEditor.plugins.filter(({ name }) => name !== 'YAML apart' && name !== 'git apart'),
  },
  {
    ...common,
    entryPoints: {
      tokens: 'gpt-tokenizer/encoding/o200k_base',
      secretRules: 'src/adapters/secrets/secretlintRules.ts',
      opencodeSdk: '@opencode-ai/sdk/v2/client',
      ...(isOf('extension') ? { yaml: 'yaml', simpleGit: 'simple-git' } : {}),
      postgres: 'pg',
    },
    // The client of PostgreSQL asks for them, and goes without.
    external: ['pg-native', 'pg-cloudflare'],
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    sourcemap: false,
    plugins: [vocabularyAsJson()],
  },
  {
    ...common,
    entryPoints: isOf('extension') ? pages() : {},
    outdir: join(out, 'webview'),
    platform: 'browser',
    format: 'esm',
    target: 'chrome130',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
  {
    ...common,
    entryPoints: isOf('cli') ? { main: servedPage } : {},
    outdir: join(out, 'served'),
    platform: 'browser',
    format: 'esm',
    target: ['chrome130', 'firefox130', 'safari18'],
    minify: true,
  },
].filter((build) => Object.keys(build.entryPoints).length > 0);

if (has('--watch')) {
  for (const build of builds) await (await esbuild.context({ ...build, logLevel: 'info' })).watch();
  copyFiles();
  console.log('watching; prompts and lists are copied once');
} else {
  const results = await Promise.all(builds.map((build) => esbuild.build(build))).catch(() => process.exit(1));
  const outputs = new Map(results.flatMap((result) => Object.entries(result.metafile.outputs)));
  copyFiles();
  removeStale(outputs);
  // Every file that became a part of a bundle: what a list of contents is made from.
  const inputs = new Set([...outputs.values()].flatMap((output) => Object.keys(output.inputs)));
  if (has('--inputs')) writeFileSync(valueOf('--inputs'), JSON.stringify([...inputs].sort()));
  for (const [file, { bytes, entryPoint }] of outputs)
    if (entryPoint) say(`${file}  ${(bytes / 1024).toFixed(0)} kB`);
}

/**
 * Tests that run inside an editor are bundled one by one, found by pattern; the runner beside them loads what
 * it finds.
 */
function hostTests() {
  const files = fs.globSync(['test/host/index.ts', 'test/host/**/*.test.ts'], { cwd: root });
  return Object.fromEntries(files.map((file) => [file.replaceAll('\\', '/').replace(/\.ts$/, ''), file]));
}

function pages() {
  const files = fs
    .globSync('webview-ui/*/main.{ts,tsx}', { cwd: root })
    .filter((file) => file.replaceAll('\\', '/') !== servedPage);
  const entries = files.map((file) => [file.split(/[\\/]/)[1], file]);
  // The icons are a stylesheet and a font of their own, which all pages share.
  return Object.fromEntries([...entries, ['codicon', 'node_modules/@vscode/codicons/dist/codicon.css']]);
}

/**
 * An ES module that imports `node:http` loads Node's whole `fetch` with it, for exports that nothing here
 * uses: a third of what a command takes to start. `require` leaves them alone.
 */
function httpByRequire() {
  const namespace = 'http by require';
  return {
    name: namespace,
    setup(build) {
      build.onResolve({ filter: /^node:https?$/ }, ({ path, kind }) =>
        kind === 'require-call' ? { path, external: true } : { path, namespace },
      );
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
      }));
    },
  };
}

/** The tokenizer is 2.8 MB and 100 ms to load: it lies once in dist/, and the bundles only know where. */
function tokenizerApart() {
  return {
    name: 'tokenizer apart',
    setup(build) {
      build.onResolve({ filter: /^gpt-tokenizer/ }, ({ path, kind }) => {
        if (path !== 'gpt-tokenizer/encoding/o200k_base')
          return { errors: [{ text: `Import gpt-tokenizer/encoding/o200k_base, not ${path}` }] };
        if (kind !== 'dynamic-import')
          return { errors: [{ text: 'Load the tokenizer with import() on first use' }] };
        return { path: './tokens.cjs', external: true };
      });
    },
  };
}

/** A list of 200,000 texts is read in half of the time when it is JSON, not a program. */
function vocabularyAsJson() {
  return {
    name: 'vocabulary as JSON',
    setup(build) {
      build.onLoad({ filter: /[\\/]bpeRanks[\\/]o200k_base\.js$/ }, async ({ path }) => {
        const { default: ranks } = await import(pathToFileURL(path).href);
        return {
          contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(ranks))});`,
          loader: 'js',
        };
      });
    },
  };
}

/** The rules that look for secrets are only needed when there is something to commit. */
function secretRulesApart() {
  return apart('secret rules apart', /\/secretlintRules\.ts$/, './secretRules.cjs');
}

/** A window that drives no ticket asks OpenCode nothing. */
function sdkApart() {
  return apart('OpenCode SDK apart', /^@opencode-ai\/sdk\/v2\/client$/, './opencodeSdk.cjs');
}

/** The language client is as large as a third of the extension, and only needed when a document is open. */
function languageClientApart() {
  return apart('language client apart', /\/languageClient\.ts$/, './languageClient.cjs');
}

/** The client has its own copy: what it shares with the server alone would be a part of the extension. */
function ownTextDocument() {
  return {
    name: 'own text document',
    setup(build) {
      build.onResolve({ filter: /^vscode-languageserver-textdocument$/ }, async (args) => {
        if (!/vscode-languageclient/.test(args.importer) || args.pluginData === 'asked') return undefined;
        const { importer, resolveDir, kind } = args;
        const found = await build.resolve(args.path, { importer, resolveDir, kind, pluginData: 'asked' });
        return { ...found, suffix: '?client' };
      });
    },
  };
}

/** What drives tickets is as large as all that shows them, and only needed in a trusted folder. */
function driverApart() {
  return apart('driver apart', /\/driveRepository\.ts$/, './driver.cjs');
}

/**
 * A window reads YAML when a ticket is driven or a document is open, and the language server reads the same.
 */
function yamlApart() {
  return apart('YAML apart', /^yaml$/, './yaml.cjs', 'import-statement');
}

/** A window that follows another one, and one without a trusted folder, runs no git. */
function gitApart() {
  return apart('git apart', /^simple-git$/, './simpleGit.cjs', 'import-statement');
}

/** Only who tries the demo writes its repository. */
function sampleApart() {
  return apart('sample repository apart', /\/writeSampleRepository\.ts$/, './sampleRepository.cjs');
}

/** Only who has a team talks to PostgreSQL. */
function postgresApart() {
  return apart('PostgreSQL apart', /^pg$/, './postgres.cjs');
}

/** Only who creates a pull request talks to GitHub. */
function forgeApart() {
  return apart('forge apart', /\/githubForge\.ts$/, './githubForge.cjs');
}

function apart(name, filter, path, how = 'dynamic-import') {
  return {
    name,
    setup(build) {
      build.onResolve({ filter }, ({ kind }) => (kind === how ? { path, external: true } : undefined));
    },
  };
}

/**
 * Only ES modules can be split into parts, and the editor wants CommonJS: so each part is translated before
 * it is written.
 */
function commonJs() {
  const translate = async (file) => {
    const options = {
      format: 'cjs',
      platform: 'node',
      target: common.target,
      minify: common.minify,
      charset: common.charset,
      banner: file.text.includes('importMetaUrl') ? metaUrl : '',
    };
    // `import()` becomes `require`: the editor hands out its API there.
    const supported = { 'dynamic-import': false };
    const sourcemap = has('--release') ? false : 'external';
    const { code, map } = await esbuild.transform(file.text, {
      ...options,
      supported,
      sourcemap,
      legalComments: 'none',
    });
    writeFileSync(file.path, map ? `${code}//# sourceMappingURL=${basename(file.path)}.map\n` : code);
    if (map) writeFileSync(`${file.path}.map`, map);
  };
  return {
    name: 'CommonJS',
    setup(build) {
      build.onEnd(async ({ outputFiles = [] }) => {
        mkdirSync(out, { recursive: true });
        for (const file of outputFiles) {
          if (file.path.endsWith('.cjs')) await translate(file);
          else writeFileSync(file.path, file.contents);
        }
      });
    },
  };
}

function executable(name) {
  return {
    name: 'executable',
    setup(build) {
      build.onEnd(() => {
        const file = join(out, name);
        if (!existsSync(file)) return;
        const text = readFileSync(file, 'utf8');
        if (!text.startsWith('#!')) writeFileSync(file, `#!/usr/bin/env node\n${text}`);
        chmodSync(file, 0o755);
      });
    },
  };
}

/** Beside the bundles: prompts, and what `beadsmith team install` installs. */
function copyFiles() {
  const filter = (file) => statSync(file).isDirectory() || file.endsWith('.md');
  cpSync(join(root, 'prompts'), join(out, 'prompts'), { recursive: true, filter });
  writeFileSync(join(out, partsFile), JSON.stringify(teamParts(root)));
}

/**
 * Chunks carry a hash in their name, so old ones would pile up. Nothing is removed before the new ones are
 * there.
 */
function removeStale(outputs) {
  const keep = new Set([...outputs.keys()].flatMap((file) => [join(root, file), `${join(root, file)}.map`]));
  keep.add(join(out, partsFile));
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const prompt = relative(join(out, 'prompts'), file);
    if (
      entry.isFile() &&
      !keep.has(file) &&
      (prompt.startsWith('..') || !existsSync(join(root, 'prompts', prompt)))
    )
      rmSync(file);
  }
}
