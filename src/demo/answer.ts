import { isAbsolute, join } from 'node:path';
import { audit, genericPlan } from './generic/genericPlan.ts';
import { beadFacts, codingReport } from './generic/execution.ts';
import { fullAnswers, nextBatch } from './generic/interview.ts';
import {
  type Fault,
  type ModelScript,
  type ScriptCase,
  type Plan,
  type TimedMove,
  type ToolCall,
  say,
} from './script/modelScript.ts';
import { yamlFence } from './script/documentText.ts';
import type { ParsedChat } from './script/parsedChat.ts';

/** From the chat alone: a repeated request gets the same answer. */
export function answer(
  chat: ParsedChat,
  script?: ModelScript,
): TimedMove | { readonly kind: 'fault'; readonly fault: Fault } {
  const played = script?.tasks[chat.task]?.find((candidate) => applies(candidate, chat));
  if (played?.fault) return { kind: 'fault', fault: played.fault };
  const { calls, text } = planOf(chat, script, played);
  const possible = chat.repair
    ? []
    : calls.filter(({ tool }) => played?.forced === true || chat.tools.has(tool));
  const call = possible[chat.results.length];
  const thinks = played?.delayMs === undefined ? {} : { delayMs: played.delayMs };
  if (call) return { kind: 'call', call: inDirectory(call, chat.directory), ...thinks };
  return {
    kind: 'text',
    text: withNonce(acknowledged(chat, text), chat.parts.get(noncePart)?.trim()),
    ...thinks,
  };
}

function planOf(chat: ParsedChat, script: ModelScript | undefined, played: ScriptCase | undefined): Plan {
  if (played?.gaps) return say(audit(chat, played.gaps));
  if (played) return { calls: played.calls, text: playedText(chat, played) ?? genericPlan(chat).text };
  if (script && (chat.task === 'interview-qa' || chat.task === 'interview-answers'))
    return say(nextBatch(chat, script));
  if (script && chat.task === 'full-answers') return say(fullAnswers(chat, script.fullAnswers));
  return genericPlan(chat);
}

function playedText(chat: ParsedChat, { text, answer: data, report }: ScriptCase): string | undefined {
  if (data !== undefined) return yamlFence(data);
  if (report === undefined) return text;
  const said = codingReport(beadFacts(chat), report.files, report.failing);
  return text === undefined ? said : `${text}\n\n${said}`;
}

function applies({ when }: ScriptCase, chat: ParsedChat): boolean {
  const { continuation } = chat;
  if (when.model !== undefined && when.model !== chat.model) return false;
  if (when.repair !== undefined && when.repair !== chat.repair) return false;
  if (typeof when.continuation === 'number' && when.continuation !== continuation) return false;
  if (typeof when.continuation === 'object' && continuation < when.continuation.atLeast) return false;
  if (when.bead !== undefined || when.iteration !== undefined) {
    const bead = beadFacts(chat);
    if (when.bead !== undefined && when.bead !== bead.id) return false;
    if (when.iteration !== undefined && when.iteration !== bead.iteration) return false;
  }
  if (when.part === undefined) return true;
  const part = chat.parts.get(when.part) ?? '';
  return (
    (when.has === undefined || part.includes(when.has)) &&
    (when.lacks === undefined || !part.includes(when.lacks))
  );
}

/** A coder names the context entries that it got, as its prompt asks. */
function acknowledged({ task, parts }: ParsedChat, text: string): string {
  if (task !== 'coding') return text;
  const ids = [...(parts.get('added_context') ?? '').matchAll(/^\[([^\]\s]+)\] /gm)].map(([, id]) => id);
  return ids.length === 0
    ? text
    : text.replace('</DEV_RECORD>', `context_acknowledged: ${JSON.stringify(ids)}\n</DEV_RECORD>`);
}

/** OpenCode wants absolute paths. */
function inDirectory({ tool, args }: ToolCall, directory: string | undefined): ToolCall {
  const path = args['filePath'];
  if (directory === undefined || typeof path !== 'string' || isAbsolute(path)) return { tool, args };
  return { tool, args: { ...args, filePath: join(directory, path) } };
}

export const noncePart = 'report_nonce';
const placeholder = '{{nonce}}';

/** Inserts the nonce, which scripts can't know, at `{{nonce}}` or in each block without one. */
export function withNonce(text: string, nonce: string | undefined): string {
  if (nonce === undefined || nonce === '') return text;
  if (text.includes(placeholder)) return text.replaceAll(placeholder, nonce);
  if (/\bnonce\W{0,6}:/i.test(text)) return text;
  return text
    .replaceAll(/^([ \t]*)((?:\*\*)?bead_id(?:\*\*)?:)/gm, `$1nonce: ${nonce}\n$1$2`)
    .replaceAll(/([{,]\s*)("bead_id"\s*:)/g, `$1"nonce": "${nonce}", $2`);
}
