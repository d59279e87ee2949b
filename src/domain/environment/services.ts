import * as z from 'zod';

const Command = z.string().min(1).max(4_000);
const longestWaitSeconds = 3_600;

/**
 * A service beside a ticket's commands. `start` stays, or ends with 0 and leaves it running; `ready` succeeds
 * when it is usable; `stop` ends what others hold, such as containers.
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
  /** Forms write it as text. */
  ready_timeout_seconds: z.coerce.number().int().min(1).max(longestWaitSeconds).default(60),
  stop: z.string().max(4_000).default(''),
});
export type Service = z.infer<typeof Service>;

/** A plan's services, in starting order. */
export const Services = z
  .array(Service)
  .max(10)
  .refine(
    (services) => new Set(services.map(({ name }) => name)).size === services.length,
    'Each service has a name of its own.',
  );

/** The services' command lines. */
export function serviceCommands(services: readonly Service[]): readonly string[] {
  return services.flatMap(({ start, ready, stop }) => (stop === '' ? [start, ready] : [start, ready, stop]));
}
