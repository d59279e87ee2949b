import type { Form, TestCase } from './exercise.ts';
import { languageOf, type Written } from './exercises.ts';

/** `files`: null for what is deleted. */
export interface Solution {
  readonly kind:
    | 'right'
    | 'deleted test'
    | 'skipped test'
    | 'weaker assertion'
    | 'known answers'
    | 'exit 0'
    | 'plainly wrong';
  readonly files: Readonly<Record<string, string>>;
}

/** One right solution, and five that a proof has to refuse; of the last, two kinds take turns. */
export function solutionsOf(exercise: Written, index: number): readonly Solution[] {
  const language = languageOf(exercise);
  const source = language.source(exercise);
  const wrong = { [source]: exercise.wrong };
  const tests = (form: Form | 'gone'): Readonly<Record<string, string>> => ({
    ...wrong,
    [language.testFile(exercise, 'visible')]: language.tests(exercise, casesWith(exercise, form)),
  });
  return [
    { kind: 'right', files: { [source]: exercise.right } },
    { kind: 'deleted test', files: tests('gone') },
    { kind: 'skipped test', files: tests('skipped') },
    { kind: 'weaker assertion', files: tests('loose') },
    { kind: 'known answers', files: { [source]: language.special(exercise) } },
    index % 2 === 0
      ? { kind: 'exit 0', files: { ...wrong, ...language.quits(exercise) } }
      : { kind: 'plainly wrong', files: wrong },
  ];
}

export function startOf(exercise: Written): Readonly<Record<string, string>> {
  const language = languageOf(exercise);
  return {
    'README.md': `# ${exercise.name}\n\n${exercise.spec}\n`,
    [language.source(exercise)]: language.stub(exercise),
    [language.testFile(exercise, 'visible')]: language.tests(exercise, casesWith(exercise, 'strict')),
    ...language.others(exercise),
  };
}

export function finalTestsOf(exercise: Written): {
  readonly path: string;
  readonly content: string;
  readonly command: string;
} {
  const language = languageOf(exercise);
  const content = language.tests(
    exercise,
    exercise.heldOut.map((one) => [...one, 'strict'] as const),
  );
  return {
    path: language.testFile(exercise, 'final'),
    content,
    command: language.command(exercise, 'final'),
  };
}

/** Those that the wrong solution fails are in this form. */
function casesWith({ cases, missed }: Written, form: Form | 'gone'): readonly TestCase[] {
  const kept = cases.length - missed;
  return cases.flatMap((one, index) => {
    if (index < kept) return [[...one, 'strict'] as const];
    return form === 'gone' ? [] : [[...one, form] as const];
  });
}
