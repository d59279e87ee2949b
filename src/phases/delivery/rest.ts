import { BeadsmithError } from '../../domain/errors.ts';
import type { HandlerDefinition } from '../../engine/run.ts';

/** The statuses in which nothing happens by itself: done, canceled, blocked. The engine never runs it. */
export const rest: HandlerDefinition<never> = {
  version: 1,
  run: (_run, ticket) => Promise.reject(new BeadsmithError('UNEXPECTED', { reason: `a ticket in ${ticket.status} was driven` })),
};
