import { crashPoints } from '../support/crash/crashPoints.ts';
import { crashCells } from '../support/crash/crashCells.ts';

describe('a driver that is killed', function () {
  this.timeout(900_000);
  crashCells(crashPoints);
});
