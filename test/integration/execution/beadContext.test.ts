import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { normalPrd, PrdDraft } from '../../../src/domain/requirements/prd.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../support/engine/executionWorld.ts';
import { finding, reviewed } from '../../support/engine/reviewAnswers.ts';

/** By the prompt. */
const roles = ['kickoff', 'coding', 'review', 'fix', 'review-again', 'failure-analysis'] as const;

describe('what a bead refers to', () => {
  const newWorld = executionWorlds();
  let world: ExecutionWorld;
  beforeEach(async () => {
    world = await newWorld();
    world.agent.known = ['demo/main', 'other/second'];
  });

  const begin = async () => {
    const settings = {
      depth: 'full',
      kickoff: true,
      review: 'standard',
      failureAnalysis: 'auto',
      partyMode: 'solo',
    } as const;
    const prdRefs = ['US-1-1.AC1'];
    const wave = {
      id: 'wave',
      prdRefs,
      testCommands: ['grep -q wave wave.txt'],
      dependencies: { blocked_by: ['greet'], blocks: [] },
    };
    const limits = { maxIterations: 1, maxContinuations: 0 };
    await world.begin('CODING', {
      settings: { ...settings, councilMembers: ['other/second'] },
      limits,
      beads: [{ prdRefs }, wave],
    });
    const greets = (text: string) => () => {
      world.write('greet.txt', text);
      return report('greet');
    };
    world.answers({
      coding: ({ whole }) => (whole.includes('"id": "greet"') ? greets('hello\n')() : report('wave')),
      review: reviewed(finding({ claim: 'It greets nobody.', suggestedFix: 'Name somebody.' })),
      fix: greets('hello world\n'),
      'review-again': reviewed(),
    });
  };
  const seen = (): readonly string[] =>
    roles.filter((role) => world.agent.calls.some(({ task }) => task === role));
  const lacking = (text: RegExp): readonly string[] =>
    world.agent.calls
      .filter(({ task, whole }) => (roles as readonly string[]).includes(task) && !text.test(whole))
      .map(({ task }) => task);

  it('reaches everyone who works on it or judges it: its place, the limits and stories of the PRD, and its files', async () => {
    await begin();
    const draft = PrdDraft.parse({
      product: { problem_statement: 'Nobody is greeted.' },
      scope: { in_scope: ['A greeting'], out_of_scope: ['Greetings in Latin'] },
      technical_requirements: { error_handling_rules: ['Without a name, greet everybody.'] },
      epics: [
        {
          title: 'Greet',
          user_stories: [{ title: 'Be greeted', acceptance_criteria: ['The file says hello'] }],
        },
      ],
    });
    await world.put(
      'prd',
      stringify(normalPrd(draft, { ticketId: world.ticket, interviewSha256: 'a'.repeat(64) })),
    );
    await world.drive({ coding });
    assert.deepEqual(seen(), roles);
    assert.deepEqual(
      lacking(/Greetings in Latin[^]*Without a name, greet everybody\.[^]*The file says hello/),
      [],
    );
    assert.deepEqual(
      lacking(/## place_in_plan\n[^]*Ticket TST-1: Greet people[^]*- (?:Needed by wave|Builds on greet): /),
      [],
    );
    assert.deepEqual(lacking(/## target_files\n[^]*- greet\.txt: (?:new|1 line)/), []);
  });

  it('is no part of a PRD where a ticket has none', async () => {
    await begin();
    await world.drive({ coding });
    assert.deepEqual(seen(), roles);
    assert.ok(world.agent.calls.every(({ whole }) => !whole.includes('## prd_parts')));
  });
});
