// One installation: a progress line, all or nothing, and an error that says what to do next.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { CommandFailed } from './npm.mjs';

/**
 * With `into`, `work` fills a temporary folder beside it, which is renamed at the end: an interrupted install
 * leaves nothing behind that looks finished, and of two at once the second one yields. `proof` is a file that
 * must then exist.
 *
 * @param {string} what
 * @param {{ into: string, proof: string } | (() => Promise<unknown>)} place
 * @param {(folder: string) => Promise<unknown>} [work]
 */
export async function install(what, place, work) {
  const progress = startProgress(what);
  try {
    if (typeof place === 'function') await place();
    else await atomically(place, work);
  } catch (error) {
    progress.end('failed');
    throw new Error(explain(what, error), { cause: error });
  }
  progress.end('installed');
}

async function atomically({ into, proof }, work) {
  mkdirSync(dirname(into), { recursive: true });
  const temp = mkdtempSync(join(dirname(into), `.${basename(into)}-`));
  const clean = () => rmSync(temp, { recursive: true, force: true });
  const stop = () => {
    clean();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    // A manifest of its own keeps npm from looking for a project further up.
    writeFileSync(join(temp, 'package.json'), '{ "private": true }\n');
    await work(temp);
    const name = relative(into, proof);
    if (!existsSync(join(temp, name)))
      throw new Error(`The package was installed, but there is no ${name} in it`);
    // A folder without its proof comes from an older layout, or was damaged by hand. It is ours to replace.
    if (existsSync(into) && !existsSync(proof)) rmSync(into, { recursive: true, force: true });
    try {
      renameSync(temp, into);
    } catch (error) {
      if (!existsSync(proof)) throw error; // else another process was first, with the same version
    }
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    clean();
  }
}

function startProgress(what) {
  const start = Date.now();
  const elapsed = () => `${((Date.now() - start) / 1000).toFixed(0)} s`;
  const live = process.stdout.isTTY === true;
  if (!live) console.log(`${what}: installing …`);
  // A log gets a sign of life twice a minute, a terminal a line that counts.
  const tick = () =>
    live
      ? process.stdout.write(`\r${what}: installing … ${elapsed()} `)
      : console.log(`${what}: still installing, ${elapsed()}`);
  const timer = setInterval(tick, live ? 1000 : 30_000);
  return {
    end(result) {
      clearInterval(timer);
      console.log(`${live ? '\r\u001b[K' : ''}${what}: ${result} in ${elapsed()}`);
    },
  };
}

const advice = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET|network/i,
    'npm could not reach its registry. Check the connection, the proxy and `npm config get registry`, then run this again.',
  ],
  [
    /ENOSPC/,
    'The disk is full. Free some space (set BEADSMITH_CACHE to use another disk for the large parts), then run this again.',
  ],
  [
    /EACCES|EPERM|EROFS/,
    'A folder is not writable. Set BEADSMITH_CACHE to a folder of yours, or give this one back to your user, then run this again.',
  ],
  [/EBUSY/, 'A file is in use. Close editors and programs that run from node_modules, then run this again.'],
  [
    /E404|ETARGET|notarget/,
    'The registry does not have this version. If it is a mirror, ask its owner to let it in.',
  ],
  [
    /EUSAGE|can only install packages when/,
    'package.json and package-lock.json do not agree. Run `npm install` and commit both.',
  ],
  [
    /E401|E403/,
    'The registry refuses access. Check the login and the rules of the registry that `npm config get registry` names.',
  ],
];

function explain(what, error) {
  const output = error instanceof CommandFailed ? error.output : '';
  const text = `${String(error)}\n${output}`;
  const next =
    advice.find(([pattern]) => pattern.test(text))?.[1] ??
    'The lines above come from npm. Fix what they name, then run this again.';
  const tail = output.trimEnd().split('\n').slice(-20).join('\n');
  return `${tail}\n\nInstalling ${what} failed: ${error instanceof Error ? error.message : String(error)}.\n${next}`;
}
