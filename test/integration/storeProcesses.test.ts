import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenedStore, openStore } from '../../src/adapters/store/openStore.ts';
import { OwnerRecord } from '../../src/adapters/store/sqlite/ownerFile.ts';
import { folderForEach } from '../support/tempFolder.ts';
import { until } from '../support/until.ts';

const workerUrl = new URL('../../src/adapters/store/worker.ts', import.meta.url);
const program = join(import.meta.dirname, 'storeChild.ts');

class Child {
  readonly process: ChildProcessWithoutNullStreams;
  #output = '';
  #errors = '';

  constructor(job: string, folder: string) {
    this.process = spawn(process.execPath, [program, job, folder, join(folder, 'config')]);
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (this.#errors += text));
  }

  /** A line that is cut off was not said. */
  get lines(): readonly string[] {
    return this.#output.split('\n').slice(0, -1);
  }

  async said(what: RegExp): Promise<string> {
    const find = (): string | undefined => this.lines.find((line) => what.test(line));
    await until(
      () => find() !== undefined || this.process.exitCode !== null,
      `the child said ${String(what)}`,
    );
    const line = find();
    assert.ok(line !== undefined, `the child ended without ${String(what)}: ${this.#errors}`);
    return line;
  }

  begin(): void {
    this.process.stdin.write('go\n');
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'close');
  }
}

describe('a store and several processes', () => {
  const folder = folderForEach('processes');
  const children: Child[] = [];
  const stores: OpenedStore[] = [];
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill()));
    for (const store of stores.splice(0)) await store.close();
  });

  const start = async (job: string): Promise<Child> => {
    const child = new Child(job, folder.path);
    children.push(child);
    await child.said(/^ready$/);
    return child;
  };
  const open = async (mode: 'driver' | 'follower'): Promise<OpenedStore> => {
    const opened = await openStore({
      commonDir: folder.path,
      configFolder: join(folder.path, 'config'),
      mode,
      workerUrl,
    });
    stores.push(opened);
    return opened;
  };
  const ownerFile = () => join(folder.path, 'beadsmith', 'owner.json');

  it('loses nothing that was acknowledged when the driver is killed while it writes', async () => {
    const acknowledged = new Map<string, string[]>();
    let lastSeq = 0;
    for (let round = 1; round <= 5; round++) {
      const child = await start('commit');
      child.begin();
      assert.equal(await child.said(/^(driver|follower|readOnly)/), `driver ${String(round)}`);
      await until(() => child.lines.length > 20 + round * 7, 'it has committed some steps');
      await child.kill();
      for (const line of child.lines) {
        const [word, seq, run = '', key = ''] = line.split(' ');
        if (word !== 'acknowledged') continue;
        lastSeq = Number(seq);
        acknowledged.set(run, [...(acknowledged.get(run) ?? []), key]);
      }
    }
    const { store, mode } = await open('driver');
    assert.equal(mode, 'driver');
    const verdict = await store!.verify('ABC-1');
    assert.ok(verdict.ok && verdict.length >= lastSeq);
    assert.equal(acknowledged.size, 5);
    for (const [run, keys] of acknowledged) {
      const done = new Map(
        (await store!.steps(run))
          .filter(({ state }) => state === 'done')
          .map((step) => [step.key, step.result]),
      );
      for (const key of keys)
        assert.ok(typeof done.get(key) === 'string', `${run} ${key} was acknowledged and is gone`);
    }
  });

  it('lets one of several processes drive, the first one', async () => {
    const racers = await Promise.all([start('drive'), start('drive'), start('drive')]);
    for (const child of racers) child.begin();
    const answers = await Promise.all(racers.map((child) => child.said(/^(driver|follower|readOnly)/)));
    assert.deepEqual(answers.toSorted(), ['driver 1', 'follower 0', 'follower 0']);
  });

  it('lets one of several processes take over from a killed driver, with the next epoch', async () => {
    const first = await start('drive');
    first.begin();
    await first.said(/^driver 1$/);
    const heirs = await Promise.all([start('drive'), start('drive'), start('drive')]);
    await first.kill();
    assert.ok(existsSync(ownerFile()));
    for (const child of heirs) child.begin();
    const answers = await Promise.all(heirs.map((child) => child.said(/^(driver|follower|readOnly)/)));
    assert.deepEqual(answers.toSorted(), ['driver 2', 'follower 0', 'follower 0']);
    const winner = heirs[answers.indexOf('driver 2')];
    const owner = OwnerRecord.parse(JSON.parse(readFileSync(ownerFile(), 'utf8')));
    assert.deepEqual([owner.pid, owner.epoch], [winner?.process.pid, 2]);
  });

  it('lets the next one drive after a driver has closed', async () => {
    const first = await open('driver');
    const follower = await open('driver');
    assert.deepEqual(
      [follower.mode, follower.reason?.code, follower.reason?.args['pid']],
      ['follower', 'DRIVEN_ELSEWHERE', process.pid],
    );
    await first.close();
    assert.equal(existsSync(ownerFile()), false);
    const next = await open('driver');
    assert.deepEqual([next.mode, next.owner?.record.epoch], ['driver', 2]);
  });

  it('brings what followers file to the driver while both write', async () => {
    const { store } = await open('driver');
    await store!.createTicket({ prefix: 'ABC', atLeast: 1, title: 'T', description: '', priority: 3 });
    let told = 0;
    store!.onDidChange((ticket) => {
      if (ticket === undefined) told++;
    });
    const followers = await Promise.all([start('post'), start('post')]);
    for (const child of followers) child.begin();
    const tick = { type: 'artifact', artifact: 'prd', status: 'DRAFT', attempt: 1 } as const;
    let writes = 0;
    const posted = () =>
      followers.flatMap((child) =>
        child.lines.filter((line) => line.startsWith('posted ')).map((line) => line.slice(7)),
      );
    const write = async (): Promise<boolean> => {
      await store!.commit({
        ticket: 'ABC-1',
        journal: [],
        changes: [{ ...tick, content: String(writes++) }],
      });
      return posted().length >= 40;
    };
    await until(write, 'the followers have posted');
    const inbox = await store!.inbox('ABC-1', { pending: true });
    assert.deepEqual(inbox.map(({ id }) => id).toSorted(), posted().toSorted());
    assert.equal((await store!.artifacts('ABC-1')).length, writes);
    await until(() => told > 0, 'the driver heard of other processes', 1_500);
    assert.deepEqual(await Promise.all(followers.map((child) => child.said(/^follower/))), [
      'follower 0',
      'follower 0',
    ]);
  });

  it('does not keep a process alive that forgot to close', async () => {
    const child = await start('leave');
    child.begin();
    await until(() => child.process.exitCode !== null, 'the process ended by itself');
    assert.equal(child.process.exitCode, 7);
    assert.equal((await open('driver')).mode, 'driver');
  });
});
