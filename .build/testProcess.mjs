// Runs test files and checks in processes of their own, and ends them with everything they started.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { processorMeter } from './processorTime.mjs';
import { browserModule, opencodeBinary, root, vscodeServerMain } from './paths.mjs';
import { resultOf } from './verdict.mjs';

/** So many processes run at a time. One may need 4 GB: a server, an editor and a browser. */
export const atOnce = Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / 4e9)));

const children = new Set();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => (children.forEach(end), process.exit(130)));

/**
 * Runs every job, so many at a time, in this order.
 * @template T
 * @param {readonly T[]} jobs
 * @param {(job: T) => Promise<void>} run
 */
export async function inQueue(jobs, run) {
  const left = [...jobs];
  const next = async () => {
    for (let job = left.shift(); job; job = left.shift()) await run(job);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

/**
 * Runs these files of a suite in one process, and answers what they came to. `quiet`: shows what it says when
 * it has ended. `extra`: arguments for mocha. `seconds`: of the processor, of everything together; `files`:
 * of each file, as far as its process measured it.
 * @param {{ timeout?: number, limit: number, program?: string }} suite
 * @param {string | readonly string[]} files
 * @param {{ quiet?: boolean, extra?: readonly string[], env?: Record<string, string> }} [options]
 */
export async function runFiles(
  { timeout, limit, program },
  files,
  { quiet = false, extra = [], env = {} } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'beadsmith-counts-'));
  const file = join(folder, 'counts.json');
  const mocha = [
    'node_modules/mocha/bin/mocha.js',
    '--timeout',
    String(timeout),
    ...extra,
    ...[files].flat(),
  ];
  const variables = {
    BEADSMITH_COUNTS: file,
    BEADSMITH_OPENCODE: process.env['BEADSMITH_OPENCODE'] ?? opencodeBinary(),
    BEADSMITH_VSCODE_SERVER: vscodeServerMain(),
    BEADSMITH_BROWSER: browserModule(),
    // What is loaded again and again is compiled once: types are stripped once, too.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compile'),
    ...env,
  };
  const start = Date.now();
  const {
    code,
    output,
    seconds: used,
  } = await runNode(program ? [program, ...extra] : mocha, { limit, env: variables, quiet });
  const title = [files].flat().join(', ');
  heading(title, seconds(start));
  if (output) console.log(output.trimEnd());
  const written = readCounts(file);
  const result = { ...resultOf(written, code), seconds: used, files: written?.files ?? {} };
  rmSync(folder, { recursive: true, force: true });
  for (const { title, message } of result.failures)
    if (title === 'the process') console.log(`${title}: ${message}`);
  return result;
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // it crashed before its end
  }
}

/**
 * Runs a program on this Node, and ends whatever it left running. `seconds`: what all of it used of the
 * processor, undefined where nothing tells.
 * @param {readonly string[]} args
 * @param {{ limit: number, env?: Record<string, string>, quiet?: boolean }} options
 * @returns {Promise<{ code: number | string | null, output: string, seconds: number | undefined }>}
 */
export function runNode(args, { limit, env = {}, quiet = false }) {
  const notes = mkdtempSync(join(tmpdir(), 'beadsmith-meter-'));
  const meter = processorMeter(notes);
  const [program, ...words] = meter.wrap([process.execPath, ...args]);
  return new Promise((resolve) => {
    // Its own process group, so that its end is also the end of every server it started.
    const detached = process.platform !== 'win32';
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'];
    const child = spawn(program, words, {
      cwd: root,
      env: { ...process.env, ...meter.variables, ...env },
      stdio,
      detached,
    });
    children.add(child);
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => {
      console.error(`\nNot done after ${limit / 60_000} minutes: ended.`);
      end(child);
    }, limit);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      children.delete(child);
      end(child); // and with it whatever it left running
      const used = meter.seconds();
      for (const pid of meter.pids()) kill(pid); // what left its group
      meter.end();
      rmSync(notes, { recursive: true, force: true });
      resolve({ code: code ?? signal, output, seconds: used });
    });
  });
}

function end(child) {
  if (process.platform === 'win32') child.kill('SIGKILL');
  else kill(-child.pid);
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it was faster
  }
}

export function heading(name, detail) {
  console.log(`\n── ${name}${detail ? `: ${detail}` : ''}`);
}

export function seconds(start) {
  return `${((Date.now() - start) / 1000).toFixed(1)} s`;
}
