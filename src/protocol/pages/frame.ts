import * as z from 'zod';
import type { InboxBody, InboxKind } from '../../domain/ticket/inbox.ts';
import { BeadId } from '../../domain/core/ids.ts';

/**
 * A message of a page (a webview) to the extension (docs/decisions/045-page-contracts.md). Both ends validate
 * everything they receive.
 */
export const FromPage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('request'),
    id: z.number().int().nonnegative(),
    method: z.string().max(100),
    params: z.unknown(),
  }),
  /** Text that was typed and not sent, at each change; null: nothing to keep. */
  z.object({ type: z.literal('draft'), key: z.string().max(1_000), value: z.unknown() }),
  /** Something in the page threw; it is logged. */
  z.object({ type: z.literal('crashed'), message: z.string().max(10_000) }),
]);
export type FromPage = z.infer<typeof FromPage>;

/** An error as pages show it: what is wrong, and what to do. */
export const PageError = z.object({ code: z.string(), message: z.string(), nextStep: z.string() });
export type PageError = z.infer<typeof PageError>;

/**
 * A message of the extension to a page: drafts, then the whole state whenever it differs, hints, and one
 * answer to each request.
 */
export const ToPage = z.discriminatedUnion('type', [
  /** Every stored draft: before the first state, and when another window changed them. */
  z.object({ type: z.literal('drafts'), drafts: z.record(z.string(), z.unknown()) }),
  /** Drafts sent until now are stored; otherwise `problem` says why not. */
  z.object({ type: z.literal('draftsStored'), problem: z.string() }),
  z.object({ type: z.literal('state'), state: z.unknown() }),
  z.object({ type: z.literal('hint'), hint: z.unknown() }),
  /** A command wants this part of the page to be seen. */
  z.object({ type: z.literal('show'), part: z.string() }),
  z.discriminatedUnion('ok', [
    z.object({ type: z.literal('answer'), id: z.number().int(), ok: z.literal(true), value: z.unknown() }),
    z.object({ type: z.literal('answer'), id: z.number().int(), ok: z.literal(false), error: PageError }),
  ]),
]);
export type ToPage = z.infer<typeof ToPage>;

/** The ticket that a page shows. A page keeps it over a reload of the window. */
export const PagePlace = z.object({ root: z.string().max(4_000), ticket: z.string().max(100) });
export type PagePlace = z.infer<typeof PagePlace>;

/**
 * The result of something sent. `pending`: in the inbox and not applied yet. `left`: the person was asked
 * something and chose to do nothing.
 */
export const Sent = z.object({ state: z.enum(['consumed', 'pending', 'left']) });

/**
 * `changes`: it does more than show something, so it is refused in an untrusted workspace and while no
 * process may write.
 */
export interface RequestContract {
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  readonly changes?: true;
}

/** The request by which a page files an action, one of `kinds`. Its body is checked as anyone's is. */
export function actRequest<const K extends InboxKind>(kinds: readonly [K, ...K[]]) {
  return {
    params: z.object({ kind: z.enum(kinds), body: z.unknown() }),
    result: Sent,
    changes: true,
  } as const;
}

/** An action as a page files it. */
export function filed<K extends InboxKind>(
  kind: K,
  body: InboxBody<K>,
): { readonly kind: K; readonly body: InboxBody<K> } {
  return { kind, body };
}

/** The request that runs a command of the ticket. It asks and reports by itself, so it returns at once. */
export const runRequest = {
  params: z.object({ command: z.string().max(100) }),
  result: z.object({}),
  changes: true,
} as const;

/** The request that runs a command, one of `commands`, which shows a part of the ticket. */
export function openRequest<const C extends string>(commands: readonly [C, ...C[]]) {
  return {
    params: z.object({
      command: z.enum(commands),
      artifact: z.string().max(200).optional(),
      bead: BeadId.optional(),
      iteration: z.number().int().positive().optional(),
      finding: z.string().max(200).optional(),
      file: z.string().max(4_096).optional(),
      scope: z.literal('ticket').optional(),
    }),
    result: z.object({}),
  } as const;
}

/** The state and hints of a page, and the requests that it may make. `name`: its folder of `webview-ui/`. */
export interface PageContract {
  readonly name: string;
  readonly state: z.ZodType;
  readonly hint: z.ZodType;
  readonly requests: Readonly<Record<string, RequestContract>>;
}

/** The state of a page. */
export type StateOf<C extends PageContract> = z.infer<C['state']>;

/** The hints of a page. */
export type HintOf<C extends PageContract> = z.infer<C['hint']>;

/** The parameters of a page's request. */
export type ParamsOf<C extends PageContract, M extends keyof C['requests']> = z.infer<
  C['requests'][M]['params']
>;

/** The result of a page's request. */
export type ResultOf<C extends PageContract, M extends keyof C['requests']> = z.infer<
  C['requests'][M]['result']
>;

/** A value as the extension hands it over: the page checks it, and keeps a copy. */
export type Given<T> = T extends readonly (infer E)[]
  ? readonly Given<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Given<T[K]> }
    : T;

/** The extension's side of a page's requests. What one throws becomes the answer's error. */
export type PageRequests<C extends PageContract> = {
  readonly [M in keyof C['requests']]: (params: ParamsOf<C, M>) => Promise<Given<ResultOf<C, M>>>;
};
