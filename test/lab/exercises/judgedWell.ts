import assert from 'node:assert/strict';
import type { Written } from './exercises.ts';
import { judge } from './judge.ts';
import { type Solution, solutionsOf } from './solutions.ts';

/** A test for each solution: only the right one is accepted. */
export function judgedWell(exercises: readonly Written[], kinds?: readonly Solution['kind'][]): void {
  for (const [index, exercise] of exercises.entries()) {
    for (const solution of solutionsOf(exercise, index).filter(({ kind }) => kinds?.includes(kind) ?? true)) {
      const isRight = solution.kind === 'right';
      it(`is ${isRight ? 'accepted' : 'not accepted'}: ${exercise.name}, ${solution.kind}`, async () => {
        const { verdict, says } = await judge(exercise, solution);
        assert.notEqual(verdict, 'other', says);
        assert.equal(verdict === 'accepted', isRight, says);
      });
    }
  }
}
