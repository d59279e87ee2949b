import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { opencodeBinary } from '../../.build/paths.mjs';
import { ModelScript } from '../../src/demo/script/modelScript.ts';
import { providerConfig } from '../../src/demo/providerConfig.ts';
import { startScriptedServer } from '../../src/demo/scriptedServer.ts';
import { CliProcess } from '../support/cliProcess.ts';
import type { Kind } from './kind.ts';
import type { Place } from './place.ts';
import { scriptOf } from './script.ts';

const End = z.object({
  exit: z.number(),
  ticket: z.string().nullable(),
  status: z.string().nullable(),
  branch: z.string().nullish(),
  baseCommit: z.string().nullish(),
  error: z.object({ message: z.string() }).nullish(),
  failures: z.array(z.object({ output: z.string() })).default([]),
  hold: z.unknown().optional(),
  next: z.array(z.string()).default([]),
  evidence: z
    .array(z.object({ of: z.string(), command: z.string(), exitCode: z.number().nullable() }))
    .default([]),
});

/** `says`: the sentences for the person; `next`: what they can do. */
export interface Ran extends z.infer<typeof End> {
  readonly says: string;
  readonly hasWayOn: boolean;
}

const limitMs = 900_000;

/** With the built command line, the real OpenCode and a scripted model, every gate answered. */
export async function runTicket(kind: Kind, place: Place): Promise<Ran> {
  const model = await startScriptedServer({
    script: ModelScript.parse(scriptOf(kind)),
    log: join(place.folder, 'requests.ndjson'),
  });
  try {
    const config = join(place.folder, 'opencode.json');
    writeFileSync(config, JSON.stringify(providerConfig(model.url)));
    const ticket = [
      '--title',
      `Try ${kind.name}`,
      '--prefix',
      'LAB',
      '--depth',
      'solo',
      '--model',
      'scripted/alpha',
    ];
    const description = join(place.folder, 'description.md');
    if (kind.description !== undefined) {
      writeFileSync(description, kind.description);
      ticket.push('--description-file', description);
    }
    const gates = ['--skip-interview', '--approve', 'all', '--end', 'close'];
    const opencode = [
      '--opencode-config',
      config,
      '--opencode',
      process.env['BEADSMITH_OPENCODE'] ?? opencodeBinary(),
    ];
    const cli = new CliProcess([
      'run',
      '--repo',
      place.repository,
      ...ticket,
      ...gates,
      ...opencode,
      ...kind.options,
      '--json',
    ]);
    const timer = setTimeout(() => cli.child.kill('SIGTERM'), limitMs);
    const { code, stdout, stderr } = await cli.ended;
    clearTimeout(timer);
    writeFileSync(join(place.folder, 'events.ndjson'), stdout);
    return readRan(code, cli.events, stderr);
  } finally {
    await model.close();
  }
}

function readRan(code: number | null, events: CliProcess['events'], stderr: string): Ran {
  const failure = events.find((event) => event.type === 'error');
  const end = End.parse(
    events.findLast((event) => event.type === 'end') ?? { exit: code ?? -1, ticket: null, status: null },
  );
  const words = [
    failure?.message,
    failure?.nextStep,
    end.error?.message,
    end.hold ? JSON.stringify(end.hold) : undefined,
    end.failures.at(-1)?.output,
    stderr.trim(),
  ];
  const says = words.filter((text) => text !== undefined && text !== '').join('\n');
  return {
    ...end,
    exit: code ?? -1,
    says,
    hasWayOn: end.next.length > 0 || (failure?.nextStep ?? '') !== '',
  };
}
