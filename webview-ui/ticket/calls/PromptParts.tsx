import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { joined } from '../../../src/base/joined.ts';
import type { HitState } from '../../../src/domain/promptCache/cacheHistory.ts';
import { tokensIn } from '../../../src/domain/promptCache/prefix.ts';
import { calibrationTexts } from '../../../src/protocol/inspection.ts';
import type { InspectedPrompt } from '../../../src/protocol/pages/inspection.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { count, smallCost, when } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { Head, Loading, RunButton, Table, type Tools, useLoaded } from '../shared/parts.tsx';

interface PromptPartsProps {
  readonly id: string;
  readonly page: Tools;
  /** A person can choose what later prompts hold. */
  readonly canSteer: boolean;
  /** Changes whenever what they chose may have. */
  readonly stamp: string;
}

export function PromptParts({ id, page, canSteer, stamp }: PromptPartsProps) {
  const { value, failure } = useLoaded(page, 'inspect', { id }, `${id} ${stamp}`);
  if (!value) return <Loading failure={failure} />;
  const { why, warning, reductions, left } = value;
  return (
    <>
      <PromptActions id={id} others={value.others} page={page} canSteer={canSteer} />
      {value.decided.length > 0 && (
        <ul aria-label={l10n.t('What you decided')}>
          {value.decided.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {warning !== '' && (
        <p class="note">
          <Icon name="warning" /> {warning}
        </p>
      )}
      {why !== '' && <p class="quiet">{why}</p>}
      <PrefixMap prompt={value} />
      <PartTable prompt={value} />
      <Calibration prompt={value} />
      {reductions.length > 0 && (
        <ul>
          {reductions.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <Heading below={1}>{l10n.t('Not in this prompt')}</Heading>
      <dl class="left-out">
        {left.map(({ reason, names }) => (
          <div key={reason}>
            <dt>{reason}</dt>
            <dd class="code wrap">{names.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface PromptActionsProps {
  readonly id: string;
  readonly others: InspectedPrompt['others'];
  readonly page: Tools;
  readonly canSteer: boolean;
}

function PromptActions({ id, others, page, canSteer }: PromptActionsProps) {
  const show = useRequest(page, 'showPrompt');
  const [other, choose] = useState(others[0]?.id ?? '');
  return (
    <>
      <div class="actions">
        <Button
          secondary
          icon="go-to-file"
          disabled={show.isBusy}
          onClick={() => void show.send({ id, other: null })}
        >
          {l10n.t('Open Prompt')}
        </Button>
        {others.length > 0 && (
          <>
            <select
              class="select"
              aria-label={l10n.t('Compare with')}
              value={other}
              onChange={(event) => choose(event.currentTarget.value)}
            >
              {others.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.label}
                </option>
              ))}
            </select>
            <Button
              secondary
              icon="diff"
              disabled={show.isBusy}
              onClick={() => void show.send({ id, other })}
            >
              {l10n.t('Compare')}
            </Button>
          </>
        )}
        {canSteer && (
          <RunButton command="choosePromptParts" icon="pin" page={page}>
            {l10n.t('Pin or Exclude…')}
          </RunButton>
        )}
      </div>
      <Failure of={show} />
    </>
  );
}

function PartTable({
  prompt: { parts, frameTokens, cost, budget, predicted, reported },
}: {
  readonly prompt: InspectedPrompt;
}) {
  const counted = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const total = reported?.prompt ?? counted;
  const label = l10n.t('Parts of the prompt');
  return (
    <Table label={label}>
      <caption class="unseen">{label}</caption>
      <thead>
        <tr>
          <Head>{l10n.t('Part')}</Head>
          <Head>{l10n.t('Stability')}</Head>
          <Head number>{l10n.t('Tokens')}</Head>
          <Head number>{l10n.t('Share')}</Head>
          <Head number>{cost?.isListPrice === true ? l10n.t('List price') : l10n.t('Cost')}</Head>
          <Head>{l10n.t('Unchanged since')}</Head>
          <Head>{l10n.t('Cache, predicted')}</Head>
          <Head>{l10n.t('Cache, reported')}</Head>
        </tr>
      </thead>
      <tbody>
        {parts.map((part, index) => (
          <tr key={index}>
            <th scope="row">
              <span class="code">{part.name}</span> <span class="quiet">{part.kind}</span>
              <div class="quiet">{part.included}</div>
            </th>
            <td>{classText(part.stability)}</td>
            <td class="number">{count(part.tokens)}</td>
            <td class="number">{share(part.tokens, total)}</td>
            <td class="number">{smallCost(part.cost)}</td>
            <td>
              {when(part.changedAt)} <span class="code quiet">{part.hash}</span>
            </td>
            <td>{stateText(part.predicted)}</td>
            <td>
              {part.reported === 'hit' && <Icon name="check" />} {stateText(part.reported)}
            </td>
          </tr>
        ))}
        {frameTokens !== null && (
          <tr>
            <th scope="row">{l10n.t('Tools, agent, and difference in counts')}</th>
            <td />
            <td class="number">{count(frameTokens)}</td>
            <td class="number">{share(frameTokens, total)}</td>
            <td class="number">{smallCost(cost?.frame ?? null)}</td>
            <td colSpan={3} />
          </tr>
        )}
        {cost && cost.later !== 0 && (
          <CostRow name={l10n.t('Requests after the first, one for each use of tools')} cost={cost.later} />
        )}
        {cost && <CostRow name={l10n.t('Answer')} cost={cost.output} />}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{reported ? l10n.t('Reported by the provider') : l10n.t('Estimated')}</th>
          <td class="quiet">{l10n.t('of {0}', count(budget))}</td>
          <td class="number">{count(total)}</td>
          <td class="number">{share(total, total)}</td>
          <td class="number">{smallCost(cost?.total ?? null)}</td>
          <td />
          <td>{predicted === null ? '–' : l10n.t('{0} tokens', count(predicted))}</td>
          <td>{reported ? l10n.t('{0} tokens', count(reported.cacheRead)) : '–'}</td>
        </tr>
      </tfoot>
    </Table>
  );
}

/** The error of estimates with the model. */
function Calibration({ prompt: { calibration } }: { readonly prompt: InspectedPrompt }) {
  if (!calibration) return null;
  const { factor, lastError } = calibration;
  const before = l10n.t(calibrationTexts.before, factor.toFixed(2));
  const off = lastError === null ? '' : l10n.t(calibrationTexts.off, (100 * lastError).toFixed(1));
  return <p class="quiet">{joined([before, off], ' ')}</p>;
}

function CostRow({ name, cost }: { readonly name: string; readonly cost: number }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td colSpan={3} />
      <td class="number">{smallCost(cost)}</td>
      <td colSpan={3} />
    </tr>
  );
}

function share(tokens: number, total: number): string {
  return `${String(Math.round((100 * tokens) / Math.max(1, total)))} %`;
}

function classText(stability: number | null): string {
  const texts = [
    l10n.t('for the ticket'),
    l10n.t('for the bead'),
    l10n.t('for the attempt'),
    l10n.t('for the call'),
  ];
  return stability === null ? '' : (texts[stability] ?? '');
}

function stateText(state: HitState): string {
  const texts: Readonly<Record<HitState, string>> = {
    hit: l10n.t('in the cache'),
    partial: l10n.t('partly'),
    miss: l10n.t('not in the cache'),
    unknown: '–',
  };
  return texts[state];
}

/** The strip in its own units; it is as wide as the page. */
const width = 1_000;
const height = 20;

/**
 * Each part as wide as its tokens, with a line behind what a cache knew. The table says the same in words, so
 * a screen reader gets one sentence.
 */
function PrefixMap({ prompt: { parts, predicted, reported } }: { readonly prompt: InspectedPrompt }) {
  const kind = reported ? 'reported' : 'predicted';
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  if (total === 0 || (predicted === null && reported === null)) return null;
  const scale = width / total;
  const known = parts.findIndex((part) => part[kind] !== 'hit');
  const before = tokensIn(known === -1 ? parts : parts.slice(0, known));
  const line = before * scale;
  const said = reported
    ? l10n.t(
        'Reported: the first {0} of {1} tokens of the parts were in the cache.',
        count(before),
        count(total),
      )
    : l10n.t(
        'Predicted: the first {0} of {1} tokens of the parts are in the cache.',
        count(before),
        count(total),
      );
  return (
    <figure class="prefix-map">
      <svg
        viewBox={`0 0 ${String(width)} ${String(height)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={said}
      >
        {parts.map((part, index) => (
          <rect
            key={index}
            class={part[kind]}
            x={tokensIn(parts.slice(0, index)) * scale}
            y="2"
            width={part.tokens * scale}
            height={height - 4}
            vector-effect="non-scaling-stroke"
          >
            <title>{`${part.name}: ${count(part.tokens)}`}</title>
          </rect>
        ))}
        <line class="break" x1={line} x2={line} y1="0" y2={height} vector-effect="non-scaling-stroke" />
      </svg>
      <figcaption class="quiet">{said}</figcaption>
    </figure>
  );
}
