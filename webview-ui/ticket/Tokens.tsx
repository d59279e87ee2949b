import type { Tokens as Sums, TokenTables } from '../../src/protocol/pages/ticket.ts';
import { Empty } from './Empty.tsx';
import { cost, count } from '../base/format.ts';
import { Loading } from './Loading.tsx';
import type { Tools } from './tools.ts';
import { useLoaded } from './useLoaded.ts';

/** What the ticket used, by part of the work and by model. */
export function Tokens({ page, news }: { readonly page: Tools; readonly news: unknown }) {
  const { value, failure } = useLoaded(page, 'tokens', {}, news);
  if (!value) return <Loading failure={failure} />;
  if (value.total.messages === 0) return <Empty text={page.texts.noTokens} />;
  return (
    <>
      <TokenTable title={page.texts.byPhase} rows={value.phases} total={value.total} page={page} />
      <TokenTable title={page.texts.byModel} rows={value.models} total={value.total} page={page} />
    </>
  );
}

const columns = ['messages', 'input', 'cacheRead', 'cacheWrite', 'output', 'reasoning', 'cost'] as const;

interface TokenTableProps {
  readonly title: string;
  readonly rows: TokenTables['models'];
  readonly total: Sums;
  readonly page: Tools;
}

function TokenTable({ title, rows, total, page }: TokenTableProps) {
  const { texts } = page;
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
                  {texts[`tokens_${column}`]}
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
            <TokenRow name={texts.total} sums={total} />
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
          {column === 'cost' ? cost(sums.cost) : count(sums[column])}
        </td>
      ))}
    </tr>
  );
}
