import * as l10n from '@vscode/l10n';
import type { InspectedPrompt } from '../../../src/protocol/pages/inspection.ts';
import { count } from '../../base/format.ts';

/** The strip in its own units; it is as wide as the page. */
const width = 1_000;
const height = 20;

/**
 * The parts of a prompt as a strip, each as wide as its tokens, with a line behind what a cache knew. The
 * table beside it says the same in words, so a reader of the screen gets one sentence. Nothing is drawn where
 * nothing is known.
 */
export function PrefixMap({ prompt: { parts, predicted, reported } }: { readonly prompt: InspectedPrompt }) {
  const kind = reported ? 'reported' : 'predicted';
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  if (total === 0 || (predicted === null && reported === null)) return null;
  const scale = width / total;
  const known = parts.findIndex((part) => part[kind] !== 'hit');
  const before = tokensOf(known === -1 ? parts : parts.slice(0, known));
  const line = before * scale;
  const said = reported
    ? l10n.t(
        'As reported, {0} of {1} tokens of the parts were in the cache from the beginning on.',
        count(before),
        count(total),
      )
    : l10n.t(
        'As predicted, {0} of {1} tokens of the parts are in the cache from the beginning on.',
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
            x={tokensOf(parts.slice(0, index)) * scale}
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

function tokensOf(parts: InspectedPrompt['parts']): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}
