import * as z from 'zod';

/** A message of a session. A call and its result share an id. */
export interface SessionMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly about: string }[];
  readonly results: readonly { readonly id: string; readonly output: string }[];
}

/** A model's text, or its tool call; `output`: null without a result. */
export const Said = z.union([
  z.object({ text: z.string() }),
  z.object({ tool: z.string(), about: z.string(), output: z.string().nullable() }),
]);
export type Said = z.infer<typeof Said>;

/** A turn: a question, and all that followed until the next one. */
export const Turn = z.object({ asked: z.string(), said: z.array(Said) });
export type Turn = z.infer<typeof Turn>;

/** `earlier_turns:<session>`: turns before a replacement session, oldest first. */
export const EarlierTurns = z.object({ schema_version: z.literal(1), turns: z.array(Turn) });

/**
 * The turns of a session (docs/decisions/156-long-conversations.md). Orphan results and empty texts are
 * dropped. A turn begins only at a user's message, so results stay with their calls.
 */
export function turnsOf(messages: readonly SessionMessage[]): readonly Turn[] {
  const outputs = new Map(
    messages.flatMap(({ results }) => results.map(({ id, output }) => [id, output] as const)),
  );
  const seen = new Set<string>();
  const turns: { asked: string; said: Said[] }[] = [];
  for (const { role, text, calls } of messages) {
    const last = turns.at(-1);
    if (role === 'user') {
      // Two messages in a row are one question: the part that all sessions share is sent ahead.
      if (last?.said.length === 0) last.asked = [last.asked, text].filter((one) => one !== '').join('\n\n');
      else if (text.trim() !== '') turns.push({ asked: text, said: [] });
      continue;
    }
    const open = last ?? { asked: '', said: [] };
    if (text.trim() !== '') open.said.push({ text });
    for (const { id, tool, about } of calls) {
      if (seen.has(id)) continue;
      seen.add(id);
      open.said.push({ tool, about, output: outputs.get(id) ?? null });
    }
    if (!last && open.said.length > 0) turns.push(open);
  }
  return turns;
}

/** A turn as text. `masked`: tool outputs are left out, and said to be. */
export function turnText(
  { asked, said }: Turn,
  number: number,
  { masked }: { readonly masked: boolean },
): string {
  const lines = said.map((one) => ('text' in one ? one.text : toolText(one, masked)));
  return [
    `### Turn ${String(number)}`,
    `You were told:\n${asked}`,
    ...(lines.length === 0 ? [] : [`You answered:\n${lines.join('\n')}`]),
  ].join('\n\n');
}

function toolText(
  { tool, about, output }: Extract<Said, { readonly tool: string }>,
  masked: boolean,
): string {
  const used = `[${[tool, about].filter((word) => word !== '').join(' ')}]`;
  if (output === null) return `${used} gave no result.`;
  if (masked) return `${used} gave ${String(output.length)} characters, which are left out here.`;
  return `${used} gave:\n${output}`;
}
