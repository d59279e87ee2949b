import * as l10n from '@vscode/l10n';
import type { FunctionComponent } from 'preact';
import { visible } from '../../src/base/visible.ts';
import type { QaChecklist } from '../../src/domain/documents/qaChecklist.ts';
import { PlainItems, Radio, type TextArea } from './elements.tsx';
import { Heading } from './headings.tsx';
import { type QaProgress, type QaResult, untouched } from './qaResults.ts';

interface QaItemsProps {
  readonly checklist: QaChecklist;
  readonly results: Readonly<Record<string, QaResult>>;
  readonly disabled: boolean;
  /** The kind of field that the page's policy allows. */
  readonly field: FunctionComponent<Parameters<typeof TextArea>[0]>;
  readonly itemClass: 'card' | 'qa-item';
  readonly onChange: (id: string, result: QaResult) => void;
}

/** The heading and the manual checks, with a result for each. */
export function QaItems({ checklist, results, onChange, ...rest }: QaItemsProps) {
  return (
    <>
      <Heading id="qa">{l10n.t('Manual QA, round {0}', checklist.round)}</Heading>
      {checklist.items.map((item) => (
        <Item
          key={item.id}
          item={item}
          result={results[item.id] ?? untouched}
          onChange={(change) => onChange(item.id, { ...(results[item.id] ?? untouched), ...change })}
          {...rest}
        />
      ))}
    </>
  );
}

interface ItemProps extends Pick<QaItemsProps, 'disabled' | 'field' | 'itemClass'> {
  readonly item: QaChecklist['items'][number];
  readonly result: QaResult;
  readonly onChange: (change: Partial<QaResult>) => void;
}

function Item({
  item,
  result: { result, observation },
  disabled,
  field: Field,
  itemClass,
  onChange,
}: ItemProps) {
  return (
    <fieldset class={itemClass}>
      <legend class="plain">
        <strong>{visible(item.title)}</strong>{' '}
        {item.severity === 'optional' && <span class="quiet">{l10n.t('optional')}</span>}
      </legend>
      {item.behavior !== '' && <p class="plain">{visible(item.behavior)}</p>}
      {item.prerequisites.length > 0 && (
        <p class="quiet plain">{l10n.t('Prerequisites: {0}', visible(item.prerequisites.join(' · ')))}</p>
      )}
      <ol>
        <PlainItems of={item.actions.map(visible)} />
      </ol>
      {item.expectedResult !== '' && (
        <p class="plain">
          <span class="quiet">{l10n.t('Expected:')}</span> {visible(item.expectedResult)}
        </p>
      )}
      <div class="row">
        {(['pass', 'fail', 'waive'] as const).map((name) => (
          <Radio
            key={name}
            name={`qa-${item.id}`}
            label={resultName(name)}
            checked={result === name}
            disabled={disabled}
            onChange={() => onChange({ result: name })}
          />
        ))}
      </div>
      {result !== null && (
        <Field
          label={result === 'fail' ? l10n.t('What did you see?') : l10n.t('Note (optional)')}
          value={observation}
          rows={2}
          maxLength={20_000}
          disabled={disabled}
          onInput={(text) => onChange({ observation: text })}
        />
      )}
    </fieldset>
  );
}

function resultName(result: NonNullable<QaResult['result']>): string {
  return { pass: l10n.t('Pass'), fail: l10n.t('Fail'), waive: l10n.t('Waive') }[result];
}

/** Says how many checks have a result, or what is missing to send them. */
export function progressText({ given, isUnexplained }: QaProgress, { items }: QaChecklist): string {
  return isUnexplained
    ? l10n.t('Describe what failed.')
    : l10n.t('{0} of {1} have a result', given, items.length);
}
