import type { ForgeRepository } from '../../../domain/forge/forgePlace.ts';
import { OutputWindow } from '../../system/outputWindow.ts';
import type { Client } from './client.ts';

/** The failed step is at the end, before what cleans up after it. */
const keptBytes = 128 * 1024;
const logMs = 60_000;

interface Job {
  readonly owner: string;
  readonly repo: string;
  readonly job_id: number;
}

/**
 * The end of a job's log without secrets. The log may have any length: only its end is kept. GitHub leads to
 * a file of another host, which gets no token.
 */
export async function readJobLog(
  client: Client,
  job: Job,
  { api, signal }: Pick<ForgeRepository, 'api'> & { readonly signal?: AbortSignal | undefined },
): Promise<string> {
  const answer = await client.request('GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', {
    ...job,
    request: { redirect: 'manual', parseSuccessResponseBody: false, ...(signal ? { signal } : {}) },
  });
  const { location } = answer.headers;
  const body: unknown = answer.data;
  if (location === undefined) return body instanceof ReadableStream ? endOf(body as Bytes) : '';
  if (!isFile(location, api)) throw new Error("the address of the log can't be used");
  const late = AbortSignal.timeout(logMs);
  const response = await fetch(location, {
    redirect: 'error',
    credentials: 'omit',
    signal: signal ? AbortSignal.any([late, signal]) : late,
  });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new Error(`the file of the log isn't there (${String(response.status)})`);
  }
  return endOf(response.body);
}

type Bytes = ReadableStream<Uint8Array>;

async function endOf(body: Bytes): Promise<string> {
  const window = new OutputWindow(keptBytes);
  for await (const chunk of body) window.add(Buffer.from(chunk));
  const { head, tail } = window.read();
  return tail === '' ? head : tail;
}

/** Encrypted, or of the same machine as an API there. */
function isFile(location: string, api: string): boolean {
  if (!URL.canParse(location)) return false;
  const { protocol, username, hostname } = new URL(location);
  if (username !== '') return false;
  return protocol === 'https:' || (api.startsWith('http:') && hostname === new URL(api).hostname);
}

interface Step {
  readonly startedAt: string | null;
}

const stamp = /^\uFEFF?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z ?/;
const errorMark = '##[error]';
const mark = /^##\[(?:group|error|warning|notice|command|debug|section)\]/;

/**
 * The output of a failed step in a job's log: from its start to the last error, without the times and marks
 * of GitHub. `step`: undefined if it isn't known.
 */
export function stepOutput(log: string, step?: Step): string {
  const start = step?.startedAt?.slice(0, 19) ?? '';
  let time = '';
  const lines = log.split(/\r?\n/).flatMap((line) => {
    const [found = '', at] = stamp.exec(line) ?? [];
    time = at ?? time;
    return time !== '' && time < start ? [] : [line.slice(found.length)];
  });
  const last = lines.findLastIndex((line) => line.startsWith(errorMark));
  const own = last === -1 ? lines : lines.slice(0, last + 1);
  return own
    .filter((line) => line !== '##[endgroup]')
    .map((line) => line.replace(mark, ''))
    .join('\n')
    .trim();
}
