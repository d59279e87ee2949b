/** A call of one of the tools that OpenCode offers, with its own argument names. Paths are relative to the worktree. */
export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a model does about a prompt: these tool calls one after the other, then this text. */
export interface Plan {
  readonly calls: readonly ToolCall[];
  readonly text: string;
}

/** The next thing a model says. */
export type Move = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'call'; readonly call: ToolCall };

/** A move, and how long the model thinks about it. */
export type TimedMove = Move & { readonly delayMs?: number };

/** A plan without tools. */
export function say(text: string): Plan {
  return { calls: [], text };
}
