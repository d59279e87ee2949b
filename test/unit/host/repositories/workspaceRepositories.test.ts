import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { OpenedRepository } from '../../../../src/host/repositories/openedRepository.ts';
import { WorkspaceRepositories } from '../../../../src/host/repositories/workspaceRepositories.ts';
import type { DrivingMode } from '../../../../src/protocol/api.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { tempFolders, tempRepositories } from '../../../support/git/tempRepository.ts';
import { until } from '../../../support/until.ts';

describe('WorkspaceRepositories', () => {
  const repository = tempRepositories();
  const folder = tempFolders();
  const events: string[] = [];
  let folders: string[];
  let trusted: boolean;
  let mode: DrivingMode;
  let wantsReopening: boolean;
  let broken: boolean;
  let workspace: WorkspaceRepositories;
  let team: (local: OpenedRepository) => Promise<OpenedRepository | undefined>;

  beforeEach(() => {
    events.length = 0;
    [folders, trusted, mode, wantsReopening, broken] = [[], true, 'driver', false, false];
    team = () => Promise.resolve(undefined);
    workspace = new WorkspaceRepositories({
      folders: () => folders,
      trusted: () => trusted,
      open: (root, isTrusted) =>
        broken ? Promise.reject(new BeadsmithError('DISK_FULL')) : Promise.resolve(opened(root, isTrusted)),
      openTeam: (local) => team(local),
      log: { info: () => undefined, failure: () => undefined },
      lookMs: 5,
    });
  });
  afterEach(() => workspace.end());

  function opened(root: string, isTrusted: boolean): OpenedRepository {
    events.push(isTrusted ? 'driven' : 'browsed');
    const no = (): Promise<never> => Promise.reject(new Error('not in this test'));
    return {
      root,
      isDemo: false,
      client: new FakeClient({ root, mode }),
      models: no,
      logIn: no,
      branches: no,
      apart: no,
      rememberModels: no,
      starred: { all: () => [], toggle: no },
      readiness: no,
      verifier: no,
      commands: { list: no, run: no, prepare: no },
      sources: { find: no, read: no },
      cleaner: { rule: () => ({ days: 0, megabytes: 0 }), list: no, remove: no },
      claim: () => Promise.resolve(true),
      watchBranches: () => ({ dispose: () => undefined }),
      check: () => ReadableStream.from<never>([]),
      passwords: () => Promise.resolve([`${root} password`]),
      startSettings: () => ({ settings: {}, limits: {} }),
      wantsReopening: () => {
        const wanted = wantsReopening;
        wantsReopening = false;
        return Promise.resolve(wanted);
      },
      close: () => Promise.resolve(void events.push('closed')),
    };
  }

  it('opens nothing before it is asked to', async () => {
    folders = [(await repository()).root];
    await workspace.reopen();
    assert.deepEqual([workspace.state, events], ['idle', []]);
  });

  it('finds the repository that is made of an open folder, without being asked again', async () => {
    const plain = await folder();
    folders = [plain];
    await workspace.open();
    assert.equal(workspace.state, 'noRepository');
    await mkdir(join(plain, '.git'));
    await writeFile(join(plain, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    await until(() => workspace.state === 'ready', 'the repository is found');
    assert.deepEqual(events, ['driven']);
  });

  it('opens a repository once, however many of its folders are open and however often it is asked', async () => {
    const { root } = await repository();
    folders = [root, `${root}/.git`];
    await Promise.all([workspace.open(), workspace.open()]);
    assert.deepEqual([workspace.state, events], ['ready', ['driven']]);
  });

  it('tells a folder without a repository from no folder at all', async () => {
    await workspace.open();
    assert.equal(workspace.state, 'noFolder');
    folders = [await folder()];
    await workspace.open({ again: true });
    assert.equal(workspace.state, 'noRepository');
  });

  it('only browses what isn’t trusted, and drives once it is', async () => {
    folders = [(await repository()).root];
    trusted = false;
    await workspace.open();
    trusted = true;
    await workspace.reopen();
    assert.deepEqual(events, ['browsed', 'closed', 'driven']);
  });

  it('keeps what can not be opened, with the reason, and tries it again when asked', async () => {
    folders = [(await repository()).root];
    broken = true;
    await workspace.open();
    assert.deepEqual(
      workspace.entries.map((entry) => entry.kind === 'failed' && entry.error.code),
      ['DISK_FULL'],
    );
    broken = false;
    await workspace.open({ again: true });
    assert.deepEqual(
      workspace.entries.map(({ kind }) => kind),
      ['open'],
    );
  });

  it('opens a repository again that needs it, for example to take over when the process that drove is gone', async () => {
    folders = [(await repository()).root];
    mode = 'follower';
    await workspace.open();
    mode = 'driver';
    wantsReopening = true;
    await until(() => events.length === 3, 'it opened anew');
    assert.deepEqual(events, ['driven', 'closed', 'driven']);
    const [entry] = workspace.entries;
    assert.ok(entry?.kind === 'open' && entry.repository.client.repository.mode === 'driver');
  });

  it('closes everything at the end', async () => {
    folders = [(await repository()).root, (await repository()).root];
    await workspace.open();
    await workspace.end();
    assert.deepEqual(events, ['driven', 'driven', 'closed', 'closed']);
  });

  it('closes a repository while something is done to it, and opens again what is left', async () => {
    const [{ root }, other] = [await repository(), await repository()];
    folders = [root, other.root];
    await workspace.open();
    events.length = 0;
    await workspace.without([root], () => Promise.resolve(void events.push('work')));
    assert.deepEqual([events, workspace.entries.length], [['closed', 'work', 'driven'], 2]);
    await workspace.without([root], () => rm(root, { recursive: true }));
    assert.deepEqual(
      workspace.entries.map((entry) => entry.root),
      [other.root],
    );
  });

  it('opens a repository again when what was done to it failed, and says so', async () => {
    const { root } = await repository();
    folders = [root];
    await workspace.open();
    await assert.rejects(
      workspace.without([root], () => Promise.reject(new Error('in use'))),
      /in use/,
    );
    assert.deepEqual(
      workspace.entries.map(({ kind }) => kind),
      ['open'],
    );
  });

  describe('the team’s tickets of a repository', () => {
    const kinds = (): readonly string[] => workspace.entries.map(({ kind, name }) => `${kind} ${name}`);
    const ofTeam = (local: OpenedRepository): OpenedRepository => ({
      ...opened(`${local.root}:team`, true),
      close: () => Promise.resolve(void events.push('team closed')),
    });

    it('are an entry after its own, which is there before they are, and close with it', async () => {
      const { root } = await repository();
      folders = [root];
      const asked = Promise.withResolvers<void>();
      team = async (local) => {
        await asked.promise;
        return ofTeam(local);
      };
      await workspace.open();
      assert.deepEqual([workspace.state, kinds()], ['ready', [`open ${basename(root)}`]]);
      asked.resolve();
      await until(() => workspace.entries.length === 2, 'the team’s are there');
      assert.deepEqual(kinds(), [`open ${basename(root)}`, `open ${basename(root)} (team)`]);
      await workspace.end();
      assert.deepEqual(events.slice(-2), ['team closed', 'closed']);
    });

    it('say why they can’t be shown, and are opened again with another password, without the repository', async () => {
      const { root } = await repository();
      folders = [root];
      team = () => Promise.reject(new BeadsmithError('TEAM_LOGIN', { reason: 'no password is stored' }));
      await workspace.open();
      await until(() => workspace.entries.length === 2, 'the failure is told');
      assert.deepEqual(kinds(), [`open ${basename(root)}`, `failed ${basename(root)} (team)`]);
      events.length = 0;
      team = (local) => Promise.resolve(ofTeam(local));
      workspace.reopenTeams();
      await until(() => kinds()[1]?.startsWith('open') === true, 'they are there');
      assert.ok(!events.includes('closed'));
    });

    it('are tried again after a while', async () => {
      folders = [(await repository()).root];
      team = () => Promise.reject(new BeadsmithError('DATABASE_IO', { reason: 'away', advice: '' }));
      await workspace.open();
      await until(() => kinds()[1]?.startsWith('failed') === true, 'the failure is told');
      team = (local) => Promise.resolve(ofTeam(local));
      await until(() => kinds()[1]?.startsWith('open') === true, 'they are there');
    });

    it('are opened one at a time, however slow the server is', async () => {
      folders = [(await repository()).root];
      team = () => Promise.reject(new BeadsmithError('DATABASE_IO', { reason: 'away', advice: '' }));
      await workspace.open();
      await until(() => kinds()[1]?.startsWith('failed') === true, 'the failure is told');
      const asked = Promise.withResolvers<void>();
      let opened = 0;
      team = async (local) => {
        opened++;
        await asked.promise;
        return ofTeam(local);
      };
      await until(() => opened > 0, 'it is tried again');
      const looks = Promise.withResolvers<void>();
      setTimeout(looks.resolve, 200);
      await looks.promise;
      asked.resolve();
      await until(() => kinds()[1]?.startsWith('open') === true, 'they are there');
      assert.equal(opened, 1);
    });

    it('that arrive after the end are closed again', async () => {
      folders = [(await repository()).root];
      const asked = Promise.withResolvers<void>();
      team = async (local) => {
        await asked.promise;
        return ofTeam(local);
      };
      await workspace.open();
      await workspace.end();
      asked.resolve();
      await until(() => events.includes('team closed'), 'they are closed');
    });

    it('aren’t asked for in a workspace without trust', async () => {
      folders = [(await repository()).root];
      trusted = false;
      team = () => assert.fail('it was asked');
      await workspace.open();
      assert.equal(workspace.entries.length, 1);
    });
  });
});
