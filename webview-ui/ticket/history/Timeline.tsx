import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { joined } from '../../../src/base/joined.ts';
import { loopEnds, passTexts } from '../../../src/domain/beads/passes.ts';
import type { PassRow } from '../../../src/protocol/pages/reviews.ts';
import type { TicketState, TimelineRun } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import { duration, when, whenWritten } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { DiffButton, Empty, type Tools } from '../shared/parts.tsx';

interface TimelineProps {
  readonly bands: TicketState['bands'];
  readonly page: Tools;
  readonly hasPasses: boolean;
  /** Changes whenever documents do. */
  readonly stamp: string;
}

/** Nothing is asked for where iterations have one pass. */
function usePasses(page: Tools, hasPasses: boolean, stamp: string): readonly PassRow[] {
  const [passes, setPasses] = useState<readonly PassRow[]>([]);
  useEffect(() => {
    if (!hasPasses) return;
    // What can't be read isn't shown; the timeline stands without it.
    page.request('passes', {}).then(setPasses, () => undefined);
  }, [hasPasses, stamp]);
  return passes;
}

export function Timeline({ bands, page, hasPasses, stamp }: TimelineProps) {
  const passes = usePasses(page, hasPasses, stamp);
  if (bands.length === 0)
    return <Empty text={l10n.t('No activity yet. This tab lists each step of the work and its result.')} />;
  return (
    <ol class="timeline">
      {bands.map(({ name, label, runs }) => (
        <li key={name}>
          <Heading>{label}</Heading>
          <ol class="rows">
            {runs.map((run) => (
              <RunRow key={run.id} run={run} page={page} passes={passes} />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function RunRow({
  run,
  page,
  passes,
}: {
  readonly run: TimelineRun;
  readonly page: Tools;
  readonly passes: readonly PassRow[];
}) {
  return (
    <li class={`run run-${run.state}`}>
      <Icon name={iconOf(run)} />
      <div class="grow">
        <div>
          {run.label} {run.attempt > 1 && <span class="quiet">{l10n.t('attempt {0}', run.attempt)}</span>}
        </div>
        <div class="quiet">
          {run.outcome} · {when(run.startedAt)}
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
                <Icon name={exit === 'accepted' ? 'pass' : state === 'open' ? 'sync' : 'close'} />{' '}
                <span class="code">{bead}</span> {l10n.t('iteration {0}: {1}', iteration, outcome)}{' '}
                {state !== 'open' && <DiffButton bead={bead} iteration={iteration} page={page} />}
                <Steps
                  steps={passes
                    .filter((pass) => pass.bead === bead && pass.iteration === iteration)
                    .map(({ pass, max, outcome: result, end, at }) => ({
                      icon: result === 'passed' ? 'pass' : 'sync',
                      name: l10n.t('Pass {0} of {1}', pass, max),
                      outcome: joined([passText(result, end), whenWritten(at)]),
                    }))}
                />
                <Steps
                  steps={stages.map(({ label, state, outcome: end, ms }) => ({
                    icon: stageIcons[state],
                    name: label,
                    outcome: joined([end, ms === null ? '' : duration(ms)]),
                  }))}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

function passText(outcome: PassRow['outcome'], end: PassRow['end']): string {
  const ended = end === null ? '' : l10n.t('The loop ended: {0}.', l10n.t(loopEnds[end].label));
  return joined([l10n.t(passTexts[outcome]), ended], ' ');
}

interface StepsProps {
  readonly steps: readonly { readonly icon: string; readonly name: string; readonly outcome: string }[];
}

function Steps({ steps }: StepsProps) {
  if (steps.length === 0) return null;
  return (
    <ol class="stages">
      {steps.map(({ icon, name, outcome }, index) => (
        <li key={index}>
          <Icon name={icon} /> {name} <span class="quiet">{outcome}</span>
        </li>
      ))}
    </ol>
  );
}

const stageIcons = { open: 'sync', done: 'debug-step-over', failed: 'warning' } as const;

function iconOf({ state, error }: TimelineRun): string {
  if (state === 'open') return error ? 'error' : 'sync';
  if (state === 'closed') return 'pass';
  return error ? 'error' : 'history';
}
