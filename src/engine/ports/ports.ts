import type { RequestContent, RequestDecision } from '../../domain/ticket/agentRequest.ts';
import type { TicketEvent } from '../../domain/core/events.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import type { SandboxGap } from '../../domain/environment/sandbox.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import type { SessionMessage } from '../../domain/conversation/turns.ts';
import type { EvidenceSignature } from '../../domain/proof/signature.ts';
import type { ModelFacts, ToolPolicy, Usage } from '../../domain/usage/promptPlan.ts';
import type { Git } from './gitPort.ts';
import type { Store } from './storePort.ts';
import type { Workplace } from './workplacePort.ts';

export type * from './gitPort.ts';

/** Everything outside of the engine. Adapters implement these; handlers reach them only inside a step. */
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
  readonly tokens: TokenCounter;
  readonly texts: TextReader;
  readonly clock: Clock;
  readonly prompts: PromptSource;
  readonly events: EventSink;
}

/** Time and randomness. Handlers get them through steps only. */
export interface Clock {
  /** Milliseconds since 1970; for display and records. */
  now(): number;
  /** Milliseconds of a clock that never goes back; for durations. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A random id of 26 letters and digits. Only for what is recorded at once; it differs on a replay. */
  randomId(): string;
}

/** The destination of live events. Emitting never fails and never waits. */
export interface EventSink {
  emit(event: TicketEvent): void;
}

/** Signs what this installation saw (docs/decisions/168-evidence-is-signed.md). */
export interface Signer {
  /** undefined where there can be no key. */
  sign(text: string): Promise<EvidenceSignature | undefined>;
}

/** Finds credentials in texts. */
export interface SecretScanner {
  /** Finds what resembles a credential in the text of a file. The credential itself is in no result. */
  scan(path: string, text: string): Promise<readonly SecretFound[]>;
}

/**
 * A place in a text that looks like a credential: the rule that says so, its line from 1, and its range in
 * UTF-16 code units.
 */
export interface SecretFound {
  readonly rule: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Reads texts of strangers where it can't hold up anything else. Phases know the readers by their names. */
export interface TextReader {
  /** Returns what a reader makes of its input, both plain data; `late` if it took too long or was aborted. */
  read(reader: string, input: unknown, signal?: AbortSignal): Promise<{ readonly read: unknown } | 'late'>;
}

/** Estimates how long a text is for a model. */
export interface TokenCounter {
  /** Estimated tokens of a text (o200k). The tokenizer is loaded on first use. */
  count(text: string): Promise<number>;
}

/**
 * The prompt files that ship with the product, and a person's own in place of them
 * (docs/decisions/100-own-prompts.md).
 */
export interface PromptSource {
  /**
   * The text of `prompts/<name>.md`, front matter included. Throws UNEXPECTED when there is none,
   * PROMPT_REFUSED when a person's own can't be used.
   */
  read(name: string): Promise<PromptText>;
  /** Every file in the person's folder of prompts. */
  overrides(): Promise<readonly PromptOverride[]>;
  /** Every persona, what ships and a person's own, by id (docs/decisions/135-personas.md). */
  personas(): Promise<readonly PersonaEntry[]>;
}

/** A persona's file. `persona` is undefined, and `problem` says why, when it can't be used. */
export interface PersonaEntry {
  readonly id: string;
  readonly path: string;
  readonly isOwn: boolean;
  readonly persona: Persona | undefined;
  readonly problem: string;
}

/** A prompt file. `override`: the SHA-256 of the person's own file, if the text is from one. */
export interface PromptText {
  readonly text: string;
  readonly override?: string;
}

/** A person's own prompt file. `problem`: why it can't be used, or empty. */
export interface PromptOverride {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly problem: string;
}

// ── OpenCode ──────────────────────────────────────────────────────────────────

/** A session and the folder it works in, which OpenCode needs to find it. */
export interface SessionRef {
  readonly id: string;
  readonly directory: string;
}

/** One prompt: who is asked, with which tools, and what. */
export interface AgentRequest {
  /** `provider/model[@variant]`. */
  readonly member: string;
  readonly policy: ToolPolicy;
  readonly text: string;
  /** Stable content sent before `text`, so that provider caches can keep it. It is sent once in a session. */
  readonly stable?: string;
  /** A JSON schema by which the answer is to be written. The reply then says whether it was. */
  readonly schema?: AnswerSchema;
}

/** A JSON schema, as data. */
export type AnswerSchema = Readonly<Record<string, unknown>>;

/** An activity of an agent while it works, for people to watch. Nothing is proved by it. */
export type AgentActivity =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'tool'; readonly tool: string; readonly state: string; readonly title: string }
  | { readonly kind: 'retry'; readonly attempt: number; readonly message: string };

