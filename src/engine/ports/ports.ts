import type { RequestContent, RequestDecision } from '../../domain/ticket/agentRequest.ts';
import type { TicketEvent } from '../../domain/core/events.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import type { ToolCall } from '../../domain/core/toolCall.ts';
import type { SandboxGap } from '../../domain/environment/sandbox.ts';
import type { GithubSettings } from '../../domain/settings/rows/planning.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import type { SessionMessage } from '../../domain/conversation/turns.ts';
import type { EvidenceSignature } from '../../domain/proof/signature.ts';
import type { ModelFacts, ToolPolicy, Usage } from '../../domain/usage/promptPlan.ts';
import type { OfferedModel } from '../../domain/usage/offeredModel.ts';
import type { Forge, Forges } from './forgePort.ts';
import type { Git } from './gitPort.ts';
import type { Store } from './storePort.ts';
import type { Workplace } from './workplacePort.ts';

export type * from './forgePort.ts';
export type * from './gitPort.ts';

/** Everything outside of the engine, for steps. */
export interface Ports {
  readonly store: Store;
  readonly agent: Agent;
  readonly git: Git;
  readonly process: CommandRunner;
  readonly workplace: Workplace;
  readonly files: TicketFiles;
  readonly secrets: SecretScanner;
  readonly signer: Signer;
  readonly forge: Forge;
  readonly forges: Forges;
  /** The person's settings, which count at once; without them, nothing is done by itself. */
  readonly github?: () => GithubSettings;
  readonly tokens: TokenCounter;
  readonly texts: TextReader;
  readonly clock: Clock;
  readonly prompts: PromptSource;
  readonly events: EventSink;
}

/** Time and randomness, for steps. */
export interface Clock {
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Ends early when aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** 26 random letters and digits. Record it at once: a replay gets another. */
  randomId(): string;
}

/** Live events. Emitting never fails and never waits. */
export interface EventSink {
  emit(event: TicketEvent): void;
}

/** Signs what this installation saw (docs/decisions/168-evidence-is-signed.md). */
export interface Signer {
  /** undefined without a key. */
  sign(text: string): Promise<EvidenceSignature | undefined>;
}

/** Finds credentials in texts. */
export interface SecretScanner {
  /** No result contains a credential. */
  scan(path: string, text: string): Promise<readonly SecretFound[]>;
}

/** A possible credential: its line from 1, and its range in UTF-16 code units. */
export interface SecretFound {
  readonly rule: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Reads untrusted texts apart, by the name of a reader. */
export interface TextReader {
  /** Plain data; `late` if it took too long or was aborted. */
  read(reader: string, input: unknown, signal?: AbortSignal): Promise<{ readonly read: unknown } | 'late'>;
}

/** Estimates how long a text is for a model. */
export interface TokenCounter {
  /** Tokens of o200k. */
  count(text: string): Promise<number>;
}

/** Prompt files, with a person's own (docs/decisions/100-own-prompts.md). */
export interface PromptSource {
  /** `prompts/<name>.md`. UNEXPECTED if there is none, PROMPT_REFUSED for an unusable own file. */
  read(name: string): Promise<PromptText>;
  overrides(): Promise<readonly PromptOverride[]>;
  /** docs/decisions/135-personas.md. */
  personas(): Promise<readonly PersonaEntry[]>;
}

/** A persona's file. `problem`: why `persona` is undefined. */
export interface PersonaEntry {
  readonly id: string;
  readonly path: string;
  readonly isOwn: boolean;
  readonly persona: Persona | undefined;
  readonly problem: string;
}

/** A prompt file. `override`: SHA-256 of a person's own. */
export interface PromptText {
  readonly text: string;
  readonly override?: string;
}

/** A person's own prompt file. `problem`: why it can't be used. */
export interface PromptOverride {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly problem: string;
}

/** A session and the folder by which OpenCode finds it. */
export interface SessionRef {
  readonly id: string;
  readonly directory: string;
}

/** One prompt. */
export interface AgentRequest {
  /** `provider/model[@variant]`. */
  readonly member: string;
  readonly policy: ToolPolicy;
  readonly text: string;
  /** Sent once per session before `text`, for caches. */
  readonly stable?: string;
  /** Of the answer. */
  readonly schema?: AnswerSchema;
}

/** A JSON schema, as data. */
export type AnswerSchema = Readonly<Record<string, unknown>>;

/** An activity of an agent, for display only, without secrets. `offset`: of a piece in its part's text. */
export type AgentActivity =
  | {
      readonly kind: 'text' | 'reasoning';
      readonly text: string;
      readonly part?: string;
      readonly offset?: number;
    }
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly state: string;
      readonly title: string;
      readonly part?: string;
      readonly call?: ToolCall;
    }
  | { readonly kind: 'retry'; readonly attempt: number; readonly message: string };

