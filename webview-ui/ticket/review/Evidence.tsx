import * as l10n from '@vscode/l10n';
import type { BeadRow, ProvedCommit } from '../../../src/protocol/pages/ticket.ts';
import { Icon } from '../../base/elements.tsx';
import { duration, when } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { type Acting, Heads, Loading, RunButton, Table, useLoaded } from '../shared/parts.tsx';

interface EvidenceProps extends Acting {
  readonly beads: readonly BeadRow[];
  readonly stamp: string;
}

/** The commits themselves are among the details. */
export function Evidence({ beads, page, stamp, canAct }: EvidenceProps) {
  const { value, failure } = useLoaded(page, 'evidence', {}, stamp);
  if (value?.commits.length === 0) return null;
  const title = l10n.t('Evidence');
  return (
    <section aria-labelledby="evidence">
      <Heading id="evidence">{title}</Heading>
      {!value && <Loading failure={failure} />}
      {value && (
        <Table label={title}>
          <Heads texts={[l10n.t('Work'), l10n.t('Command'), l10n.t('Result')]} numbers={[l10n.t('Time')]} />
          {value.commits.map((commit, index) => (
            <CommitRows key={index} proof={commit} title={titleOf(commit, beads)} />
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

/** A proof of a bead is named by its id. */
function titleOf({ name }: ProvedCommit, beads: readonly BeadRow[]): string {
  return beads.find(({ id }) => id === name)?.title ?? name;
}

interface ProofProps {
  readonly proof: ProvedCommit;
  readonly title: string;
}

function CommitRows({ proof, title }: ProofProps) {
  const { commands, weaker } = proof;
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
            <Icon name={command.passed ? 'pass' : 'error'} /> {resultText(command)}
            <Details command={command} />
          </td>
          <td class="number">{duration(command.durationMs)}</td>
        </tr>
      ))}
      {weaker.length > 0 && (
        <tr>
          <td colSpan={4}>
            <Icon name="warning" /> {l10n.t('Weaker tests, accepted by you:')}
            <ul>
              {weaker.map(({ place, label, text, acceptedAt }, index) => (
                <li key={index} class="wrap">
                  <span class="code">{place}</span> {label} {text !== '' && <span class="code">{text}</span>}{' '}
                  {acceptedAt !== null && <span class="quiet">{when(acceptedAt)}</span>}
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
  const { made, provedAt } = proof;
  return (
    <th scope="rowgroup" rowSpan={rows}>
      {title}
      {!made && <div class="quiet">{l10n.t('no change')}</div>}
      {provedAt !== null && <div class="quiet">{when(provedAt)}</div>}
    </th>
  );
}

function resultText({ timedOut, result }: ProvedCommit['commands'][number]): string {
  if (timedOut) return l10n.t('timed out');
  return /^\d+$/.test(result) ? l10n.t('exit {0}', result) : result;
}

/** Facts that make the result mean more, or less, than its exit code. */
function Details({ command }: { readonly command: ProvedCommit['commands'][number] }) {
  const { known, flaky, flakyTests, without, tests } = command;
  return (
    <>
      {tests !== null && (
        <div class="quiet">
          {l10n.t('Tests: {0} ran, {1} failed, {2} skipped', tests.ran, tests.failed, tests.skipped)}
        </div>
      )}
      {known !== null && (
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
      {without !== null && <div class="quiet">{l10n.t('On the base: exit {0}', without)}</div>}
    </>
  );
}
