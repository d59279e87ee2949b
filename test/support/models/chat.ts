import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { framePart } from '../../../src/context/partRow.ts';
import { ChatRequest } from '../../../src/demo/script/parsedChat.ts';

const prompts = join(import.meta.dirname, '../../../prompts');

/** The file's body, then its parts in fences. */
export function prompt(name: string, parts: Readonly<Record<string, string>> = {}): string {
  const body = readFileSync(join(prompts, `${name}.md`), 'utf8').replace(/^---[\s\S]*?\n---\n/, '');
  return [
    body.trimEnd(),
    ...Object.entries(parts).map(([part, content]) => framePart({ name: part, content })),
  ].join('\n\n');
}

export type Turn =
  | string
  | { readonly says: string }
  | { readonly calls: string; readonly args?: Record<string, unknown>; readonly output: string };

const system = 'You are an agent.\n<env>\n  Working directory: /repo/here\n</env>';

/** Texts are the user's; the rest is what the model did. */
export function chat(
  turns: readonly Turn[],
  options: { readonly model?: string; readonly tools?: readonly string[] } = {},
): ChatRequest {
  const messages = turns.flatMap((turn, index): unknown[] => {
    if (typeof turn === 'string') return [{ role: 'user', content: [{ type: 'text', text: turn }] }];
    if ('says' in turn) return [{ role: 'assistant', content: turn.says }];
    const id = `call_${String(index)}`;
    return [
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          {
            id,
            type: 'function',
            function: { name: turn.calls, arguments: JSON.stringify(turn.args ?? {}) },
          },
        ],
      },
      { role: 'tool', tool_call_id: id, content: turn.output },
    ];
  });
  return ChatRequest.parse({
    model: options.model ?? 'alpha',
    messages: [{ role: 'system', content: system }, ...messages],
    tools: (options.tools ?? []).map((name) => ({ type: 'function', function: { name, parameters: {} } })),
    stream: true,
  });
}

export const ticketPart = 'ABC-1: Add a thing\n\nIt must:\n- do this\n- do that too\n';
