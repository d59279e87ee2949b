import type * as z from 'zod';
import { isSignedBy } from '../../adapters/keys/signatures.ts';
import type { TeamKeys } from '../../adapters/store/postgres/teamKeys.ts';
import type { Fleet } from '../../app/runner/fleet.ts';
import { assertMay } from '../../app/teamAdmission.ts';
import { newDevice } from '../../app/teamDevices.ts';
import { BeadsmithError, invalidInput } from '../../domain/core/errors.ts';
import { mayManage, type TeamKey } from '../../domain/team/keys.ts';
import { requestText, type SignedRequest } from '../../domain/team/requests.ts';
import { type SealedEntry, teamSeal } from '../../domain/team/seal.ts';
import { inboxBodies } from '../../domain/ticket/inbox.ts';
import { type Me, served, type servedAnswers, servedPaths, tokenHeader } from '../../protocol/team/served.ts';
import type { Answer, Asked } from './httpServer.ts';
import { RateLimit, type Rate } from './recentUses.ts';
import { Refusal } from './refusal.ts';
import { isSame, type Session, Sessions } from './sessions.ts';
import type { TeamOfServer } from './teamOfServer.ts';

/** A line for an audit: a decision, a sign-in, or a change of devices. Without secrets. */
export interface AuditLine {
  readonly action: string;
  /** `done`, or the code of the refusal. */
  readonly outcome: string;
  readonly from: string;
  readonly person?: string;
  /** The key's id. */
  readonly device?: string;
  readonly repository?: string;
  readonly ticket?: string;
  readonly entry?: string;
  /** A runner's id, of an order. */
  readonly runner?: string;
}

export interface RouteParts {
  readonly team: TeamOfServer;
  readonly fleet: Pick<Fleet, 'read' | 'want'>;
  readonly keys: Pick<TeamKeys, 'find' | 'all' | 'pair' | 'redeem' | 'revoke'>;
  readonly trustHeader: string | undefined;
  /** Of one address, and of all. */
  readonly pairing: { readonly one: Rate; readonly all: Rate };
  readonly audit: (line: AuditLine) => void;
}

interface SignedIn {
  readonly session: Session;
  readonly key: TeamKey;
}

type Route = (asked: Asked, parts: Known) => Promise<Answer>;
interface Known extends RouteParts {
  readonly sessions: Sessions;
  readonly mayPair: (from: string) => boolean;
}
type Of<N extends keyof typeof servedAnswers> = z.infer<(typeof servedAnswers)[N]>;

/** Answers the page's requests. Throws Refusal and BeadsmithError. */
export function router(parts: RouteParts): (asked: Asked) => Promise<Answer> {
  const now = (): number => performance.now();
  const [one, all] = [new RateLimit(parts.pairing.one, now), new RateLimit(parts.pairing.all, now)];
  const known: Known = {
    ...parts,
    sessions: new Sessions(now),
    mayPair: (from) => one.take(from) && all.take(''),
  };
  return async (asked) => {
    const route = routes.get(`${asked.method} ${asked.path}`);
    if (route) return route(asked, known);
    throw new Refusal(
      [...routes.keys()].some((name) => name.endsWith(` ${asked.path}`)) ? 'WRONG_METHOD' : 'UNKNOWN_PLACE',
    );
  };
}

