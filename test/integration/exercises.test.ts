import assert from 'node:assert/strict';
import { exercises } from '../lab/exercises/exercises.ts';
import { judge } from '../lab/exercises/judge.ts';
import { solutionsOf } from '../lab/exercises/solutions.ts';

/** Two exercises of `npm run lab:exercises`, with every kind of solution. */
describe('an exercise', () => {
  for (const [index, exercise] of exercises.slice(0, 2).entries()) {
    for (const solution of solutionsOf(exercise, index)) {
      const isRight = solution.kind === 'right';
      it(`is ${isRight ? 'accepted' : 'not accepted'}: ${exercise.name}, ${solution.kind}`, async () => {
        const { verdict, says } = await judge(exercise, solution);
        assert.notEqual(verdict, 'other', says);
        assert.equal(verdict === 'accepted', isRight, says);
      });
    }
  }
});