/** A request of an agent while it works. `asked` is its own id of the request. */
export interface AskedRequest {
  readonly asked: string;
  readonly content: RequestContent;
}

/** The limits and callbacks of a call. Aborting `signal` ends the call with `aborted`. */
export interface AgentCallOptions {
  readonly signal: AbortSignal;
  /**
   * Decides what the agent asks for; without it everything is refused at once. `withdrawn` is aborted when
   * the agent no longer waits. Undefined: there is no decision, and the agent continues to wait. The same
   * `asked` may come again in another process.
   */
  readonly onRequest?: (
    request: AskedRequest,
    withdrawn: AbortSignal,
  ) => Promise<RequestDecision | undefined>;
  readonly onActivity?: (activity: AgentActivity) => void;
  /**
   * Provider retries allowed before the call fails as `quota` (0 = the first one fails it), and the longest
   * retrying without progress.
   */
  readonly retryLimit: number;
  readonly retryGraceMs: number;
  /** Tokens that the call may use; beyond it ends as `capped`. Without it there is no limit. */
  readonly mostTokens?: number;
  /** US dollars at list prices that the call may cost, in the same way. */
  readonly mostCost?: number;
}

/** The outcome of a model call. Never thrown: failures are values. */
export type AgentReply =
  | {
      readonly ok: true;
      readonly text: string;
      readonly messageId: string;
      readonly usage: Usage;
      readonly tools: readonly ToolUse[];
      readonly truncated: boolean;
      /** The provider said that the model ended its answer by itself. */
      readonly stopped?: true;
      /** The text is the JSON value that the model wrote by the request's schema. */
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
 * The changes by a session's tools: the files that they name (relative to its folder), and the spans of time
 * in which others of them ran, which may change any file. `since`: when its first prompt came. Milliseconds
 * since 1970.
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
  /** The first 320 characters of its output or error. */
  readonly excerpt: string;
}

/**
 * `continuable`: asking the same session to continue makes sense (docs/decisions/038-provider-failures.md).
 */
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
    /** The session is longer than the model's context. */
    | 'overflow'
    /**
     * The agent made the same tool call again and again, or the model was asked again and again without one.
     */
    | 'loop'
    /** It used the tokens it was given. */
    | 'capped'
    /** A schema was asked for, and the model or its provider can't do that. */
    | 'unformatted';
  readonly message: string;
  readonly statusCode: number | null;
  readonly continuable: boolean;
  /** After how many milliseconds it is worth asking again, if the provider says so. */
  readonly retryAfterMs?: number;
}

/** The state of a session as its stored messages prove it. */
export type SessionLook =
  | { readonly state: 'missing' }
  /** No prompt was sent yet (stable messages without a call don't count). */
  | { readonly state: 'fresh' }
  /** Prompt number `prompts` is being worked on. */
  | { readonly state: 'busy'; readonly prompts: number }
  /** Prompt number `prompts` was answered (or failed). */
  | { readonly state: 'answered'; readonly prompts: number; readonly reply: AgentReply }
  /** Prompt number `prompts` was sent, isn't being worked on and has no answer: the server died. */
  | { readonly state: 'orphaned'; readonly prompts: number };

/**
 * OpenCode. Servers are started on first use and kept. Errors thrown: OPENCODE_MISSING, OPENCODE_VERSION,
 * OPENCODE_START_FAILED, OPENCODE_GONE.
 */
