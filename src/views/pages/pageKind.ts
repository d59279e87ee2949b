import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { TicketEvent } from '../../domain/core/events.ts';
import type { Given, HintOf, PageContract, PageRequests, StateOf } from '../../protocol/pages/frame.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';

/**
 * A page, the extension's side. Its contract is in `protocol/pages/<name>.ts`, and the page itself in
 * `webview-ui/<name>/main.tsx`.
 */
export interface PageKind<C extends PageContract> {
  readonly contract: C;
  title(ticket: string, state: Given<StateOf<C>> | undefined): string;
  /** An error is shown in the page's place. */
  build(place: TicketPlace, workbench: Workbench): Promise<Given<StateOf<C>>>;
  /** Handlers answer null where there is nothing to say. */
  requests(place: TicketPlace, workbench: Workbench): PageRequests<C>;
  /** Called often, so it must be cheap. */
  hint?(event: TicketEvent): HintOf<C> | undefined;
}

export interface Page {
  readonly name: string;
  title(ticket: string, state: unknown): string;
  build(place: TicketPlace, workbench: Workbench): Promise<unknown>;
  /** INVALID_INPUT for a method or params the contract doesn't know. */
  serve(method: string, params: unknown, place: TicketPlace, workbench: Workbench): Promise<unknown>;
  isReadOnly(method: string): boolean;
  hint(event: TicketEvent): unknown;
}

export function definePage<C extends PageContract>(kind: PageKind<C>): Page {
  const { contract } = kind;
  return {
    name: contract.name,
    title: (ticket, state) => kind.title(ticket, state as Given<StateOf<C>> | undefined),
    build: (place, workbench) => kind.build(place, workbench),
    serve: (method, params, place, workbench) =>
      serveRequest(contract, kind.requests(place, workbench), method, params),
    isReadOnly: (method) =>
      Object.hasOwn(contract.requests, method) && contract.requests[method]?.changes !== true,
    hint: (event) => kind.hint?.(event),
  };
}

/** Rejects with INVALID_INPUT for a method or params the contract doesn't know. */
export async function serveRequest<C extends PageContract>(
  contract: C,
  requests: PageRequests<C>,
  method: string,
  params: unknown,
): Promise<unknown> {
  const request = Object.hasOwn(contract.requests, method) ? contract.requests[method] : undefined;
  if (!request)
    throw new BeadsmithError('INVALID_INPUT', { what: 'The request', reason: `there is no ${method}` });
  const parsed = request.params.safeParse(params);
  if (!parsed.success)
    throw new BeadsmithError('INVALID_INPUT', {
      what: 'The request',
      reason: z.prettifyError(parsed.error),
    });
  const serve = requests[method as keyof C['requests']];
  return serve(parsed.data as Parameters<typeof serve>[0]);
}
