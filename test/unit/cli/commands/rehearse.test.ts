import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { exitCodes } from '../../../../src/cli/base/exitCodes.ts';
import { Settings } from '../../../../src/domain/settings/settings.ts';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import type { InboxBody } from '../../../../src/domain/ticket/inbox.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { FakeApp } from '../../../support/fakes/fakeApp.ts';
import { inspectedCall, inspectedPart } from '../../../support/fakes/inspectedCall.ts';
import { ticketDetail } from '../../../support/fakes/ticketPlace.ts';
import { tempRepositories } from '../../../support/git/tempRepository.ts';

const price = { input: 3, output: 15, cacheRead: 1, cacheWrite: 4 };
const calls = [
  inspectedCall([inspectedPart('bead_data', { tokens: 1_000 }), inspectedPart('host', { tokens: 500 })], {
    bead: 'greet',
  }),
];

describe('rehearse', () => {
  const makeRepository = tempRepositories();

  /** A ticket of a real repository; on the copy, its rehearsal ends in this status at once. */
  async function rehearsing(ticket: Partial<Ticket> = {}, ends: Partial<Ticket> = { status: 'COMPLETED' }) {
    const { root } = await makeRepository({ files: { 'greet.txt': 'hello\n' } });
    const copy = new FakeApp();
    copy.client.history.inspected = calls;
    const seen: { folder: string; text: string; config: unknown }[] = [];
    const bench: CommandBench = new CommandBench(
      {},
      {
        app: new FakeApp({ ticket: { baseBranch: 'main', ...ticket } }, { repository: { root } }),
        openApp: async (options) => {
          bench.opened.push(options);
          if (options.folder === root) return bench.app;
          const text = await readFile(join(options.folder, 'greet.txt'), 'utf8');
          seen.push({ folder: options.folder, text, config: options.opencode.config });
          copy.client.act = (id, kind, body) => {
            copy.client.sent.push({ ticket: id, kind, body });
            copy.place.detail = ticketDetail({ ticket: ends });
            return Promise.resolve({ id: 'entry-1' });
          };
          return copy;
        },
      },
    );
    bench.cwd = root;
    bench.env = { ...(process.env as Record<string, string>) };
    return { bench, copy, seen };
  }
  const settingsOf = (copy: FakeApp): Settings => (copy.client.sent[0]?.body as InboxBody<'start'>).settings;

  it('drives the ticket on a copy with scripted models, prints each call with its parts, and removes the copy', async () => {
    const { bench, copy, seen } = await rehearsing({ settings: null, title: '--greet' });
    const { exit, all, end } = await bench.json('rehearse TST-1');
    const [place] = seen;
    assert.equal(place?.text, 'hello\n');
    assert.equal(existsSync(place.folder), false);
    assert.deepEqual(
      copy.created.map(({ title, description }) => [title, description]),
      [['--greet', 'By name.']],
    );
    const { mainImplementer, councilMembers, depth } = settingsOf(copy);
    assert.deepEqual(
      [mainImplementer, councilMembers, depth],
      ['scripted/alpha', ['scripted/member-1', 'scripted/member-2'], 'full'],
    );
    const config = z
      .object({ provider: z.record(z.string(), z.object({ models: z.record(z.string(), z.unknown()) })) })
      .parse(place.config);
    assert.deepEqual(Object.keys(config.provider['scripted']?.models ?? {}), [
      'alpha',
      'member-1',
      'member-2',
    ]);
    assert.deepEqual(
      all('rehearsed').map(({ ticket, prompt, bead, parts }) => [
        ticket,
        prompt,
        bead,
        parts.map(({ tokens }) => tokens),
      ]),
      [['TST-1', 'coding', 'greet', [1_000, 500]]],
    );
    assert.deepEqual(all('rehearsal'), [
      {
        type: 'rehearsal',
        ticket: 'TST-1',
        calls: 1,
        tokens: 1_500,
        money: null,
        model: null,
        whole: true,
        status: 'COMPLETED',
      },
    ]);
    assert.deepEqual([exit, end?.exit, end?.status, bench.sent], [0, 0, 'WAITING_PRD_APPROVAL', []]);
  });

  it('rehearses with the settings of the ticket, unless others are asked for', async () => {
    const settings = Settings.parse({
      mainImplementer: 'a/b',
      councilMembers: ['c/d'],
      depth: 'full',
      review: 'standard',
      retrospective: true,
    });
    const own = await rehearsing({ settings });
    await own.bench.run('rehearse TST-1');
    const { councilMembers, review, retrospective, kickoff } = settingsOf(own.copy);
    assert.deepEqual([councilMembers.length, review, retrospective, kickoff], [1, 'standard', true, false]);
    const other = await rehearsing({ settings });
    await other.bench.run(
      'rehearse TST-1 --members 3 --depth quick --review off --kickoff --sandbox off --opencode bin/opencode',
    );
    const asked = settingsOf(other.copy);
    assert.deepEqual([asked.depth, asked.review, asked.kickoff], ['quick', 'off', true]);
    assert.deepEqual(
      Object.keys(
        (other.seen[0]?.config as { provider: { scripted: { models: object } } }).provider.scripted.models,
      ).length,
      4,
    );
    const [, onCopy] = other.bench.opened;
    assert.deepEqual(
      [onCopy?.sandbox, onCopy?.opencode.binary?.endsWith('bin/opencode'), onCopy?.env['BEADSMITH_SCRIPTED']],
      ['off', true, '1'],
    );
  });

  it('says what it would cost at the price that the ticket had', async () => {
    const { bench } = await rehearsing();
    const [call] = calls;
    if (call)
      bench.app.client.history.inspected = [{ ...call, member: 'x/y', plan: { ...call.plan, price } }];
    const { out } = await bench.run('rehearse TST-1');
    assert.match(out, /^Rehearsing TST-1 on a copy of the repository, with scripted answers:\n/);
    assert.match(
      out,
      /1 calls, 1,500 tokens of prompts, US\$ 0\.0045 at the list price of x\/y without a cache\. No model was called/,
    );
  });

  it('fails where the ticket didn’t come to its end', async () => {
    const error = { code: 'GIT_FAILED', args: {}, continuable: false, diagnostics: {} } as const;
    const { bench } = await rehearsing({}, { status: 'BLOCKED_ERROR', error });
    const { exit, out } = await bench.run('rehearse TST-1');
    assert.equal(exit, exitCodes.failed);
    assert.match(out, /The rehearsal ended in BLOCKED_ERROR, so later calls are missing\./);
  });

  it('leaves no copy behind, whatever happens', async () => {
    const { bench, seen } = await rehearsing();
    const { openApp } = bench.product;
    Object.assign(bench.product, {
      openApp: async (options: Parameters<typeof openApp>[0]) => {
        const app = await openApp(options);
        if (app !== bench.app) throw new Error('It broke.');
        return app;
      },
    });
    assert.equal((await bench.run('rehearse TST-1')).exit, exitCodes.failed);
    assert.deepEqual(
      [
        seen.length,
        readdirSync(join(seen[0]?.folder ?? '', '../..')).includes(seen[0]?.folder.split('/').at(-2) ?? ''),
      ],
      [1, false],
    );
  });

  itRefuses([
    ['rehearse TST-9', 2, /The ticket TST-9 doesn't exist\./],
    ['rehearse', 2, /An argument is missing/],
    ['rehearse TST-1 --members two', 2, /--members takes a whole number, not "two"\./],
  ]);
});
