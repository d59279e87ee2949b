import { parseArgs } from 'node:util';
import { missingTool } from '../tools.ts';
import { exercises, languageOf, type Written } from './exercises.ts';
import { type Judged, judge } from './judge.ts';
import { type Solution, solutionsOf } from './solutions.ts';

const usage = `Puts the solutions of small exercises through the product's proof: right ones have to be accepted, and no other without a person's yes.

  npm run lab:exercises -- [--only NAME …] [--json]`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(usage);
else process.exitCode = await judgeAll();

interface Result extends Judged {
  readonly exercise: string;
  readonly language: string;
  readonly solution: Solution['kind'];
  readonly ok: boolean;
}

async function judgeAll(): Promise<number> {
  const results: Result[] = [];
  const missing = new Map<string, string>();
  for (const [index, exercise] of exercises.entries()) {
    if (values.only.length > 0 && !values.only.includes(exercise.name)) continue;
    const reason = missingTool(languageOf(exercise).needs);
    if (reason === undefined) results.push(...(await judgeOne(exercise, index)));
    else missing.set(exercise.name, reason);
  }
  if (values.json)
    console.log(JSON.stringify({ results, missing: Object.fromEntries(missing) }, undefined, 2));
  else for (const line of summaryOf(results, missing)) console.log(line);
  return results.every(({ ok }) => ok) ? 0 : 1;
}

async function judgeOne(exercise: Written, index: number): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const solution of solutionsOf(exercise, index)) {
    const judged = await judge(exercise, solution);
    const ok = (judged.verdict === 'accepted') === (solution.kind === 'right') && judged.verdict !== 'other';
    results.push({
      exercise: exercise.name,
      language: exercise.language,
      solution: solution.kind,
      ...judged,
      ok,
    });
  }
  if (!values.json) {
    const verdicts = results.map(({ solution, verdict, ok }) => `${ok ? '' : '✘ '}${solution}: ${verdict}`);
    console.log(
      `${results.every(({ ok }) => ok) ? '✔' : '✘'} ${exercise.name.padEnd(18)} ${exercise.language.padEnd(11)} ${verdicts.join(' · ')}`,
    );
    for (const { ok, says } of results)
      if (!ok && says !== '') console.log(`    ${says.slice(0, 600).replaceAll('\n', '\n    ')}`);
  }
  return results;
}

function summaryOf(results: readonly Result[], missing: ReadonlyMap<string, string>): readonly string[] {
  const right = results.filter(({ solution }) => solution === 'right');
  const others = results.filter(({ solution }) => solution !== 'right');
  const accepted = (list: readonly Result[]): string =>
    `${String(list.filter(({ verdict }) => verdict === 'accepted').length)} of ${String(list.length)}`;
  const kinds = [...new Set(others.map(({ solution }) => solution))];
  const verdicts = [...new Set(others.map(({ verdict }) => verdict))];
  const table = kinds.map((kind) => {
    const counts = verdicts.map((verdict) =>
      String(others.filter((one) => one.solution === kind && one.verdict === verdict).length).padStart(12),
    );
    return `${kind.padEnd(18)}${counts.join('')}`;
  });
  return [
    '',
    `Refused by${' '.repeat(8)}${verdicts.map((verdict) => verdict.padStart(12)).join('')}`,
    ...table,
    ...[...missing].map(([name, reason]) => `– ${name}: not run, ${reason}`),
    '',
    `Right solutions accepted: ${accepted(right)}. Others accepted: ${accepted(others)}.`,
  ];
}