const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  [
    `POST ${servedPaths.challenge}`,
    async (asked, { sessions }) => {
      await read(asked, served.nothing);
      return { value: { nonce: sessions.challenge(asked.origin) } satisfies Of<'challenge'> };
    },
  ],
  [
    `POST ${servedPaths.pair}`,
    async (asked, parts) => {
      const given = await read(asked, served.pair);
      if (!parts.mayPair(asked.from)) throw new Refusal('TOO_MANY');
      const { code, publicKey, device, ...signed } = given;
      const made = newDevice(publicKey, device);
      assertSigned(parts, asked, publicKey, 'pair', signed, [code, publicKey, device]);
      const key = await parts.keys.redeem({ ...made, code });
      parts.audit({ action: 'pair', outcome: 'done', from: asked.from, person: key.person, device: key.id });
      return signIn(asked, parts, key);
    },
  ],
  [
    `POST ${servedPaths.signIn}`,
    async (asked, parts) => {
      const { key: id, ...signed } = await read(asked, served.signIn);
      const key = await parts.keys.find(id);
      if (!key) throw new BeadsmithError('DEVICE_UNKNOWN');
      assertSigned(parts, asked, key.publicKey, 'sign-in', signed, id);
      if (key.revokedAt !== null) throw new BeadsmithError('DEVICE_REVOKED');
      return signIn(asked, parts, key);
    },
  ],
  [
    `POST ${servedPaths.signOut}`,
    async (asked, parts) => {
      await signedIn(asked, parts);
      await read(asked, served.nothing);
      parts.sessions.close(asked.cookie ?? '');
      return { value: {}, cookie: '' };
    },
  ],
  [
    `GET ${servedPaths.me}`,
    async (asked, parts) => {
      const { key, session } = await signedIn(asked, parts);
      return { value: meOf(key, session) satisfies Me };
    },
  ],
  [
    `GET ${servedPaths.changes}`,
    async (asked, parts) => {
      await signedIn(asked, parts);
      return { value: { at: parts.team.changes } satisfies Of<'changes'> };
    },
  ],
  [
    `GET ${servedPaths.tickets}`,
    async (asked, parts) => {
      await signedIn(asked, parts);
      return { value: (await parts.team.list()) satisfies Of<'tickets'> };
    },
  ],
  [
    `GET ${servedPaths.ticket}`,
    async (asked, parts) => {
      await signedIn(asked, parts);
      const { repository, ticket } = parsed(served.place, asked.query);
      return { value: (await parts.team.detail(repository, ticket)) satisfies Of<'detail'> };
    },
  ],
  [
    `GET ${servedPaths.outcome}`,
    async (asked, parts) => {
      await signedIn(asked, parts);
      const { repository, ticket, id } = parsed(served.outcome, asked.query);
      return { value: (await parts.team.outcome(repository, ticket, id)) satisfies Of<'outcome'> };
    },
  ],
  [
    `POST ${servedPaths.decide}`,
    async (asked, parts) => {
      const { key } = await signedIn(asked, parts);
      const { repository, signature, ...entry } = await read(asked, served.decide);
      assertMay(key, entry.kind);
      // The signature is over the parsed body, so that nothing is filed that wasn't signed.
      const schema: z.ZodType = inboxBodies[entry.kind];
      const body = parsed(schema as z.ZodType<SealedEntry['body']>, entry.body);
      const sealed: SealedEntry = { ...entry, body };
      const { id } = await parts.team.file(repository, sealed, teamSeal({ key: key.id, signature }));
      const about = { repository, ticket: entry.ticket, entry: id };
      parts.audit({ action: entry.kind, outcome: 'done', from: asked.from, ...whoIs(key), ...about });
      return { value: { id } satisfies Of<'filed'> };
    },
  ],
  [
    `GET ${servedPaths.devices}`,
    async (asked, parts) => {
      await signedIn(asked, parts);
      const all = await parts.keys.all();
      return {
        value: { devices: all.map(({ publicKey: _publicKey, ...device }) => device) } satisfies Of<'devices'>,
      };
    },
  ],
  [
    `POST ${servedPaths.invite}`,
    async (asked, parts) => {
      const { key } = await signedIn(asked, parts);
      const { person, role, ...signed } = await read(asked, served.invite);
      assertManages(key);
      assertSigned(parts, asked, key.publicKey, 'invite', signed, [person, role]);
      const pairing = await parts.keys.pair({ person, role });
      parts.audit({ action: 'invite', outcome: 'done', from: asked.from, ...whoIs(key) });
      return { value: pairing satisfies Of<'pairing'> };
    },
  ],
  [
    `POST ${servedPaths.revoke}`,
    async (asked, parts) => {
      const { key } = await signedIn(asked, parts);
      const { key: id, ...signed } = await read(asked, served.revoke);
      // People may revoke their own device, whatever their role.
      if (id !== key.id) assertManages(key);
      assertSigned(parts, asked, key.publicKey, 'revoke', signed, id);
      await parts.keys.revoke(id);
      parts.audit({ action: 'revoke', outcome: 'done', from: asked.from, ...whoIs(key) });
      return { value: {} };
    },
  ],
  [
    `GET ${servedPaths.fleet}`,
    async (asked, parts) => {
      await signedIn(asked, parts);
      return { value: (await parts.fleet.read()) satisfies Of<'fleet'> };
    },
  ],
  [
    `POST ${servedPaths.order}`,
    async (asked, parts) => {
      const { key } = await signedIn(asked, parts);
      const { runner, wanted, ...signed } = await read(asked, served.order);
      assertManages(key);
      assertSigned(parts, asked, key.publicKey, 'order', signed, [runner, wanted]);
      if (!(await parts.fleet.want(runner, wanted)))
        throw invalidInput('The runner', 'the team has none with this ID');
      parts.audit({ action: `runner ${wanted}`, outcome: 'done', from: asked.from, ...whoIs(key), runner });
      return { value: {} };
    },
  ],
]);

