import assert from 'node:assert/strict';
import {
  causeHash,
  consequenceOf,
  type Consequence,
  mergeAnalyses,
  type Recommendation,
} from '../../../../src/domain/beads/analysis.ts';
import { withInverseEdges } from '../../../../src/domain/beads/beadPlan.ts';
import { testBead } from '../../../support/engine/executionWorld.ts';

type Told = Consequence['kind'] | `ask ${Recommendation}`;
interface Row {
  readonly policy: 'off' | 'inform' | 'suggest' | 'auto';
  readonly recommendation: Recommendation;
  /** A retry for the same root cause, or beads that need this one. */
  readonly and?: 'repeated' | 'needed' | 'alone';
  readonly then: Told;
}

describe('what follows from an analysis of a failure', () => {
  const first = testBead({ id: 'first', status: 'in_progress' });
  const plans = {
    usual: [first, testBead({ id: 'other' })],
    needed: withInverseEdges([
      first,
      testBead({ id: 'second', dependencies: { blocked_by: ['first'], blocks: [] } }),
      testBead({ id: 'third', dependencies: { blocked_by: ['second'], blocks: [] } }),
    ]),
    alone: [first, testBead({ id: 'gone', status: 'skipped' })],
  };
  const rows: readonly Row[] = [
    ...(['off', 'inform'] as const).flatMap((policy) =>
      (['retry', 'skip', 'escalate', 'split', 'replan'] as const).map((recommendation): Row => ({
        policy,
        recommendation,
        then: 'usual',
      })),
    ),
    { policy: 'suggest', recommendation: 'retry', then: 'usual' },
    { policy: 'suggest', recommendation: 'retry', and: 'repeated', then: 'usual' },
    { policy: 'suggest', recommendation: 'skip', then: 'ask skip' },
    { policy: 'suggest', recommendation: 'escalate', then: 'ask escalate' },
    { policy: 'suggest', recommendation: 'split', then: 'ask split' },
    { policy: 'suggest', recommendation: 'replan', then: 'ask replan' },
    { policy: 'auto', recommendation: 'retry', then: 'usual' },
    { policy: 'auto', recommendation: 'retry', and: 'repeated', then: 'ask escalate' },
    { policy: 'auto', recommendation: 'skip', then: 'skip' },
    { policy: 'auto', recommendation: 'skip', and: 'needed', then: 'ask escalate' },
    { policy: 'auto', recommendation: 'skip', and: 'alone', then: 'ask escalate' },
    { policy: 'auto', recommendation: 'escalate', then: 'ask escalate' },
    { policy: 'auto', recommendation: 'split', then: 'ask split' },
    { policy: 'auto', recommendation: 'replan', then: 'ask replan' },
  ];

  for (const { policy, recommendation, and, then } of rows) {
    it(`AT-20: ${policy}, ${recommendation}${and ? `, ${and}` : ''}: ${then}`, () => {
      const cause = causeHash('Dates are compared with their time.');
      const earlier = [causeHash('Something else.'), ...(and === 'repeated' ? [cause] : [])];
      const beads = plans[and === 'needed' || and === 'alone' ? and : 'usual'];
      const told = consequenceOf(
        policy,
        { recommendation, causeHash: cause },
        { bead: 'first', beads, earlier },
      );
      assert.equal(told.kind === 'ask' ? `ask ${told.choice}` : told.kind, then);
      if (and === 'needed') assert.match(told.kind === 'ask' ? told.why : '', /second, third/);
    });
  }

  it('knows a root cause again, however it is written', () => {
    assert.equal(causeHash('`parse` fails at line 12.'), causeHash('Parse fails  at line 340'));
    assert.notEqual(causeHash('parse fails'), causeHash('print fails'));
  });
});

describe('several analyses of one failure', () => {
  type Said = readonly [Recommendation, number];
  const rows: readonly {
    readonly said: readonly [Said, ...Said[]];
    readonly taken: number;
    readonly why: string;
  }[] = [
    { said: [['retry', 0.2]], taken: 0, why: 'the only one' },
    {
      said: [
        ['retry', 0.9],
        ['split', 0.1],
        ['split', 0.3],
      ],
      taken: 2,
      why: 'the majority, not the loudest',
    },
    {
      said: [
        ['retry', 0.9],
        ['skip', 0.1],
      ],
      taken: 1,
      why: 'skip before retry',
    },
    {
      said: [
        ['skip', 0.9],
        ['split', 0.1],
      ],
      taken: 1,
      why: 'split before skip',
    },
    {
      said: [
        ['split', 0.9],
        ['replan', 0.1],
      ],
      taken: 1,
      why: 'replan before split',
    },
    {
      said: [
        ['replan', 0.9],
        ['escalate', 0.1],
      ],
      taken: 1,
      why: 'escalate before replan',
    },
    {
      said: [
        ['retry', 0.5],
        ['escalate', 0],
        ['retry', 0.5],
        ['escalate', 0],
      ],
      taken: 1,
      why: 'escalate before retry, the first of equals',
    },
  ];
  for (const { said, taken, why } of rows) {
    it(`come to ${why}`, () => {
      const [first, ...others] = said;
      const one = ([recommendation, confidence]: Said) => ({ recommendation, confidence });
      const answers = [one(first), ...others.map(one)] as const;
      assert.equal(mergeAnalyses([answers[0], ...answers.slice(1)]), answers[taken]);
    });
  }
});