export interface Agent {
  /** `asks`: the agent may ask people, and is asked for a permission where it would be denied otherwise. */
  createSession(options: {
    readonly directory: string;
    readonly title: string;
    readonly policy: ToolPolicy;
    readonly asks?: boolean;
    /** The session may be asked for answers by a schema. */
    readonly structured?: boolean;
  }): Promise<SessionRef>;
  /**
   * Checks whether a model can be asked by a schema: `auto` as far as OpenCode says so, `on` unless it says
   * otherwise. Never with an OpenCode that can't give back the messages of such a session, nor after the
   * model failed to.
   */
  takesSchema(
    asked: { readonly member: string; readonly directory: string },
    wanted: 'auto' | 'on',
  ): Promise<boolean>;
  /**
   * Returns what a model takes in one request and what that costs, as far as OpenCode's catalogue says it.
   */
  modelFacts(asked: { readonly member: string; readonly directory: string }): Promise<ModelFacts>;
  /** Finds a session again by its exact title (which holds a nonce). */
  findSession(directory: string, title: string): Promise<SessionRef | undefined>;
  look(session: SessionRef): Promise<SessionLook>;
  /** Returns the changes by the session's tools; undefined if its messages are gone. */
  touched(session: SessionRef): Promise<Touched | undefined>;
  /** Returns the messages of the session, oldest first; undefined if they are gone. */
  transcript(session: SessionRef): Promise<readonly SessionMessage[] | undefined>;
  /** Sends one prompt and waits for its answer. The caller must `look` first. */
  prompt(session: SessionRef, request: AgentRequest, options: AgentCallOptions): Promise<AgentReply>;
  /** Waits for the answer to a prompt that this or an earlier process sent. */
  await(
    session: SessionRef,
    request: Pick<AgentRequest, 'member' | 'policy'>,
    options: AgentCallOptions,
  ): Promise<AgentReply>;
  /** Stops the session's work and confirms that it stopped. A missing session is no error. */
  abort(session: SessionRef): Promise<void>;
  /** Removes a session with its messages. A missing session is no error. */
  forget(session: SessionRef): Promise<void>;
  /** Lets the server forget a directory's state (memory), when its work is done. */
  release(directory: string): Promise<void>;
  /**
   * Starts what a session with this policy needs and answers before it has started, so that something else
   * can be done meanwhile. Why it can't be started is said where the session is created.
   */
  prepare(options: { readonly directory: string; readonly policy: ToolPolicy }): void;
  /**
   * The models of the connected providers, as `provider/model`. `worktree`, which needn't exist yet: a server
   * that is started is the one that plans there.
   */
  models(worktree?: string): Promise<readonly string[]>;
  health(): Promise<{ readonly version: string; readonly url: string }>;
  /** Ends the servers this process may end (all, unless `keep`). */
  stop(options?: { readonly keep?: boolean }): Promise<void>;
}

// ── commands, files, forge ────────────────────────────────────────────────────

/**
 * Runs approved command texts as `/bin/sh -c TEXT` (the only shell there is). Never throws for a failing
 * command.
 */
export interface CommandRunner {
  /**
   * The reason why commands run without a sandbox (docs/decisions/105-the-box.md); undefined where they have
   * one.
   */
  readonly unboxed?: SandboxGap | undefined;
  run(
    command: string,
    options: {
      readonly cwd: string;
      readonly wrapper?: string;
      readonly timeoutMs: number;
      readonly signal?: AbortSignal;
      /**
       * The variables that a person allowed, beside the usual environment. None of it is ever part of the
       * evidence.
       */
      readonly allowed?: CommandSecrets;
      /** Default: a sandbox that belongs to no ticket, with nothing but `cwd`. */
      readonly box?: CommandBox;
    },
  ): Promise<Evidence>;
}

/**
 * The sandbox of a command, as far as work on tickets knows it. `worktree`: the ticket's, which a command
 * elsewhere can read. `network`: what the command does that needs one; commands that share services with
 * others meet them there.
 */
export interface CommandBox {
  readonly ticket: string;
  readonly worktree: string;
  readonly network: 'none' | 'install' | 'services';
  /** It has the folders of the ticket's proofs, and not those of its agents. */
  readonly isProof?: boolean;
}

/**
 * `variables`: names whose values the command gets from the driver's environment. `files`: paths below `cwd`
 * whose content is private.
 */
export interface CommandSecrets {
  readonly variables: readonly string[];
  readonly files: readonly string[];
}

/**
 * `.ticket/` of a worktree: a projection for people and tools, never read back for prompts. Paths are
 * relative to the worktree.
 */
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

/** The place where pull requests are published. */
export interface Forge {
  readonly name: string;
  /** Publishes (or updates) the pull request of a branch; answers where it is. */
  publish(pullRequest: {
    readonly ticket: string;
    readonly title: string;
    readonly body: string;
    readonly branch: string;
    readonly base: string;
    readonly commit: string;
  }): Promise<{ readonly location: string }>;
  find(ticket: string): Promise<{ readonly location: string; readonly commit: string } | undefined>;
}
