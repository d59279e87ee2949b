import * as z from 'zod';
import { oneLine } from '../../../base/oneLine.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import { because } from '../../../domain/forge/forgeReasons.ts';
import { longestName } from './checks.ts';
import type { Client } from './client.ts';
import { type FailedRun, failedRuns, isJob, Job, named } from './failedChecks.ts';
import { failureOf, isMissing } from './failures.ts';
import { Reader } from './lookAt.ts';

const WorkflowRun = z.object({ status: z.string().nullable(), run_attempt: z.number().int().nullish() });

/** The other jobs of a workflow run take minutes. */
const othersMs = 60_000;

interface Parts {
  readonly client: Client;
  readonly repository: ForgeRepository;
}

interface Wish {
  readonly commit: string;
  readonly runs: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs failed checks again, by the ids of their runs: those of Actions with the other failed jobs of their
 * workflow run. What was started again already isn't failed any more, and isn't started twice. Throws
 * FORGE_REFUSED if none was started.
 */
export async function rerunChecks(parts: Parts, { commit, runs, signal }: Wish): Promise<void> {
  const reader = new Reader(parts.client, { signal });
  const failed = await failedRuns(reader, parts.repository, commit);
  const wanted = failed.filter(({ id }) => runs.includes(id));
  let isStarted = wanted.length < runs.length;
  const refusals: BeadsmithError[] = [];
  const workflows = new Set<number>();
  for (const run of wanted)
    try {
      await startAgain(parts, reader, { run, workflows, signal });
      isStarted = true;
    } catch (error) {
      signal?.throwIfAborted();
      const refusal = failureOf(parts.repository.host, error, Date.now());
      if (refusal.code !== 'FORGE_REFUSED') throw error;
      refusals.push(refusal);
    }
  // The most helpful one ends by itself.
  const refusal = refusals.find(({ diagnostics }) => 'waitMs' in diagnostics) ?? refusals[0];
  if (refusal && !isStarted) throw refusal;
}

async function startAgain(
  { client, repository }: Parts,
  reader: Reader,
  {
    run,
    workflows,
    signal,
  }: { readonly run: FailedRun; readonly workflows: Set<number> } & Pick<Wish, 'signal'>,
): Promise<void> {
  const at = named(repository);
  const request = { retries: 0, ...(signal ? { signal } : {}) };
  if (!isJob(run)) {
    const route = 'POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest';
    await client.request(route, { ...at, check_run_id: run.id, request });
    return;
  }
  const job = await jobOf(reader, repository, run);
  if (workflows.has(job.run_id)) return;
  const of = { ...at, run_id: job.run_id };
  const now = await reader.read('GET /repos/{owner}/{repo}/actions/runs/{run_id}', of, WorkflowRun);
  const isStarted = (now.run_attempt ?? 1) > (job.run_attempt ?? 1);
  if (!isStarted && now.status !== 'completed') throw stillRuns(repository);
  if (!isStarted)
    await client.request('POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs', {
      ...of,
      request,
    });
  workflows.add(job.run_id);
}

/** Steps of a job can report checks of their own, in the name of Actions. */
async function jobOf(
  reader: Reader,
  repository: ForgeRepository,
  { id, name }: FailedRun,
): Promise<z.infer<typeof Job>> {
  try {
    const at = { ...named(repository), job_id: id };
    return await reader.read('GET /repos/{owner}/{repo}/actions/jobs/{job_id}', at, Job);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const why = because('isReport', { check: oneLine(name, longestName) });
    throw new BeadsmithError('FORGE_REFUSED', { host: repository.host, ...why });
  }
}

/** GitHub runs no job again while another one of its workflow run is running. */
function stillRuns({ host }: ForgeRepository): BeadsmithError {
  const args = { host, ...because('othersRun') };
  return new BeadsmithError('FORGE_REFUSED', args, { diagnostics: { waitMs: othersMs } });
}
