import { countHidden, hiddenSentence, visible } from '../../src/base/visible.ts';
import { isRecord } from '../../src/base/json.ts';

/** Lines that are coloured one by one; longer diffs stay plain. */
const mostColoured = 5_000;

export function ShownText({ text, isDiff = false }: { readonly text: string; readonly isDiff?: boolean }) {
  const hidden = countHidden(text);
  const lines = visible(text).split('\n');
  return (
    <>
      {hidden > 0 && <p class="problem">{hiddenSentence.replace('{0}', String(hidden))}</p>}
      <pre class={isDiff ? 'shown diff' : 'shown'} tabIndex={0}>
        {isDiff && lines.length <= mostColoured
          ? lines.map((line, at) => (
              <span key={at} class={lineClass(line)}>
                {line}
                {'\n'}
              </span>
            ))
          : lines.join('\n')}
      </pre>
    </>
  );
}

function lineClass(line: string): string {
  if (/^(?:\+\+\+|---|diff |index )/.test(line)) return 'file';
  if (line.startsWith('@@')) return 'place';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
}

/** All of a value, for people; empty parts are left out. */
export function ShownValue({ value }: { readonly value: unknown }) {
  if (Array.isArray(value))
    return (
      <ul class="value">
        {value.map((item: unknown, at) => (
          <li key={at}>
            <ShownValue value={item} />
          </li>
        ))}
      </ul>
    );
  if (!isRecord(value))
    return <span class="plain">{visible(typeof value === 'string' ? value : JSON.stringify(value))}</span>;
  return (
    <dl class="value">
      {Object.entries(value)
        .filter(([, part]) => !isEmpty(part))
        .map(([name, part]) => (
          <div key={name}>
            <dt>{readable(name)}</dt>
            <dd>
              <ShownValue value={part} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function readable(name: string): string {
  const words = visible(name)
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