function signIn(asked: Asked, parts: Known, key: TeamKey): Answer {
  assertPerson(asked, parts, key);
  const { cookie, session } = parts.sessions.open(key.id);
  parts.audit({ action: 'sign-in', outcome: 'done', from: asked.from, ...whoIs(key) });
  return { value: meOf(key, session), cookie };
}

function meOf({ id, person, device, role }: TeamKey, { token }: Session): Me {
  return { key: id, person, device, role, token };
}

function whoIs({ id, person }: TeamKey): { readonly person: string; readonly device: string } {
  return { person, device: id };
}

/** Reads the key each time: a revoked device is out at once. A change needs the session's token, too. */
async function signedIn(asked: Asked, parts: Known): Promise<SignedIn> {
  const session = asked.cookie === undefined ? undefined : parts.sessions.of(asked.cookie);
  if (!session) throw new Refusal('SIGN_IN');
  if (asked.method === 'POST' && !isSame(asked.header(tokenHeader) ?? '', session.token))
    throw new Refusal('FOREIGN');
  const key = await parts.keys.find(session.key);
  if (!key) throw new Refusal('SIGN_IN');
  if (key.revokedAt !== null) throw new BeadsmithError('DEVICE_REVOKED');
  assertPerson(asked, parts, key);
  return { session, key };
}

/** The person whom an authenticating proxy names is the one of the device. */
function assertPerson(asked: Asked, { trustHeader }: RouteParts, key: TeamKey): void {
  if (trustHeader !== undefined && asked.header(trustHeader) !== key.person)
    throw new Refusal('WRONG_PERSON');
}

function assertManages(key: TeamKey): void {
  if (!mayManage(key)) throw new BeadsmithError('ROLE_MISSING', { role: key.role, needed: 'admin' });
}

/** The device itself asks, now and here: a stolen cookie isn't enough. Throws SIGN_IN. */
function assertSigned(
  { sessions }: Known,
  { origin }: Asked,
  publicKey: string,
  kind: SignedRequest,
  { nonce, signature }: { readonly nonce: string; readonly signature: string },
  about: unknown,
): void {
  const isFresh = sessions.use(origin, nonce);
  if (!isFresh || !isSignedBy(publicKey, requestText(kind, { origin, nonce, about }), signature))
    throw new Refusal('SIGN_IN');
}

async function read<T>(asked: Asked, schema: z.ZodType<T>): Promise<T> {
  return parsed(schema, await asked.body());
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Refusal('BAD_REQUEST');
}
