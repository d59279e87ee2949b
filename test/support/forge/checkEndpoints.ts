import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Answer,
  type Call,
  linksTo,
  notFound,
  ok,
  shaOf,
  spanOf,
  type StandInRepository,
} from './endpoints.ts';
import type { ForgeStandIn } from './forgeStandIn.ts';

export interface StandInCheck {
  readonly name: string;
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly conclusion: string | null;
  /** Default: its place in the list. */
  readonly id?: number;
  /** Default: Actions, whose jobs have steps and a log. */
  readonly app?: string;
  readonly steps?: readonly {
    readonly name: string;
    readonly conclusion: string;
    readonly started_at?: string;
  }[];
  /** `status`: GitHub's answer instead of the log. */
  readonly log?: string | { readonly status: number } | { readonly megabytes: number; readonly end: string };
  readonly output?: { readonly title: string; readonly summary: string };
  readonly annotations?: readonly {
    readonly path: string;
    readonly line: number;
    readonly message: string;
  }[];
  /** Filed by a step of a job, so that it has no job of its own. */
  readonly isReport?: boolean;
  /** Its workflow run, and which attempt of that. */
  readonly run?: number;
  readonly attempt?: number;
}

const runsRoute = 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs';
const jobRoute = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}';
const logRoute = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
const runRoute = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}';
const rerunRoute = 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs';
const annotationsRoute = 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations';
const rerequestRoute = 'POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest';

/** Checks and their logs, by their routes. */
export const checkEndpoints: Readonly<Record<string, (call: Call) => Answer>> = {
  [runsRoute]: (call) => {
    const sha = shaOf(call.repository, call.parameters['ref']);
    if (sha === undefined) return notFound;
    const runs = checksOf(call.repository, sha).map((check) => ({
      id: check.id,
      name: check.name,
      status: check.status,
      conclusion: check.conclusion,
      head_sha: sha,
      app: { slug: check.app },
      output: check.output ?? {},
    }));
    const body = { total_count: runs.length, check_runs: runs.slice(...spanOf(call)) };
    return { ...ok(runsRoute, body), ...linksTo(call, runs.length) };
  },
  [jobRoute]: (call) => {
    const check = jobOf(call);
    if (!check) return notFound;
    const { id, name, status, conclusion, run, attempt } = check;
    const steps = (check.steps ?? []).map((step, index) => ({
      ...step,
      status: 'completed',
      number: index + 1,
    }));
    return ok(jobRoute, { id, name, status, conclusion, run_id: run, run_attempt: attempt, steps });
  },
  [logRoute]: (call) => {
    const { log, id } = jobOf(call) ?? {};
    if (log === undefined) return notFound;
    if (typeof log === 'object' && 'status' in log)
      return {
        status: log.status,
        body: { message: log.status === 410 ? 'Gone' : 'Must have admin rights' },
      };
    const address = `http://${call.forge.host}/log-files/${call.repository.name}/${String(id)}?sig=c2VjcmV0`;
    return { status: 302, headers: { location: address } };
  },
  [runRoute]: ({ repository, parameters }) => {
    const run = Number(parameters['run_id']);
    const jobs = current(repository).filter((one) => one.run === run && isJob(one));
    if (jobs.length === 0) return notFound;
    const isDone = jobs.every(({ status }) => status === 'completed');
    return ok(runRoute, {
      id: run,
      status: isDone ? 'completed' : 'in_progress',
      run_attempt: Math.max(...jobs.map(({ attempt }) => attempt)),
    });
  },
  [rerunRoute]: ({ repository, parameters }) => {
    const run = Number(parameters['run_id']);
    const isOf = (one: Whole): boolean => one.run === run && one.app === 'github-actions';
    const isRunning = current(repository).some((one) => isOf(one) && one.status !== 'completed');
    if (isRunning) return { status: 403, body: { message: 'This workflow is already running' } };
    startAgain(repository, (one) => isOf(one) && isJob(one) && one.conclusion === 'failure');
    return ok(rerunRoute, {}, 201);
  },
  [annotationsRoute]: ({ repository, parameters }) => {
    const check = current(repository).find(({ id }) => id === Number(parameters['check_run_id']));
    if (!check) return notFound;
    const shown = (check.annotations ?? []).map(({ path, line, message }) => ({
      path,
      message,
      start_line: line,
      end_line: line,
      annotation_level: 'failure',
    }));
    return ok(annotationsRoute, shown);
  },
  [rerequestRoute]: ({ repository, parameters }) => {
    const id = Number(parameters['check_run_id']);
    if (!current(repository).some((one) => one.id === id)) return notFound;
    startAgain(repository, (one) => one.id === id);
    return ok(rerequestRoute, {}, 201);
  },
};

/** The file of a log, which stands on a host that must not get the token. */
export function answerLogFile(
  forge: ForgeStandIn,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.headers.authorization !== undefined) forge.faults.push(`${path}: got the token`);
  const [, name = '', id = ''] = /^\/log-files\/(.+)\/(\d+)$/.exec(path) ?? [];
  const repository = forge.repositories.get(name.toLowerCase());
  const log = repository && current(repository).find((one) => one.id === Number(id))?.log;
  if (log === undefined || (typeof log === 'object' && 'status' in log)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/plain' });
  if (typeof log === 'string') {
    response.end(log);
    return;
  }
  const chunk = '2026-01-01T00:00:00.0000000Z a line of output\n'.repeat(22_000).slice(0, 1_000_000);
  let left = log.megabytes;
  const more = (): void => {
    while (left > 0) {
      left -= 1;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    response.end(log.end);
  };
  more();
}

type Whole = StandInCheck & Required<Pick<StandInCheck, 'id' | 'app' | 'run' | 'attempt'>>;

/** Those of a commit that has its own, else of every commit. */
export function checksOf(repository: StandInRepository, sha: string): readonly Whole[] {
  const own = repository.checksOf.get(sha);
  return own ? own.map((check, index) => whole(check, 9_000 + index)) : current(repository);
}

function current({ checks }: StandInRepository): readonly Whole[] {
  return checks.map((check, index) => whole(check, index + 1));
}

function whole(check: StandInCheck, id: number): Whole {
  return { app: 'github-actions', run: 1, attempt: 1, id, ...check };
}

function jobOf({ repository, parameters }: Call): Whole | undefined {
  const id = Number(parameters['job_id']);
  return current(repository).find((one) => one.id === id && isJob(one));
}

function isJob({ app, isReport = false }: Whole): boolean {
  return app === 'github-actions' && !isReport;
}

/** With new ids, as GitHub does. */
function startAgain(repository: StandInRepository, isAgain: (check: Whole) => boolean): void {
  const all = current(repository);
  const next = Math.max(...all.map(({ id }) => id)) + 1;
  repository.checks = all.map((one, index) =>
    isAgain(one)
      ? { ...one, id: next + index, attempt: one.attempt + 1, status: 'queued', conclusion: null }
      : one,
  );
}
