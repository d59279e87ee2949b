import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openStore } from '../../adapters/store/openStore.ts';
import { checkStored } from '../../app/checkStored.ts';
import { locations } from '../../app/locations.ts';
import { readingClient } from '../../app/readingClient.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Client, RepositoryView } from '../../protocol/api.ts';
import { type Check, checked } from '../../protocol/checks.ts';
import { commonDirOf } from './findRepository.ts';
import type { HostSettings } from '../settings/hostSettings.ts';
import type { OpenedRepository } from './openedRepository.ts';

/** Shows an untrusted workspace's database: no git, no OpenCode, no writes, whatever a view asks for. */
export async function browseRepository(root: string, settings: HostSettings): Promise<OpenedRepository> {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new BeadsmithError('DATABASE_READ_ONLY', { reason: 'the workspace is in Restricted Mode' }),
    );
  const opened = await readOnlyClient(root, refuse);
  return {
    root,
    isDemo: false,
    client: opened.client,
    models: refuse,
    starred: settings.starred,
    logIn: refuse,
    branches: refuse,
    apart: refuse,
    check: opened.check,
    verifier: refuse,
    commands: { list: refuse, run: refuse, prepare: refuse },
    sources: { find: refuse, read: refuse },
    cleaner: { rule: () => settings.cleanUp(), list: refuse, remove: refuse },
    passwords: () => Promise.resolve([]),
    readiness: () => Promise.resolve({ hasCommits: true, opencode: 'found' }),
    watchBranches: () => ({ dispose: () => undefined }),
    startSettings: () => settings.start(root),
    claim: () => Promise.resolve(false),
    rememberModels: refuse,
    wantsReopening: () => Promise.resolve(false),
    close: () => opened.close(),
  };
}

async function readOnlyClient(
  root: string,
  refuse: () => Promise<never>,
): Promise<{
  readonly client: Client;
  readonly check: OpenedRepository['check'];
  readonly close: () => Promise<void>;
}> {
  const repository: RepositoryView = { root, name: basename(root), mode: 'readOnly', reason: '' };
  const commonDir = await commonDirOf(root);
  if (
    commonDir === undefined ||
    !(await stat(join(commonDir, 'beadsmith', 'state.db')).catch(() => undefined))
  )
    return {
      client: emptyClient(repository, refuse),
      check: () => browsed(undefined),
      close: () => Promise.resolve(),
    };
  const opened = await openStore({ commonDir, mode: 'follower', workerUrl: locations.storeWorker });
  if (!opened.store)
    throw opened.reason ?? new BeadsmithError('DATABASE_READ_ONLY', { reason: 'it could not be opened' });
  const { store } = opened;
  const stateFolder = join(commonDir, 'beadsmith');
  const elsewhere = (): Promise<readonly never[]> => Promise.resolve([]);
  const client = readingClient({ store, repository, stateFolder, elsewhere }, refuse);
  return {
    client: readingOnly(client, repository, refuse),
    check: () => browsed(checkStored(store, stateFolder)),
    close: () => opened.close(),
  };
}

async function* browsed(stored: AsyncIterable<Check> | undefined): AsyncGenerator<Check, void, undefined> {
  yield checked('repository', 'skip', 'UNTRUSTED');
  yield checked('driver', 'warn', 'READ_ONLY_UNTRUSTED');
  if (stored) yield* stored;
  else yield checked('database', 'pass', 'DATABASE_NONE');
  yield checked('models', 'skip', 'UNTRUSTED');
}

/** By name, so that new methods aren't allowed by accident. */
function readingOnly(client: Client, repository: RepositoryView, refuse: () => Promise<never>): Client {
  return {
    repository,
    history: client.history,
    diffs: { diff: refuse, file: refuse },
    comments: { threads: (ticket) => client.comments.threads(ticket), save: refuse, remove: refuse },
    findings: {
      list: (ticket) => client.findings.list(ticket),
      waitingNotes: (ticket) => client.findings.waitingNotes(ticket),
      reviewers: () => client.findings.reviewers(),
      dismissals: () => client.findings.dismissals(),
      changeDismissal: refuse,
      removeDismissal: refuse,
    },
    create: refuse,
    act: refuse,
    tickets: (ids) => client.tickets(ids),
    ticketsOfKeys: (keys) => client.ticketsOfKeys(keys),
    ticket: (id) => client.ticket(id),
    outcome: (ticket, id) => client.outcome(ticket, id),
    pullRequestPlaces: refuse,
    watchedPullRequest: () => undefined,
    checkPullRequests: () => undefined,
    projectChecks: () => client.projectChecks(),
    context: (ticket) => client.context(ticket),
    artifacts: (ticket) => client.artifacts(ticket),
    artifact: (ticket, type, version) => client.artifact(ticket, type, version),
    beads: (ticket) => client.beads(ticket),
    usage: (ticket) => client.usage(ticket),
    onDidAct: (listener) => client.onDidAct(listener),
    onDidChange: (listener) => client.onDidChange(listener),
    onEvent: (listener) => client.onEvent(listener),
  };
}

function emptyClient(repository: RepositoryView, refuse: () => Promise<never>): Client {
  const unknown = (ticket: string): Promise<never> =>
    Promise.reject(new BeadsmithError('TICKET_UNKNOWN', { ticket }));
  const nobody = { dispose: () => undefined };
  return {
    repository,
    history: {
      runs: unknown,
      spent: unknown,
      inspect: unknown,
      misses: unknown,
      elsewhere: () => Promise.resolve([]),
      completed: () => Promise.resolve([]),
      calls: unknown,
      call: unknown,
      replay: unknown,
      replayed: unknown,
      decision: unknown,
      journal: unknown,
      log: unknown,
      transcript: unknown,
    },
    diffs: { diff: unknown, file: unknown },
    comments: { threads: unknown, save: ({ ticket }) => unknown(ticket), remove: unknown },
    findings: {
      list: unknown,
      waitingNotes: unknown,
      reviewers: () => Promise.resolve([]),
      dismissals: () => Promise.resolve([]),
      changeDismissal: refuse,
      removeDismissal: refuse,
    },
    create: refuse,
    act: refuse,
    tickets: () => Promise.resolve([]),
    ticketsOfKeys: () => Promise.resolve({}),
    ticket: unknown,
    outcome: unknown,
    pullRequestPlaces: unknown,
    watchedPullRequest: () => undefined,
    checkPullRequests: () => undefined,
    projectChecks: () => Promise.resolve([]),
    context: unknown,
    artifacts: unknown,
    artifact: unknown,
    beads: unknown,
    usage: unknown,
    onDidAct: () => nobody,
    onDidChange: () => nobody,
    onEvent: () => nobody,
  };
}
