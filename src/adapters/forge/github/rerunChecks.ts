import * as z from 'zod';
import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import type { Client } from './client.ts';
import { failedRuns, isJob, Job, named } from './failedChecks.ts';
import { Reader } from './lookAt.ts';

const WorkflowRun = z.object({ status: z.string().nullable(), run_attempt: z.number().int().nullish() });

/**
 * Runs failed checks again, by the ids of their runs: those of Actions with the other failed jobs of their
 * workflow run. What was started again already isn't failed any more, and isn't started twice.
 */
export async function rerunChecks(
  { client, repository }: { readonly client: Client; readonly repository: ForgeRepository },
  {
    commit,
    runs,
    signal,
  }: { readonly commit: string; readonly runs: readonly number[]; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const reader = new Reader(client, { signal });
  const at = named(repository);
  const request = { retries: 0, ...(signal ? { signal } : {}) };
  const started = new Set<number>();
  const failed = await failedRuns(reader, repository, commit);
  for (const run of failed.filter(({ id }) => runs.includes(id))) {
    if (!isJob(run)) {
      const route = 'POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest';
      await client.request(route, { ...at, check_run_id: run.id, request });
      continue;
    }
    const job = await reader.read(
      'GET /repos/{owner}/{repo}/actions/jobs/{job_id}',
      { ...at, job_id: run.id },
      Job,
    );
    if (started.has(job.run_id)) continue;
    started.add(job.run_id);
    const of = { ...at, run_id: job.run_id };
    const now = await reader.read('GET /repos/{owner}/{repo}/actions/runs/{run_id}', of, WorkflowRun);
    const isStarted = now.status !== 'completed' || (now.run_attempt ?? 1) > (job.run_attempt ?? 1);
    if (isStarted) continue;
    await client.request('POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs', {
      ...of,
      request,
    });
  }
}
