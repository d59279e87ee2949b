import { exercises } from '../lab/exercises/exercises.ts';
import { judgedWell } from '../lab/exercises/judgedWell.ts';

/** `npm run lab:exercises`, with every kind of solution. */
describe('an exercise', () => {
  judgedWell(exercises.slice(0, 2));
});
