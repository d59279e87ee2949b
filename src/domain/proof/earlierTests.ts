import { isRecord, jsonOf } from '../../base/json.ts';
import { loadedBy } from '../guarded/guardedChanges.ts';
import {
  holdsScripts,
  isCheckConfiguration,
  isProving,
  isTestFile,
  namesDependencies,
} from './provingFiles.ts';
import { withInlineTests } from './withoutWork.ts';

/** Null: missing, or no text. */
interface Compared {
  readonly path: string;
  readonly oldPath: string | null;
  readonly change: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Files with which earlier tests judge a work. `restored`: as before, or gone if new; `texts`: mixed. */
interface EarlierFiles {
  readonly restored: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
  /** More than tests is restored, so every check has to judge. */
  readonly isConfigured: boolean;
}

/**
 * Files to restore so that earlier tests judge (docs/decisions/169-earlier-tests-judge.md). `planned`: named
 * by the plan, kept. `programs`: started by the project's checks.
 */
export function earlierFiles(
  changes: readonly Compared[],
  planned: readonly string[],
  programs: readonly string[] = [],
): EarlierFiles {
  const restored: string[] = [];
  const texts: Record<string, string> = {};
  let isConfigured = false;
  for (const { path, oldPath, change, before, after } of changes) {
    if (planned.includes(path) || (oldPath !== null && planned.includes(oldPath))) continue;
    const earlier = oldPath ?? path;
    if (
      decidesRun(path, after) ||
      (change !== 'added' && (judges(earlier) || decidesRun(earlier, before) || programs.includes(earlier)))
    ) {
      restored.push(...new Set([earlier, path]));
      isConfigured ||= !isTestFile(earlier);
    } else if (change === 'modified' && before !== null && after !== null) {
      const mixed = path.endsWith('.rs')
        ? withInlineTests(after, before)
        : path.endsWith('package.json')
          ? withScripts(after, before)
          : undefined;
      if (mixed === undefined || mixed === after) continue;
      texts[path] = mixed;
      isConfigured ||= !path.endsWith('.rs');
    }
  }
  return { restored, texts, isConfigured };
}

/** Files that name dependencies belong to the work that needs them. */
function judges(path: string): boolean {
  return isProving(path) && !namesDependencies(path);
}

/** Unlike an empty package of tests, it changes how tests run. */
function decidesRun(path: string, text: string | null): boolean {
  if (/(?:^|\/)__init__\.py$/.test(path)) return isTestFile(path) && (text ?? '').trim() !== '';
  const kind = loadedBy(path);
  const isLoaded = kind === 'runner' || kind === 'installer' || kind === 'shell' || holdsScripts(path);
  return isCheckConfiguration(path) || (isLoaded && !namesDependencies(path)) || isTool(path);
}

/** A program named as a tool, or a file named as a target, which make takes as done. */
function isTool(path: string): boolean {
  const file = path.split('/').at(-1) ?? '';
  return tools.test(file) || (path === file && /^(?:tests?|check|lint|verify|all)$/.test(file));
}

const tools =
  /^(?:node|npm|npx|yarn|pnpm|bun|deno|tsc|jest|mocha|vitest|eslint|python[\d.]*|pip|pytest|tox|ruff|mypy|g?make|cmake|ctest|cc|gcc|clang|c\+\+|g\+\+|ld|go|gofmt|cargo|rustc|java|javac|mvnw?|gradlew?|ruby|rspec|rake|php|phpunit|perl|prove|bats|sh|bash|dash|zsh|env|test|diff|cmp|grep|sed|awk|git|expr|true|false)$/;

function withScripts(after: string, before: string): string | undefined {
  const [now, old] = [manifestOf(after), manifestOf(before)];
  if (!now || !old) return undefined;
  const keys = [...new Set([...Object.keys(now), ...Object.keys(old)])].filter((key) => !ofWork.test(key));
  if (keys.every((key) => JSON.stringify(now[key]) === JSON.stringify(old[key]))) return after;
  const kept = Object.entries(now).filter(([key]) => !keys.includes(key));
  return `${JSON.stringify({ ...Object.fromEntries(kept), ...Object.fromEntries(keys.flatMap((key) => (key in old ? [[key, old[key]]] : []))) }, undefined, 2)}\n`;
}

const ofWork =
  /^(?:name|version|description|keywords|homepage|bugs|license|author|contributors|funding|files|main|module|types|typings|browser|bin|man|directories|repository|dependencies|devDependencies|peerDependencies|peerDependenciesMeta|optionalDependencies|bundledDependencies|bundleDependencies|private|publishConfig|sideEffects|os|cpu)$/;

function manifestOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const content = jsonOf(text);
  return isRecord(content) ? content : undefined;
}
