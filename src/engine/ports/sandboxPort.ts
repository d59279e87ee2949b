import type { SandboxGap, SandboxKind } from '../../domain/environment/sandbox.ts';

/** A program to start: its path, its arguments and its whole environment. */
export interface Program {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The reach of one program and everything it starts (docs/decisions/105-the-box.md). Beside it there are the
 * system and its toolchains, read-only, and the repository's git folder, read-only and without what is ours
 * in it. All paths are absolute.
 */
export interface Box {
  /** Planning and coding are servers of agents; setup and commands are what the engine runs. */
  readonly domain: 'planning' | 'setup' | 'coding' | 'commands';
  /** The worktree in which the work happens. */
  readonly tree: string;
  readonly treeAccess: 'ro' | 'rw';
  /** The folder in which it starts. Default: the tree. */
  readonly cwd?: string;
  /** Further places. What isn't there is left out. */
  readonly readWrite: readonly string[];
  readonly readOnly: readonly string[];
  /** A folder of the ticket's own that holds HOME (`home`) and `/tmp` (`tmp`); made as needed. */
  readonly folder: string;
  /** `none`: a loopback of its own, and nothing else. */
  readonly network: 'none' | 'host';
  /** True if a program in it starts others in sandboxes of their own. Default: no. */
  readonly holdsBoxes?: boolean;
  /** It proves a commit: HOME is the folder's own even where nothing confines programs. */
  readonly isProof?: boolean;
}

/**
 * A sandbox in a sandbox, without a network: it sees what is around it, but for these places. All of them are
 * shown by the sandbox around it.
 */
export interface InnerBox {
  readonly readOnly: readonly string[];
  /** Folders that are empty in it. They may lie in a place that is read-only. */
  readonly hidden: readonly string[];
  /** Places within those that are as outside; what isn't there is left out. */
  readonly readWrite: readonly string[];
}

/** Confines programs as far as this machine can. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /** The reason why agents have none, and with the kind `none` commands neither. */
  readonly gap?: SandboxGap;
  /**
   * The program as it is to be started: within the sandbox, or as it is where there is none, but for the home
   * of a proof. Its environment is that of the sandbox.
   */
  wrap(program: Program, box: Box): Promise<Program>;
  /**
   * The program and arguments that start what follows them in a sandbox in a sandbox; undefined where that
   * can't be had.
   */
  readonly inner?: ((box: InnerBox) => readonly string[]) | undefined;
}
