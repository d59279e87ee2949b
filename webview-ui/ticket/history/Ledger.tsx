import * as l10n from '@vscode/l10n';
import type { CouncilLedger } from '../../../src/domain/council/ledger.ts';
import { cost, count, duration } from '../../base/format.ts';

/**
 * Shows what a council cost, and what of each draft is in the result. `title`: the id of the heading that
 * names the council.
 */
export function Ledger({ ledger, title }: { readonly ledger: CouncilLedger; readonly title: string }) {
  const others = ledger.members.filter(
    ({ member, examples }) => member !== ledger.winner && examples.length > 0,
  );
  return (
    <details>
      <summary>{l10n.t('What it cost, and what of each draft is in the result')}</summary>
      {ledger.soloWouldDo && (
        <p>
          {l10n.t('Nothing of the other drafts is in the result: {0} alone would have done.', ledger.winner)}
        </p>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-labelledby={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{l10n.t('Member')}</th>
              <th scope="col" class="number">
                {l10n.t('Calls')}
              </th>
              <th scope="col" class="number">
                {l10n.t('Time')}
              </th>
              <th scope="col" class="number">
                {l10n.t('Tokens in')}
              </th>
              <th scope="col" class="number">
                {l10n.t('Tokens out')}
              </th>
              <th scope="col" class="number">
                {l10n.t('Cost')}
              </th>
              <th scope="col" class="number">
                {l10n.t('In the result')}
              </th>
            </tr>
          </thead>
          <tbody>
            {ledger.members.map((one) => (
              <tr key={one.member}>
                <th scope="row">
                  <span class="code">{one.member}</span>
                </th>
                <td class="number">{count(one.calls)}</td>
                <td class="number">{duration(one.ms)}</td>
                <td class="number">{one.isShared ? `≈ ${count(one.input)}` : count(one.input)}</td>
                <td class="number">{one.isShared ? `≈ ${count(one.output)}` : count(one.output)}</td>
                <td class="number">{cost(one.cost)}</td>
                <td class="number">{l10n.t('{0} of {1} texts', count(one.survived), count(one.texts))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {others.map(({ member, examples }) => (
        <div key={member}>
          <p>{l10n.t('In the result from {0}, and not from the winner’s own draft:', member)}</p>
          <ul>
            {examples.map((text, place) => (
              <li key={place} class="plain">
                {text}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </details>
  );
}
