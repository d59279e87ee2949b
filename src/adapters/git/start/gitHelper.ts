import { type GitOutput, type GitStart, runGit } from './runGit.ts';

/** A question of the process that started the helper. */
export interface HelperOrder {
  readonly id: number;
  readonly start: GitStart;
}

/** `failed`: why git could not be started, or was ended. The first one says that the helper is there. */
export type HelperAnswer =
  'ready' | ({ readonly id: number } & ({ readonly output: GitOutput } | { readonly failed: string }));

/**
 * A small process that starts git for a large one (dist/gitHelper.js; docs/decisions/162-who-starts-git.md).
 * It does what it is told by the process that started it, and ends with it.
 */
const answer = (one: HelperAnswer): void => {
  if (process.connected) process.send?.(one);
};
// Ctrl-C reaches the whole group. Who started this one ends in an orderly way, and needs git for that.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', ({ id, start }: HelperOrder) => {
  runGit(start).then(
    (output) => answer({ id, output }),
    (error: unknown) => answer({ id, failed: error instanceof Error ? error.message : String(error) }),
  );
});
answer('ready');
