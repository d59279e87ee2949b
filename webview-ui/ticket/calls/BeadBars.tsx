import * as l10n from '@vscode/l10n';
import type { BeadCalls } from '../../../src/protocol/pages/inspection.ts';
import { count, when } from '../../base/format.ts';

/** In the order in which a request is built and paid for. */
const kinds = ['cacheRead', 'cacheWrite', 'input', 'output'] as const;
const height = 12;

/**
 * The calls of a bead over time, each as a bar of its tokens. What a bar shows stands in words beside it; one
 * that is only estimated is dashed.
 */
export function BeadBars({ bead, calls, total }: BeadCalls) {
  const most = Math.max(1, ...calls.map(tokensOf));
  return (
    <section>
      <h2>{l10n.t('Calls of {0}', bead)}</h2>
      {total > calls.length && (
        <p class="quiet">{l10n.t('The newest {0} of {1} calls.', count(calls.length), count(total))}</p>
      )}
      <ul class="bars">
        {calls.map((call) => (
          <li key={call.id}>
            <span>
              {call.prompt}{' '}
              <span class="quiet">{l10n.t('iteration {0} · {1}', call.iteration, when(call.startedAt))}</span>
            </span>
            <svg
              viewBox={`0 0 ${String(most)} ${String(height)}`}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              {kinds.map((kind, index) => (
                <rect
                  key={kind}
                  class={call.estimated ? 'estimated' : kind}
                  x={kinds.slice(0, index).reduce((sum, one) => sum + call[one], 0)}
                  y="1"
                  width={call[kind]}
                  height={height - 2}
                  vector-effect="non-scaling-stroke"
                />
              ))}
            </svg>
            <span class="quiet">{barText(call)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Call = BeadCalls['calls'][number];

function tokensOf(call: Call): number {
  return kinds.reduce((sum, kind) => sum + call[kind], 0);
}

/** Returns the tokens of a call in words. What the provider didn't report isn't said to be zero. */
function barText(call: Call): string {
  const { cacheRead, cacheWrite, input, output } = call;
  if (call.estimated)
    return l10n.t(
      'Estimated: {0} tokens in, {1} out. The provider reported no usage.',
      count(input),
      count(output),
    );
  return l10n.t(
    '{0} from the cache, {1} to the cache, {2} other input, {3} output',
    ...[cacheRead, cacheWrite, input, output].map((tokens) => count(tokens)),
  );
}
