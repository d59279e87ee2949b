import { type GitOutput, type GitStart, runGit } from './runGit.ts';

export interface HelperOrder {
  readonly id: number;
  readonly start: GitStart;
}

/** `failed`: git couldn't be started, or was ended. The first answer says that the helper is there. */
export type HelperAnswer =
  'ready' | ({ readonly id: number } & ({ readonly output: GitOutput } | { readonly failed: string }));

/**
 * Starts git for a large process (dist/gitHelper.js; docs/decisions/162-who-starts-git.md), and ends with it.
 */
const answer = (one: HelperAnswer): void => {
  if (process.connected) process.send?.(one);
};
// Ctrl-C reaches the group, but the starter needs git for an orderly end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', ({ id, start }: HelperOrder) => {
  runGit(start).then(
    (output) => answer({ id, output }),
    (error: unknown) => answer({ id, failed: error instanceof Error ? error.message : String(error) }),
  );
});
answer('ready');
