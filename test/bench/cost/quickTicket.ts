import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { opencodeBinary, root } from '../../../.build/paths.mjs';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import { ScriptedModel } from '../../support/models/scriptedModel.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { processorTime } from './processorTime.ts';
import { setInterval } from 'node:timers';

export interface TicketCost {
  readonly processorS: number;
  readonly wallS: number;
  /** Programs that the command line itself started, most often first. */
  readonly starts: ReadonlyMap<string, number>;
  readonly peakMB: number | undefined;
}

/** One quick ticket to COMPLETED by a checkout's built command line and a scripted model. */
export async function costOfQuickTicket(checkout: string): Promise<TicketCost> {
  const cli = join(checkout, 'dist', 'cli.js');
  if (!existsSync(cli))
    throw new Error(`${cli} is missing. Build that checkout first: node .build/build.mjs`);
  const folder = tempFolder('bench-cost');
  const model = await ScriptedModel.start(folder.path, { version: 1, name: 'cost', tasks: {} }, { checkout });
  try {
    const repository = sampleIn(folder.path);
    const [config, starts] = [join(folder.path, 'opencode.json'), join(folder.path, 'starts.txt')];
    writeFileSync(config, JSON.stringify(providerConfig(model.url)));
    writeFileSync(starts, '');
    const time = processorTime();
    const words = [
      'run',
      '--title',
      'Greet by name',
      '--model',
      'scripted/alpha',
      '--depth',
      'quick',
      '--approve',
      'all',
      '--json',
    ];
    const args = [
      cli,
      ...words,
      '--repo',
      repository,
      '--opencode-config',
      config,
      '--opencode',
      opencodeBinary(),
    ];
    const begun = performance.now();
    const child = spawn('/bin/sh', ['-c', time.script, 'sh', process.execPath, ...args], {
      cwd: folder.path,
      env: {
        ...process.env,
        ...unattended,
        XDG_CONFIG_HOME: folder.path,
        BEADSMITH_BENCH_STARTS: starts,
        NODE_OPTIONS: counting,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const memory = watchMemory(child.pid ?? 0);
    const said = [child.stdout, child.stderr, child.stdio[3]].map((stream) => {
      const chunks: Buffer[] = [];
      stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
      return () => Buffer.concat(chunks).toString('utf8');
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    const wallS = (performance.now() - begun) / 1_000;
    const processorS = await time.seconds(said[2]?.() ?? '');
    const peakMB = memory();
    if (code !== 0)
      throw new Error(
        `The ticket ended with ${String(code)}:\n${said
          .map((text) => text())
          .join('\n')
          .slice(-4_000)}`,
      );
    return { processorS, wallS, peakMB, starts: counted(readFileSync(starts, 'utf8')) };
  } finally {
    await model.end();
    folder.remove();
  }
}

const counting = `--import ${pathToFileURL(join(root, 'test', 'bench', 'cost', 'countStarts.mjs')).href}`;

/** No sandbox: whether a machine has one would change what is compared. */
const unattended = {
  NODE_NO_WARNINGS: '1',
  BEADSMITH_SANDBOX: 'off',
  BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '1',
  BEADSMITH_SCRIPTED: '1',
};

function sampleIn(folder: string): string {
  const repository = join(folder, 'sample');
  mkdirSync(repository);
  writeFileSync(join(repository, 'package.json'), '{ "name": "sample", "type": "module" }\n');
  const identity = ['-c', 'user.name=Ada Tester', '-c', 'user.email=ada@example.com'];
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '.'],
    [...identity, 'commit', '--quiet', '-m', 'First commit'],
  ])
    execFileSync('git', args, { cwd: repository });
  for (const [name, value] of [
    ['user.name', 'Ada Tester'],
    ['user.email', 'ada@example.com'],
  ])
    execFileSync('git', ['config', name ?? '', value ?? ''], { cwd: repository });
  return repository;
}

function counted(lines: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines.split('\n').filter(Boolean)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return new Map([...counts].toSorted(([, a], [, b]) => b - a));
}

const everyMs = 500;

/**
 * Also of what lost its parent; shared pages count once (PSS). Answers how to end it, which answers the most
 * at once, in MB; undefined without /proc.
 */
function watchMemory(root: number): () => number | undefined {
  if (process.platform !== 'linux') return () => undefined;
  const known = new Set([root]);
  let most = 0;
  const look = (): void => {
    const parents = new Map(processes().map((pid) => [pid, parentOf(pid)]));
    // Parents come before children, but for numbers that begin again.
    for (let size = -1; size !== known.size;) {
      size = known.size;
      for (const [pid, parent] of parents) if (parent !== undefined && known.has(parent)) known.add(pid);
    }
    for (const pid of known) if (!parents.has(pid)) known.delete(pid);
    most = Math.max(
      most,
      [...known].map(shareOf).reduce((sum, bytes) => sum + bytes, 0),
    );
  };
  const timer = setInterval(look, everyMs);
  return () => {
    clearInterval(timer);
    return most / 1e6;
  };
}

function processes(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function parentOf(pid: number): number | undefined {
  const stat = read(pid, 'stat');
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function shareOf(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup') ?? '')?.[1] ?? 0) * 1024;
}

function read(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${String(pid)}/${name}`, 'utf8');
  } catch {
    return undefined; // it has ended
  }
}
