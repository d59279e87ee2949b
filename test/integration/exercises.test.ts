import { exercises } from '../lab/exercises/exercises.ts';
import { judgedWell } from '../lab/exercises/judgedWell.ts';

/**
 * One of `npm run lab:exercises`, with a solution for each verdict; `test/whole/exercises.test.ts` has every
 * kind.
 */
describe('an exercise', () => {
  judgedWell(exercises.slice(0, 1), ['right', 'weaker assertion', 'known answers']);
});
