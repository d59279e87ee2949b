import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A hash for each part that belongs to the person. */
export type CheckoutState = Readonly<
  Record<'HEAD' | 'index' | 'files' | 'stash' | 'configuration' | 'hooks' | 'refs', string>
>;

/** Refs that a ticket may make. */
const ours = /^\S+ refs\/(?:heads\/ticket\/|beadsmith\/|notes\/beadsmith)/;

/** Without touching its index. */
export function checkoutState(repository: string): CheckoutState {
  const common = git(repository, 'rev-parse', '--path-format=absolute', '--git-common-dir').trim();
  const own = git(repository, 'rev-parse', '--path-format=absolute', '--git-dir').trim();
  const isBare = git(repository, 'rev-parse', '--is-bare-repository').trim() === 'true';
  const refs = git(repository, 'for-each-ref', '--format=%(objectname) %(refname)').split('\n');
  return {
    HEAD: fileHash(join(own, 'HEAD')),
    index: hashOf(isBare ? '' : git(repository, 'ls-files', '--stage', '-v', '-z')),
    files: isBare ? '' : folderHash(repository),
    stash: hashOf(
      existsSync(join(common, 'refs', 'stash')) ? git(repository, 'stash', 'list', '--format=%H') : '',
    ),
    configuration: ['config', 'info/exclude', 'info/attributes', 'info/sparse-checkout']
      .map((name) => fileHash(join(common, name)))
      .join(),
    hooks: existsSync(join(common, 'hooks')) ? folderHash(join(common, 'hooks')) : '',
    refs: hashOf(refs.filter((line) => !ours.test(line)).join('\n')),
  };
}

export function touchedParts(before: CheckoutState, after: CheckoutState): readonly string[] {
  return Object.entries(after).flatMap(([part, hash]) =>
    before[part as keyof CheckoutState] === hash ? [] : [part],
  );
}

/** With mode, ignored ones too; git's own folder and the product's aren't the person's work. */
function folderHash(folder: string): string {
  const hash = createHash('sha256');
  const pending = [Buffer.from(folder)];
  for (let place = pending.pop(); place; place = pending.pop()) {
    // Not all names are UTF-8.
    const names = readdirSync(place, { encoding: 'buffer' }).sort((a, b) => a.compare(b));
    for (const name of names) {
      if (['.git', '.beadsmith'].includes(name.toString())) continue;
      const path = Buffer.concat([place, Buffer.from('/'), name]);
      const stat = lstatSync(path);
      hash.update(path).update(` ${String(stat.mode)} `);
      if (stat.isDirectory()) pending.push(path);
      else if (stat.isSymbolicLink()) hash.update(readlinkSync(path));
      else if (stat.isFile()) hash.update(readFileSync(path));
    }
  }
  return hash.digest('hex');
}

function fileHash(path: string): string {
  return existsSync(path) ? hashOf(readFileSync(path)) : 'none';
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function git(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0' };
  return execFileSync('git', ['-C', folder, ...args], {
    encoding: 'latin1',
    env,
    maxBuffer: 256 * 1024 * 1024,
  });
}
