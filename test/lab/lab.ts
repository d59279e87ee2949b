import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../support/tempFolder.ts';
import { checkoutState, touchedParts } from './checkout.ts';
import { problemsOfBranch } from './delivered.ts';
import type { Kind } from './kind.ts';
import { Place } from './place.ts';
import { type Ran, runTicket } from './run.ts';
import { missingTool } from './tools.ts';
import { until } from '../support/until.ts';

/** `problems`: how it differs from what the kind promises. */
export interface Row {
  readonly name: string;
  readonly about: string;
  readonly outcome: 'verified' | 'stopped' | 'not run' | 'wrong';
  readonly seconds: number;
  /** Parts of the person's checkout that changed. */
  readonly touched: readonly string[];
  readonly says: string;
  readonly problems: readonly string[];
  /** Null if it was removed. */
  readonly folder: string | null;
}

export async function tryKind(kind: Kind, { keep }: { readonly keep: boolean }): Promise<Row> {
  const common = { name: kind.name, about: kind.about };
  const missing = missingTool(kind.needs);
  if (missing !== undefined)
    return {
      ...common,
      outcome: 'not run',
      seconds: 0,
      touched: [],
      says: missing,
      problems: [],
      folder: null,
    };
  const place = new Place(tempFolder('lab').path, kind.folder);
  let [seconds, says] = [0, ''];
  const problems: string[] = [];
  let touched: readonly string[] = [];
  try {
    place.begin(kind.files);
    makeKind(kind, place);
    const before = checkoutState(place.repository);
    const started = performance.now();
    const ran = await runTicket(kind, place);
    seconds = Math.round((performance.now() - started) / 100) / 10;
    says = ran.says.split('\n')[0] ?? '';
    touched = touchedParts(before, checkoutState(place.repository));
    if (touched.length > 0) problems.push(`The person's checkout was touched: ${touched.join(', ')}.`);
    problems.push(
      ...problemsOf(kind, place, ran),
      ...(await leftRunning(place.folder)),
      ...leaks(kind, place),
      ...changedBeside(kind, place),
    );
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  const isKept = keep || problems.length > 0;
  if (!isKept) place.remove();
  const promised = 'delivers' in kind.comes ? 'verified' : 'stopped';
  return {
    ...common,
    outcome: problems.length > 0 ? 'wrong' : promised,
    seconds,
    touched,
    says,
    problems,
    folder: isKept ? place.folder : null,
  };
}

function makeKind({ make, moves }: Kind, place: Place): void {
  const words = [
    `LAB='${place.folder}'`,
    'commit() { git add --all; git commit --quiet --message "$1"; }',
    make,
  ];
  if (make !== undefined) place.run('sh', '-ec', words.join('\n'));
  if (moves !== undefined) place.repository = join(place.folder, moves);
}

function problemsOf(kind: Kind, place: Place, ran: Ran): readonly string[] {
  const { comes } = kind;
  if ('delivers' in comes) {
    if (ran.status !== 'COMPLETED')
      return [`The ticket ended as ${String(ran.status)} (exit ${String(ran.exit)}): ${ran.says}`];
    return problemsOfBranch(kind, place, ran, comes.delivers);
  }
  const problems: string[] = [];
  if (ran.exit !== comes.exit)
    problems.push(
      `The exit code is ${String(ran.exit)} (${String(ran.status)}) instead of ${String(comes.exit)}.`,
    );
  if (!comes.stops.test(ran.says))
    problems.push(`What is said doesn't match ${String(comes.stops)}: ${ran.says}`);
  if (!ran.hasWayOn) problems.push('Nothing says what to do.');
  return problems;
}

function changedBeside({ keeps }: Kind, place: Place): readonly string[] {
  return Object.entries(keeps).flatMap(([path, content]) =>
    readFileSync(join(place.repository, path), 'utf8') === content ? [] : [`${path} was changed.`],
  );
}

/** OpenCode's server may outlive its last user for a minute. */
async function leftRunning(folder: string): Promise<readonly string[]> {
  if (!existsSync('/proc/self/cwd')) return [];
  // What was ended may still be on its way.
  const ended = await until(() => runningIn(folder).length === 0, 'everything has ended', 5_000).catch(
    () => false,
  );
  return ended ? [] : runningIn(folder);
}

function runningIn(folder: string): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || !readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return command === '' || command.includes('opencode') ? [] : [`A process was left running: ${command}`];
    } catch {
      return []; // it ended meanwhile, or isn't ours
    }
  });
}

function leaks({ secret }: Kind, place: Place): readonly string[] {
  if (secret === undefined) return [];
  const found = place
    .run('sh', '-c', `grep -rlaF '${secret}' .git ../events.ndjson ../requests.ndjson || true`)
    .trim();
  return found === '' ? [] : [`The secret is in ${found.split('\n').join(', ')}.`];
}
