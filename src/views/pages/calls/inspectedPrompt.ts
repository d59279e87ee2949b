import { l10n } from 'vscode';
import { joined } from '../../../base/joined.ts';
import { leftOutTexts, notIncluded, reductionText } from '../../../context/notIncluded.ts';
import type { SectionName } from '../../../context/sections.ts';
import { breakText, missedText } from '../../../domain/promptCache/breakText.ts';
import { dueWish, PromptChoices, ruleText } from '../../../domain/prompts/promptChoices.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Client } from '../../../protocol/api.ts';
import type { InspectedCall, InspectedPart } from '../../../protocol/inspection.ts';
import { readArtifact, readDocument } from '../../../protocol/readDocument.ts';
import { words } from '../../shared/errorText.ts';
import type { Given } from '../../../protocol/pages/frame.ts';
import type { InspectedPrompt } from '../../../protocol/pages/inspection.ts';
import { PromptPreviewReceipt } from '../../../domain/workflow/receipts.ts';

const mostOthers = 20;

/**
 * See docs/decisions/147-what-models-were-sent.md. Throws STATUS_CONFLICT for a call that isn't there any
 * more.
 */
export async function inspectedPrompt(
  client: Client,
  ticket: string,
  id: string,
): Promise<Given<InspectedPrompt>> {
  const [calls, choices] = await Promise.all([
    client.history.inspect(ticket),
    readArtifact(client, ticket, 'prompt_choices', PromptChoices),
  ]);
  const call = calls.find((one) => one.id === id);
  if (!call) throw new BeadsmithError('STATUS_CONFLICT');
  const { parts, frameTokens, cost, calibration, plan, predicted, reported } = call;
  const same = calls.filter(({ prompt }) => prompt === call.prompt);
  const at = same.indexOf(call);
  // The one before is what a person compares with first.
  const others = [...same.slice(0, at).toReversed(), ...same.slice(at + 1)];
  return {
    parts: parts.map((part) => ({
      ...part,
      kind: kindOf(part),
      included: includedText(part),
      hash: part.sha256.slice(0, 8),
    })),
    frameTokens,
    budget: plan.budget,
    cost,
    calibration,
    predicted: predicted.tokens,
    reported,
    why: breakText(call, words),
    warning: missedText(call, words),
    reductions: plan.reductions.map((one) => reductionText(one, words)),
    decided: (choices?.rules ?? []).map((rule) => ruleText(rule, words)),
    left: leftOut(call),
    others: others.slice(0, mostOthers).map((one) => ({ id: one.id, label: otherText(one) })),
  };
}

function otherText({ member, bead, iteration, startedAt }: InspectedCall): string {
  const place = bead === null ? '' : l10n.t('{0}, iteration {1}', bead, iteration ?? 0);
  return joined([place, member, new Date(startedAt).toLocaleString()]);
}

function leftOut({ plan }: InspectedCall): InspectedPrompt['left'] {
  const groups = Map.groupBy(notIncluded(plan), ({ reason }) => reason);
  return [...groups].map(([reason, ones]) => ({
    reason: l10n.t(leftOutTexts[reason]),
    names: ones.map(({ name }) => name),
  }));
}

function kindOf({ kind, demoted, pinned }: InspectedPart): string {
  if (demoted) return l10n.t('{0}, changes often: moved one class later', kindText(kind));
  return pinned ? l10n.t('{0}, pinned by you', kindText(kind)) : kindText(kind);
}

function kindText(kind: InspectedPart['kind']): string {
  const texts: Readonly<Record<InspectedPart['kind'], string>> = {
    slice: l10n.t('slice'),
    section: l10n.t('section'),
    instructions: l10n.t('instructions'),
    conversation: l10n.t('conversation so far'),
  };
  return texts[kind];
}

const ofPeople: readonly string[] = ['user_context', 'added_context'] satisfies readonly SectionName[];

function includedText({ name, kind }: Pick<InspectedPart, 'name' | 'kind'>): string {
  const texts: Readonly<Record<InspectedPart['kind'], string>> = {
    slice: l10n.t('Allowed for calls of this kind'),
    section: ofPeople.includes(name) ? l10n.t('Added by you') : l10n.t('Belongs to this task'),
    instructions: l10n.t('Included in every call'),
    conversation: l10n.t('Sent earlier in the same session'),
  };
  return texts[kind];
}

/** See docs/decisions/157-people-choose-what-later-prompts-hold.md. */
export async function isPreviewDue(client: Client, ticket: string): Promise<boolean> {
  const choices = await readArtifact(client, ticket, 'prompt_choices', PromptChoices);
  return (
    choices !== undefined &&
    choices.preview !== null &&
    dueWish(choices, await newestReceipt(client, ticket)) !== null
  );
}

/** The attempt that wrote the receipt last may be archived. */
async function newestReceipt(client: Client, ticket: string): Promise<PromptPreviewReceipt | undefined> {
  const type = 'prompt_preview_receipt';
  const versions = (await client.artifacts(ticket))
    .filter((info) => info.type === type)
    .map(({ version }) => version);
  if (versions.length === 0) return undefined;
  const stored = await client.artifact(ticket, type, Math.max(...versions));
  return stored && PromptPreviewReceipt.safeParse(await readDocument(stored.content)).data;
}
