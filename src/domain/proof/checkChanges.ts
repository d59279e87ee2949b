import * as z from 'zod';
import { jsonObject } from '../../base/json.ts';
import { addedLines, type ChangedText, type TextLine } from './changedText.ts';
import { holdsScripts, holdsSections } from './provingFiles.ts';

/** `line`: in the new text, from 1; null if it isn't there. */
interface CheckChange {
  readonly kind: 'scripts' | 'configuration';
  readonly path: string;
  readonly line: number | null;
  readonly text: string;
}

/** Changes of a pure configuration. A first configuration weakens nothing, unless it excludes something. */
export function configurationChanges({ path, before, after }: ChangedText): readonly CheckChange[] {
  const replaces = path.endsWith('.py') ? /^\w+(?:\.\w+)+\s*=[^=]|^setattr\(/ : /$^/;
  if (before !== null || path.endsWith('ignore'))
    return [{ kind: 'configuration', path, line: null, text: '' }];
  const lines = addedLines(null, after ?? '').filter(
    ({ text }) => leavesOut.test(text) || replaces.test(text),
  );
  return lines.map(({ line, text }) => ({ kind: 'configuration', path, line, text }));
}

const leavesOut =
  /ignore|exclude|deselect|grep|skip|\binvert\b|passWithNoTests|testNamePattern|pytest_(?:collection|runtest|report|session)|(?:^|[\s"'=])-[km][\s"'=]|\|\|\s*true|bail|exit/i;

/** Changes in a file of scripts or check settings beside other things. */
export function scriptChanges(change: ChangedText): readonly CheckChange[] {
  const { path, before, after } = change;
  if (path.split('/').at(-1) === 'package.json') return manifestChanges(change);
  if (holdsSections(path)) return sectionChanges(change);
  if (before === null || !holdsScripts(path)) return [];
  const checking = (lines: readonly TextLine[]) => lines.filter(({ text }) => checks.test(text));
  const added = checking(addedLines(before, after ?? ''));
  if (added.length > 0) return added.map(({ line, text }) => ({ kind: 'scripts', path, line, text }));
  return checking(addedLines(after, before)).map(({ text }) => ({ kind: 'scripts', path, line: null, text }));
}

const checks =
  /<excludes?>|^\.(?:IGNORE|SHELLFLAGS)\b|^(?:override\s+|export\s+)?(?:SHELL|MAKEFLAGS|MAKESHELL)\s*[:+?]*=|NDEBUG|\b(?:WILL_FAIL|DISABLED|add_test|set_tests_properties|skipTests|maven\.test|testFailureIgnore|excludedGroups|harness|autotests)\b|\b(?:tests?|check|verify|vet|lint|pytest|coverage|ctest|mypy|ruff|clippy)\b|\|\|\s*(?:true|:)|\bexit\s+0\b/;

const toolKeys =
  'jest mocha ava tap c8 nyc vitest karma eslintConfig eslintIgnore xo standard stylelint'.split(' ');

function manifestChanges({ path, before, after }: ChangedText): readonly CheckChange[] {
  const [old, now] = [jsonObject(before ?? ''), jsonObject(after ?? '')];
  const [oldScripts, scripts] = [scriptsOf(old), scriptsOf(now)];
  const around = Object.keys(oldScripts).flatMap((name) => [`pre${name}`, `post${name}`]);
  const changed = [...new Set([...Object.keys(oldScripts), ...around])].filter(
    (name) => oldScripts[name] !== scripts[name],
  );
  const settings =
    before === null ? [] : toolKeys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]));
  return [
    ...changed.map((name): CheckChange => ({
      kind: 'scripts',
      path,
      line: null,
      text: `${name}: ${scripts[name] ?? '(removed)'}`,
    })),
    ...settings.map((text): CheckChange => ({ kind: 'configuration', path, line: null, text })),
  ];
}

function scriptsOf(content: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return z
    .record(z.string(), z.string())
    .catch({})
    .parse(content['scripts'] ?? {});
}

/** A package.json's scripts by name; none if unreadable. */
export function scriptsOfManifest(text: string, names: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(scriptsOf(jsonObject(text))).filter(([name]) => names.test(name)));
}

function sectionChanges({ path, before, after }: ChangedText): readonly CheckChange[] {
  const [old, now] = [checkSettings(before ?? ''), checkSettings(after ?? '')];
  const known = new Set(old.map(({ text }) => text));
  const kept = new Set(now.map(({ text }) => text));
  const removed = old.filter(({ text }) => !kept.has(text)).map((one) => ({ ...one, line: null }));
  const added = now.filter(({ text }) => !known.has(text) && (before !== null || leavesOut.test(text)));
  return [...removed, ...added].map((one) => ({ kind: 'configuration', path, ...one }));
}

function checkSettings(text: string): readonly TextLine[] {
  let section = '';
  return text.split('\n').flatMap((whole, index) => {
    const line = whole.trim().slice(0, 300);
    if (/^\[.*\]$/.test(line)) section = line;
    const isSetting = line !== '' && line !== section && !line.startsWith('#');
    return isSetting && (checkSections.test(section) || checkKeys.test(line))
      ? [{ line: index + 1, text: `${section} ${line}`.trim() }]
      : [];
  });
}

const checkSections =
  /^\[+(?:(?:tool[.:])?(?:pytest|mypy|ruff|coverage|pylint|flake8|pyright|black|isort|tox|testenv|nox|bandit)\b|tool\.[\w.-]*(?:scripts|tasks)\b|test\]|(?:workspace\.)?lints\b|profile\.test)/;
const checkKeys = /^(?:test|doctest|harness|autotests)\s*=/;
