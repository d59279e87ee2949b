import type { Evidence } from '../../src/domain/core/evidence.ts';

/** A command that printed this and ended with 0, or as `fields` say. */
export function printed(output: string, fields: Partial<Evidence> = {}): Evidence {
  const run = { command: 'npm test', cwd: '/', exitCode: 0, signal: null, timedOut: false, durationMs: 1 };
  return { ...run, head: output, tail: output, outputBytes: Buffer.byteLength(output), ...fields };
}
