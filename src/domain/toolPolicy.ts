import * as z from 'zod';

/**
 * What an agent may do in a session (LoopTroop 14.2). Each policy is an OpenCode agent of its own, so that a denied tool isn't even offered.
 * `disabled`: no tool. `read_only`: look at files. `default`: edit and run commands, no web. `execution_setup_online`: the same and the web.
 */
export const ToolPolicy = z.enum(['disabled', 'read_only', 'default', 'execution_setup_online']);
export type ToolPolicy = z.infer<typeof ToolPolicy>;
