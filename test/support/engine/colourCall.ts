import * as z from 'zod';
import type { Run } from '../../../src/engine/run/run.ts';
import { ask } from '../../../src/phases/shared/ask/ask.ts';
import type { Answer, Call } from '../../../src/phases/shared/structured/askTypes.ts';
import { parseStructured } from '../../../src/phases/shared/structured/parseStructured.ts';
import type { PhaseWorld } from './phaseWorld.ts';

/** A call as planning makes it. */
export function callFor<T>(schema: z.ZodType<T>, tag?: string): Call<T> {
  return {
    key: 'colour',
    contextKey: 'interview_draft',
    prompt: 'interview-draft',
    member: 'demo/main',
    parse: parseStructured({ schema, ...(tag === undefined ? {} : { tag }) }),
    result: schema,
    activeMs: 60_000,
  };
}

/** One word answers it. */
export const colourCall: Call<{ colour: string }> = callFor(z.object({ colour: z.string() }));

/** Asks in the run of the ticket's status, which then stays open. Undefined where the process is killed. */
export async function askIn<T>(world: PhaseWorld, call: Call<T>): Promise<Answer<T> | undefined> {
  let answer: Answer<T> | undefined;
  const outcome = await world.drive({
    version: 1,
    run: async (run, ticket) => {
      answer = await ask(run, ticket, call);
      await run.wait('never', ['merge']);
      return { exit: 'never' };
    },
  });
  return outcome === 'killed' ? undefined : answer;
}

/** Asks several members side by side. */
export function askSideBySide<T>(world: PhaseWorld, call: Call<T>, members: readonly string[]) {
  return world.drive({
    version: 1,
    run: async (run, ticket) => {
      const branches = members.map((member) => {
        return [member, (branch: Run) => ask(branch, ticket, { ...call, member })] as const;
      });
      await run.all(Object.fromEntries(branches));
      return { exit: 'never' };
    },
  });
}
