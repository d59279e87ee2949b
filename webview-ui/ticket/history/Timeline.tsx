import * as l10n from '@vscode/l10n';
import type { TicketState, TimelineRun } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import { DiffButton } from '../shared/DiffButton.tsx';
import { Empty } from '../shared/Empty.tsx';
import { duration, when } from '../../base/format.ts';
import type { Tools } from '../shared/tools.ts';

/** What the ticket went through, by part of the work. */
export function Timeline({ bands, page }: { readonly bands: TicketState['bands']; readonly page: Tools }) {
  if (bands.length === 0) return <Empty text={l10n.t('No activity yet. This tab lists each step of the work and its result.')} />;
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
  return (
    <li class={`run run-${run.state}`}>
      <Icon name={iconOf(run)} />
      <div class="grow">
        <div>
          {run.label} {run.attempt > 1 && <span class="quiet">{l10n.t('attempt {0}', run.attempt)}</span>}
        </div>
        <div class="quiet">
          {run.outcome}· {when(run.startedAt)}
          {run.endedAt !== null && ` · ${duration(run.endedAt - run.startedAt)}`}
        </div>
        {run.error && (
          <div class="problem">
            <span class="code">{run.error.code}</span> {run.error.message}
          </div>
        )}
        {run.iterations.length > 0 && (
          <ul class="iterations">
            {run.iterations.map(({ bead, iteration, state, exit, outcome, stages }) => (
              <li key={`${bead} ${iteration}`}>
                <Icon name={exit === 'accepted' ? 'pass' : state === 'open' ? 'sync' : 'close'} /> <span class="code">{bead}</span>{' '}
                {l10n.t('iteration {0}: {1}', iteration, outcome)}{' '}
                {state !== 'open' && <DiffButton bead={bead} iteration={iteration} page={page} />}
                <Stages stages={stages} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

const stageIcons = { open: 'sync', done: 'debug-step-over', failed: 'warning' } as const;

/** What an iteration went through, with how each stage ended and how long it took. */
function Stages({ stages }: Pick<TimelineRun['iterations'][number], 'stages'>) {
  if (stages.length === 0) return null;
  return (
    <ol class="stages">
      {stages.map(({ label, state, outcome, ms }, index) => (
        <li key={index}>
          <Icon name={stageIcons[state]} /> {label}{' '}
          <span class="quiet">{[outcome, ms === null ? '' : duration(ms)].filter(Boolean).join(' · ')}</span>
        </li>
      ))}
    </ol>
  );
}

function iconOf({ state, error }: TimelineRun): string {
  if (state === 'open') return error ? 'error' : 'sync';
  if (state === 'closed') return 'pass';
  return error ? 'error' : 'history';
}
