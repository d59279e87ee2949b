import { isAbsolute, join } from 'node:path';
import type { Conversation } from './conversation.ts';
import { beadFacts } from './generic/execution.ts';
import { genericPlan } from './generic/genericPlan.ts';
import { fullAnswers, nextBatch } from './generic/interview.ts';
import type { Fault, ModelScript, ScriptCase } from './modelScript.ts';
import type { Plan, TimedMove, ToolCall } from './plan.ts';
import { say } from './plan.ts';

/**
 * The scripted model's next move. It follows from the conversation alone: the tool results since the last prompt say how far the plan has come,
 * so that a killed and repeated request gets the same answer.
 */
export function answer(conversation: Conversation, script?: ModelScript): TimedMove | { readonly kind: 'fault'; readonly fault: Fault } {
  const played = script?.tasks[conversation.task]?.find((candidate) => applies(candidate, conversation));
  if (played?.fault) return { kind: 'fault', fault: played.fault };
  const { calls, text } = planOf(conversation, script, played);
  const possible = conversation.repair ? [] : calls.filter(({ tool }) => conversation.tools.has(tool));
  const call = possible[conversation.results.length];
  const thinks = played?.delayMs === undefined ? {} : { delayMs: played.delayMs };
  return call ? { kind: 'call', call: inDirectory(call, conversation.directory), ...thinks } : { kind: 'text', text, ...thinks };
}

function planOf(conversation: Conversation, script: ModelScript | undefined, played: ScriptCase | undefined): Plan {
  if (played) return { calls: played.calls, text: played.text ?? genericPlan(conversation).text };
  if (script && (conversation.task === 'interview-qa' || conversation.task === 'interview-answers'))
    return say(nextBatch(conversation, script.questions));
  if (script && conversation.task === 'full-answers') return say(fullAnswers(conversation, script.fullAnswers));
  return genericPlan(conversation);
}

function applies({ when }: ScriptCase, conversation: Conversation): boolean {
  const { continuation } = conversation;
  if (when.model !== undefined && when.model !== conversation.model) return false;
  if (when.repair !== undefined && when.repair !== conversation.repair) return false;
  if (typeof when.continuation === 'number' && when.continuation !== continuation) return false;
  if (typeof when.continuation === 'object' && continuation < when.continuation.atLeast) return false;
  if (when.bead !== undefined || when.iteration !== undefined) {
    const bead = beadFacts(conversation);
    if (when.bead !== undefined && when.bead !== bead.id) return false;
    if (when.iteration !== undefined && when.iteration !== bead.iteration) return false;
  }
  if (when.part === undefined) return true;
  const part = conversation.parts.get(when.part) ?? '';
  return (when.has === undefined || part.includes(when.has)) && (when.lacks === undefined || !part.includes(when.lacks));
}

/** OpenCode wants absolute paths; scripts are written for any place. */
function inDirectory({ tool, args }: ToolCall, directory: string | undefined): ToolCall {
  const path = args['filePath'];
  if (directory === undefined || typeof path !== 'string' || isAbsolute(path)) return { tool, args };
  return { tool, args: { ...args, filePath: join(directory, path) } };
}
