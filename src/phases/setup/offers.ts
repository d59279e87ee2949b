import { sizeText } from '../../base/sizeText.ts';
import { mergeHooks } from '../../domain/environment/gitHooks.ts';
import {
  mergeInputs,
  mergeVariables,
  type PassedVariable,
  variablesNamedIn,
  type WorktreeInput,
} from '../../domain/environment/inputs.ts';
import { isRefusedVariable } from '../../domain/environment/variables.ts';
import type { SetupPlan } from '../../domain/documents/setupPlan.ts';
import { isRelativePath } from '../../domain/core/ids.ts';
import { classifyChange, isEnvironmentFile } from '../../domain/core/noise.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo } from '../../engine/run/run.ts';

const mostCandidates = 40;
const namingFiles = [
  '.npmrc',
  '.yarnrc.yml',
  '.yarnrc',
  'bunfig.toml',
  '.cargo/config.toml',
  'pip.conf',
  'nuget.config',
  'NuGet.Config',
  '.mvn/settings.xml',
  'compose.yaml',
  'compose.yml',
  'docker-compose.yml',
  'docker-compose.yaml',
  '.env.example',
  '.env.sample',
  '.env.template',
  '.envrc.example',
];
/** Variables that say how to reach something, and words that show that a repository needs it. */
const reaching: Readonly<Record<string, readonly string[]>> = {
  DOCKER_HOST: ['docker', 'testcontainers', 'podman'],
  SSH_AUTH_SOCK: ['git+ssh', 'ssh'],
};

/**
 * Offers of the person's checkout and environment for the setup gate. A variable is passed only if a person
 * says so. `before`: the plan that this one replaces, whose decisions stay.
 */
export async function offersFor(
  io: StepIo,
  ticket: TicketSnapshot,
  before: SetupPlan | undefined,
): Promise<Pick<SetupPlan, 'inputs' | 'variables' | 'hooks'>> {
  const decided = new Set(before?.inputs.map(({ path }) => path));
  const offers = (await offeredInputs(io, ticket)).filter(({ path }) => !decided.has(path));
  const inputs = mergeInputs(
    await Promise.all(offers.map((offer) => sized(io, offer))),
    before?.inputs ?? [],
  );
  const variables = mergeVariables(await offeredVariables(io, ticket), before?.variables ?? []);
  const hooks = mergeHooks(await io.ports.git.hooks(), before?.hooks ?? []);
  return { inputs, variables, hooks };
}

async function offeredInputs(io: StepIo, ticket: TicketSnapshot): Promise<readonly WorktreeInput[]> {
  const { git, workplace } = io.ports;
  const { copied, linked } = workplace.wishes;
  const ignored = await git.ignored();
  const listed = await git.ignored({ file: '.worktreeinclude' });
  const offers: WorktreeInput[] = [];
  const offer = (paths: readonly string[], use: 'copy' | 'link', reason: string): void => {
    for (const found of paths) {
      const path = found.replace(/\/$/, '');
      if (isRelativePath(path) && isIgnored(ignored, found)) offers.push({ path, use, reason });
    }
  };
  offer(listed, 'copy', '.worktreeinclude lists it');
  if (copied.length > 0)
    offer(await git.ignored({ patterns: copied }), 'copy', 'git.worktreeIncludeFiles lists it');
  if (linked.length > 0)
    offer(await git.ignored({ patterns: linked }), 'link', 'git.worktreeSymlinkFolders lists it');
  for (const path of ignored.filter(mayBeRead).slice(0, mostCandidates)) {
    const readers = await readersOf(io, ticket, path);
    if (readers.length > 0) offer([path], 'copy', `read by ${readers.slice(0, 2).join(' and ')}`);
    else if (isEnvironmentFile(nameOf(path))) offer([path], 'copy', 'a file of the environment');
  }
  return offers;
}

/**
 * Offers folders that are too large to copy as links. What a link has outside of the repository is neither
 * copied nor opened to agents unless a person says so.
 */
async function sized(io: StepIo, offer: WorktreeInput): Promise<WorktreeInput> {
  const size = offer.use === 'copy' ? await io.ports.workplace.size(offer.path) : undefined;
  if (!size) return offer;
  if (size.link !== undefined) return { ...offer, use: 'leave', reason: `${offer.reason}; ${size.link}` };
  if (size.isMore) {
    const why = 'too large to copy, so it is linked: what is written there is written to your checkout';
    return { ...offer, use: 'link', reason: `${offer.reason}; ${why}` };
  }
  const files = size.files === 1 ? '' : ` in ${String(size.files)} files`;
  return { ...offer, reason: `${offer.reason}; ${sizeText(size.bytes)}${files}` };
}

function isIgnored(ignored: readonly string[], path: string): boolean {
  return ignored.some(
    (known) => known === path || known === `${path}/` || (known.endsWith('/') && path.startsWith(known)),
  );
}

/** Not dependencies, caches, outputs, and the folders of editors and of this product. */
function mayBeRead(path: string): boolean {
  if (isEnvironmentFile(nameOf(path))) return true;
  if (/^\.(?:beadsmith|git|vscode|idea|cache|ticket)(?:\/|$)/.test(path)) return false;
  return classifyChange({ path: path.replace(/\/$/, '/x'), state: 'untracked' }) === 'committable';
}

/** Tracked files that name an ignored one, other than to ignore or explain it. */
async function readersOf(io: StepIo, ticket: TicketSnapshot, path: string): Promise<readonly string[]> {
  const { baseCommit } = ticket;
  const name = nameOf(path);
  if (baseCommit === null || name.length < 4) return [];
  const words = isEnvironmentFile(name)
    ? [name, 'dotenv', 'env_file', 'env-file', 'godotenv', 'dotenvy']
    : [name];
  const files = await io.ports.git.filesNaming(baseCommit, words);
  return files.filter(
    (file) =>
      !/(?:^|\/)\.[\w-]*ignore$|(?:^|\/)\.worktreeinclude$|\.(?:md|rst|adoc|lock)$|-lock\./i.test(file),
  );
}

function nameOf(path: string): string {
  return path.replace(/\/$/, '').split('/').at(-1) ?? '';
}

async function offeredVariables(io: StepIo, ticket: TicketSnapshot): Promise<readonly PassedVariable[]> {
  const { git, workplace } = io.ports;
  const { baseCommit } = ticket;
  if (baseCommit === null) return [];
  const offers: PassedVariable[] = [];
  for (const path of namingFiles) {
    const bytes = await git.blob(baseCommit, path);
    if (!bytes || bytes.length > 200_000) continue;
    const names = variablesNamedIn(path, new TextDecoder().decode(bytes)).filter(
      (name) => !isRefusedVariable(name),
    );
    for (const name of workplace.present(names))
      offers.push({ name, use: 'leave', reason: `named in ${path}` });
  }
  for (const name of workplace.present(Object.keys(reaching))) {
    const files = await git.filesNaming(baseCommit, reaching[name] ?? []);
    const [file] = files.filter((found) => !/\.(?:md|rst|adoc)$/i.test(found));
    if (file !== undefined) offers.push({ name, use: 'leave', reason: `${file} may need it` });
  }
  return offers;
}
