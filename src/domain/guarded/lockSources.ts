import { isRecord } from '../../base/json.ts';
import { type GuardedChange, type GuardedText } from './catalogue/guardedChange.ts';
import { newLines, parsed } from './catalogue/entries.ts';

/** Usual addresses; any other is asked about. `skip`: lines that only inform. */
interface LockFile {
  readonly tool: string;
  readonly source: string;
  readonly usual: readonly string[];
  readonly skip?: RegExp;
}

const npm = ['https://registry.npmjs.org/', 'https://registry.yarnpkg.com/'];
const pypi = ['https://pypi.org/', 'https://files.pythonhosted.org/'];

const lockFiles: Readonly<Record<string, LockFile>> = {
  'yarn.lock': {
    tool: 'Yarn',
    source: 'https://classic.yarnpkg.com/lang/en/docs/yarn-lock',
    usual: npm,
    skip: /^#/,
  },
  'pnpm-lock.yaml': {
    tool: 'pnpm',
    source: 'https://pnpm.io/git#lockfiles',
    usual: npm,
    skip: /^(?:deprecated: (?!.*tarball)|#)/,
  },
  'bun.lock': { tool: 'Bun', source: 'https://bun.com/docs/install/lockfile', usual: npm },
  'deno.lock': {
    tool: 'Deno',
    source: 'https://docs.deno.com/runtime/fundamentals/modules',
    usual: ['https://jsr.io/', ...npm],
  },
  'cargo.lock': {
    tool: 'Cargo',
    source: 'https://doc.rust-lang.org/cargo/guide/cargo-toml-vs-cargo-lock.html',
    usual: ['https://github.com/rust-lang/crates.io-index"', 'https://index.crates.io/'],
  },
  'poetry.lock': { tool: 'Poetry', source: 'https://python-poetry.org/docs/repositories', usual: pypi },
  'uv.lock': { tool: 'uv', source: 'https://docs.astral.sh/uv/concepts/projects/layout', usual: pypi },
  'pdm.lock': { tool: 'PDM', source: 'https://pdm-project.org/latest/usage/lockfile', usual: pypi },
  'pipfile.lock': { tool: 'Pipenv', source: 'https://pipenv.pypa.io/en/latest/locking.html', usual: pypi },
  'gemfile.lock': {
    tool: 'Bundler',
    source: 'https://bundler.io/guides/using_bundler_in_applications.html',
    usual: ['https://rubygems.org/'],
  },
  'mix.lock': {
    tool: 'Hex',
    source: 'https://hexdocs.pm/mix/Mix.Tasks.Deps.html',
    usual: ['https://repo.hex.pm/'],
  },
};
const npmLocks = new Set(['package-lock.json', 'npm-shrinkwrap.json']);
const unreadable = new Set(['bun.lockb']);

type Found = Pick<GuardedChange, 'kind' | 'text' | 'line'>;

/** True for the last path part of a known lock file. */
export function isLockFile(name: string): boolean {
  return (
    name in lockFiles ||
    npmLocks.has(name) ||
    unreadable.has(name) ||
    name === 'composer.lock' ||
    name === 'go.sum'
  );
}

/** New sources and scripts in a lock file. `name`: its lowercase last part. */
export function lockSources(name: string, file: GuardedText): readonly Found[] {
  if (file.isGone === true) return [];
  if (file.after === null || unreadable.has(name))
    return [{ kind: 'source', line: null, text: "a lock file that can't be read" }];
  if (npmLocks.has(name)) return npmSources(file.before, file.after);
  if (name === 'go.sum') return changedSums(file.before ?? '', file.after);
  if (name === 'composer.lock') return composerSources(file.before, file.after);
  const row = lockFiles[name];
  return row ? addressesIn(row, file.before, file.after) : [];
}

const address = /(?:[a-z][a-z\d+.-]{1,20}:\/\/|git@)[^\s"'<>{},]+["]?/gi;

function addressesIn({ usual, skip }: LockFile, before: string | null, after: string): readonly Found[] {
  const known = new Set([...(before ?? '').matchAll(address)].map(([one]) => placeOf(one)));
  const found = newLines(before, after).flatMap(({ line, text }): Found[] => {
    if (skip?.test(text) === true) return [];
    if (/\\[xuU/]|\btype: git\b/.test(text))
      return [{ kind: 'source', line, text: 'an address that is written in another way' }];
    return [...text.matchAll(address)]
      .map(([one]) => one)
      .filter((one) => !isUsual(one, usual) && !known.has(placeOf(one)))
      .map((one) => ({ kind: 'source', line, text: placeOf(one) }));
  });
  return firstOfEach(found);
}

function isUsual(one: string, usual: readonly string[]): boolean {
  const plain = one.replace(/^(?:registry|sparse|npm)\+/i, '');
  return usual.some((place) => plain.startsWith(place) || `${plain.replace(/"$/, '')}/` === place);
}

/** A registry's host, or a whole repository address, since hosts are shared. Without a login. */
function placeOf(one: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/|git@)(.*)$/i.exec(one) ?? [];
  const [whole = ''] = rest.replace(/"$/, '').split(/[?#]/);
  const place = whole.replace(/^[^/@]*@/, '');
  const isRepository =
    /git|ssh/i.test(scheme) || /\.git\b|^(?:github|gitlab|bitbucket|codeload\.github)\./i.test(place);
  return isRepository ? place : (place.split('/')[0] ?? '');
}

function npmSources(before: string | null, after: string): readonly Found[] {
  const now = packagesOf(after);
  if (!now) return [{ kind: 'source', line: null, text: "a lock file that can't be read" }];
  const old = packagesOf(before ?? '{}') ?? new Map<string, Record<string, unknown>>();
  const text = (entry: Record<string, unknown> | undefined, key: string): string =>
    typeof entry?.[key] === 'string' ? entry[key] : '';
  const known = new Set([...old.values()].map((entry) => placeOf(text(entry, 'resolved'))));
  const found = [...now].flatMap(([key, entry]): Found[] => {
    const earlier = old.get(key);
    const name = key.replace(/^.*node_modules\//, '');
    const resolved = text(entry, 'resolved');
    const [integrity, hash] = [text(entry, 'integrity'), text(earlier, 'integrity')];
    const list: Found[] = [];
    if (entry['hasInstallScript'] === true && earlier?.['hasInstallScript'] !== true)
      list.push({ kind: 'install_script', line: null, text: name });
    if (/^[a-z][\w+.-]*:/i.test(resolved) && resolved !== text(earlier, 'resolved')) {
      const isKnown = isUsual(resolved, npm) || known.has(placeOf(resolved));
      const isOfName = resolved.includes(`/${text(entry, 'name') || name}/-/`);
      if (!isKnown) list.push({ kind: 'source', line: null, text: `${name}: ${placeOf(resolved)}` });
      else if (isUsual(resolved, npm) && !isOfName)
        list.push({ kind: 'source', line: null, text: `${name}: another package` });
    }
    const isSame =
      text(entry, 'version') === text(earlier, 'version') && integrity.split('-')[0] === hash.split('-')[0];
    if (hash !== '' && isSame && integrity !== hash)
      list.push({ kind: 'source', line: null, text: `${name}: another hash of the same version` });
    return list;
  });
  return firstOfEach(found);
}

function packagesOf(text: string): ReadonlyMap<string, Record<string, unknown>> | undefined {
  const lock = parsed(text);
  if (!isRecord(lock)) return undefined;
  const found = new Map<string, Record<string, unknown>>();
  const add = (list: unknown, folder: string): void => {
    for (const [key, entry] of isRecord(list) ? Object.entries(list) : []) {
      if (!isRecord(entry)) continue;
      found.set(folder + key, entry);
      if (folder !== '') add(entry['dependencies'], `${folder}${key}/node_modules/`);
    }
  };
  add(lock['packages'], '');
  // npm reads `packages` first; older versions read only `dependencies`.
  add(lock['dependencies'], 'dependencies/node_modules/');
  return found;
}

function changedSums(before: string, after: string): readonly Found[] {
  const sums = (text: string): Map<string, string> =>
    new Map(
      text
        .split('\n')
        .flatMap((line) =>
          /^\S+ \S+ \S+$/.test(line.trim()) ? [[line.trim().replace(/ \S+$/, ''), line.trim()] as const] : [],
        ),
    );
  const old = sums(before);
  return [...sums(after)].flatMap(([key, line]): Found[] =>
    old.has(key) && old.get(key) !== line
      ? [{ kind: 'source', line: null, text: `${key}: another hash of the same version` }]
      : [],
  );
}

const composerHosts = [
  'https://api.github.com/repos/',
  'https://github.com/',
  'https://gitlab.com/',
  'https://bitbucket.org/',
];

function composerSources(before: string | null, after: string): readonly Found[] {
  const addresses = (text: string | null): readonly string[] | undefined => {
    const lock = parsed(text ?? '{}');
    if (!isRecord(lock)) return undefined;
    const packages: readonly unknown[] = [lock['packages'], lock['packages-dev']].flatMap(
      (list: unknown): unknown[] => (Array.isArray(list) ? list : []),
    );
    const places = packages.flatMap((one) => (isRecord(one) ? [one['dist'], one['source']] : []));
    return places.flatMap((one) => (isRecord(one) && typeof one['url'] === 'string' ? [one['url']] : []));
  };
  const now = addresses(after);
  if (!now) return [{ kind: 'source', line: null, text: "a lock file that can't be read" }];
  const known = new Set(addresses(before));
  const found = now.filter((one) => !known.has(one) && !isUsual(one, composerHosts));
  return firstOfEach(found.map((one) => ({ kind: 'source', line: null, text: placeOf(one) })));
}

function firstOfEach(found: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return found.filter(({ kind, text }) => !seen.has(`${kind} ${text}`) && seen.add(`${kind} ${text}`));
}
