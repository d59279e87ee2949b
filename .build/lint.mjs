// ESLint and Prettier side by side; `--fix` lets both write. Further arguments are files or folders to check instead of everything.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { root } from './paths.mjs';

ensureNode24();
const fix = process.argv.includes('--fix');
const asked = process.argv.slice(2).filter((argument) => argument !== '--fix');
const everything = ['src', 'test', 'webview-ui', '.build', '.eslint.config.mjs'];
const formatted = ['{src,test,webview-ui,.build,.vscode,.github}/**/*.{ts,tsx,mjs,cjs,css,json,yml}', '*.json', '.*.mjs'];

const tool = (file, args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', file), ...args], { cwd: root });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => {
      if (output.trim() !== '') console.log(output.trimEnd());
      resolve(code === 0);
    });
  });

const eslint = ['--config', '.eslint.config.mjs', '--max-warnings=0', '--no-error-on-unmatched-pattern'];
const prettier = ['--log-level', 'warn', '--no-error-on-unmatched-pattern', fix ? '--write' : '--check'];
const results = await Promise.all([
  tool('eslint/bin/eslint.js', [
    ...eslint,
    ...(fix ? ['--fix'] : []),
    ...(asked.length > 0 ? asked.filter((name) => !name.endsWith('.json')) : everything),
  ]),
  tool('prettier/bin/prettier.cjs', [...prettier, ...(asked.length > 0 ? asked : formatted)]),
]);
process.exit(results.every(Boolean) ? 0 : 1);
