import * as l10n from '@vscode/l10n';
import type { ProvedCommand } from '../../../src/domain/proof/commitEvidence.ts';
import type { BeadRow, ProvedCommit } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import { passed } from '../../../src/domain/core/evidence.ts';
import { weakeningLabels } from '../../../src/domain/proof/weakening.ts';
import { duration, whenWritten } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { type Acting, Heads, Loading, RunButton, Table, useLoaded } from '../shared/parts.tsx';

interface EvidenceProps extends Acting {
  readonly beads: readonly BeadRow[];
  readonly stamp: string;
}

/** The commits themselves are among the details. */
export function Evidence({ beads, page, stamp, canAct }: EvidenceProps) {
  const { value, failure } = useLoaded(page, 'evidence', {}, stamp);
  if (value?.length === 0) return null;
  const title = l10n.t('Evidence');
  return (
    <section aria-labelledby="evidence">
      <Heading id="evidence">{title}</Heading>
      {!value && <Loading failure={failure} />}
      {value && (
        <Table label={title}>
          <Heads texts={[l10n.t('Work'), l10n.t('Command'), l10n.t('Result')]} numbers={[l10n.t('Time')]} />
          {value.map((commit, index) => (
            <CommitRows
              key={index}
              proof={commit}
              title={beads.find(({ id }) => id === commit.bead)?.title ?? workName(commit)}
            />
          ))}
        </Table>
      )}
      {value && canAct && (
        <div class="row">
          <RunButton command="verifyEvidence" icon="verified" page={page}>
            {l10n.t('Verify Evidence…')}
          </RunButton>
        </div>
      )}
    </section>
  );
}

/** The work that a commit was made for. */
export function workName({ of, bead }: ProvedCommit): string {
  return bead ?? (of === 'final_test' ? l10n.t('Final test') : l10n.t('Integration'));
}

interface ProofProps {
  readonly proof: ProvedCommit;
  readonly title: string;
}

function CommitRows({ proof, title }: ProofProps) {
  const { commands, weakened } = proof;
  return (
    <tbody>
      {commands.length === 0 && (
        <tr>
          <Name proof={proof} title={title} rows={1} />
          <td colSpan={3} class="quiet">
            {l10n.t('No command proves it.')}
          </td>
        </tr>
      )}
      {commands.map((command, index) => (
        <tr key={index}>
          {index === 0 && <Name proof={proof} title={title} rows={commands.length} />}
          <td>
            <span class="code">{command.command}</span>
          </td>
          <td>
            <Icon name={passed(command) ? 'pass' : 'error'} /> {resultText(command)}
            <Details command={command} />
          </td>
          <td class="number">{duration(command.durationMs)}</td>
        </tr>
      ))}
      {weakened && weakened.weakenings.length > 0 && (
        <tr>
          <td colSpan={4}>
            <Icon name="warning" /> {l10n.t('Weaker tests, accepted by you:')}
            <ul>
              {weakened.weakenings.map(({ kind, path, line, text }, index) => (
                <li key={index} class="wrap">
                  <span class="code">{line === null ? path : `${path}:${String(line)}`}</span>{' '}
                  {l10n.t(weakeningLabels[kind])} {text !== '' && <span class="code">{text}</span>}{' '}
                  <span class="quiet">{whenWritten(weakened.accepted_at)}</span>
                </li>
              ))}
            </ul>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Name({ proof, title, rows }: ProofProps & { readonly rows: number }) {
  const { made, proved_at: at } = proof;
  return (
    <th scope="rowgroup" rowSpan={rows}>
      {title}
      {!made && <div class="quiet">{l10n.t('no change')}</div>}
      <div class="quiet">{whenWritten(at)}</div>
    </th>
  );
}

function resultText({ timedOut, exitCode, signal }: ProvedCommand): string {
  if (timedOut) return l10n.t('timed out');
  return signal ?? (exitCode === null ? '' : l10n.t('exit {0}', exitCode));
}

/** Facts that make the result mean more, or less, than its exit code. */
function Details({
  command: { knownFailures: known, flaky, flakyTests = [], without, counts },
}: {
  readonly command: ProvedCommand;
}) {
  return (
    <>
      {counts && (
        <div class="quiet">
          {l10n.t('Tests: {0} ran, {1} failed, {2} skipped', counts.ran, counts.failed, counts.skipped ?? 0)}
        </div>
      )}
      {known && (
        <div class="quiet wrap">
          {known.length === 0
            ? l10n.t('It fails on the base as well.')
            : l10n.t('No new failures. Known on the base: {0}', known.join(', '))}
        </div>
      )}
      {flaky && (
        <div class="quiet wrap">
          {flakyTests.length === 0
            ? l10n.t('Flaky: it failed first, then passed when run again.')
            : l10n.t('Flaky tests: {0}', flakyTests.join(', '))}
        </div>
      )}
      {without && <div class="quiet">{l10n.t('On the base: exit {0}', without.exitCode ?? '')}</div>}
    </>
  );
}