/** A request of an agent while it works. `asked`: its id. */
export interface AskedRequest {
  readonly asked: string;
  readonly content: RequestContent;
}

/** Limits and callbacks of a call; `signal` ends it with `aborted`. */
export interface AgentCallOptions {
  readonly signal: AbortSignal;
  /**
   * Without it, requests are refused. `withdrawn`: the agent no longer waits. Undefined: undecided, the agent
   * waits. `asked` may come again in another process.
   */
  readonly onRequest?: (
    request: AskedRequest,
    withdrawn: AbortSignal,
  ) => Promise<RequestDecision | undefined>;
  readonly onActivity?: (activity: AgentActivity) => void;
  /** Provider retries before `quota` (0: none), and the longest retrying without progress. */
  readonly retryLimit: number;
  readonly retryGraceMs: number;
  /** More end the call as `capped`; cost in US dollars at list prices. Default: no limit. */
  readonly mostTokens?: number;
  readonly mostCost?: number;
}

/** The outcome of a model call; failures are values. */
export type AgentReply =
  | {
      readonly ok: true;
      readonly text: string;
      readonly messageId: string;
      readonly usage: Usage;
      readonly tools: readonly ToolUse[];
      readonly truncated: boolean;
      readonly stopped?: true;
      readonly structured?: true;
    }
  | {
      readonly ok: false;
      readonly failure: AgentFailure;
      readonly partial: string;
      readonly usage: Usage | null;
      readonly tools: readonly ToolUse[];
    };

/**
 * A session's changes: named files (relative to its folder), and times of other tools. `since`: its first
 * prompt. Milliseconds since 1970.
 */
export interface Touched {
  readonly since: number;
  readonly paths: readonly string[];
  readonly spans: readonly { readonly from: number; readonly to: number }[];
}

/** One tool call of an agent, as its session stored it. */
export interface ToolUse {
  readonly tool: string;
  readonly title: string;
  readonly status: 'completed' | 'error' | 'other';
  readonly excerpt: string;
}

/** A failed call. `continuable`: in the same session (docs/decisions/038-provider-failures.md). */
export interface AgentFailure {
  readonly kind:
    | 'auth'
    | 'quota'
    | 'provider'
    | 'garbage'
    | 'truncated'
    | 'aborted'
    | 'gone'
    | 'unknown_model'
    | 'hung'
    /** Longer than the model's context. */
    | 'overflow'
    /** The same tool call or request again and again. */
    | 'loop'
    | 'capped'
    /** No answer by a schema is possible. */
    | 'unformatted';
  readonly message: string;
  readonly statusCode: number | null;
  readonly continuable: boolean;
  /** The provider's wish. */
  readonly retryAfterMs?: number;
}

/** A session by its stored messages; `prompts`: number of the last one. */
export type SessionLook =
  | { readonly state: 'missing' }
  /** Stable messages without a call don't count. */
  | { readonly state: 'fresh' }
  | { readonly state: 'busy'; readonly prompts: number }
  | { readonly state: 'answered'; readonly prompts: number; readonly reply: AgentReply }
  /** Sent, but the server died. */
  | { readonly state: 'orphaned'; readonly prompts: number };

