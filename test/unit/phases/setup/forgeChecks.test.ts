import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { ForgePlace } from '../../../../src/domain/forge/forgePlace.ts';
import type { TicketSnapshot } from '../../../../src/domain/ticket/ticket.ts';
import type { ForgeAccount, ForgeCapabilities } from '../../../../src/engine/ports/ports.ts';
import type { StepIo } from '../../../../src/engine/run/run.ts';
import { forgeChecks } from '../../../../src/phases/setup/forgeChecks.ts';

describe('what the end of a ticket asks for', () => {
  const team = { remote: 'upstream', host: 'github.com', api: '', owner: 'octo', name: 'sample' };
  const fork = { ...team, remote: 'origin', owner: 'ada' };
  const ticket = {
    id: 'TST-1',
    baseBranch: 'main',
    baseCommit: 'b'.repeat(40),
    branch: 'ticket/TST-1',
    worktree: '/w',
    settings: {},
    limits: {},
  } as unknown as TicketSnapshot;

  let places: readonly ForgePlace[];
  let account: () => Promise<ForgeAccount>;
  let can: ForgeCapabilities;
  let files: readonly string[];
  let quiet: unknown[];

  beforeEach(() => {
    places = [{ base: team, head: fork }];
    account = async () => ({ login: 'ada', source: 'GH_TOKEN' });
    can = {
      isArchived: false,
      baseTip: 'b'.repeat(40),
      isBaseProtected: true,
      requiredChecks: ['build', 'test\n## x'],
      merges: ['squash', 'rebase'],
      mayPush: true,
    };
    files = ['README.md', '.github/pull_request_template.md'];
    quiet = [];
  });

  async function checks(): Promise<readonly string[]> {
    const told: string[] = [];
    const forge = {
      place: places[0],
      account: (of: unknown) => {
        quiet.push(of);
        return account();
      },
      capabilities: async (of: unknown) => {
        quiet.push(of);
        return can;
      },
    };
    const io = {
      signal: new AbortController().signal,
      ports: {
        events: { emit: ({ text }: { readonly text: string }) => told.push(text) },
        clock: { now: () => 0, sleep: async (_ms: number, signal: AbortSignal) => lateness(signal) },
        git: { regularFiles: async () => files },
        forges: { isThere: async () => places.length > 0, places: async () => places, at: async () => forge },
      },
    } as unknown as StepIo;
    const found = await forgeChecks(io, ticket);
    assert.deepEqual(
      told,
      found.map(({ name, message }) => `${name}: ${message}`),
    );
    return found.map(({ name, category, result, message }) => `${category} ${result} ${name}: ${message}`);
  }

  let lateness: (signal: AbortSignal) => Promise<void>;
  beforeEach(() => (lateness = () => new Promise(() => undefined)));

  it('is said one by one, without asking anyone to sign in', async () => {
    assert.deepEqual(await checks(), [
      'forge pass Pull request: At the end you are asked before ticket/TST-1 is pushed to ada/sample, and a pull request into "main" of octo/sample is created.',
      'forge pass Sign-in: Signed in to github.com as ada (GH_TOKEN).',
      'forge pass Push right: ada may push to ada/sample.',
      'forge pass Base branch: "main" is protected in octo/sample: what is merged here may be refused there.',
      'forge pass Required checks: Required for a merge into "main": build, test ## x.',
      'forge pass Merges: octo/sample allows: squash merges, rebase merges.',
      'forge pass Pull-request template: The text follows .github/pull_request_template.md.',
    ]);
    assert.deepEqual(quiet, [{ isQuiet: true }, { base: 'main', isQuiet: true }]);
  });

  it('warns of what will be refused, and says what to do', async () => {
    can = { ...can, mayPush: false, isArchived: true, baseTip: undefined, requiredChecks: [], merges: [] };
    files = [];
    const warnings = (await checks()).filter((line) => line.includes(' warning '));
    assert.equal(warnings.length, 3);
    for (const [at, words] of [
      /^forge warning Push right: ada may not push to ada\/sample\. .*fork/,
      /^forge warning Archived: octo\/sample or ada\/sample is archived\. Unarchive/,
      /^forge warning Base branch: octo\/sample has no branch "main"\. .*git push upstream main$/,
    ].entries())
      assert.match(warnings[at] ?? '', words);
    account = () => Promise.reject(new BeadsmithError('FORGE_SIGN_IN', { host: 'github.com', reason: 'x.' }));
    assert.match(
      (await checks())[1] ?? '',
      /^forge warning Sign-in: github\.com doesn't know you: x\. Sign in/,
    );
  });

  it('is nothing without a forge, and no warning without a network', async () => {
    places = [];
    assert.deepEqual(await checks(), []);
    places = [{ base: team, head: team }];
    account = () =>
      Promise.reject(new BeadsmithError('FORGE_UNREACHABLE', { host: 'github.com', reason: 'no route.' }));
    const found = await checks();
    assert.match(found[1] ?? '', /^forge pass Access: Not checked: github\.com can't be reached: no route\./);
    assert.equal(found.length, 3);
    account = () => new Promise(() => undefined);
    lateness = () => Promise.resolve();
    assert.match((await checks())[1] ?? '', /^forge pass Access: GitHub takes long/);
  });

  it('is a choice where several repositories could get it', async () => {
    places = [
      { base: team, head: fork },
      { base: fork, head: fork },
    ];
    const [first, ...rest] = await checks();
    assert.match(
      first ?? '',
      /you choose where it goes: upstream \(octo\/sample\), origin \(ada\/sample\)\.$/,
    );
    assert.equal(rest.length, 1);
    assert.deepEqual(quiet, []);
  });
});
