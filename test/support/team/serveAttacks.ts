import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { sha256 } from '../../../src/base/sha256.ts';
import type { SealedEntry } from '../../../src/domain/team/seal.ts';
import type { TeamRole } from '../../../src/domain/team/keys.ts';
import { servedPaths } from '../../../src/protocol/team/served.ts';
import { TeamDevice } from '../teamDevice.ts';
import { benchRunner, prd, type Reply, repository, type ServedBench, Visitor } from './servedTeam.ts';

const hash = sha256(prd);
const injected = [
  "' OR 1=1 --",
  "'; DROP TABLE beadsmith.keys; --",
  '$1',
  '\u0000',
  '%27%20OR%201=1',
  '1;SELECT pg_sleep(9)',
];

/** A server, a ticket whose PRD waits there, and a reviewer who is signed in. */
export interface Served {
  readonly bench: ServedBench;
  readonly url: string;
  readonly ticket: string;
  readonly ada: Visitor;
}

/** `refusal`: its code; empty where HTTP itself refuses, or several codes are right. */
type Attack = readonly [name: string, refusal: string, attack: () => Promise<Reply | readonly Reply[]>];

export async function visitorOf(
  { bench, url }: Pick<Served, 'bench' | 'url'>,
  role: TeamRole,
): Promise<Visitor> {
  return new Visitor(url, await bench.device(role)).signIn();
}

/** An approval of what waits. */
export function approvalOf(ticket: string, body: object = {}): SealedEntry {
  return { id: randomUUID(), ticket, kind: 'approve', body: { sha256: hash, reason: '', ...body } };
}

/** One after the other. */
export async function each(asks: readonly (() => Promise<Reply>)[]): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (const ask of asks) replies.push(await ask());
  return replies;
}

