import * as z from 'zod';
import { isRecord } from '../../base/json.ts';

/** A change that reaches beyond the code: it runs on other machines, in the editor, or at an installation, or it holds a credential. */
export const GuardedChange = z.object({
  kind: z.enum(['secret', 'git', 'hook', 'editor', 'workflow', 'install_script']),
  path: z.string(),
  line: z.number().int().nullable(),
  /** What it is, in a few words. Never the secret itself. */
  text: z.string(),
});
export type GuardedChange = z.infer<typeof GuardedChange>;

/** `guarded_changes_receipt:{work}`: what a person accepted, and in which commit. `name`: the bead, `final-test` or `base-update`. */
export const GuardedReceipt = z.object({
  schema_version: z.literal(1),
  name: z.string(),
  commit: z.string(),
  content_sha256: z.string(),
  findings: z.array(GuardedChange),
  accepted_by: z.literal('user'),
  accepted_at: z.string(),
});
export type GuardedReceipt = z.infer<typeof GuardedReceipt>;

/** What each kind is, for people. */
export const guardedLabels: Readonly<Record<GuardedChange['kind'], string>> = {
  secret: 'looks like a secret',
  git: 'changes how git treats files',
  hook: 'changes a git hook',
  editor: 'changes what an editor or agent runs or trusts',
  workflow: 'changes what runs in CI',
  install_script: 'runs a script at installation',
};

/** A changed file as a text, before and after; null where it isn't there. */
export interface GuardedText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

const guardedPaths: readonly (readonly [GuardedChange['kind'], RegExp])[] = [
  ['git', /(?:^|\/)\.git(?:$|\/|modules$)/],
  [
    'hook',
    /(?:^|\/)(?:\.husky|\.githooks|\.hooks)\/|(?:^|\/)(?:\.pre-commit-config\.ya?ml|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.overcommit\.yml)$/,
  ],
  [
    'editor',
    /(?:^|\/)(?:\.vscode|\.devcontainer|\.idea|\.opencode)\/|(?:^|\/)(?:\.envrc|\.mcp\.json|opencode\.jsonc?|\.claude\/settings[^/]*|[^/]+\.code-workspace)$/,
  ],
  [
    'workflow',
    /^\.(?:github\/(?:workflows|actions)|circleci|buildkite|woodpecker|gitea|forgejo)\/|^(?:\.gitlab-ci\.ya?ml|\.travis\.yml|\.drone\.yml|appveyor\.yml|azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|Jenkinsfile)$/,
  ],
];

/** What changed paths and manifests say. Files that the approved plan names (`planned`) were agreed to. */
export function guardedChanges(files: readonly GuardedText[], planned: readonly string[]): readonly GuardedChange[] {
  return files.flatMap((file): GuardedChange[] => {
    const kind = planned.includes(file.path) ? undefined : guardedPaths.find(([, pattern]) => pattern.test(file.path))?.[0];
    const found = kind === undefined ? [] : [{ kind, path: file.path, line: null, text: file.after === null ? 'deleted' : '' }];
    return [...found, ...installScripts(file)];
  });
}

const lifecycle = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];

/** Scripts that an installation would run and that weren't there before: of the package itself, and of what it depends on. */
function installScripts({ path, before, after }: GuardedText): GuardedChange[] {
  const name = path.split('/').at(-1);
  if (name !== 'package.json' && name !== 'package-lock.json' && name !== 'npm-shrinkwrap.json') return [];
  const scripts = name === 'package.json' ? ownScripts : scriptsOfLock;
  const known = scripts(parsed(before));
  return [...scripts(parsed(after))]
    .filter(([key, value]) => known.get(key) !== value)
    .map(([key]) => ({ kind: 'install_script', path, line: null, text: key }));
}

function ownScripts(manifest: unknown): ReadonlyMap<string, string> {
  const scripts = isRecord(manifest) && isRecord(manifest['scripts']) ? manifest['scripts'] : {};
  return new Map(lifecycle.flatMap((key) => (typeof scripts[key] === 'string' ? [[key, scripts[key]] as const] : [])));
}

function scriptsOfLock(lock: unknown): ReadonlyMap<string, string> {
  const packages = isRecord(lock) && isRecord(lock['packages']) ? lock['packages'] : {};
  return new Map(
    Object.entries(packages).flatMap(([key, entry]) =>
      isRecord(entry) && entry['hasInstallScript'] === true ? [[key.replace(/^.*node_modules\//, ''), ''] as const] : [],
    ),
  );
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
