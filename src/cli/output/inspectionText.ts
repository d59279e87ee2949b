import { joined } from '../../base/joined.ts';
import { filled, invalidInput } from '../../domain/core/errors.ts';
import { breakText, missedText } from '../../domain/promptCache/breakText.ts';
import {
  missesText,
  type ProviderThatMisses,
  providersThatMiss,
} from '../../domain/promptCache/providersThatMiss.ts';
import { type LeftOut, leftOutTexts, notIncluded, reductionText } from '../../context/notIncluded.ts';
import { calibrationTexts, type InspectedCall, type InspectedPart } from '../../protocol/inspection.ts';
import { oneLine, tableText } from '../base/output.ts';
import { createTwoFilesPatch } from 'diff';
import type { CallTexts } from '../../protocol/history.ts';

export function callsText(calls: readonly InspectedCall[]): string {
  if (calls.length === 0) return 'No model calls yet.';
  const table = [
    [
      'call',
      'prompt',
      'model',
      'for',
      'estimated',
      'reported',
      'predicted from cache',
      'from cache',
      'US$',
      'why no more',
    ],
    ...calls.map((call, index) => [
      String(index + 1),
      oneLine(call.prompt, 40),
      oneLine(call.member, 40),
      oneLine(placeText(call), 40),
      figure(sumOf(call.parts)),
      figure(call.reported?.prompt),
      figure(call.predicted.tokens),
      figure(call.reported?.cacheRead),
      costText(call.cost),
      oneLine(whyText(call), 60),
    ]),
  ];
  return [
    tableText(table, [0, 4, 5, 6, 7, 8]),
    ...listPriceLine(calls),
    ...providersThatMiss(calls).map(providerMissText),
  ].join('\n');
}

export function callText(call: InspectedCall): string {
  const total = sumOf(call.parts);
  const rows = call.parts.map((part, index) => partRow(part, index, total));
  const { reported, frameTokens, cost, plan } = call;
  const table = [
    ['', 'part', 'kind', 'class', 'tokens', 'share', 'US$', 'hash', 'since', 'predicted', 'reported'],
    ...rows,
    ['', 'tools, agent and difference', '', '', figure(frameTokens), '', dollars(cost?.frame)],
    ...(cost && cost.later !== 0
      ? [['', 'requests after the first one', '', '', '', '', dollars(cost.later)]]
      : []),
    ...(cost ? [['', 'answer', '', '', '', '', dollars(cost.output)]] : []),
    [
      '',
      'total',
      '',
      '',
      figure(reported?.prompt ?? total),
      '',
      costText(cost),
      '',
      '',
      figure(call.predicted.tokens),
      figure(reported?.cacheRead),
    ],
  ];
  return [
    `${oneLine(call.prompt, 60)} for ${oneLine(call.member, 60)}, ${oneLine(placeText(call), 60)}, ${new Date(call.startedAt).toISOString()}`,
    `Budget: ${figure(total)} of ${figure(plan.budget)} tokens. ${whyText(call)}`.trim(),
    '',
    tableText(table, [0, 3, 4, 5, 6]),
    ...listPriceLine([call]),
    ...calibrationLine(call),
    ...plan.reductions.map((one) => `${reductionText(one)}.`),
    ...(call.parts.some(({ demoted }) => demoted === true)
      ? ['* Changes often, so it is moved one class later.']
      : []),
    ...call.parts.filter(({ pinned }) => pinned === true).map(({ name }) => `${name} is pinned by you.`),
    '',
    ...leftOutLines(notIncluded(plan)),
  ].join('\n');
}

function leftOutLines(left: readonly LeftOut[]): readonly string[] {
  return [...Map.groupBy(left, ({ reason }) => reason)].map(
    ([reason, ones]) => `${leftOutTexts[reason]}: ${ones.map(({ name }) => name).join(', ')}.`,
  );
}

function partRow(part: InspectedPart, index: number, total: number): readonly string[] {
  const { name, kind, stability, demoted, tokens, cost, sha256, changedAt, predicted, reported } = part;
  return [
    String(index + 1),
    oneLine(name, 40),
    kind,
    stability === null ? '' : `${String(stability)}${demoted === true ? '*' : ''}`,
    figure(tokens),
    `${String(Math.round((100 * tokens) / Math.max(1, total)))} %`,
    dollars(cost),
    sha256.slice(0, 8),
    new Date(changedAt).toISOString().slice(0, 19),
    stateText(predicted),
    stateText(reported),
  ];
}

export function providerMissText({ member, misses }: ProviderThatMisses): string {
  return missesText({ member: oneLine(member, 60), misses });
}

/** A list price isn't what a subscription pays. */
function listPriceLine(calls: readonly InspectedCall[]): readonly string[] {
  return calls.some(({ cost }) => cost?.isListPrice === true)
    ? ['* List price: OpenCode reported no cost.']
    : [];
}

function costText(cost: InspectedCall['cost']): string {
  return `${dollars(cost?.total)}${cost?.isListPrice === true ? '*' : ''}`;
}

function dollars(amount: number | null | undefined): string {
  return amount === null || amount === undefined ? '–' : amount.toFixed(6);
}

function calibrationLine({ calibration }: InspectedCall): readonly string[] {
  if (!calibration) return [];
  const { factor, lastError } = calibration;
  const error = lastError === null ? '' : filled(calibrationTexts.off, { 0: (100 * lastError).toFixed(1) });
  return [joined([filled(calibrationTexts.before, { 0: factor.toFixed(2) }), error], ' ')];
}

function stateText(state: InspectedPart['predicted']): string {
  return state === 'unknown' ? '–' : state;
}

export function placeText({
  label,
  bead,
  iteration,
}: Pick<InspectedCall, 'label' | 'bead' | 'iteration'>): string {
  return bead === null ? label : `${label}, ${bead} #${String(iteration)}`;
}

function whyText(call: InspectedCall): string {
  return joined([breakText(call), missedText(call)], ' ');
}

function figure(tokens: number | null | undefined): string {
  return tokens === null || tokens === undefined ? '–' : tokens.toLocaleString('en-US');
}

export function sumOf(parts: readonly { readonly tokens: number }[]): number {
  return parts.reduce((total, { tokens }) => total + tokens, 0);
}

type SentPrompt = Pick<CallTexts, 'prompt' | 'input'>;

/** Throws INVALID_INPUT where too little is in common. */
export function promptPatch(before: SentPrompt, now: SentPrompt): string {
  if (before.input === now.input) return 'The prompts are the same.';
  // More context would print two prompts again. `timeout`: milliseconds.
  const options = { context: 3, timeout: 5_000 };
  const { prompt, input } = before;
  const patch = createTwoFilesPatch(prompt, now.prompt, input, now.input, undefined, undefined, options);
  if (patch === undefined) throw invalidInput('The comparison', 'the prompts have too little in common');
  return patch;
}