/** All ways that were tried to decide, read or join without the right to. */
export function attacksOn(served: Served): readonly Attack[] {
  const { bench, url, ticket, ada } = served;
  const visitor = (role: TeamRole): Promise<Visitor> => visitorOf(served, role);
  const approval = (body: object = {}): SealedEntry => approvalOf(ticket, body);
  const sealed = (by: Visitor, given: object, entry = approval()): Promise<Reply> =>
    by.post(servedPaths.decide, { ...by.decision(entry), ...given });
  const code = async (role: 'reader' | 'reviewer' | 'admin' = 'reader'): Promise<string> =>
    (await bench.keys.pair({ person: 'Eve', role })).code;
  const order = async (by: Visitor, given: object = {}, signs = by, about = 'pause'): Promise<Reply> =>
    by.post(servedPaths.order, {
      runner: benchRunner,
      wanted: 'pause',
      ...(await signs.signed('order', [benchRunner, about])),
      ...given,
    });
  /** What a raw connection answers. */
  const raw = (text: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const { port, hostname } = new URL(url);
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('error', reject);
      socket.on('close', () => {
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? '0');
        resolve({ status, headers: {}, text: answer, code: /"code":"([A-Z_]+)"/.exec(answer)?.[1] ?? '' });
      });
    });
  const host = (): string => new URL(url).host;
  return [
    ['a decision without a seal', 'BAD_REQUEST', () => sealed(ada, { signature: undefined })],
    ['a seal of letters', 'DECISION_UNSEALED', () => sealed(ada, { signature: 'A'.repeat(86) })],
    ['the seal of another entry', 'DECISION_UNSEALED', () => sealed(ada, { id: randomUUID() })],
    [
      'a body that changed after it was sealed',
      'DECISION_UNSEALED',
      () => sealed(ada, { body: { sha256: hash, reason: 'more' } }),
    ],
    [
      'a seal for another kind of decision',
      'DECISION_UNSEALED',
      () => sealed(ada, { kind: 'regenerate', body: { note: '' } }),
    ],
    [
      'a seal for another repository',
      'DECISION_UNSEALED',
      async () => ada.post(servedPaths.decide, ada.decision(approval(), 'acme/web')),
    ],
    [
      'a decision in a repository that the team hasn’t',
      'TICKET_UNKNOWN',
      () => sealed(ada, { repository: 'acme/none' }),
    ],
    ['a ticket that isn’t there', 'TICKET_UNKNOWN', () => ada.decide({ ...approval(), ticket: 'GRT-99' })],
    [
      'another version than the one that waits',
      'STALE_APPROVAL',
      () => ada.decide(approval({ sha256: 'b'.repeat(64) })),
    ],
    [
      'a decision that the ticket doesn’t take',
      'ACTION_NOT_ALLOWED',
      () => ada.decide({ ...approval(), kind: 'changes', body: { items: [{ text: 'x' }] } }),
    ],
    [
      'a kind that isn’t served',
      'BAD_REQUEST',
      () =>
        each(
          (['edit', 'merge', 'merge_pull_request', 'limits', 'start'] as const).map(
            (kind) => () => ada.decide({ ...approval(), kind, body: {} }),
          ),
        ),
    ],
    [
      'the seal of a foreign key in one’s own session',
      'DECISION_UNSEALED',
      async () => {
        const other = new Visitor(url, new TeamDevice());
        return ada.post(servedPaths.decide, other.decision(approval()));
      },
    ],
    [
      'a foreign key',
      'DEVICE_UNKNOWN',
      async () => {
        const eve = new Visitor(url);
        return eve.post(servedPaths.signIn, {
          key: eve.device.id,
          ...(await eve.signed('sign-in', eve.device.id)),
        });
      },
    ],
    [
      'somebody else’s key id',
      'SIGN_IN',
      async () => {
        const eve = new Visitor(url);
        return eve.post(servedPaths.signIn, {
          key: ada.device.id,
          ...(await eve.signed('sign-in', ada.device.id)),
        });
      },
    ],
    [
      'a sign-in that is sent again',
      'SIGN_IN',
      async () => {
        const eve = new Visitor(url, ada.device);
        const body = { key: ada.device.id, ...(await eve.signed('sign-in', ada.device.id)) };
        await eve.post(servedPaths.signIn, body);
        return eve.post(servedPaths.signIn, body);
      },
    ],
    [
      'a reader’s key',
      'ROLE_MISSING',
      async () => {
        const reader = await visitor('reader');
        return each([
          () => reader.decide(approval()),
          () => reader.decide({ ...approval(), kind: 'pause', body: {} }),
          () => reader.decide({ ...approval(), kind: 'cancel', body: { reason: '', deleteWorktree: false } }),
        ]);
      },
    ],
    [
      'a key that was revoked after it signed in',
      'DEVICE_REVOKED',
      async () => {
        const eve = await visitor('reviewer');
        await bench.keys.revoke(eve.device.id);
        return each([() => eve.decide(approval()), () => eve.send(servedPaths.tickets)]);
      },
    ],
    [
      'no session',
      'SIGN_IN',
      async () => {
        const eve = new Visitor(url, ada.device);
        return each([
          () => eve.decide(approval()),
          () => order(eve),
          ...[
            servedPaths.tickets,
            servedPaths.me,
            servedPaths.devices,
            servedPaths.changes,
            servedPaths.fleet,
          ].map((path) => () => eve.send(path)),
        ]);
      },
    ],
    [
      'a cookie that nobody was given',
      'SIGN_IN',
      () => ada.post(servedPaths.decide, ada.decision(approval()), { cookie: `beadsmith=${'A'.repeat(43)}` }),
    ],
    [
      'two cookies',
      'SIGN_IN',
      () => ada.post(servedPaths.decide, ada.decision(approval()), { cookie: `${ada.cookie}; beadsmith=x` }),
    ],
    [
      'a cookie without its key',
      'SIGN_IN',
      async () => {
        const eve = await visitor('admin');
        return eve.post(servedPaths.invite, {
          person: 'Eve',
          role: 'admin',
          nonce: 'A'.repeat(43),
          signature: 'A'.repeat(86),
        });
      },
    ],
    [
      'a cookie without its token',
      'FOREIGN',
      () => ada.post(servedPaths.decide, ada.decision(approval()), { 'x-beadsmith-token': '' }),
    ],
    [
      'another session’s token',
      'FOREIGN',
      async () =>
        ada.post(servedPaths.decide, ada.decision(approval()), {
          'x-beadsmith-token': (await visitor('reviewer')).token,
        }),
    ],
    [
      'a page of another site',
      'FOREIGN',
      () => ada.post(servedPaths.decide, ada.decision(approval()), { origin: 'https://evil.example' }),
    ],
    [
      'a page without an origin',
      'FOREIGN',
      () => ada.post(servedPaths.decide, ada.decision(approval()), { origin: 'null' }),
    ],
    ['no origin', 'FOREIGN', () => ada.post(servedPaths.decide, ada.decision(approval()), { origin: '' })],
    [
      'a script of another site that reads',
      'FOREIGN',
      () => ada.send(servedPaths.tickets, { headers: { 'sec-fetch-site': 'cross-site' } }),
    ],
    [
      'a form',
      'WRONG_TYPE',
      () => ada.post(servedPaths.decide, ada.decision(approval()), { 'content-type': 'text/plain' }),
    ],
    [
      'another name for this machine',
      'WRONG_HOST',
      () =>
        each(
          ['evil.example', `evil.example:${new URL(url).port}`, 'localhost', `${host()}.evil.example`].map(
            (name) => () => ada.send('/', { headers: { host: name } }),
          ),
        ),
    ],
    [
      'another method',
      'WRONG_METHOD',
      () =>
        each(
          ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'].map(
            (method) => () => ada.send(servedPaths.decide, { method }),
          ),
        ),
    ],
    [
      'another method in a header',
      'WRONG_METHOD',
      () => ada.send(servedPaths.decide, { headers: { 'x-http-method-override': 'POST' } }),
    ],
    [
      'a path to a file',
      'UNKNOWN_PLACE',
      () =>
        each(
          [
            '/../../etc/passwd',
            '/%2e%2e/%2e%2e/etc/passwd',
            '/main.js/../../serve.js',
            '/..%5c..%5cpackage.json',
            '/main.js%00',
            '//etc/passwd',
            '/main.js.map',
            '/api/../main.js',
          ].map((path) => () => ada.send(path)),
        ),
    ],
    [
      'the address of another server as a path',
      'UNKNOWN_PLACE',
      () => raw(`GET http://evil.example/ HTTP/1.1\r\nHost: ${host()}\r\nConnection: close\r\n\r\n`),
    ],
    [
      'too long a body',
      'TOO_LARGE',
      () =>
        each([
          () => ada.post(servedPaths.decide, { text: 'x'.repeat(30_000) }),
          () =>
            raw(
              `POST ${servedPaths.challenge} HTTP/1.1\r\nHost: ${host()}\r\nOrigin: ${url}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7530\r\n${'x'.repeat(30_000)}\r\n`,
            ),
        ]),
    ],
    [
      'a body that never ends',
      'TOO_SLOW',
      () =>
        raw(
          `POST ${servedPaths.challenge} HTTP/1.1\r\nHost: ${host()}\r\nOrigin: ${url}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
        ),
    ],
    [
      'a header in a header',
      '',
      () => raw(`GET / HTTP/1.1\r\nHost: ${host()}\r\nCookie: a=b\rSet-Cookie: beadsmith=x\r\n\r\n`),
    ],
    [
      'a request in a request',
      '',
      () =>
        raw(
          `POST ${servedPaths.challenge} HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET`,
        ),
    ],
    ['two hosts', '', () => raw(`GET / HTTP/1.1\r\nConnection: close\r\n\r\n`)],
    [
      'the prototype of everything',
      'BAD_REQUEST',
      () =>
        each(
          [
            '{"__proto__":{"role":"admin"}}',
            '{"constructor":{"prototype":{"role":"admin"}}}',
            `{"person":"Eve","role":{"__proto__":1}}`,
          ].map((body) => () => ada.post(servedPaths.invite, body)),
        ),
    ],
    [
      'a value inside thousands',
      'BAD_REQUEST',
      () => ada.post(servedPaths.decide, `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`),
    ],
    [
      'a body that is no text',
      'BAD_REQUEST',
      () =>
        each(
          ['[]', 'null', '"x"', '{', '', '{"a":1}{"b":2}'].map(
            (body) => () => ada.post(servedPaths.decide, body),
          ),
        ),
    ],
    [
      'a name twice',
      'BAD_REQUEST',
      () => ada.send(`${servedPaths.ticket}?repository=acme/greeter&ticket=${ticket}&ticket=GRT-2`),
    ],
    [
      'SQL in a decision',
      '',
      async () =>
        each(
          injected.flatMap((text) =>
            ['id', 'ticket', 'kind', 'repository', 'signature'].map(
              (name) => () => sealed(ada, { [name]: text }),
            ),
          ),
        ),
    ],
    [
      'SQL in what is read',
      '',
      async () =>
        each(
          injected
            .flatMap((text) =>
              [servedPaths.ticket, servedPaths.outcome].flatMap((path) =>
                ['repository', 'ticket', 'id'].map(
                  (name) => () =>
                    ada.send(
                      `${path}?${new URLSearchParams({ repository, ticket, id: randomUUID(), [name]: text }).toString()}`,
                    ),
                ),
              ),
            )
            .filter((_, at) => at % 6 !== 2),
        ),
    ],
    [
      'SQL in a code',
      'PAIRING_INVALID',
      () => each(injected.map((text) => () => new Visitor(url).pair(text))),
    ],
    [
      'SQL in a key',
      'BAD_REQUEST',
      () =>
        each(
          injected.map(
            (text) => () =>
              ada.post(servedPaths.signIn, { key: text, nonce: 'A'.repeat(43), signature: 'A'.repeat(86) }),
          ),
        ),
    ],
    ['a wrong code', 'PAIRING_INVALID', () => new Visitor(url).pair('0000-0000-0000-0000')],
    [
      'a key that the sender hasn’t',
      'SIGN_IN',
      async () => {
        const [eve, given] = [new Visitor(url), new TeamDevice().publicKey];
        const it = await code();
        return eve.post(servedPaths.pair, {
          code: it,
          publicKey: given,
          device: 'x',
          ...(await eve.signed('pair', [it, given, 'x'])),
        });
      },
    ],
    [
      'a role in the pairing',
      'BAD_REQUEST',
      async () => {
        const [eve, it] = [new Visitor(url), await code()];
        const { publicKey } = eve.device;
        return eve.post(servedPaths.pair, {
          code: it,
          publicKey,
          device: 'x',
          role: 'admin',
          ...(await eve.signed('pair', [it, publicKey, 'x'])),
        });
      },
    ],
    [
      'a device whose name has lines',
      'BAD_REQUEST',
      async () => new Visitor(url).pair(await code(), 'x\r\nSet-Cookie: a=b'),
    ],
    [
      'an expired code',
      'PAIRING_INVALID',
      async () => {
        const it = await code();
        await bench.query(
          'UPDATE beadsmith.pairings SET expires_at = expires_at - 600001 WHERE used_by IS NULL',
        );
        return new Visitor(url).pair(it);
      },
    ],
    [
      'a reviewer who adds a device',
      'ROLE_MISSING',
      async () =>
        ada.post(servedPaths.invite, {
          person: 'Eve',
          role: 'admin',
          ...(await ada.signed('invite', ['Eve', 'admin'])),
        }),
    ],
    [
      'a reviewer who revokes another device',
      'ROLE_MISSING',
      async () => {
        const other = (await bench.device('admin')).id;
        return ada.post(servedPaths.revoke, { key: other, ...(await ada.signed('revoke', other)) });
      },
    ],
    [
      'an admin’s signature for another role',
      'SIGN_IN',
      async () => {
        const admin = await visitor('admin');
        return admin.post(servedPaths.invite, {
          person: 'Eve',
          role: 'admin',
          ...(await admin.signed('invite', ['Eve', 'reader'])),
        });
      },
    ],
    ['a reviewer who pauses a runner', 'ROLE_MISSING', () => order(ada)],
    ['a reader who pauses a runner', 'ROLE_MISSING', async () => order(await visitor('reader'))],
    [
      'an order without the session’s token',
      'FOREIGN',
      async () => {
        const admin = await visitor('admin');
        admin.token = '';
        return order(admin);
      },
    ],
    [
      'an order from a page of another site',
      'FOREIGN',
      async () => (await visitor('admin')).post(servedPaths.order, {}, { origin: 'https://evil.example' }),
    ],
    [
      'an order that a foreign device signed',
      'SIGN_IN',
      async () => order(await visitor('admin'), {}, new Visitor(url)),
    ],
    [
      'a signature for another order',
      'SIGN_IN',
      async () => order(await visitor('admin'), { wanted: 'leave' }),
    ],
    [
      'an order that is sent again',
      'SIGN_IN',
      async () => {
        const admin = await visitor('admin');
        const body = {
          runner: benchRunner,
          wanted: 'pause',
          ...(await admin.signed('order', [benchRunner, 'pause'])),
        };
        const first = await admin.post(servedPaths.order, body);
        if (first.status !== 200) return first;
        await bench.query(`UPDATE beadsmith.runners SET wanted = 'work'`);
        return admin.post(servedPaths.order, body);
      },
    ],
    [
      'an order that no runner takes',
      'BAD_REQUEST',
      async () => order(await visitor('admin'), { wanted: 'die' }, ada, 'die'),
    ],
    [
      'an order to a runner that isn’t there',
      'INVALID_INPUT',
      async () => {
        const admin = await visitor('admin');
        const signed = await admin.signed('order', ['runner-9', 'leave']);
        return admin.post(servedPaths.order, { runner: 'runner-9', wanted: 'leave', ...signed });
      },
    ],
    [
      'SQL in an order',
      'BAD_REQUEST',
      async () => {
        const admin = await visitor('admin');
        return each(
          injected.map((text) => async () => {
            const signed = await admin.signed('order', [text, 'leave']);
            return admin.post(servedPaths.order, { runner: text, wanted: 'leave', ...signed });
          }),
        );
      },
    ],
    [
      'a signature for another request',
      'SIGN_IN',
      async () => {
        const admin = await visitor('admin');
        return admin.post(servedPaths.revoke, {
          key: admin.device.id,
          ...(await admin.signed('sign-in', admin.device.id)),
        });
      },
    ],
  ];
}
