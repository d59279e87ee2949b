import * as l10n from '@vscode/l10n';
import type { Tokens as Sums, TokenTables } from '../../../src/protocol/pages/ticket.ts';
import { BeadBars } from './BeadBars.tsx';
import { Empty } from '../shared/Empty.tsx';
import { cost, count } from '../../base/format.ts';
import { Loading } from '../shared/Loading.tsx';
import type { Tools } from '../shared/tools.ts';
import { useLoaded } from '../shared/useLoaded.ts';

/** Shows what the ticket used, by part of the work and by model. */
export function Tokens({ page, news }: { readonly page: Tools; readonly news: unknown }) {
  const { value, failure } = useLoaded(page, 'tokens', {}, news);
  if (!value) return <Loading failure={failure} />;
  if (value.total.messages === 0)
    return <Empty text={l10n.t('No tokens used yet. This tab shows usage by phase and by model.')} />;
  return (
    <>
      <TokenTable title={l10n.t('By phase')} rows={value.phases} total={value.total} />
      <TokenTable title={l10n.t('By model')} rows={value.models} total={value.total} />
      {value.beads.map((bars) => (
        <BeadBars key={bars.bead} {...bars} />
      ))}
      {value.total.estimated > 0 && (
        <p class="note">
          {l10n.t(
            'Estimated, because the provider reported no usage: {0} messages',
            count(value.total.estimated),
          )}
        </p>
      )}
    </>
  );
}

const columns = ['messages', 'input', 'cacheRead', 'cacheWrite', 'output', 'reasoning', 'cost'] as const;

interface TokenTableProps {
  readonly title: string;
  readonly rows: TokenTables['models'];
  readonly total: Sums;
}

function TokenTable({ title, rows, total }: TokenTableProps) {
  return (
    <section>
      <h2>{title}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">{title}</span>
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" class="number">
                  {columnName(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, ...sums }) => (
              <TokenRow key={name} name={name} sums={sums} />
            ))}
          </tbody>
          <tfoot>
            <TokenRow name={l10n.t('Total')} sums={total} />
          </tfoot>
        </table>
      </div>
    </section>
  );
}

function TokenRow({ name, sums }: { readonly name: string; readonly sums: Sums }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {columns.map((column) => (
        <td key={column} class="number">
          {column === 'cost' ? knownCost(sums) : count(sums[column])}
        </td>
      ))}
    </tr>
  );
}

/** A cost of nothing is one that nobody knows. */
function knownCost(sums: Sums): string {
  return sums.cost === 0 ? '–' : cost(sums.cost);
}

function columnName(column: (typeof columns)[number]): string {
  switch (column) {
    case 'messages':
      return l10n.t('Messages');
    case 'input':
      return l10n.t('Input');
    case 'cacheRead':
      return l10n.t('Cache read');
    case 'cacheWrite':
      return l10n.t('Cache write');
    case 'output':
      return l10n.t('Output');
    case 'reasoning':
      return l10n.t('Reasoning');
    case 'cost':
      return l10n.t('Cost');
  }
}
