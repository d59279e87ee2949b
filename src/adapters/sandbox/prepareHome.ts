import { readdir, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { inHeldFolder } from '../system/heldFolder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A file below HOME by which a version manager knows the versions that a person uses everywhere, and what of
 * it a box may know.
 */
const versionFiles: readonly { readonly path: string; readonly shown: (text: string) => string }[] = [
  { path: '.tool-versions', shown: (text) => text },
  { path: '.asdfrc', shown: (text) => text },
  // It may also hold variables, which may be secrets, and tasks.
  { path: '.config/mise/config.toml', shown: (text) => sectionsOf(text, ['tools', 'alias', 'settings']) },
];
const largestFile = 64 * 1024;

/**
 * Caches of browsers that tests start: the place of each, by the variable that names another one or below
 * HOME, and the depth at which the versions lie that a project may add to. They are read from the person's,
 * and what a setup fetches goes to the box's own.
 */
const browserCaches: readonly { readonly variable: string; readonly below: string; readonly depth: 1 | 2 }[] =
  [
    { variable: 'PLAYWRIGHT_BROWSERS_PATH', below: '.cache/ms-playwright', depth: 1 },
    { variable: 'PUPPETEER_CACHE_DIR', below: '.cache/puppeteer', depth: 2 },
    { variable: 'CYPRESS_CACHE_FOLDER', below: '.cache/Cypress', depth: 1 },
  ];

/**
 * Puts into the HOME of a box what tools look for in a person's: global versions of version managers, and
 * links to browsers. Answers the folders that these links lead to. Commands can write to that HOME, so
 * nothing is written or read through a link in it.
 */
export async function prepareHome(
  home: string,
  env: Environment,
  work: readonly string[],
): Promise<readonly string[]> {
  await giveIdentity(home);
  const person = env['HOME'] ?? homedir();
  for (const { path, shown } of versionFiles) await copyText(join(person, path), { home, path, shown });
  const folders: string[] = [];
  const never = await Promise.all([person, ...work].map((path) => realpath(path).catch(() => path)));
  for (const { variable, below, depth } of browserCaches) {
    const named = env[variable] ?? '';
    const folder = await realpath(isAbsolute(named) ? named : join(person, below)).catch(() => undefined);
    if (folder === undefined || !(await stat(folder)).isDirectory()) continue;
    if (never.some((path) => `${path}/`.startsWith(folder === '/' ? '/' : `${folder}/`))) continue;
    await linkEntries(folder, { home, path: below, depth });
    folders.push(folder);
  }
  return folders;
}

/**
 * Has commits in repositories that tests make work. It is where every other configuration overrides it, and
 * what is there stays, unless a link is in the way.
 */
export async function giveIdentity(home: string): Promise<void> {
  await inHeldFolder(home, ['.config', 'git'], { make: true }, (folder) =>
    writeFile(join(folder, 'config'), identity, { flag: 'wx' }).catch(() => undefined),
  );
}

const identity = '[user]\n\tname = Beadsmith\n\temail = beadsmith@localhost\n';

async function copyText(
  from: string,
  {
    home,
    path,
    shown,
  }: { readonly home: string; readonly path: string; readonly shown: (text: string) => string },
): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found?.isFile() !== true || found.size > largestFile) return;
  const text = shown(await readFile(from, 'utf8').catch(() => ''));
  const parts = path.split('/');
  await inHeldFolder(home, parts.slice(0, -1), { make: true }, async (folder) => {
    const to = join(folder, parts.at(-1) ?? '');
    await rm(`${to}.new`, { recursive: true, force: true });
    await writeFile(`${to}.new`, text, { flag: 'wx' });
    // A folder in the way is the command's own.
    await rename(`${to}.new`, to).catch(() => rm(`${to}.new`, { force: true }));
  });
}

async function linkEntries(
  from: string,
  { home, path, depth }: { readonly home: string; readonly path: string; readonly depth: number },
): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true }).catch(() => [])) {
    if (entry.name.startsWith('.')) continue;
    const below = { home, path: `${path}/${entry.name}`, depth: depth - 1 };
    if (depth > 1 && entry.isDirectory()) await linkEntries(join(from, entry.name), below);
    else
      await inHeldFolder(home, path.split('/'), { make: true }, (folder) =>
        // One that is there is the box's own, or the link of last time.
        symlink(join(from, entry.name), join(folder, entry.name)).catch(() => undefined),
      );
  }
}

/** The sections of a TOML file with these names, with what is below them. */
function sectionsOf(text: string, names: readonly string[]): string {
  let isShown = false;
  const lines = text.split('\n').filter((line) => {
    const [, name] = /^\s*\[{1,2}\s*"?([\w-]+)/.exec(line) ?? [];
    if (name !== undefined) isShown = names.includes(name);
    return isShown;
  });
  return `${lines.join('\n')}\n`;
}
