import { oneLine } from '../../base/oneLine.ts';
import { filesMissing, filesNamed, type RepositoryFiles } from './repositoryFiles.ts';
import { simpleCommands } from '../environment/launchers.ts';

interface CheckedDraft {
  readonly commands: readonly string[];
  readonly texts: readonly string[];
  readonly holes: readonly string[];
}

const mostNamed = 15;

/**
 * Problems of a draft that need no model (docs/decisions/097-votes-give-reasons.md), a sentence each. They
 * refuse nothing: a missing file may be a new one.
 */
export function draftChecks(draft: CheckedDraft, files: RepositoryFiles): readonly string[] {
  if (files.paths.length === 0) return draft.holes.slice(0, mostNamed);
  const commands = [...new Set(draft.commands)].flatMap((command) => {
    const problem = missingFor(command, files);
    return problem === '' ? [] : [`“${oneLine(command, 120)}” (${problem})`];
  });
  const absent = filesMissing([...new Set([...draft.texts, ...draft.commands].flatMap(filesNamed))], files);
  return [
    ...(commands.length === 0 ? [] : [`Commands that the repository doesn't have: ${listed(commands)}.`]),
    ...(absent.length === 0
      ? []
      : [`Files that the repository doesn't have, unless they are meant as new: ${listed(absent)}.`]),
    ...draft.holes.slice(0, mostNamed),
    ...(draft.holes.length > mostNamed ? [`And ${draft.holes.length - mostNamed} more of that kind.`] : []),
  ];
}

function listed(items: readonly string[]): string {
  const named = items.slice(0, mostNamed).join(', ');
  return items.length > mostNamed ? `${named}, and ${items.length - mostNamed} more` : named;
}

const needs: Readonly<Record<string, RegExp>> = {
  cargo: /(?:^|\/)Cargo\.toml$/,
  go: /(?:^|\/)go\.(?:mod|work)$/,
  mvn: /(?:^|\/)pom\.xml$/,
  gradle: /(?:^|\/)(?:build|settings)\.gradle(?:\.kts)?$/,
  dotnet: /\.(?:csproj|fsproj|vbproj|sln|slnx)$/,
  composer: /(?:^|\/)composer\.json$/,
  phpunit: /(?:^|\/)(?:composer\.json|phpunit\.xml(?:\.dist)?)$/,
  bundle: /(?:^|\/)Gemfile$/,
  rake: /(?:^|\/)Rakefile$/,
  rspec: /(?:^|\/)(?:Gemfile|spec\/.*\.rb)$/,
  mix: /(?:^|\/)mix\.exs$/,
  pytest: /\.py$/,
  tox: /(?:^|\/)(?:tox\.ini|pyproject\.toml|setup\.cfg)$/,
  just: /(?:^|\/)[Jj]ustfile$/,
  make: /(?:^|\/)(?:GNUmakefile|[Mm]akefile)$/,
  npm: /(?:^|\/)package\.json$/,
  yarn: /(?:^|\/)package\.json$/,
  pnpm: /(?:^|\/)package\.json$/,
};
/** Tools of npm packages, by package if the names differ. */
const tools: Readonly<Record<string, string>> = {
  jest: 'jest',
  vitest: 'vitest',
  mocha: 'mocha',
  ava: 'ava',
  tap: 'tap',
  eslint: 'eslint',
  prettier: 'prettier',
  tsc: 'typescript',
  cypress: 'cypress',
  playwright: '@playwright/test',
  biome: '@biomejs/biome',
  stylelint: 'stylelint',
  webpack: 'webpack',
  tsx: 'tsx',
};

const longestCommand = 50_000;
const longestManifest = 200_000;

/** The repository's gap for a command; empty if none is known. Programs of the machine aren't judged. */
export function missingFor(command: string, files: RepositoryFiles): string {
  if (command.length > longestCommand) return '';
  const problems = simpleCommands(command).map((words) => missing(words, files));
  return [...new Set(problems.filter((problem) => problem !== ''))].join('; ');
}

