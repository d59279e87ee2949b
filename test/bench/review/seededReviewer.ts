import { randomOf } from '../../support/randomOf.ts';
import { delivered, testOf, type SeededBug, type SeededModule } from './seededBugs.ts';

/** Not told to the product. */
export type Worth = 'right' | 'wrong' | 'invented';

export interface SeededFinding {
  readonly worth: Worth;
  readonly claim: string;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** Tests of findings are run by it, too. */
export function testCommand({ name }: SeededModule): string {
  return `node --test test/${name}.test.mjs`;
}

/**
 * Both bugs, and wrong or invented things, in a mixture by a seed. Of the right findings one says high
 * severity and the other brings a test. Wrong ones quote code that is there; invented ones speak of files,
 * lines or code that aren't. What is wrongly called high brings a test, which passes.
 */
export function findingsOf(module: SeededModule, seed: number): readonly SeededFinding[] {
  // Neighboring seeds would begin alike.
  const random = randomOf(seed * 0x9e3779b9);
  const text = delivered(module, module.bugs);
  const lines = text.split('\n');
  const [first, second] = random() < 0.5 ? module.bugs : [module.bugs[1], module.bugs[0]];
  const right = [
    rightFinding(module, text, first, {}),
    rightFinding(module, text, second, { severity: 'low', test: testFor(module, [second.shows]) }),
  ];
  const quoted = lines.findIndex((line) => line.length > 12);
  const real = { file: fileOf(module), line: quoted + 1, evidence: lines[quoted] ?? '' };
  const wrong = [
    finding('wrong', {
      ...real,
      severity: 'medium',
      claim: `${module.name}: this line throws for empty input.`,
    }),
    finding('wrong', {
      ...real,
      severity: 'high',
      claim: `${module.name}: this line never returns.`,
      test: testFor(module, ['assert.ok(true);']),
    }),
  ];
  const made = [
    { ...real, file: `src/${module.name}-helpers.mjs`, claim: 'The helper drops its last argument.' },
    {
      ...real,
      file: 'README.md',
      line: 1,
      evidence: '# Sample',
      claim: 'The page promises what is not done.',
    },
    { ...real, line: lines.length + 40, claim: 'The last branch is never reached.' },
    { ...real, evidence: 'return await database.query(sql + input);', claim: 'Input is put into SQL.' },
    { ...real, evidence: '', claim: 'A password is logged.' },
  ];
  const invented = made
    .filter(() => random() < 0.6)
    .map((one) => finding('invented', { severity: 'high', ...one, claim: `${module.name}: ${one.claim}` }));
  return shuffled([...right, ...wrong.filter(() => random() < 0.7), ...invented], random);
}

/** After a fix: nothing that is there, and one thing that isn't. */
export function inventedAgain(module: SeededModule): SeededFinding {
  return finding('invented', {
    severity: 'high',
    file: fileOf(module),
    line: 1,
    claim: `${module.name}: The fix leaks a handle.`,
    evidence: 'openSync(path)',
  });
}

export function fileOf({ name }: SeededModule): string {
  return `src/${name}.mjs`;
}

function rightFinding(
  module: SeededModule,
  text: string,
  bug: SeededBug,
  more: Readonly<Record<string, unknown>>,
): SeededFinding {
  const before = text.slice(0, text.indexOf(bug.wrong)).split('\n');
  const evidence = text.split('\n')[before.length - 1] ?? '';
  return finding('right', {
    severity: 'high',
    file: fileOf(module),
    line: before.length,
    claim: bug.claim,
    evidence,
    ...more,
  });
}

function testFor(module: SeededModule, more: readonly string[]): Readonly<Record<string, string>> {
  return {
    file: `test/${module.name}.test.mjs`,
    content: testOf(module, more),
    command: testCommand(module),
  };
}

function finding(
  worth: Worth,
  answer: Readonly<Record<string, unknown>> & { readonly claim: string },
): SeededFinding {
  return {
    worth,
    claim: answer.claim,
    answer: { category: 'correctness', suggestedFix: '', confidence: 0.9, ...answer },
  };
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
