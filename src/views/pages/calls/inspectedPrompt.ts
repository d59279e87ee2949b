import { l10n } from 'vscode';
import { joined } from '../../../base/joined.ts';
import { type LeftOutReason, notIncluded } from '../../../context/notIncluded.ts';
import type { SectionName } from '../../../context/sections.ts';
import { type BreakKind, tellingMisses } from '../../../domain/promptCache/cacheHistory.ts';
import { dueWish, PromptChoices, type StandingRule } from '../../../domain/prompts/promptChoices.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Client } from '../../../protocol/api.ts';
import type { InspectedCall, InspectedPart } from '../../../protocol/inspection.ts';
import { readArtifact, readDocument } from '../../../protocol/readDocument.ts';
import type { InspectedPrompt } from '../../../protocol/pages/inspection.ts';
import { PromptPreviewReceipt } from '../../../domain/workflow/receipts.ts';

const mostOthers = 20;

/**
 * See docs/decisions/147-what-models-were-sent.md. Throws STATUS_CONFLICT for a call that isn't there any
 * more.
 */
export async function inspectedPrompt(client: Client, ticket: string, id: string): Promise<InspectedPrompt> {
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
    parts: parts.map(
      ({ name, kind, stability, demoted = false, pinned = false, tokens, sha256, changedAt, ...states }) => ({
        name,
        kind: kindText(kind),
        included: includedText({ name, kind }),
        stability,
        tokens,
        hash: sha256.slice(0, 8),
        changedAt,
        ...(pinned ? { kind: l10n.t('{0}, pinned by you', kindText(kind)) } : {}),
        ...(demoted ? { kind: l10n.t('{0}, changes often: moved one class later', kindText(kind)) } : {}),
        ...states,
      }),
    ),
    frameTokens,
    budget: plan.budget,
    cost: cost && { ...cost },
    calibration: calibration && { ...calibration },
    predicted: predicted.tokens,
    reported,
    why: breakText(call),
    warning: warningText(call),
    reductions: plan.reductions.map(({ name, action, tokensBefore, tokensAfter }) =>
      action !== 'shrunk'
        ? l10n.t('{0} was left out: {1} tokens', name, tokensBefore)
        : l10n.t('{0} was shortened from {1} to {2} tokens', name, tokensBefore, tokensAfter),
    ),
    decided: (choices?.rules ?? []).map(decidedText),
    left: leftOut(call),
    others: others.slice(0, mostOthers).map((one) => ({ id: one.id, label: otherText(one) })),
  };
}

function decidedText({ part, rule, bead }: StandingRule): string {
  if (bead !== null)
    return rule === 'pin'
      ? l10n.t('{0} is kept whole in prompts about {1}.', part, bead)
      : l10n.t('{0} is left out of prompts about {1}.', part, bead);
  return rule === 'pin'
    ? l10n.t('{0} is kept whole in later prompts.', part)
    : l10n.t('{0} is left out of later prompts.', part);
}

function otherText({ member, bead, iteration, startedAt }: InspectedCall): string {
  const place = bead === null ? '' : l10n.t('{0}, iteration {1}', bead, iteration ?? 0);
  return joined([place, member, new Date(startedAt).toLocaleString()]);
}

function leftOut({ plan }: InspectedCall): InspectedPrompt['left'] {
  const groups = Map.groupBy(notIncluded(plan), ({ reason }) => reason);
  return [...groups].map(([reason, ones]) => ({
    reason: reasonText(reason),
    names: ones.map(({ name }) => name),
  }));
}

function reasonText(reason: LeftOutReason): string {
  const texts: Readonly<Record<LeftOutReason, string>> = {
    excluded: l10n.t('Left out by you'),
    dropped: l10n.t('Left out because the prompt exceeded its budget'),
    empty: l10n.t('Empty'),
    denied: l10n.t('Never sent to a reviewer'),
    'not-allowed': l10n.t('Not sent with calls of this kind'),
  };
  return texts[reason];
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

function breakText({ predicted: { kind, culprit, culpritTokens, after } }: InspectedCall): string {
  const name = culprit ?? '';
  const texts: Readonly<Record<BreakKind, string>> = {
    none: '',
    unknown: l10n.t('It isn’t known how this provider caches prompts, so nothing is predicted.'),
    'first-call': l10n.t('First call of this kind with this model, so nothing can be in the cache.'),
    'model-changed': l10n.t('Earlier calls used another model, so nothing can be in the cache.'),
    'ttl-expired': l10n.t('The last call with the same prefix was too long ago.'),
    'too-short': l10n.t('The shared prefix is too short for the cache.'),
    'tools-changed': l10n.t('The tools changed, so nothing after them is in the cache.'),
    'system-changed': l10n.t('The agent’s own text changed, so nothing after it is in the cache.'),
    'content-changed': l10n.t(
      '“{0}” changed ({1} tokens); the {2} tokens after it aren’t in the cache.',
      name,
      culpritTokens,
      after,
    ),
    'slice-added': l10n.t(
      '“{0}” was added ({1} tokens); the {2} tokens after it aren’t in the cache.',
      name,
      culpritTokens,
      after,
    ),
    'slice-removed': l10n.t(
      '“{0}” was removed ({1} tokens); the {2} tokens after it aren’t in the cache.',
      name,
      culpritTokens,
      after,
    ),
    'slice-moved': l10n.t(
      '“{0}” moved ({1} tokens); the {2} tokens after it aren’t in the cache.',
      name,
      culpritTokens,
      after,
    ),
  };
  return texts[kind];
}

function warningText({ isProviderMiss, providerMisses }: InspectedCall): string {
  if (!isProviderMiss) return '';
  return providerMisses < tellingMisses
    ? l10n.t('The provider reported no cache hits, although the prefix was sent before.')
    : l10n.t(
        'The provider reported no cache hits for {0} consecutive calls, although their prefix was sent before.',
        providerMisses,
      );
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
