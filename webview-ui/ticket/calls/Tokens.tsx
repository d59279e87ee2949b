import * as l10n from '@vscode/l10n';
import type { BeadCalls } from '../../../src/protocol/pages/inspection.ts';
import type { UsageSums } from '../../../src/domain/usage/usageLedger.ts';
import type { TokenTables } from '../../../src/protocol/pages/ticket.ts';
import { cost, count, when } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { Empty, Head, Loading, Table, type Tools, useLoaded } from '../shared/parts.tsx';

export function Tokens({ page, news }: { readonly page: Tools; readonly news: unknown }) {
  const { value, failure } = useLoaded(page, 'tokens', {}, news);
  if (!value) return <Loading failure={failure} />;
  if (value.total.answers === 0)
    return <Empty text={l10n.t('No tokens used yet. This tab shows usage by phase and by model.')} />;
  return (
    <>
      <TokenTable title={l10n.t('By phase')} rows={value.phases} total={value.total} />
      <TokenTable title={l10n.t('By model')} rows={value.models} total={value.total} />
      {value.beads.map((bars) => (
        <BeadBars key={bars.bead} {...bars} />
      ))}
      {value.total.counted > 0 && (
        <p class="note">
          {l10n.t(
            'Estimated, because the provider reported no usage: {0} messages',
            count(value.total.counted),
          )}
        </p>
      )}
    </>
  );
}

const allColumns = ['answers', 'input', 'cacheRead', 'cacheWrite', 'output', 'reasoning', 'money'] as const;
type Column = (typeof allColumns)[number];

interface TokenTableProps {
  readonly title: string;
  readonly rows: TokenTables['models'];
  readonly total: UsageSums;
}

function TokenTable({ title, rows, total }: TokenTableProps) {
  // What no provider reported needs no room.
  const columns = allColumns.filter((column) => total[column] !== 0 && total[column] !== null);
  return (
    <section>
      <Heading>{title}</Heading>
      <Table label={title}>
        <thead>
          <tr>
            <Head>
              <span class="unseen">{title}</span>
            </Head>
            {columns.map((column) => (
              <Head key={column} number>
                {columnName(column)}
              </Head>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, ...sums }) => (
            <TokenRow key={key} name={key ?? ''} sums={sums} columns={columns} />
          ))}
        </tbody>
        <tfoot>
          <TokenRow name={l10n.t('Total')} sums={total} columns={columns} />
        </tfoot>
      </Table>
    </section>
  );
}

interface TokenRowProps {
  readonly name: string;
  readonly sums: UsageSums;
  readonly columns: readonly Column[];
}

function TokenRow({ name, sums, columns }: TokenRowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {columns.map((column) => (
        <td key={column} class="number">
          {column !== 'money' ? count(sums[column]) : sums.money === null ? '–' : cost(sums.money)}
        </td>
      ))}
    </tr>
  );
}

function columnName(column: Column): string {
  const texts: Readonly<Record<Column, string>> = {
    answers: l10n.t('Messages'),
    input: l10n.t('Input'),
    cacheRead: l10n.t('Cache read'),
    cacheWrite: l10n.t('Cache write'),
    output: l10n.t('Output'),
    reasoning: l10n.t('Reasoning'),
    money: l10n.t('Cost'),
  };
  return texts[column];
}

/** In the order in which a request is built and paid for. */
const kinds = ['cacheRead', 'cacheWrite', 'input', 'output'] as const;
const height = 12;

/** A bar a call, dashed where its tokens are only estimated. */
function BeadBars({ bead, calls, total }: BeadCalls) {
  const most = Math.max(1, ...calls.map(tokensOf));
  return (
    <section>
      <Heading>{l10n.t('Calls of {0}', bead)}</Heading>
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

/** Numbers that the provider didn't report aren't said to be zero. */
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
