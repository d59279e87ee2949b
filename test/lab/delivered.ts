import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kind } from './kind.ts';
import type { Place } from './place.ts';
import type { Ran } from './run.ts';
import { finalTest } from './script.ts';

/** Seen from outside: files, signatures, and whether every command passes in a fresh clone. */
export function problemsOfBranch(
  kind: Kind,
  place: Place,
  { branch, baseCommit }: Ran,
  delivers: readonly string[],
): readonly string[] {
  if (!branch || !baseCommit) return ['There is no branch.'];
  const problems: string[] = [];
  const changed = place
    .git('-c', 'core.quotePath=off', 'diff', '--name-only', '-z', baseCommit, `refs/heads/${branch}`)
    .split('\0')
    .filter(Boolean);
  const odd = [
    ...changed.filter((path) => !delivers.includes(path)),
    ...delivers.filter((path) => !changed.includes(path)),
  ];
  if (odd.length > 0)
    problems.push(`The branch changes ${changed.join(', ')}; expected ${delivers.join(', ')}.`);
  if (kind.signed) {
    const bare = place.git('rev-list', `${baseCommit}..refs/heads/${branch}`).split('\n').filter(Boolean);
    const unsigned = bare.filter((commit) => !/^gpgsig /m.test(place.git('cat-file', 'commit', commit)));
    if (unsigned.length > 0) problems.push(`${String(unsigned.length)} commits aren't signed.`);
  }
  return [...problems, ...failuresIn(kind, place, branch)];
}

function failuresIn(kind: Kind, place: Place, branch: string): readonly string[] {
  const clone = join(place.folder, 'fresh clone');
  const options = ['--quiet', '--no-local', '--recurse-submodules', '--branch', branch];
  // Submodules of rows come from folders; where git knows Git LFS, an object that nobody has fails a clone.
  const settings = [
    '-c',
    'protocol.file.allow=always',
    '-c',
    'filter.lfs.process=',
    '-c',
    'filter.lfs.smudge=',
    '-c',
    'filter.lfs.required=false',
  ];
  place.git(...settings, 'clone', ...options, `file://${encodeURI(place.repository)}`, clone);
  for (const path of kind.inputs) copyFileSync(join(place.repository, path), join(clone, path));
  const commands = [...kind.bootstrap, ...kind.beads.flatMap((bead) => bead.commands), finalTest.command];
  for (const command of commands) {
    const env = {
      ...process.env,
      ...(kind.services.length > 0 ? { BEADSMITH_PORT_BASE: '20980', TMPDIR: place.folder } : {}),
    };
    const options = {
      cwd: clone,
      env,
      encoding: 'utf8',
      timeout: 120_000,
      maxBuffer: 64 * 1024 * 1024,
    } as const;
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', besideServices(kind, command)], options);
    if (status !== 0)
      return [
        `In a fresh clone, ${command} exits with ${String(status)}: ${`${stdout}${stderr}`.trim().slice(-500)}`,
      ];
  }
  return [];
}

/** While the services of the kind run. */
function besideServices({ services }: Kind, command: string): string {
  if (services.length === 0) return command;
  const started = services.map(
    ({ start, ready }) =>
      `(exec ${start}) >/dev/null 2>&1 & pids="$pids $!"\nuntil ${ready}; do sleep 0.1; done`,
  );
  return [...started, `(${command}); code=$?`, 'kill $pids', 'exit $code'].join('\n');
}
