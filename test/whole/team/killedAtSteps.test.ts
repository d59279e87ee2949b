import assert from 'node:assert/strict';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ModelScript } from '../../../src/demo/script/modelScript.ts';
import { rowOf, type Status } from '../../../src/domain/workflow/workflow.ts';
import { repeated } from '../../soak/findings.ts';
import type { CliProcess } from '../../support/cliProcess.ts';
import { repositoryAt } from '../../support/git/tempRepository.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { TeamBench } from '../../support/team/teamBench.ts';
import { until } from '../../support/until.ts';

/** A moment in a step. `step`: its run and key, as a pattern of SQL. */
type Moment =
  | { readonly kill: 'before the intent' | 'before the receipt'; readonly step: string }
  | { readonly kill: 'at the gate'; readonly status: Status }
  | { readonly kill: 'before the answer' | 'before the push' };

/** One ticket each: the third death in one status blocks it. */
const stories: Readonly<Record<string, readonly Moment[]>> = {
  'planning, a gate, bootstrap, coding, and the final test': [
    { kill: 'before the receipt', step: '%/PLANNING_QUICK plan' },
    { kill: 'at the gate', status: 'WAITING_EXECUTION_SETUP_APPROVAL' },
    { kill: 'before the receipt', step: '%/PREPARING_EXECUTION_ENV prove:1' },
    { kill: 'before the answer' },
    { kill: 'before the receipt', step: '%/CODING:bead:% code:1/ask' },
    { kill: 'before the receipt', step: '%/RUNNING_FINAL_TEST run:1' },
  ],
  'the checks, a commit that is not pushed, and the publication': [
    { kill: 'before the receipt', step: '%/CODING:bead:% check:1/proof' },
    { kill: 'before the push' },
    { kill: 'before the intent', step: '%/INTEGRATING_CHANGES presquash' },
    { kill: 'before the receipt', step: '%/INTEGRATING_CHANGES presquash' },
    { kill: 'before the receipt', step: '%/CREATING_PULL_REQUEST publish' },
  ],
  'a commit that is pushed, without its receipt': [
    { kill: 'before the receipt', step: '%/CODING:bead:% finalize:1/commit' },
  ],
};

const silent = ModelScript.parse({ version: 1, name: 'silent', tasks: { coding: [{ fault: 'hang' }] } });
const lock = 4_711;

describe('a runner that is killed at', function () {
  this.timeout(900_000);
  const server = postgresServer();
  let bench: TeamBench;
  let holding: pg.Client;
  let tree: string;

  async function open(): Promise<void> {
    bench = await TeamBench.open(server.url);
    holding = new pg.Client(server.url);
    await holding.connect();
  }
  async function close(): Promise<void> {
    await holding.end();
    await bench.close();
  }
  const treeOf = (id: string): Promise<string> =>
    repositoryAt(bench.remote).git('rev-parse', `refs/beadsmith/${id}/worktree/branch^{tree}`);

  before(async () => {
    await open();
    await bench.run('undisturbed');
    const id = await bench.start('Greet by name');
    await bench.driveTo(id, 'COMPLETED');
    tree = await treeOf(id);
    await close();
  });
  beforeEach(open);
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') console.error(bench.said());
    await close();
  });

  /** Stops the transaction that writes this state of the step, before it is made. */
  async function stopAt(step: string, state: 'intent' | 'done'): Promise<void> {
    await holding.query(`SELECT pg_advisory_lock(${lock})`);
    await holding.query(`
      CREATE OR REPLACE FUNCTION ${await bench.schema()}.stop_here() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.run || ' ' || NEW.key LIKE '${step}' AND NEW.state = '${state}' THEN
            PERFORM pg_advisory_xact_lock(${lock});
          END IF;
          RETURN NEW;
        END $$;
      CREATE OR REPLACE TRIGGER stop_here BEFORE INSERT OR UPDATE ON ${await bench.schema()}.steps
        FOR EACH ROW EXECUTE FUNCTION ${await bench.schema()}.stop_here()`);
  }
  async function stopped(): Promise<number | undefined> {
    const { rows } = await holding.query<{ pid: number }>(
      "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = $1",
      [lock],
    );
    return rows[0]?.pid;
  }
  async function goOn(backend: number): Promise<void> {
    // It would only find out later that nobody waits for it.
    await holding.query('SELECT pg_terminate_backend($1)', [backend]);
    await holding.query(`DROP TRIGGER stop_here ON ${await bench.schema()}.steps`);
    await holding.query('SELECT pg_advisory_unlock_all()');
  }

  async function killAt(id: string, runner: CliProcess, moment: Moment): Promise<void> {
    const kill = async (): Promise<void> => {
      runner.child.kill('SIGKILL');
      await runner.ended;
    };
    switch (moment.kill) {
      case 'before the intent':
      case 'before the receipt': {
        await stopAt(moment.step, moment.kill === 'before the intent' ? 'intent' : 'done');
        const backend = await bench.driveUntil(id, stopped, { what: `it is at ${moment.step}` });
        await kill();
        await goOn(backend);
        break;
      }
      case 'at the gate':
        await bench.driveTo(id, moment.status);
        await until(async () => (await bench.claims(id))[0]?.runner === '', 'nobody drives it');
        await kill();
        break;
      case 'before the answer': {
        bench.follow(silent);
        const asked = (): boolean =>
          bench.requests.some(({ task, reply }) => task === 'coding' && reply === 'hang');
        await bench.driveUntil(id, asked, { what: 'the coder is asked' });
        await kill();
        bench.forgetScript();
        break;
      }
      case 'before the push': {
        const [hook, refused] = ['hooks/pre-receive', 'refused'].map((name) => join(bench.remote, name));
        assert.ok(hook && refused);
        await writeFile(
          hook,
          `#!/bin/sh\nwhile read old new ref; do case $ref in */branch) touch '${refused}'; exit 1;; esac; done\n`,
        );
        await chmod(hook, 0o755);
        await bench.driveUntil(id, () => existsSync(refused), { what: 'a push is refused' });
        await kill();
        await rm(hook);
        break;
      }
    }
  }

  /** Sessions whose answers another machine has. From the setup on, an open status is entered again there. */
  async function kept(): Promise<ReadonlySet<string>> {
    const schema = await bench.schema();
    const rows = await bench.query<{ session: string; state: string; status: Status }>(
      `SELECT DISTINCT calls.session, runs.state, runs.status FROM ${schema}.calls
        JOIN ${schema}.steps ON steps.run = calls.run AND steps.state = 'done'
        JOIN ${schema}.runs ON runs.id = calls.run`,
    );
    const isKept = ({ state, status }: (typeof rows)[number]): boolean =>
      state === 'closed' || !rowOf(status).band.endsWith('implementation');
    return new Set(rows.filter(isKept).map(({ session }) => session));
  }

  for (const [name, moments] of Object.entries(stories))
    it(`${name}: another one completes the ticket as if nothing had happened`, async () => {
      const id = await bench.start('Greet by name');
      const snapshots = [];
      for (const [at, moment] of moments.entries()) {
        await killAt(id, await bench.run(`machine-${at}`), moment);
        snapshots.push({ at: new Date().toISOString(), sessions: await kept() });
      }
      await bench.run('last');
      await bench.driveTo(id, 'COMPLETED');
      assert.equal(await treeOf(id), tree);
      assert.deepEqual(repeated(bench.requests, snapshots), []);
      assert.deepEqual((await bench.tickets.ports.store.verify(id)).ok, true);
    });
});
