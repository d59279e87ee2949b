import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../../src/base/json.ts';

/**
 * Takes the used operations out of GitHub's published OpenAPI description, which is 400 MB as a package
 * (`@octokit/openapi`): `node test/support/forge/takeDescription.ts FOLDER`, FOLDER is the unpacked package.
 */
const used = [
  'GET /user',
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/branches/{branch}',
  'GET /repos/{owner}/{repo}/labels/{name}',
  'GET /repos/{owner}/{repo}/pulls',
  'POST /repos/{owner}/{repo}/pulls',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
  'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
  'GET /repos/{owner}/{repo}/issues/{issue_number}',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
  'GET /repos/{owner}/{repo}/commits/{ref}/status',
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs',
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs',
  'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations',
  'POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest',
] as const;

/** Words for people, and what the checks don't read. */
const dropped = new Set(
  'description summary example examples externalDocs tags operationId title x-github x-multi-segment links'.split(
    ' ',
  ),
);

const [folder = ''] = process.argv.slice(2);
const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, unknown>;
const whole = read('generated/api.github.com.json');
const components: Record<string, Record<string, unknown>> = {};

/** `isNames`: the keys are names of properties, not words of the description. */
function taken(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => taken(one));
  if (!isRecord(value)) return value;
  const ref = value['$ref'];
  if (typeof ref === 'string') take(ref);
  const kept = Object.entries(value).filter(([key]) => isNames || !dropped.has(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, taken(one, !isNames && key === 'properties')]));
}

function take(ref: string): void {
  const [, , kind = '', name = ''] = ref.split('/');
  const into = (components[kind] ??= {});
  if (name in into) return;
  into[name] = null;
  const all = whole['components'] as Record<string, Record<string, unknown>>;
  into[name] = taken(all[kind]?.[name]);
}

const paths = whole['paths'] as Record<string, Record<string, unknown>>;
const operations = Object.fromEntries(
  used.map((route) => {
    const [method = '', path = ''] = route.split(' ');
    const found = paths[path]?.[method.toLowerCase()];
    if (!isRecord(found)) throw new Error(`GitHub doesn't describe ${route}.`);
    const { parameters, requestBody, responses } = found;
    return [route, taken({ parameters, requestBody, responses })];
  }),
);
const { version } = read('package.json');
const target = join(import.meta.dirname, '../../fixtures/forge/github-api.json');
// One operation or component on each line, so that two changes merge.
const lined = (all: object): string =>
  Object.entries(all)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}: ${JSON.stringify(one)}`)
    .join(',\n');
const from = JSON.stringify(`@octokit/openapi ${String(version)} (MIT)`);
const kinds = Object.entries(components).map(([kind, all]) => `${JSON.stringify(kind)}: {\n${lined(all)}\n}`);
writeFileSync(
  target,
  `{\n"from": ${from},\n"operations": {\n${lined(operations)}\n},\n"components": {\n${kinds.toSorted().join(',\n')}\n}\n}\n`,
);
