// Types, rules and formatting: oxlint, which asks TypeScript's own checker, and Prettier, side by side. `--fix` lets both write. Further arguments
// are files or folders to check instead of everything; without them, files are left out whose last answer still holds.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { changedSince } from './lintCache.mjs';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';

ensureNode24();
const fix = process.argv.includes('--fix');
const asked = process.argv.slice(2).filter((argument) => argument !== '--fix');
const everything = ['src', 'test', 'webview-ui', '.build', '.oxlint.config.mts'];
const mostNamed = 200;
const formatted = [
  '{src,test,webview-ui,.build,.vscode,.github}/**/*.{ts,tsx,mjs,cjs,css,json,yml}',
  '*.json',
  '.*.{mjs,mts}',
];

/** Runs a program of node_modules, shows what it says, and answers whether it found nothing. */
const tool = (file, args, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', file), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => {
      if (code !== 0 && output.trim() !== '') console.log(output.trimEnd());
      resolve(code === 0);
    });
  });

async function rules() {
  const { files, passed } =
    asked.length > 0 ? { files: asked.filter((name) => !name.endsWith('.json')) } : changedSince();
  if (files.length === 0) return true;
  // A command line has a length.
  const named = files.length > mostNamed ? everything : files;
  const options = [
    '--config',
    '.oxlint.config.mts',
    '--format',
    'stylish',
    '--no-error-on-unmatched-pattern',
    ...(fix ? ['--fix'] : []),
  ];
  // The checker lives for seconds: to collect its memory seldom, until there is much of it, saves some of
  // them.
  const memory = { GOGC: '400', GOMEMLIMIT: '4GiB' };
  const found = await tool('oxlint/bin/oxlint', [...options, ...named], {
    ...memory,
    ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
  });
  if (found && !fix) passed?.();
  return found;
}

function format() {
  const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', '.cache/prettier'];
  const options = [
    '--log-level',
    'warn',
    '--no-error-on-unmatched-pattern',
    fix ? '--write' : '--check',
    ...cache,
  ];
  return tool('prettier/bin/prettier.cjs', [...options, ...(asked.length > 0 ? asked : formatted)]);
}

const results = await Promise.all([rules(), format()]);
process.exit(results.every(Boolean) ? 0 : 1);
