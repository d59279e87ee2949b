import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { pushedBranchRef, TicketId } from '../../src/domain/core/ids.ts';
import { repeated, type Snapshot } from '../soak/findings.ts';
import type { TeamBench } from '../support/team/teamBench.ts';
import { tempFolder } from '../support/tempFolder.ts';
import type { DemoCheck } from './facts.ts';

export interface TeamFacts {
  readonly ids: readonly string[];
  /** The tickets that runners were at work on when they were killed and stopped. */
  readonly killed: readonly string[];
  readonly stopped: readonly string[];
  /** The calls with a receipt at the kill. */
  readonly snapshot: Snapshot;
  /** Those of the stopped runner that others had claimed before it woke up. */
  readonly taken: readonly string[];
  /** The ID of the editor's key. */
  readonly editor: string;
}

/**
 * Reads the database, the remote and what the scripted model was asked, never what runners say of themselves.
 */
export async function checkTeam(
  bench: TeamBench,
  { ids, killed, stopped, taken, snapshot, editor }: TeamFacts,
): Promise<readonly DemoCheck[]> {
  const { store } = bench.tickets.ports;
  const views = await bench.tickets.client.tickets(ids);
  const done = views.filter(({ status }) => status === 'COMPLETED');
  const broken: string[] = [];
  for (const id of ids)
    if (!(await store.verify(id)).ok || (await store.altered(id)).length > 0) broken.push(id);
  const epochs = async (of: readonly string[]): Promise<readonly number[]> =>
    Promise.all(of.map(async (id) => (await bench.claims(id))[0]?.epoch ?? 0));
  const entries = (await Promise.all(ids.map((id) => store.inbox(id)))).flat();
  const decided = entries.filter(({ kind, state }) => state === 'consumed' && kind !== 'start');
  const keys = await bench.query<{ id: string; public_key: string }>(
    'SELECT id, public_key FROM beadsmith.keys',
  );
  // Only browsers make keys of this kind.
  const isOfBrowser = ({ public_key: key }: { readonly public_key: string }): boolean =>
    createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }).asymmetricKeyType ===
    'ec';
  const sealedBy = (seal = ''): string => {
    const key = keys.find(({ id }) => seal.startsWith(`team:${id}:`));
    if (key?.id === editor) return 'the editor';
    return key && isOfBrowser(key) ? 'the browser' : 'another device';
  };
  const by = Map.groupBy(decided, ({ seal }) => sealedBy(seal));
  const counts = [...by].map(([device, some]) => `${device} ${String(some.length)}`).join(', ');
  const prompts = bench.requests.filter(({ task }) => task !== 'capability-probe');
  const again = repeated(prompts, [snapshot]);
  const tested = ids.map((id) => testedAt(bench.remote, id));
  return [
    {
      name: 'all tickets are completed',
      ok: done.length === ids.length,
      detail: views.map(({ id, status }) => `${id} ${status}`).join(', '),
    },
    {
      name: 'every journal is whole, and every row as decided',
      ok: broken.length === 0,
      detail: broken.join(', '),
    },
    {
      name: 'other runners carried on for the one that was killed',
      ok: killed.length > 0 && (await epochs(killed)).every((epoch) => epoch > 1),
      detail: killed.join(', '),
    },
    {
      name: 'others had claimed the tickets of the stopped runner before it woke up',
      ok: stopped.length > 0 && taken.length === stopped.length,
      detail: taken.join(', '),
    },
    {
      name: 'a browser and an editor sealed all decisions',
      ok: by.has('the browser') && by.has('the editor') && by.size === 2,
      detail: counts,
    },
    {
      name: 'no prompt with a receipt was sent again',
      ok: again.length === 0,
      detail: again.length === 0 ? `${String(prompts.length)} prompts` : again.join('; '),
    },
    {
      name: 'the remote has each branch, whose tests pass in a fresh clone',
      ok: tested.every(({ ok }) => ok),
      detail: tested.map(({ detail }) => detail).join(', '),
    },
  ];
}

function testedAt(remote: string, id: string): { readonly ok: boolean; readonly detail: string } {
  const folder = tempFolder('team-check');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder.path, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  try {
    git('init', '--quiet');
    git('fetch', '--quiet', remote, pushedBranchRef(TicketId.parse(id)));
    git('checkout', '--quiet', 'FETCH_HEAD');
    const tests = git('ls-files', 'beadsmith-notes/*.test.mjs').trim().split('\n').filter(Boolean);
    execFileSync(process.execPath, ['--test', ...tests.map((test) => join(folder.path, test))], {
      cwd: folder.path,
      stdio: 'pipe',
    });
    return { ok: tests.length > 0, detail: `${id} ${git('rev-parse', '--short', 'HEAD').trim()}` };
  } catch (error) {
    return { ok: false, detail: `${id}: ${error instanceof Error ? error.message.slice(0, 200) : ''}` };
  } finally {
    folder.remove();
  }
}
