import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finalTestReport } from '../../../src/demo/generic/execution.ts';
import { requestLine } from '../../../src/domain/ticket/agentRequest.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { finalTest } from '../../../src/phases/finalTest/finalTest.ts';
import { oneTry, ExecutionWorld, report } from '../../support/engine/executionWorld.ts';
import { tempRepository } from '../../support/git/tempRepository.ts';
import { until } from '../../support/until.ts';
import { languageOf, type Written } from './exercises.ts';
import { finalTestsOf, type Solution, startOf } from './solutions.ts';

/** `asked`: a person was asked, and said no. */
export type Verdict = 'accepted' | 'checks' | 'asked' | 'final test' | 'other';

export interface Judged {
  readonly verdict: Verdict;
  readonly says: string;
}

/**
 * The product's own proof on real git and real commands. Coder and author of the final test are scripted; a
 * person who is asked says no.
 */
export async function judge(exercise: Written, solution: Solution): Promise<Judged> {
  const language = languageOf(exercise);
  const command = language.command(exercise, 'visible');
  const held = finalTestsOf(exercise);
  const world = new ExecutionWorld(await tempRepository({ files: startOf(exercise) }));
  try {
    const bead = {
      title: exercise.name,
      description: exercise.spec,
      testCommands: [command],
      targetFiles: [language.source(exercise)],
    };
    await world.begin('CODING', { beads: [bead], limits: oneTry });
    await world.prepared({ project_commands: { test_full: [command] } });
    world.answers({
      coding: () => {
        writeAll(world.worktree, solution.files);
        return report('greet');
      },
      'final-test': () => {
        writeAll(world.worktree, { [held.path]: held.content });
        return finalTestReport([held.command], [held.path]);
      },
    });
    const driving = world.drive({ coding, finalTest });
    let ended = false;
    void driving.finally(() => (ended = true)).catch(() => undefined);
    const next = async (): Promise<Asked | 'end' | undefined> =>
      askedOf(await world.read()) ?? (ended ? 'end' : undefined);
    const asked = await until(next, 'the solution is judged', 600_000);
    if (asked === 'end') return await verdictOf(world);
    await world.post('question_reply', { request: asked.id, answers: [['Send back']] });
    await driving;
    const { verdict } = await verdictOf(world);
    return { verdict: verdict === 'checks' ? 'asked' : 'other', says: asked.text };
  } finally {
    await world.remove();
  }
}

interface Asked {
  readonly id: string;
  readonly text: string;
}

function askedOf({ hold }: Ticket): Asked | undefined {
  return hold?.request ? { id: hold.request.id, text: requestLine(hold.request.content) } : undefined;
}

async function verdictOf(world: ExecutionWorld): Promise<Judged> {
  const { status, error } = await world.read();
  const says = error ? JSON.stringify(error.args) : '';
  if (status === 'INTEGRATING_CHANGES') return { verdict: 'accepted', says };
  if (error?.code === 'BEAD_RETRY_BUDGET_EXHAUSTED') return { verdict: 'checks', says };
  return {
    verdict: error?.code === 'FINAL_TEST_FAILED' ? 'final test' : 'other',
    says: `${status} ${error?.code ?? ''} ${says}`,
  };
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
