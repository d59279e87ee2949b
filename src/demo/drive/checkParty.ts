import type { DemoCheck } from './checkDemo.ts';
import { type DemoFacts, documentOf, git } from './facts.ts';
import { isolationChecks } from './isolation.ts';
import { addedContext, becauseOfContext, buggyFilters } from '../partyScript.ts';
import { readBodies } from './requestBodies.ts';

/** What must be true after the demo with `--party`, seen from outside: through the command line, git, and the requests as they were sent. */
export function checkParty(facts: DemoFacts, cli: string): readonly DemoCheck[] {
  const { repository, report } = facts;
  const ticket = report?.ticket ?? '';
  const branch = report?.branch ?? 'HEAD';
  const bodies = readBodies(facts);
  const findings = documentOf(cli, repository, ticket, 'review_findings');
  const proved = /confirmed: true/.test(findings) && /A maxQuantity of 0 filters nothing/.test(findings);
  const filters = git(repository, 'show', `${branch}:src/filterRows.js`);
  const test = git(repository, 'show', `${branch}:test/filterRows.test.js`);
  const readme = git(repository, 'show', `${branch}:README.md`);
  const told = bodies.filter(({ task, text }) => task === 'coding' && text.includes(addedContext));
  return [
    { name: 'a review found a bug that the tests of its bead missed, and a failing test proved it', ok: proved, detail: '' },
    {
      name: 'the fix session repaired it, with that test',
      ok: filters !== buggyFilters.trim() && /a quantity of 0 is a filter/.test(test),
      detail: '',
    },
    {
      name: 'context that was added meanwhile changed the result',
      ok: told.length > 0 && readme.includes(becauseOfContext),
      detail: `${String(told.length)} requests had it`,
    },
    ...isolationChecks(facts, bodies),
  ];
}
