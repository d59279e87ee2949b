import assert from 'node:assert/strict';
import type { PullRequestReport } from '../../../../src/domain/beads/reports.ts';
import type { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { ForgePlace } from '../../../../src/domain/forge/forgePlace.ts';
import type { TicketSnapshot } from '../../../../src/domain/ticket/ticket.ts';
import type { StepIo } from '../../../../src/engine/run/run.ts';
import { planPublishing } from '../../../../src/phases/delivery/publish.ts';

const [base, candidate, tip] = ['b', 'c', 'd'].map((one) => one.repeat(40)) as [string, string, string];

describe('the look before a pull request is published', () => {
  const team = { remote: 'upstream', host: 'github.com', api: '', owner: 'octo', name: 'sample' };
  const fork = { ...team, remote: 'origin', owner: 'ada' };
  const wish = {
    remote: '',
    repository: '',
    pushTo: '',
    labels: '',
    reviewers: '',
    draft: false,
    request: 'entry-1',
  };
  const ticket = {
    id: 'TST-1',
    status: 'WAITING_PR_REVIEW',
    attempt: 1,
    baseCommit: base,
  } as unknown as TicketSnapshot;
  const report = {
    title: '',
    body: '',
    branch: 'ticket/TST-1',
    base: 'main',
    candidate,
  } as PullRequestReport;

  let place: ForgePlace;
  /** Of the base branch on the forge; known here, with the commits before it, or not. */
  let onForge: { readonly tip: string; readonly before?: readonly string[] };

  beforeEach(() => {
    place = { base: team, head: team };
    onForge = { tip: base, before: [] };
  });

  /** Tells whether something was filed for the push, or the refusal. */
  async function planned(wanted: Partial<typeof wish> = {}): Promise<string> {
    const saved: unknown[] = [];
    const io = {
      save: (change: unknown) => saved.push(change),
      ports: {
        store: { artifact: async () => undefined, ticket: async () => undefined },
        forges: {
          at: async () => ({
            name: 'github',
            place,
            capabilities: async () => ({ isArchived: false, baseTip: onForge.tip }),
            find: async () => undefined,
          }),
        },
        git: {
          remoteTip: async () => undefined,
          resolve: async (commit: string) => (onForge.before ? commit : undefined),
          isAncestor: async (one: string, of: string) => of === onForge.tip && onForge.before?.includes(one),
        },
      },
    } as unknown as StepIo;
    try {
      await planPublishing(io, ticket, report, { ...wish, ...wanted });
    } catch (error) {
      assert.equal(saved.length, 0);
      const { code, message, nextStep } = error as BeadsmithError;
      return `${code}: ${message} ${nextStep}`;
    }
    assert.equal(saved.length, 1);
    return 'filed';
  }

  it('has the branch’s repository named where that is another one', async () => {
    assert.equal(await planned(), 'filed');
    place = { base: team, head: fork };
    assert.match(
      await planned(),
      /^FORGE_UNKNOWN: .*octo\/sample \(with the branch in ada\/sample\)\. Confirm .*--push-to ada\/sample/,
    );
    assert.equal(await planned({ pushTo: 'ada/sample' }), 'filed');
    assert.match(await planned({ pushTo: 'octo/sample' }), /^FORGE_UNKNOWN: .*not to octo\/sample/);
  });

  it('finds the commit that the ticket began at on the forge, so that none but the ticket’s are published', async () => {
    assert.equal(await planned(), 'filed');
    onForge = { tip };
    assert.match(
      await planned(),
      /^PUSH_REFUSED: .*can't be told which commits of "main" octo\/sample has.* "git fetch upstream"/,
    );
    onForge = { tip: base };
    assert.equal(await planned(), 'filed');
    onForge = { tip, before: [base] };
    assert.equal(await planned(), 'filed');
    onForge = { tip, before: [] };
    assert.match(
      await planned(),
      /^PUSH_REFUSED: .*commits of "main" that octo\/sample doesn't have.* "git push upstream main"/,
    );
  });
});
