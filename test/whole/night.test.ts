import assert from 'node:assert/strict';
import { join } from 'node:path';
import { PromptFiles } from '../../src/adapters/files/promptFiles.ts';
import { WorktreeFiles } from '../../src/adapters/files/ticketFiles.ts';
import { SecretlintScanner } from '../../src/adapters/secrets/secretlintScanner.ts';
import { LocalForge } from '../../src/adapters/forge/local/localForge.ts';
import { GitAdapter } from '../../src/adapters/git/gitAdapter.ts';
import { Shell } from '../../src/adapters/process/shell.ts';
import { withInverseEdges } from '../../src/domain/beads/beadPlan.ts';
import { BeadsmithError } from '../../src/domain/core/errors.ts';
import type { TicketEvent } from '../../src/domain/core/events.ts';
import { passed } from '../../src/domain/core/evidence.ts';
import { ticketBranch } from '../../src/domain/core/ids.ts';
import { BeadExecution, FinalTestReport } from '../../src/domain/beads/reports.ts';
import { Limits, Settings } from '../../src/domain/settings/settings.ts';
import { Engine } from '../../src/engine/drive/engine.ts';
import type { Agent, Ports } from '../../src/engine/ports/ports.ts';
import type { Store } from '../../src/engine/ports/storePort.ts';
import { behaviour } from '../../src/phases/index.ts';
import { readPrompt } from '../../src/demo/script/promptParts.ts';
import { noncePart, withNonce } from '../../src/demo/answer.ts';
import { report, testBead } from '../support/engine/executionWorld.ts';
import { type TempStore, tempStore } from '../support/engine/tempStore.ts';
import { SkippingClock } from '../support/fakes/skippingClock.ts';
import { FakeWorkplace } from '../support/fakes/fakeWorkplace.ts';
import { type TempRepository, tempRepository } from '../support/git/tempRepository.ts';
import { OpencodeBench } from '../support/models/opencodeServer.ts';
import type { ModelAnswer, ModelRequest } from '../support/models/tinyModel.ts';
import { until } from '../support/until.ts';
import { readsAtOnce } from '../support/fakes/readsAtOnce.ts';
import { noForge } from '../support/fakes/noForge.ts';
import { newTicket } from '../support/samples.ts';

const minutes = (count: number): number => count * 60_000;
const beadsOf = (ticket: string): readonly string[] =>
  [1, 2, 3, 4].map((number) => `${ticket.toLowerCase()}-part-${String(number)}`);

