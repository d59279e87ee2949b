import * as z from 'zod';
import { oneLine } from '../../../base/oneLine.ts';
import { failure } from '../../../domain/beads/failure.ts';
import { type FailedCheck, mostFailedChecks } from '../../../domain/forge/failedCheck.ts';
import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import { excerptOf } from '../../../domain/proof/failureExcerpt.ts';
import { readTestResults } from '../../../domain/proof/testResults.ts';
import { CheckRun, ClassicStatus, longestName, outcomeOfRun, outcomeOfStatus } from './checks.ts';
import type { Client } from './client.ts';
import { failureOf } from './failures.ts';
import { readJobLog, stepOutput } from './jobLog.ts';
import { Reader } from './lookAt.ts';

/** Of Actions, whose check runs have the ids of their jobs. */
const actions = 'github-actions';
const mostAnnotations = 50;

const DetailedRun = CheckRun.extend({
  app: z.object({ slug: z.string().nullish() }).nullish(),
  output: z
    .object({ title: z.string().nullish(), summary: z.string().nullish(), text: z.string().nullish() })
    .nullish(),
});
type DetailedRun = z.infer<typeof DetailedRun>;

const DetailedStatus = ClassicStatus.extend({
  description: z.string().nullish(),
  target_url: z.string().nullish(),
});

export const Job = z.object({
  run_id: z.number().int(),
  run_attempt: z.number().int().nullish(),
  steps: z
    .array(
      z.object({ name: z.string(), conclusion: z.string().nullable(), started_at: z.string().nullish() }),
    )
    .nullish(),
});

const Annotations = z.array(
  z.object({
    path: z.string(),
    start_line: z.number().int(),
    annotation_level: z.string().nullable(),
    message: z.string().nullable(),
  }),
);

const Branch = z.object({ commit: z.object({ sha: z.string() }) });

interface Parts {
  readonly client: Client;
  readonly repository: ForgeRepository;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the failed checks of a commit, the first ones by name, each with what it says. */
export async function readFailedChecks(
  parts: Parts,
  { commit, base }: { readonly commit: string; readonly base: string },
): Promise<readonly FailedCheck[]> {
  const reader = new Reader(parts.client, { signal: parts.signal });
  const { runs, statuses } = await failedOf(reader, parts.repository, commit);
  if (runs.length + statuses.length === 0) return [];
  const at = { ...named(parts.repository), branch: base };
  const { commit: tip } = await reader.read('GET /repos/{owner}/{repo}/branches/{branch}', at, Branch);
  const ofBase = await failedOf(reader, parts.repository, tip.sha);
  const redOnBase = new Set([
    ...ofBase.runs.map(({ name }) => name),
    ...ofBase.statuses.map(({ context }) => context),
  ]);
  const known = (name: string) => ({ name: oneLine(name, longestName), onBase: redOnBase.has(name) });
  const found: FailedCheck[] = [];
  for (const run of byName(runs, ({ name }) => name))
    found.push({ ...known(run.name), id: run.id, ...(await failureOfRun(parts, reader, run)) });
  for (const status of byName(statuses, ({ context }) => context)) {
    const { context, description, target_url: link } = status;
    const about = [description ?? '', link ?? ''].filter((text) => text !== '').join('\n');
    const args = { check: oneLine(context, longestName), reason: status.state };
    found.push({ ...known(context), id: null, attempt: 1, failure: failure('forge_check', args, { about }) });
  }
  // What the base has as well comes last.
  return found.toSorted((a, b) => Number(a.onBase) - Number(b.onBase)).slice(0, mostFailedChecks);
}

/** The failed check runs of a commit, with what they are of. */
export async function failedRuns(reader: Reader, of: ForgeRepository, commit: string) {
  const runs = await reader.pages(
    'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
    { ...named(of), ref: commit },
    z.object({ check_runs: z.array(DetailedRun) }),
    ({ check_runs }) => check_runs,
  );
  return runs.filter((run) => outcomeOfRun(run) === 'failed');
}

/** True for a job of Actions. */
export function isJob({ app }: DetailedRun): boolean {
  return app?.slug === actions;
}

async function failedOf(reader: Reader, of: ForgeRepository, commit: string) {
  const statuses = await reader.pages(
    'GET /repos/{owner}/{repo}/commits/{ref}/status',
    { ...named(of), ref: commit },
    z.object({ statuses: z.array(DetailedStatus) }),
    (page) => page.statuses,
  );
  return {
    runs: await failedRuns(reader, of, commit),
    statuses: statuses.filter((status) => outcomeOfStatus(status) === 'failed'),
  };
}

function byName<T>(all: readonly T[], nameOf: (one: T) => string): readonly T[] {
  return all.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)).slice(0, mostFailedChecks);
}

async function failureOfRun(
  parts: Parts,
  reader: Reader,
  run: DetailedRun,
): Promise<Pick<FailedCheck, 'attempt' | 'failure'>> {
  const check = oneLine(run.name, longestName);
  const at = { ...named(parts.repository), job_id: run.id };
  const route = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}';
  const job = isJob(run) ? await unlessRefused(parts, () => reader.read(route, at, Job)) : undefined;
  const step = job?.steps?.find(({ conclusion }) => conclusion === 'failure' || conclusion === 'timed_out');
  const { api } = parts.repository;
  const log = job
    ? await unlessRefused(parts, () => readJobLog(parts.client, at, { api, signal: parts.signal }))
    : undefined;
  const output = stepOutput(log ?? '', step && { startedAt: step.started_at ?? null });
  const said = output === '' ? await outputOf(parts, reader, run) : output;
  const details = { about: said, excerpt: excerptOf(said), tests: readTestResults(said)?.failed ?? [] };
  const reason = (run.conclusion ?? run.status).replaceAll('_', ' ');
  return {
    attempt: job?.run_attempt ?? 1,
    failure: step
      ? failure('forge_step', { check, step: oneLine(step.name, longestName) }, details)
      : failure('forge_check', { check, reason }, details),
  };
}

/** The check's own words, where there is no log. */
async function outputOf(parts: Parts, reader: Reader, { id, output }: DetailedRun): Promise<string> {
  const annotations = await unlessRefused(parts, () =>
    reader.read(
      'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations',
      { ...named(parts.repository), check_run_id: id, per_page: mostAnnotations },
      Annotations,
    ),
  );
  const lines = (annotations ?? []).map(
    ({ path, start_line: line, annotation_level: level, message }) =>
      `${path}:${String(line)}: ${level ?? 'failure'}: ${message ?? ''}`,
  );
  const own = [output?.title, output?.summary, output?.text].flatMap((text) => text ?? []);
  return [...own, ...lines].join('\n').slice(-longestOutput);
}

const longestOutput = 100_000;

/** Undefined for what is gone, too long, or not for this person: the check says less then. */
async function unlessRefused<T>(
  { repository, signal }: Parts,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    signal?.throwIfAborted();
    const { code, diagnostics } = failureOf(repository.host, error, 0);
    if (code === 'FORGE_REFUSED') return undefined;
    const isLog = !(error instanceof z.ZodError) && !('status' in Object(error));
    if (isLog && diagnostics['waitMs'] === undefined) return undefined;
    throw error;
  }
}

/** Names a repository in a request. */
export function named({ owner, name }: ForgeRepository): { readonly owner: string; readonly repo: string } {
  return { owner, repo: name };
}
