import * as z from 'zod';
import { isCut } from '../domain/ticket/agentRequest.ts';
import { approvedTogether } from '../domain/documents/workDocuments.ts';
import { BeadsmithError, invalidInput } from '../domain/core/errors.ts';
import { inboxBodies, type InboxBody, type InboxKind } from '../domain/ticket/inbox.ts';
import { completeSettings, type Settings } from '../domain/settings/settings.ts';
import { DraftEdit, type Ticket } from '../domain/ticket/ticket.ts';
import { rewindTarget } from '../domain/documents/moves.ts';
import { roleOf } from '../domain/workflow/roles.ts';
import { rowOf, sequence } from '../domain/workflow/workflow.ts';
import type { Git, PromptSource } from '../engine/ports/ports.ts';

/** A union over kinds, so that `kind` determines the type of `body`. */
type CheckedAction = { [K in InboxKind]: { readonly kind: K; readonly body: InboxBody<K> } }[InboxKind];

const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/u;

/** Checks the body of an inbox entry. Throws INVALID_INPUT with the place. */
export function checkBody(ticket: Ticket, kind: InboxKind, body: unknown): CheckedAction {
  const what = `What was sent with "${kind.replaceAll('_', ' ')}"`;
  const result = inboxBodies[kind].safeParse(body);
  if (!result.success) throw invalidInput(what, z.prettifyError(result.error));
  const place = controlCharacterIn(result.data);
  if (place !== undefined)
    throw invalidInput(what, `control characters aren't allowed → at ${place || 'the text'}`);
  const checked = { kind, body: result.data } as CheckedAction;
  if (checked.kind === 'start') {
    const settings = wholeSettings(checked.body.settings);
    checkLoop(ticket, settings, checked.body.loop);
    return { kind: 'start', body: { ...checked.body, settings } };
  }
  if (
    (checked.kind === 'question_reply' || checked.kind === 'permission_reply') &&
    checked.body.request !== ticket.hold?.request?.id
  )
    throw new BeadsmithError('REQUEST_GONE');
  if (checked.kind === 'permission_reply' && checked.body.allow && isCut(ticket.hold?.request?.content))
    throw new BeadsmithError('REQUEST_CUT');
  if (checked.kind === 'question_reply') checkAnswers(ticket, checked.body);
  if (checked.kind === 'edit') {
    if (roleOf(ticket.status) === 'draft') checkDraftEdit(checked.body);
    else checkReach(ticket, checked.body);
  }
  return checked;
}

function wholeSettings(settings: unknown): InboxBody<'start'>['settings'] {
  try {
    return completeSettings(settings);
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw invalidInput('The settings', reason);
  }
}

/** Only a loop has test commands instead of a plan. */
function checkLoop({ description }: Ticket, { depth }: Settings, loop: InboxBody<'start'>['loop']): void {
  const what = 'The start';
  if (depth !== 'loop') {
    if (loop) throw invalidInput(what, `a ticket of depth ${depth} isn't a loop`);
    return;
  }
  if (!loop) throw invalidInput(what, 'a loop needs test commands, or a reason why there are none');
  if (description.trim() === '') throw invalidInput(what, 'a loop needs a prompt, as its description');
}

/** Each question gets an answer, or none of them. */
function checkAnswers({ hold }: Ticket, { answers }: InboxBody<'question_reply'>): void {
  const content = hold?.request?.content;
  if (answers === null || content?.kind !== 'question') return;
  const what = 'The answer';
  const wanted = content.questions.length;
  if (answers.length !== wanted)
    throw invalidInput(what, `there are ${String(wanted)} questions and ${String(answers.length)} answers`);
  const empty = answers.findIndex((texts) => texts.every((text) => text.trim() === ''));
  if (empty >= 0) throw invalidInput(what, `question ${String(empty + 1)} has no answer`);
}

/** An edit is for a future gate, or rewinds. */
function checkReach(ticket: Ticket, { artifact }: InboxBody<'edit'>): void {
  if (
    rowOf(ticket.status).actions.edit?.rewinds === undefined ||
    rewindTarget(ticket, artifact) !== undefined
  )
    return;
  const ahead = roleOf(ticket.status) === 'blocked' ? [] : sequence.from(ticket.status);
  if (ahead.some((status) => approvedTogether(status).some((kind) => kind === artifact))) return;
  throw invalidInput(
    `An edit of ${artifact}`,
    `it can't be edited while the ticket is in "${rowOf(ticket.status).label}"`,
  );
}

function checkDraftEdit(edit: InboxBody<'edit'>): void {
  const what = 'The edited ticket';
  if (edit.artifact !== 'ticket') throw invalidInput(what, `a draft has no ${edit.artifact} yet`);
  let content: unknown;
  try {
    content = JSON.parse(edit.content);
  } catch {
    throw invalidInput(what, 'its content must be JSON with "title" and "description"');
  }
  const result = DraftEdit.partial().strict().safeParse(content);
  if (!result.success) throw invalidInput(what, z.prettifyError(result.error));
}

function controlCharacterIn(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return controlCharacters.test(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const place = controlCharacterIn(item, path ? `${path}.${key}` : key);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Throws PROMPT_REFUSED for the first unusable own prompt. */
export async function checkPrompts(prompts: PromptSource): Promise<void> {
  const refused = (await prompts.overrides()).find(({ problem }) => problem !== '');
  if (refused) throw new BeadsmithError('PROMPT_REFUSED', { path: refused.path, reason: refused.problem });
}

/**
 * The named base branch, or an unambiguous default that isn't behind origin
 * (docs/decisions/075-base-branch.md). Throws NO_COMMITS and BASE_BRANCH_*.
 */
export async function checkStart(git: Git, start: Pick<InboxBody<'start'>, 'baseBranch'>): Promise<string> {
  const name = start.baseBranch ?? (await git.defaultBranch());
  const base = name === undefined ? undefined : await git.base(name);
  if (!base && !(await git.repository()).hasCommits) throw new BeadsmithError('NO_COMMITS');
  const branches = async (): Promise<string> => (await git.branches()).slice(0, 20).join(', ') || 'none';
  if (name === undefined) throw new BeadsmithError('BASE_BRANCH_OPEN', { branches: await branches() });
  if (!base)
    throw new BeadsmithError('BASE_BRANCH_MISSING', {
      branch: name.replace(/\p{C}/gu, '?'),
      branches: await branches(),
    });
  if (start.baseBranch === undefined && base.behind > 0)
    throw new BeadsmithError('BASE_BRANCH_BEHIND', { branch: base.branch, behind: base.behind });
  return name;
}