/**
 * OpenCode, started on first use. OPENCODE_MISSING, OPENCODE_VERSION, OPENCODE_START_FAILED, OPENCODE_GONE.
 */
export interface Agent {
  /** `asks`: it may ask people, for permissions too. */
  createSession(options: {
    readonly directory: string;
    readonly title: string;
    readonly policy: ToolPolicy;
    readonly asks?: boolean;
    readonly structured?: boolean;
  }): Promise<SessionRef>;
  /**
   * True if a model can answer by a schema: `auto` if OpenCode says so, `on` unless it denies it. Never after
   * the model failed to, nor if this OpenCode can't return such messages.
   */
  takesSchema(
    asked: { readonly member: string; readonly directory: string },
    wanted: 'auto' | 'on',
  ): Promise<boolean>;
  /** From OpenCode's catalogue. */
  modelFacts(asked: { readonly member: string; readonly directory: string }): Promise<ModelFacts>;
  findSession(directory: string, title: string): Promise<SessionRef | undefined>;
  look(session: SessionRef): Promise<SessionLook>;
  touched(session: SessionRef): Promise<Touched | undefined>;
  /** Oldest first. */
  transcript(session: SessionRef): Promise<readonly SessionMessage[] | undefined>;
  prompt(session: SessionRef, request: AgentRequest, options: AgentCallOptions): Promise<AgentReply>;
  /** Waits for the answer to a prompt of this or an earlier process. */
  await(
    session: SessionRef,
    request: Pick<AgentRequest, 'member' | 'policy'>,
    options: AgentCallOptions,
  ): Promise<AgentReply>;
  abort(session: SessionRef): Promise<void>;
  forget(session: SessionRef): Promise<void>;
  release(directory: string): Promise<void>;
  /** Starts what a session needs, without waiting. Errors come from `createSession`. */
  prepare(options: { readonly directory: string; readonly policy: ToolPolicy }): void;
  /** `provider/model` of connected providers. `worktree`: where a server may start; needn't exist. */
  models(worktree?: string): Promise<readonly string[]>;
  /** The same models, with what the catalogue says of them. */
  offers(worktree?: string): Promise<readonly OfferedModel[]>;
  health(): Promise<{ readonly version: string; readonly url: string }>;
  /** Ends the servers this process may end (all, unless `keep`). */
  stop(options?: { readonly keep?: boolean }): Promise<void>;
}

/** Runs commands as `/bin/sh -c TEXT`. A failing one throws nothing. */
export interface CommandRunner {
  /** Without a sandbox: the reason (docs/decisions/105-the-sandbox.md). */
  readonly unsandboxed?: SandboxGap | undefined;
  run(
    command: string,
    options: {
      readonly cwd: string;
      readonly wrapper?: string;
      readonly timeoutMs: number;
      readonly signal?: AbortSignal;
      readonly allowed?: CommandSecrets;
      /** Default: a sandbox with nothing but `cwd`. */
      readonly sandbox?: CommandSandbox;
    },
  ): Promise<Evidence>;
}

/** A command's sandbox. `worktree`: the ticket's, readable. `network`: its purpose; `services` meet there. */
export interface CommandSandbox {
  readonly ticket: string;
  readonly worktree: string;
  readonly network: 'none' | 'install' | 'services';
  /** With the folders of the ticket's proofs, not of its agents. */
  readonly isProof?: boolean;
}

/** Allowed environment variables, and private files below `cwd`. */
export interface CommandSecrets {
  readonly variables: readonly string[];
  readonly files: readonly string[];
}

/** `.ticket/` of a worktree, never read back for prompts. Relative paths. */
export interface TicketFiles {
  write(
    worktree: string,
    path: string,
    content: string,
    options?: { readonly executable?: boolean },
  ): Promise<void>;
  append(worktree: string, path: string, content: string): Promise<void>;
  read(worktree: string, path: string): Promise<string | undefined>;
  remove(worktree: string, path: string): Promise<void>;
  exists(worktree: string, path: string): Promise<boolean>;
}
