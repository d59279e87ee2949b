/** Aborted, with the signal's name as reason, by the first Ctrl-C, SIGTERM or SIGHUP, which ends things in an orderly way. The second one ends the process at once. */
export function stopSignal(say: (text: string) => void): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143);
      say(`\nStopping; once more ends at once.\n`);
      controller.abort(name);
    });
  return controller.signal;
}
