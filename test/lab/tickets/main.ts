import { parseArgs } from 'node:util';
import { type Driven, driveIdea } from './driveIdea.ts';
import { ideas } from './ideas.ts';
import { packages, unpacked } from './packages.ts';

const usage = `Drives small tickets on two npm packages, with models that answer as carelessly as real ones do. Ends with 1 when more than one in twenty
isn't completed without a person, or a text of an answer is lost.

  npm run lab:tickets -- [--tickets 60] [--seed 1] [--keep] [--json]`;

const { values } = parseArgs({
  options: {
    tickets: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(usage);
else process.exitCode = await driveAll();

async function driveAll(): Promise<number> {
  const places = packages.map(unpacked);
  const driven: Driven[] = [];
  for (const [index, idea] of ideas.slice(0, Number(values.tickets)).entries()) {
    const place = places[index % places.length];
    if (!place) continue;
    const one = await driveIdea(idea, place, `${values.seed} ${String(index)}`);
    driven.push(one);
    if (!values.json)
      for (const line of linesOf(one, packages[index % packages.length] ?? '')) console.log(line);
  }
  const completed = driven.filter(({ status }) => status === 'COMPLETED').length;
  const lost = driven.filter((one) => one.lost.length > 0).length;
  const isGood = lost === 0 && completed >= driven.length * 0.95;
  if (values.json) console.log(JSON.stringify(driven, undefined, 2));
  else {
    const [answers, again] = [sum(driven.map((one) => one.answers)), sum(driven.map((one) => one.again))];
    console.log(
      `\n${String(completed)} of ${String(driven.length)} completed without a person; ${String(lost)} lost content.`,
    );
    console.log(`${String(answers)} answers, of which ${String(again)} were corrections.`);
  }
  for (const place of places)
    if (isGood && !values.keep) place.remove();
    else console.error(`kept: ${place.folder}`);
  return isGood ? 0 : 1;
}

function linesOf(
  { title, status, seconds, answers, again, lost, says }: Driven,
  repository: string,
): readonly string[] {
  const isGood = status === 'COMPLETED' && lost.length === 0;
  const counts = `${String(answers)} answers, ${String(again)} corrections`;
  return [
    `${isGood ? '✔' : '✘'} ${repository.padEnd(11)} ${title.padEnd(32)} ${status.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s  ${counts}`,
    ...(status === 'COMPLETED' ? [] : [`    ${says.slice(0, 600).replaceAll('\n', '\n    ')}`]),
    ...lost.slice(0, 5).map((text) => `    lost: ${text.slice(0, 200)}`),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
