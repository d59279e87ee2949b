import * as z from 'zod';

const Command = z.string().min(1).max(4_000);
const longestWaitSeconds = 3_600;

/**
 * Something that runs beside the commands of a ticket, for example a database. `start` stays while the
 * service runs, or ends with 0 and leaves it running; `ready` succeeds as soon as it can be used; `stop` ends
 * what `start` gave to others, such as containers, and may be empty: every process that `start` left is ended
 * anyway. All of them are command lines, run from the top of the tree that is tested.
 */
export const Service = z.object({
  name: z
    .string()
    .regex(
      /^[a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?$/,
      'Use lowercase letters, digits, hyphens and underscores.',
    ),
  start: Command,
  ready: Command,
  /** Most seconds that it may take to get ready. Forms write it as text. */
  ready_timeout_seconds: z.coerce.number().int().min(1).max(longestWaitSeconds).default(60),
  stop: z.string().max(4_000).default(''),
});
export type Service = z.infer<typeof Service>;

/** The services of a plan, in the order in which they are started. */
export const Services = z
  .array(Service)
  .max(10)
  .refine(
    (services) => new Set(services.map(({ name }) => name)).size === services.length,
    'Each service has a name of its own.',
  );

/** The command lines of services. */
export function serviceCommands(services: readonly Service[]): readonly string[] {
  return services.flatMap(({ start, ready, stop }) => (stop === '' ? [start, ready] : [start, ready, stop]));
}