/** Three tickets with four beads are left alone while everything happens that happens in nights. */
describe('A night of coding', () => {
  const clock = new SkippingClock();
  const events: TicketEvent[] = [];
  const prompts: string[] = [];
  let bench: OpencodeBench;
  let repository: TempRepository;
  let temp: TempStore;
  let git: GitAdapter;
  let engine: Engine | undefined;
  const tickets: string[] = [];
  /** Each happens once. */
  const incidents = new Map<string, () => ModelAnswer | undefined>();
  const happened: string[] = [];
  let fullFor = 0;

  before(async () => {
    bench = await new OpencodeBench().start();
    repository = await tempRepository({ files: { 'README.md': '# Sample\n' } });
    temp = tempStore({ now: () => clock.now() });
    git = new GitAdapter({ folder: repository.root });
    bench.model.answer = answer;
  });
  after(async () => {
    await engine?.stop();
    await temp.remove();
    await bench.stop();
    await repository.remove();
  });

  it('ends with every ticket verified, and nobody was needed', async function () {
    this.timeout(600_000);
    for (let count = 0; count < 3; count += 1) await startTicket();
    const [one = '', two = '', three = ''] = tickets;
    let quotaUntil = 0;
    const overQuota = (): ModelAnswer | undefined => {
      quotaUntil ||= clock.now() + minutes(40);
      const left = Math.ceil((quotaUntil - clock.now()) / 1_000);
      if (left <= 0) return undefined;
      return {
        kind: 'status',
        status: 429,
        message: 'You reached your limit.',
        headers: { 'retry-after': String(left) },
      };
    };
    incidents.set(`${one}-part-2`.toLowerCase(), overQuota);
    once(`${one}-part-4`, 'crash', () => {
      void bench.record().then((record) => record && process.kill(record.server.pid, 'SIGKILL'));
      return { kind: 'hang' };
    });
    once(`${two}-part-1`, 'sleep', () => {
      clock.skip(minutes(180));
      return undefined;
    });
    once(`${two}-part-3`, 'moved base', () => {
      void repository.commit({ 'elsewhere.txt': 'somebody else\n' }, 'Somebody else works here');
      return undefined;
    });
    once(`${three}-part-2`, 'full disk', () => {
      fullFor = 2;
      return undefined;
    });

    engine = new Engine(ports(), behaviour);
    await engine.start();
    await until(
      async () => {
        for (const id of tickets) {
          const hold = (await temp.store.ticket(id))?.hold;
          if (hold?.until !== undefined) happened.push(`${hold.kind} ${id}`);
          // Nobody waits for the night here.
          if (hold?.until !== undefined) clock.skip(Math.max(0, hold.until - clock.now()));
        }
        const stand = await Promise.all(tickets.map((id) => temp.store.ticket(id)));
        const blocked = stand.find(
          (ticket) => ticket?.status === 'BLOCKED_ERROR' || ticket?.hold?.request !== undefined,
        );
        assert.equal(blocked, undefined, JSON.stringify([blocked?.id, blocked?.error, blocked?.hold]));
        return stand.every((ticket) => ticket?.status === 'WAITING_PR_REVIEW');
      },
      'every ticket is ready for its review',
      560_000,
    );

    for (const what of ['crash', 'sleep', 'moved base', 'full disk', `quota ${one}`])
      assert.ok(happened.includes(what), `${what}: ${happened.join()}`);
    for (const id of tickets) await verified(id);
    assert.equal(new Set(prompts).size, prompts.length, 'no prompt went twice into one session');
    const coded = prompts.filter((prompt) => prompt.includes('# Beadsmith task: coding\n'));
    assert.equal(coded.length, 12, 'no bead was asked for twice');
    assert.equal(
      prompts.filter((prompt) => prompt.trimEnd().endsWith('continue please')).length,
      2,
      'after the quota and after the crash',
    );
    const held = events.flatMap((event) =>
      event.type === 'hold' && event.hold !== null ? [event.hold] : [],
    );
    assert.ok(!held.includes('question'));
  });

  /** Each at the first try, and the branch has what the beads wrote. */
  async function verified(id: string): Promise<void> {
    for (const bead of await temp.store.beads(id)) {
      assert.deepEqual([bead.status, bead.iteration], ['done', 1], bead.id);
      const stored = await temp.store.artifact(id, `bead_execution:${bead.id}`);
      const { evidence, candidate } = BeadExecution.parse(JSON.parse(stored?.content ?? ''));
      assert.ok(evidence.length > 0 && evidence.every((item) => passed(item)), bead.id);
      assert.ok(candidate, bead.id);
      assert.equal(await repository.git('show', `${ticketBranch(id)}:${bead.id}.txt`), 'done');
    }
    const test = FinalTestReport.parse(
      JSON.parse((await temp.store.artifact(id, 'final_test_report'))?.content ?? ''),
    );
    assert.equal(test.passed, true);
    assert.equal((await temp.store.verify(id)).ok, true);
  }

  function once(bead: string, what: string, happens: () => ModelAnswer | undefined): void {
    incidents.set(bead.toLowerCase(), () => {
      incidents.delete(bead.toLowerCase());
      happened.push(what);
      return happens();
    });
  }

  /** The first call writes the bead's file, the second reports. */
  function answer(request: ModelRequest): ModelAnswer {
    const said = request.messages.filter(({ role }) => role === 'user').map(({ text }) => text);
    const text = said.join('\n');
    const task = /# Beadsmith task: (\S+)/.exec(text)?.[1];
    const isDone = request.messages.some(({ role }) => role === 'tool');
    if (task === 'pull-request')
      return {
        kind: 'text',
        text: 'title: "Parts"\nsummary: ["Four parts."]\nvalidation: ["They were tested."]\n',
      };
    if (task === 'final-test') {
      const written = 'whole.txt';
      if (!isDone) return write(written);
      const [part = ''] = /tst-\d+-part-4/.exec(text) ?? [];
      const commands = `<FINAL_TEST_COMMANDS>\ncommands: ["grep -q done ${part}.txt && grep -q done ${written}"]\ntest_files: [${written}]\nsummary: The whole\n</FINAL_TEST_COMMANDS>`;
      return { kind: 'text', text: commands };
    }
    const bead = /"id": "(\S+-part-\d)"/.exec(text)?.[1] ?? '';
    const incident = isDone ? undefined : incidents.get(bead)?.();
    if (incident) return incident;
    const nonce = said.findLast((one) => one.includes(noncePart));
    return isDone
      ? { kind: 'text', text: withNonce(report(bead), nonce && readPrompt(nonce).parts.get(noncePart)) }
      : write(`${bead}.txt`);
  }

  function write(path: string): ModelAnswer {
    return {
      kind: 'tool',
      tool: 'bash',
      input: { command: `echo done > ${path}`, description: 'Writes the part' },
    };
  }

  async function startTicket(): Promise<void> {
    const { id } = await temp.store.createTicket({ ...newTicket, title: 'Four parts' });
    tickets.push(id);
    const baseCommit = (await git.resolve('main')) ?? '';
    const branch = ticketBranch(id);
    const { path: worktree } = await git.addWorktree({ ticket: id, branch, commit: baseCommit });
    const settings = Settings.parse({ depth: 'solo', mainImplementer: 'tiny/one' });
    const beads = beadsOf(id).map((bead, index) =>
      testBead({
        id: bead,
        title: `Part ${String(index + 1)}`,
        priority: index + 1,
        testCommands: [`grep -q done ${bead}.txt`],
        targetFiles: [`${bead}.txt`],
      }),
    );
    await temp.store.commit({
      ticket: id,
      journal: [{ kind: 'status', from: 'DRAFT', to: 'CODING', by: 'test' }],
      changes: [
        {
          type: 'ticket',
          set: {
            status: 'CODING',
            settings,
            limits: Limits.parse({}),
            baseBranch: 'main',
            baseCommit,
            branch,
            worktree,
            entry: { by: 'ready', body: null },
          },
        },
        { type: 'beads', beads: withInverseEdges(beads) },
      ],
    });
  }

  function ports(): Ports {
    return {
      store: storeOnFullDisk(),
      agent: countingAgent(bench.agent()),
      git,
      process: new Shell({ clock }),
      workplace: new FakeWorkplace(repository.root),
      files: new WorktreeFiles(),
      forges: noForge,
      forge: new LocalForge(join(bench.stateDir, 'pull-requests')),
      secrets: new SecretlintScanner(),
      signer: { sign: () => Promise.resolve(undefined) },
      texts: readsAtOnce,
      tokens: { count: async (text) => Math.ceil(text.length / 4) },
      clock,
      prompts: new PromptFiles(join(import.meta.dirname, '../../prompts')),
      events: { emit: (event) => events.push(event) },
    };
  }

  /** Its writes fail while the disk is full. */
  function storeOnFullDisk(): Store {
    const { store } = temp;
    return {
      ...store,
      commit: async (transaction) => {
        if (fullFor === 0) return store.commit(transaction);
        fullFor -= 1;
        throw new BeadsmithError('DISK_FULL');
      },
    };
  }

  function countingAgent(agent: Agent): Agent {
    return new Proxy(agent, {
      get: (target, name: keyof Agent) => {
        if (name !== 'prompt') return (target[name] as (...args: unknown[]) => unknown).bind(target);
        return (...[session, request, options]: Parameters<Agent['prompt']>) => {
          prompts.push(`${session.id}\n${request.stable ?? ''}\n${request.text}`);
          return target.prompt(session, request, options);
        };
      },
    });
  }
});
