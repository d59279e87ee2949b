import * as z from 'zod';
import { SetupProfile } from '../../../domain/documents/setupPlan.ts';
import type { Evidence } from '../../../domain/evidence.ts';
import { CommitSha } from '../../../domain/ids.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, readJson } from '../artifacts.ts';
import { failuresOf, runCommands } from '../commands.ts';
import { writeRuntime } from '../runtime.ts';

/** A commit that is checked out in the ticket's scratch worktree, and ready for commands. */
export interface Scratch {
  readonly path: string;
  /** Absolute path of the wrapper that commands run in. */
  readonly wrapper: string;
  /** The bootstrap commands that failed: then nothing else is worth running there. */
  readonly failed: readonly Evidence[];
}

/** What the scratch worktree was prepared with, so that the next commit can use it again. `keep`: what the bootstrap made. */
const Prepared = z.object({ commit: CommitSha, commands: z.array(z.string()), keep: z.array(z.string()) });

/**
 * Checks out a commit where nothing lies but what it holds and what the bootstrap commands make of it (docs/decisions/048-clean-room-proof.md). The
 * bootstrap runs again when its commands change, or when a file changes that says what is to be installed.
 */
export async function openScratch(io: StepIo, ticket: TicketSnapshot, commit: string, limits: Run['limits']): Promise<Scratch> {
  const { git, store } = io.ports;
  const profile = readJson(SetupProfile, (await store.artifact(ticket.id, 'execution_setup_profile'))?.content);
  const commands = profile?.bootstrap_commands ?? [];
  const before = readJson(Prepared, (await store.artifact(ticket.id, 'scratch_environment'))?.content);
  const isWarm = before !== undefined && sameCommands(before.commands, commands) && !(await changesDependencies(io, before.commit, commit));
  await io.fence();
  const inputs = (profile?.inputs ?? []).map((input) => input.path);
  const { path, created } = await git.checkOutScratch(ticket.id, commit, isWarm ? before.keep : []);
  const wrapper = await writeRuntime(io, ticket, path);
  if (commands.length === 0 || (isWarm && !created)) return { path, wrapper, failed: [] };
  const evidence = await runCommands(io, ticket, { commands, wrapper, limits, cwd: path });
  const failed = failuresOf(evidence);
  if (failed.length > 0) return { path, wrapper, failed };
  const { changes, ignored } = await git.scratchChanges(ticket.id);
  const made = [...ignored, ...changes.filter(({ state }) => state === 'untracked').map(({ path: name }) => name)];
  // Inputs come from the person's checkout each time, as long as they are allowed.
  const keep = made.filter((name) => !inputs.includes(name));
  // An installer may rewrite tracked files, which aren't what is to be proved then.
  await git.checkOutScratch(ticket.id, commit, [...keep, ...inputs]);
  io.save(artifactChange(ticket, 'scratch_environment', Prepared.parse({ commit, commands, keep })));
  return { path, wrapper, failed: [] };
}

/** Files that name what a project needs, by their last part. */
const dependencyFiles =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|\.yarnrc\.yml|bun\.lockb?|deno\.lock|requirements[\w.-]*\.txt|constraints\.txt|pyproject\.toml|setup\.(?:py|cfg)|poetry\.lock|uv\.lock|pdm\.lock|Pipfile(?:\.lock)?|environment\.ya?ml|Cargo\.(?:toml|lock)|go\.(?:mod|sum|work)|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.lockfile|libs\.versions\.toml|mix\.(?:exs|lock)|Package\.(?:swift|resolved)|packages\.lock\.json|[\w.-]+\.(?:csproj|fsproj|sln)|CMakeLists\.txt|conanfile\.(?:txt|py)|vcpkg\.json|\.tool-versions|\.nvmrc)$/;

async function changesDependencies(io: StepIo, from: string, to: string): Promise<boolean> {
  if (from === to) return false;
  const files = await io.ports.git.compare(from, to);
  return files.some(({ path, oldPath }) => [path, oldPath].some((name) => dependencyFiles.test(name?.split('/').at(-1) ?? '')));
}

function sameCommands(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((command, index) => command === b[index]);
}
