import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { withTeamAdmission } from '../../../src/app/teamAdmission.ts';
import { FleetState } from '../../../src/protocol/team/fleet.ts';
import { servedAnswers, servedPaths } from '../../../src/protocol/team/served.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { approvalOf, attacksOn, each, visitorOf } from '../../support/team/serveAttacks.ts';
import { benchRunner, repository, ServedBench, Visitor } from '../../support/team/servedTeam.ts';

const many = { most: 100_000, perMs: 60_000 };
describe('a team’s tickets in a browser', () => {
  let bench: ServedBench;
  // Before the database stops.
  after(() => bench.close());
  const postgres = postgresServer();
  let url: string;
  let ticket: string;
  let ada: Visitor;
  before(async () => {
    bench = await ServedBench.open(postgres.url);
    ticket = await bench.waiting('<img src=x onerror=alert(1)>');
    await bench.runner();
    ({ url } = await bench.serve({
      bodyBytes: 20_000,
      bodyMs: 700,
      requests: many,
      pairing: { one: many, all: many },
    }));
    ada = await visitorOf({ bench, url }, 'reviewer');
  });

  const code = async (role: 'reviewer' | 'admin'): Promise<string> =>
    (await bench.keys.pair({ person: 'Eve', role })).code;

  it('refuses every attack, and keeps nothing of it', async () => {
    const attacks = attacksOn({ bench, url, ticket, ada });
    assert.ok(attacks.length >= 30);
    const decided = (): Promise<unknown> => bench.stored();
    const through: string[] = [];
    for (const [name, refusal, attack] of attacks) {
      const replies = [await attack()].flat();
      for (const { status, code: found, text } of replies)
        if ((status !== 0 && status < 400) || status >= 500 || (refusal !== '' && found !== refusal))
          through.push(`${name}: ${status} ${found} ${text.slice(0, 100)}`);
      const { inbox } = (await decided()) as { inbox: readonly (readonly unknown[])[] };
      if (inbox.flat().length > 0) through.push(`${name}: filed`);
    }
    assert.deepEqual(through, []);
    // All keys are this test's own, and no code was used up.
    const keys = await bench.keys.all();
    assert.ok(
      keys.every(({ person, role }) => person === 'Ada' && ['reader', 'reviewer', 'admin'].includes(role)),
    );
    assert.deepEqual(
      await bench.query('SELECT used_by FROM beadsmith.pairings WHERE used_by IS NOT NULL'),
      [],
    );
    assert.equal(Reflect.get({}, 'role'), undefined);
    assert.deepEqual(await bench.query('SELECT id, wanted FROM beadsmith.runners'), [
      { id: benchRunner, wanted: 'work' },
    ]);
    assert.deepEqual(await bench.query('SELECT name FROM beadsmith.repositories'), [{ name: repository }]);
  });

  it('files a sealed decision once, which a driver admits', async () => {
    const entry = approvalOf(ticket);
    const body = ada.decision(entry);
    const replies = [await ada.post(servedPaths.decide, body), await ada.post(servedPaths.decide, body)];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(
      (await ada.decide({ ...entry, body: { ...entry.body, reason: 'replayed' } })).code,
      'DECISION_UNSEALED',
    );
    const driving = withTeamAdmission({
      store: bench.driver.store,
      decisions: { decide: () => Promise.resolve() },
      drives: true,
      isAgent: false,
      clock: { now: () => Date.now() },
      events: { emit: () => undefined },
      repository,
      keys: bench.keys,
      key: ada.device.asInstallation(),
    });
    const admitted = await driving.inbox(ticket, { pending: true });
    assert.deepEqual(
      admitted.map(({ id, body: filed }) => [id, filed]),
      [[entry.id, entry.body]],
    );
    const audited = bench.audit.filter(({ entry: id }) => id === entry.id);
    assert.equal(audited[0]?.person, 'Ada');
  });

  it('takes an admin’s order to a runner, once for each signature', async () => {
    const admin = await visitorOf({ bench, url }, 'admin');
    const state = FleetState.parse(JSON.parse((await ada.send(servedPaths.fleet)).text));
    assert.deepEqual(
      state.runners.map(({ id, host, wanted }) => [id, host, wanted]),
      [[benchRunner, 'build-1', 'work']],
    );
    const signed = await admin.signed('order', [benchRunner, 'drain']);
    const order = { runner: benchRunner, wanted: 'drain', ...signed };
    assert.equal((await admin.post(servedPaths.order, order)).status, 200);
    assert.deepEqual(await bench.query('SELECT wanted FROM beadsmith.runners'), [{ wanted: 'drain' }]);
    const audited = bench.audit.find(({ action }) => action === 'runner drain');
    assert.deepEqual([audited?.runner, audited?.person, audited?.outcome], [benchRunner, 'Ada', 'done']);
  });

  it('pairs one of two who have the same code, and nobody after them', async () => {
    const it = await code('reviewer');
    const [one, two] = [new Visitor(url), new Visitor(url)];
    const replies = await Promise.all([one.pair(it), two.pair(it)]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 403]);
    assert.equal((await new Visitor(url).pair(it)).code, 'PAIRING_INVALID');
    const paired = (await bench.keys.all()).filter(({ person }) => person === 'Eve');
    assert.deepEqual(
      paired.map(({ role, device }) => [role, device]),
      [['reviewer', 'phone']],
    );
    await bench.keys.revoke(paired[0]?.id ?? '');
    const again = replies[0].status === 200 ? one : two;
    assert.equal((await again.pair(await code('admin'))).code, 'DEVICE_REVOKED');
  });

  it('takes five codes a minute from one address', async () => {
    const strict = await bench.serve();
    const codes = await each(
      Array.from({ length: 7 }, (_, at) => () => new Visitor(strict.url).pair(`000${at}-0000-0000-0000`)),
    );
    assert.deepEqual(
      codes.map((reply) => reply.code),
      [...Array.from({ length: 5 }, () => 'PAIRING_INVALID'), 'TOO_MANY', 'TOO_MANY'],
    );
  });

  it('behind a proxy, serves the person whom the proxy names, over HTTPS alone', async () => {
    const [proxy, port] = ['https://team.example.com', await freePort()];
    const listen = { host: '127.0.0.1', port };
    await bench.serve({}, { listen, proxy, trustHeader: 'X-Person' });
    const device = await bench.device('reviewer', 'Ada');
    const by = (person: string): Visitor =>
      new Visitor(`http://127.0.0.1:${port}`, device, { origin: proxy, always: { 'x-person': person } });
    await assert.rejects(by('Bob').signIn(), /WRONG_PERSON/);
    const [reached, bob] = [await by('Ada').signIn(), by('Bob')];
    assert.match(reached.cookie, /^__Host-beadsmith=/);
    assert.equal((await reached.send(servedPaths.tickets)).status, 200);
    bob.cookie = reached.cookie;
    assert.equal((await bob.send(servedPaths.tickets)).code, 'WRONG_PERSON');
    const direct = new Visitor(`http://127.0.0.1:${port}`, device);
    assert.equal((await direct.send('/')).code, 'WRONG_HOST');
  });

  it('sends pages that nobody frames, and that run nothing but their own script', async () => {
    const page = await ada.send('/');
    assert.equal(page.status, 200);
    const policy = String(page.headers['content-security-policy']);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.includes(rule), rule);
    assert.ok(!/unsafe|\*/.test(policy));
    assert.equal(page.headers['x-frame-options'], 'DENY');
    const list = await ada.send(servedPaths.tickets);
    assert.deepEqual(
      [list.headers['x-content-type-options'], list.headers['content-type']],
      ['nosniff', 'application/json; charset=utf-8'],
    );
    const { tickets } = servedAnswers.tickets.parse(JSON.parse(list.text));
    assert.deepEqual(
      tickets.map(({ id }) => id),
      [ticket],
    );
  });

  it('keeps an audit line of each decision and refusal, without secrets', () => {
    const lines = JSON.stringify(bench.audit);
    for (const outcome of ['done', 'DECISION_UNSEALED', 'FOREIGN', 'TOO_MANY', 'PAIRING_INVALID'])
      assert.ok(
        bench.audit.some((line) => line.outcome === outcome),
        outcome,
      );
    for (const secret of [ada.cookie.split('=')[1] ?? '-', ada.token]) assert.ok(!lines.includes(secret));
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
