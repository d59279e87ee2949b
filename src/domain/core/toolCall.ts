import * as z from 'zod';
import { RelativePath } from './ids.ts';

/** An entry of an agent's own list. */
const Todo = z.object({ text: z.string(), state: z.enum(['open', 'active', 'done', 'dropped']) });
export type Todo = z.infer<typeof Todo>;

/**
 * A tool call of an agent, or a command of the engine, for display: bounded and without secrets. `path`: in
 * the worktree. `about`: what else it is about. `output`: its end. `added`, `deleted`: lines. `todos`: the
 * agent's list from here on. `isOnBase`: a check without the changes, where a failure is no problem.
 */
export const ToolCall = z.object({
  tool: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  path: RelativePath.optional(),
  about: z.string().optional(),
  command: z.string().optional(),
  output: z.string().optional(),
  added: z.number().int().optional(),
  deleted: z.number().int().optional(),
  todos: z.array(Todo).optional(),
  isOnBase: z.boolean().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;
