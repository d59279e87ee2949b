import type { SessionMessage } from '../../../domain/conversation/turns.ts';
import type { StoredMessage } from './storedMessages.ts';

/**
 * Returns the messages of a session, as far as OpenCode still has them: texts, and tools with their results.
 * Reasoning isn't sent again, so it is left out.
 */
export function transcriptOf(messages: readonly StoredMessage[]): readonly SessionMessage[] {
  return messages.map(({ info, parts }) => {
    const tools = parts.flatMap(({ tool, callID, state }) =>
      tool === undefined || callID === undefined
        ? []
        : [{ id: callID, tool, about: state?.title ?? '', output: state?.output ?? state?.error }],
    );
    return {
      role: info.role,
      text: parts
        .flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
        .join('\n'),
      calls: tools.map(({ id, tool, about }) => ({ id, tool, about })),
      results: tools.flatMap(({ id, output }) => (output === undefined ? [] : [{ id, output }])),
    };
  });
}