function missing(words: readonly string[], files: RepositoryFiles): string {
  const [program = '', ...rest] = words.filter((word) => !/^[A-Za-z_]\w*=/.test(word));
  if (/^(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)+$|^\.\/[\w@.-]+$/.test(program))
    return missingProgram(program.replace(/^\.\//, ''), files);
  const needed = Object.hasOwn(needs, program) ? needs[program] : undefined;
  if (needed && !files.paths.some((path) => needed.test(path)))
    return `nothing in the repository is for ${program}`;
  if (program === 'npx') return missingTool(rest.find((word) => !word.startsWith('-')) ?? '', files);
  if (program === 'npm' || program === 'pnpm' || program === 'yarn' || program === 'bun')
    return missingScript(program, rest, files);
  return program === 'make' ? missingTarget(rest, files) : '';
}

function missingProgram(path: string, files: RepositoryFiles): string {
  const tool = /(?:^|\/)node_modules\/\.bin\/([^/]+)$/.exec(path)?.[1];
  if (tool !== undefined) return missingTool(tool, files);
  const isMade = /(?:^|\/)(?:node_modules|\.venv|venv|target|build|dist|out|bin|vendor)\//.test(path);
  return isMade || files.paths.some((one) => one === path || one.endsWith(`/${path}`))
    ? ''
    : `there is no file ${path}`;
}

function missingTool(name: string, files: RepositoryFiles): string {
  const wanted = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (wanted === undefined) return '';
  const packages = packagesOf(files);
  if (packages.length === 0) return `there is no package.json that names ${wanted}`;
  return packages.some(({ names }) => names.includes(wanted)) ? '' : `no package.json names ${wanted}`;
}

function missingScript(program: string, words: readonly string[], files: RepositoryFiles): string {
  const plain = words.filter((word) => !word.startsWith('-'));
  const [verb = '', next = ''] = plain;
  const script =
    verb === 'run' || verb === 'run-script'
      ? next
      : verb === 't'
        ? 'test'
        : verb === 'test' || verb === 'start'
          ? verb
          : '';
  // `bun test` runs bun's own tests.
  if (script === '' || (program === 'bun' && verb === 'test')) return '';
  const packages = packagesOf(files);
  if (
    packages.length === 0 ||
    packages.some(({ scripts }) => scripts === undefined || scripts.includes(script))
  )
    return '';
  return `no package.json has the script “${script}”`;
}

function missingTarget(words: readonly string[], files: RepositoryFiles): string {
  const target = words.find((word) => /^[\w.-]+$/.test(word) && !word.startsWith('-'));
  const texts = Object.entries(files.manifests).flatMap(([path, text]) =>
    /akefile$/.test(path) ? [text] : [],
  );
  if (target === undefined || texts.length === 0 || texts.some(({ length }) => length > longestManifest))
    return '';
  const lines = texts.flatMap((text) => text.split('\n'));
  return lines.some((line) => isOpen(line) || targetsOf(line).includes(target))
    ? ''
    : `no makefile has the target “${target}”`;
}

/** Included rules and patterns can't be read here. */
function isOpen(line: string): boolean {
  if (/^\s*-?include\s/.test(line)) return true;
  const names = /^([^:=]*):/.exec(line)?.[1]?.split('#', 1)[0];
  return names !== undefined && /[%$]/.test(names);
}

function targetsOf(line: string): readonly string[] {
  return (
    /^([\w.-][\w. \t-]*)::?(?!=)/
      .exec(line)?.[1]
      ?.trim()
      .split(/[ \t]+/) ?? []
  );
}

interface Package {
  /** Undefined if unreadable. */
  readonly scripts: readonly string[] | undefined;
  readonly names: readonly string[];
}

function packagesOf({ manifests }: RepositoryFiles): readonly Package[] {
  return Object.entries(manifests).flatMap(([path, text]) =>
    path.endsWith('package.json') ? [readPackage(text)] : [],
  );
}

function readPackage(text: string): Package {
  try {
    const parsed = JSON.parse(text) as Readonly<
      Record<string, Readonly<Record<string, unknown>> | undefined>
    >;
    const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
    return {
      scripts: Object.keys(parsed['scripts'] ?? {}),
      names: lists.flatMap((list) => Object.keys(parsed[list] ?? {})),
    };
  } catch {
    return { scripts: undefined, names: Object.values(tools) };
  }
}
