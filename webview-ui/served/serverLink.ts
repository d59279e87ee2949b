import type * as z from 'zod';
import { requestText, type SignedRequest } from '../../src/domain/team/requests.ts';
import { sealText } from '../../src/domain/team/seal.ts';
import type { RunnerOrder } from '../../src/protocol/team/fleet.ts';
import { inboxBodies } from '../../src/domain/ticket/inbox.ts';
import {
  type Me,
  type ServedKind,
  servedAnswers,
  servedPaths,
  tokenHeader,
} from '../../src/protocol/team/served.ts';
import type { DeviceKey } from './deviceKey.ts';

/** The server's refusal, or that it can't be reached. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure';
  readonly code: string;

  constructor({ code, message, nextStep }: z.infer<typeof servedAnswers.failure>) {
    super(`${message} ${nextStep}`.trim());
    this.code = code;
  }
}

type Answers = typeof servedAnswers;
type AnswerOf<N extends keyof Answers> = z.infer<Answers[N]>;
export interface Place {
  readonly repository: string;
  readonly ticket: string;
}

const unreachable = { code: 'UNREACHABLE', message: 'The server can’t be reached.', nextStep: '' };

/** The server, for a browser that is signed in or is about to be. */
export class ServerLink {
  #key: DeviceKey | undefined;
  #me: Me | undefined;

  get me(): Me | undefined {
    return this.#me;
  }

  /** Registers the key by a pairing code. */
  async pair(key: DeviceKey, given: { readonly code: string; readonly device: string }): Promise<Me> {
    const { code, device } = given;
    const signed = await this.#signed(key, 'pair', [code, key.publicKey, device]);
    this.#key = key;
    this.#me = await ask('me', servedPaths.pair, { code, publicKey: key.publicKey, device, ...signed });
    return this.#me;
  }

  async signIn(key: DeviceKey): Promise<Me> {
    const signed = await this.#signed(key, 'sign-in', key.id);
    this.#key = key;
    this.#me = await ask('me', servedPaths.signIn, { key: key.id, ...signed });
    return this.#me;
  }

  async signOut(): Promise<void> {
    await this.#post('done', servedPaths.signOut, {});
    this.#me = undefined;
  }

  tickets(): Promise<AnswerOf<'tickets'>> {
    return this.#get('tickets', servedPaths.tickets);
  }

  ticket(place: Place): Promise<AnswerOf<'detail'>> {
    return this.#get('detail', servedPaths.ticket, { ...place });
  }

  changes(): Promise<AnswerOf<'changes'>> {
    return this.#get('changes', servedPaths.changes);
  }

  devices(): Promise<AnswerOf<'devices'>> {
    return this.#get('devices', servedPaths.devices);
  }

  fleet(): Promise<AnswerOf<'fleet'>> {
    return this.#get('fleet', servedPaths.fleet);
  }

  outcome(place: Place, id: string): Promise<AnswerOf<'outcome'>> {
    return this.#get('outcome', servedPaths.outcome, { ...place, id });
  }

  /** Seals a decision here, and files it. */
  async decide(place: Place, kind: ServedKind, given: unknown): Promise<string> {
    const body = inboxBodies[kind].parse(given);
    const id = crypto.randomUUID();
    const signature = await this.#device.sign(
      sealText(place.repository, { id, ticket: place.ticket, kind, body }),
    );
    const filed = await this.#post('filed', servedPaths.decide, { ...place, id, kind, body, signature });
    return filed.id;
  }

  async invite(person: string, role: Me['role']): Promise<AnswerOf<'pairing'>> {
    const signed = await this.#signed(this.#device, 'invite', [person, role]);
    return this.#post('pairing', servedPaths.invite, { person, role, ...signed });
  }

  async revoke(key: string): Promise<void> {
    await this.#post('done', servedPaths.revoke, {
      key,
      ...(await this.#signed(this.#device, 'revoke', key)),
    });
  }

  async order(runner: string, wanted: RunnerOrder): Promise<void> {
    const signed = await this.#signed(this.#device, 'order', [runner, wanted]);
    await this.#post('done', servedPaths.order, { runner, wanted, ...signed });
  }

  get #device(): DeviceKey {
    if (!this.#key) throw new Error('nobody is signed in');
    return this.#key;
  }

  async #signed(
    key: DeviceKey,
    kind: SignedRequest,
    about: unknown,
  ): Promise<{ readonly nonce: string; readonly signature: string }> {
    const { nonce } = await ask('challenge', servedPaths.challenge, {});
    const signature = await key.sign(requestText(kind, { origin: location.origin, nonce, about }));
    return { nonce, signature };
  }

  #get<N extends keyof Answers>(
    name: N,
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<AnswerOf<N>> {
    const search = new URLSearchParams(query).toString();
    return this.#again(() => ask(name, search === '' ? path : `${path}?${search}`));
  }

  #post<N extends keyof Answers>(name: N, path: string, body: object): Promise<AnswerOf<N>> {
    return this.#again(() => ask(name, path, body, this.#me?.token));
  }

  /** A session ends after some minutes; the key opens another one. */
  async #again<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ServerFailure) || error.code !== 'SIGN_IN') throw error;
      await this.signIn(this.#device);
      return work();
    }
  }
}

/** A POST if it has a body. */
async function ask<N extends keyof Answers>(
  name: N,
  path: string,
  body?: object,
  token?: string,
): Promise<AnswerOf<N>> {
  const post = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { [tokenHeader]: token }),
    },
    body: JSON.stringify(body),
  };
  let response: Response;
  try {
    response = await fetch(path, body === undefined ? {} : post);
  } catch {
    throw new ServerFailure(unreachable);
  }
  const value: unknown = await response.json().catch(() => undefined);
  if (response.ok) return servedAnswers[name].parse(value) as AnswerOf<N>;
  const failure = servedAnswers.failure.safeParse(value);
  throw new ServerFailure(failure.success ? failure.data : unreachable);
}
