import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coding } from '../../../src/phases/coding/coding.ts';
import { ExecutionWorld, report } from '../../support/engine/executionWorld.ts';
import { tempRepository } from '../../support/git/tempRepository.ts';
import { delivered, seededModules, testOf, type SeededBug, type SeededModule } from '../review/seededBugs.ts';
import { fileOf, findingsOf, inventedAgain, testCommand, type Worth } from '../review/seededReviewer.ts';
import type { Measure } from '../measurement.ts';
import { fixReport, inJson, storedFindings } from '../../support/engine/reviewAnswers.ts';

const mostRuns = 2;

/**
 * A scripted reviewer reports right, wrong and invented findings on 20 small changes with 40 bugs
 * (docs/decisions/132-cold-review.md): invented ones with an effect, right ones that reached the fixer, and
 * bugs left on the branch.
 */
export const measureReview: Measure = async ({ samples, say }) => {
  const runs: Run[] = [];
  for (let seed = 1; seed <= Math.min(samples, mostRuns); seed++) {
    runs.push(await reviewAll(seed));
    say(runs.at(-1)?.note ?? '');
  }
  const of = (pick: (run: Run) => number): number[] => runs.map(pick);
  return [
    {
      name: 'review-invented',
      unit: 'acted on',
      bound: { atMost: 0 },
      samples: of(({ acted }) => acted.invented),
      notes: runs.map(({ note }) => note),
    },
    {
      name: 'review-right',
      unit: 'of 40 reached the fixer',
      bound: { atLeast: 40 },
      samples: of(({ acted }) => acted.right),
    },
    { name: 'review-blocked', unit: 'beads', bound: { atMost: 0 }, samples: of(({ blocked }) => blocked) },
    { name: 'review-bugs-left', unit: 'of 40', bound: { atMost: 0 }, samples: of(({ left }) => left) },
  ];
};

interface Run {
  readonly acted: Readonly<Record<Worth, number>>;
  readonly blocked: number;
  readonly left: number;
  readonly note: string;
}

async function reviewAll(seed: number): Promise<Run> {
  const repository = await tempRepository({ files: { 'README.md': '# Sample\n' } });
  const world = new ExecutionWorld(repository);
  try {
    const beads = seededModules.map((module) => ({
      id: module.name,
      title: `Add ${module.name}`,
      description: `Write ${fileOf(module)}.`,
      acceptanceCriteria: ['It works.'],
      testCommands: [testCommand(module)],
      targetFiles: [fileOf(module)],
    }));
    await world.begin('CODING', {
      settings: { depth: 'full', councilMembers: ['other/reviewer'], review: 'standard' },
      limits: { maxIterations: 1 },
      beads,
    });
    await world.prepared();
    const fixing = answer(world, seed);
    await world.drive({ coding });
    const { status, error } = await world.read();
    if (status !== 'RUNNING_FINAL_TEST')
      throw new Error(`The ticket ended in ${status}: ${JSON.stringify(error)}`);
    return await resultOf(world, seed, fixing);
  } finally {
    await world.remove();
  }
}

/** Answers what the fixer was given, which grows meanwhile. */
function answer(world: ExecutionWorld, seed: number): readonly string[] {
  const given: string[] = [];
  const of = (whole: string): SeededModule => {
    const id = /"id": "([a-z]+)"/.exec(whole)?.[1];
    const found = seededModules.find(({ name }) => name === id);
    if (!found) throw new Error(`There is no module ${String(id)}`);
    return found;
  };
  const reviewed = (findings: readonly unknown[]): string => inJson({ checked: ['Everything.'], findings });
  world.answers({
    coding: ({ whole }) => {
      const module = of(whole);
      for (const folder of ['src', 'test']) mkdirSync(join(world.worktree, folder), { recursive: true });
      world.write(fileOf(module), delivered(module, module.bugs));
      world.write(`test/${module.name}.test.mjs`, testOf(module));
      return report(module.name);
    },
    review: ({ whole }) => {
      const module = of(whole);
      return reviewed(
        findingsOf(module, seed * 100 + seededModules.indexOf(module)).map((one) => one.answer),
      );
    },
    fix: ({ whole }) => {
      const module = of(whole);
      given.push(whole);
      const told = (bug: SeededBug): boolean => whole.includes(bug.claim);
      world.write(
        fileOf(module),
        delivered(
          module,
          module.bugs.filter((bug) => !told(bug)),
        ),
      );
      world.write(
        `test/${module.name}.test.mjs`,
        testOf(
          module,
          module.bugs.filter(told).map(({ shows }) => shows),
        ),
      );
      return fixReport(module.name);
    },
    'review-again': ({ whole }) => reviewed([inventedAgain(of(whole)).answer]),
  });
  return given;
}

async function resultOf(world: ExecutionWorld, seed: number, given: readonly string[]): Promise<Run> {
  const { reviews } = await storedFindings(world);
  const toFix = new Set(
    reviews.flatMap(({ findings }) =>
      findings.filter(({ standing }) => standing === 'fix').map(({ claim }) => claim),
    ),
  );
  const reported = seededModules.flatMap((module, index) => [
    ...findingsOf(module, seed * 100 + index),
    inventedAgain(module),
  ]);
  const count = (worth: Worth, counts: (claim: string) => boolean): number =>
    reported.filter((one) => one.worth === worth && counts(one.claim)).length;
  const reached = (claim: string): boolean =>
    toFix.has(claim) || given.some((prompt) => prompt.includes(claim));
  const acted = {
    right: count('right', (claim) => given.some((prompt) => prompt.includes(claim))),
    wrong: count('wrong', reached),
    invented: count('invented', reached),
  };
  const blocked = world.events.filter(
    (event) => event.type === 'stage' && event.stage === 'review' && event.exit === 'failed',
  ).length;
  const left = bugsLeft(world);
  const all = (worth: Worth): string => String(count(worth, () => true));
  const note = `seed ${String(seed)}: ${String(acted.right)} of ${all('right')} right, ${String(acted.wrong)} of ${all('wrong')} wrong and ${String(acted.invented)} of ${all('invented')} invented findings reached the fixer; ${String(left)} of 40 bugs left`;
  return { acted, blocked, left, note };
}

/** Each assertion is run on the files as they are committed. */
function bugsLeft(world: ExecutionWorld): number {
  let left = 0;
  for (const module of seededModules) {
    for (const { shows } of module.bugs) {
      const file = join(world.worktree, 'test', 'left.test.mjs');
      writeFileSync(file, testOf(module, [shows]));
      if (spawnSync(process.execPath, ['--test', file], { cwd: world.worktree }).status !== 0) left += 1;
    }
  }
  return left;
}
