import type { SandboxGap, SandboxKind } from '../../domain/environment/sandbox.ts';

/** A program, with its whole environment. */
export interface Program {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A program's reach (docs/decisions/105-the-sandbox.md), beside system, toolchains and git folder (read-only,
 * without ours). Absolute paths.
 */
export interface SandboxPolicy {
  /** Planning and coding: servers of agents. Setup and commands: run by the engine. */
  readonly domain: 'planning' | 'setup' | 'coding' | 'commands';
  readonly tree: string;
  readonly treeAccess: 'ro' | 'rw';
  readonly cwd?: string;
  /** Missing places are left out. */
  readonly readWrite: readonly string[];
  readonly readOnly: readonly string[];
  /** With HOME (`home`) and `/tmp` (`tmp`); made as needed. */
  readonly folder: string;
  readonly network: 'none' | 'host';
  /** It starts others in sandboxes. */
  readonly holdsSandboxes?: boolean;
  /** HOME is the folder's own even without a sandbox. */
  readonly isProof?: boolean;
}

/** A sandbox in a sandbox, without a network. The outer one has to show these places. */
export interface InnerSandbox {
  readonly readOnly: readonly string[];
  /** Folders that are empty in it; may be in a read-only place. */
  readonly hidden: readonly string[];
  /** As outside, within those; missing ones are left out. */
  readonly readWrite: readonly string[];
}

/** Confines programs as far as this machine can. */
export interface Sandbox {
  readonly kind: SandboxKind;
  readonly gap?: SandboxGap;
  /** Returns the program to start; without a sandbox the same, but for a proof's home. */
  wrap(program: Program, policy: SandboxPolicy): Promise<Program>;
  /** Starts what follows in an inner sandbox; undefined if impossible. */
  readonly inner?: ((policy: InnerSandbox) => readonly string[]) | undefined;
}
