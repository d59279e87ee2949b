import type { TicketState, TimelineRun } from '../../src/protocol/pages/ticket.ts';
import { Icon } from '../base/elements.tsx';
import { fill } from '../base/fill.ts';
import { DiffButton } from './DiffButton.tsx';
import { Empty } from './Empty.tsx';
import { duration, when } from '../base/format.ts';
import type { Tools } from './tools.ts';

/** What the ticket went through, by part of the work. */
export function Timeline({ bands, page }: { readonly bands: TicketState['bands']; readonly page: Tools }) {
  if (bands.length === 0) return <Empty text={page.texts.noRuns} />;
  return (
    <ol class="timeline">
      {bands.map(({ name, label, runs }) => (
        <li key={name}>
          <h2>{label}</h2>
          <ol class="rows">
            {runs.map((run) => (
              <RunRow key={run.id} run={run} page={page} />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function RunRow({ run, page }: { readonly run: TimelineRun; readonly page: Tools }) {
  const { texts } = page;
  return (
    <li class={`run run-${run.state}`}>
      <Icon name={iconOf(run)} />
      <div class="grow">
        <div>
          {run.label} {run.attempt > 1 && <span class="quiet">{fill(texts.attempt, run.attempt)}</span>}
        </div>
        <div class="quiet">
          {texts[`run_${run.state}`]}
          {exitText(run.exit, texts)} · {when(run.startedAt)}
          {run.endedAt !== null && ` · ${duration(run.endedAt - run.startedAt)}`}
        </div>
        {run.error && (
          <div class="problem">
            <span class="code">{run.error.code}</span> {run.error.message}
          </div>
        )}
        {run.iterations.length > 0 && (
          <ul class="iterations">
            {run.iterations.map(({ bead, iteration, state, exit }) => (
              <li key={`${bead} ${iteration}`}>
                <Icon name={exit === 'accepted' ? 'pass' : state === 'open' ? 'sync' : 'close'} /> <span class="code">{bead}</span>{' '}
                {fill(texts.iteration, iteration)}: {outcome(exit, state, texts)}{' '}
                {state !== 'open' && <DiffButton bead={bead} iteration={iteration} page={page} />}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

function iconOf({ state, error }: TimelineRun): string {
  if (state === 'open') return error ? 'error' : 'sync';
  if (state === 'closed') return 'pass';
  return error ? 'error' : 'history';
}

/** How a run ended, where that says more than that it did. */
const telling = ['skip_all', 'gaps', 'limit', 'regenerate', 'changes', 'merge', 'close'] as const;

function exitText(exit: string | null, texts: Tools['texts']): string {
  const found = telling.find((one) => one === exit);
  return found ? ` (${texts[`exit_${found}`]})` : '';
}

/** How an iteration ended, or that it goes on. */
function outcome(exit: string | null, state: TimelineRun['state'], texts: Tools['texts']): string {
  if (exit === 'accepted' || exit === 'rejected') return texts[`call_${exit}`];
  return texts[`run_${state}`];
}
