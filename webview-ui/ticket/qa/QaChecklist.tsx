import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { QaChecklist as Checklist } from '../../../src/domain/documents/qaChecklist.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import { Button, PlainItems, Radio, TextArea } from '../../base/elements.tsx';
import { Heading } from '../../base/headings.tsx';
import { useDraft } from '../../base/keptState.tsx';
import { qaProgress, QaResult, untouched } from '../../base/qaResults.ts';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import type { Acting } from '../shared/parts.tsx';

const Results = z.record(z.string(), QaResult);

interface QaChecklistProps extends Acting {
  readonly checklist: Checklist;
}

/** Ticks and texts are kept until they are sent. */
export function QaChecklist({ checklist, page, canAct }: QaChecklistProps) {
  const [results, setResults] = useDraft(page.draftStore, `qa-${checklist.round}`, Results, {});
  const sending = useRequest(page, 'act');
  const { given, isUnexplained, canSend, body } = qaProgress(checklist, results);
  const submit = async (): Promise<void> => {
    if (await sending.tell(filed('qa', body), l10n.t('Sent.'))) setResults({});
  };
  return (
    <section class="qa" aria-labelledby="qa">
      <Heading id="qa">{l10n.t('Manual QA, round {0}', checklist.round)}</Heading>
      {checklist.items.map((item) => (
        <Item
          key={item.id}
          item={item}
          result={results[item.id] ?? untouched}
          disabled={!canAct || sending.isBusy || sending.isFiled}
          onChange={(change) =>
            setResults((now) => ({ ...now, [item.id]: { ...(now[item.id] ?? untouched), ...change } }))
          }
        />
      ))}
      {canAct && !sending.isFiled && (
        <div class="row">
          <Button disabled={!canSend || sending.isBusy} onClick={() => void submit()}>
            {l10n.t('Send Results')}
          </Button>
          <span class="quiet">
            {isUnexplained
              ? l10n.t('Describe what failed.')
              : l10n.t('{0} of {1} have a result', given, checklist.items.length)}
          </span>
        </div>
      )}
      <Filed isShown={sending.isFiled} />
      <Failure of={sending} />
    </section>
  );
}

interface ItemProps {
  readonly item: Checklist['items'][number];
  readonly result: QaResult;
  readonly disabled: boolean;
  readonly onChange: (change: Partial<QaResult>) => void;
}

function Item({ item, result, disabled, onChange }: ItemProps) {
  return (
    <fieldset class="qa-item">
      <legend>
        <strong>{item.title}</strong>{' '}
        {item.severity === 'optional' && <span class="quiet">{l10n.t('optional')}</span>}
      </legend>
      {item.behavior !== '' && <p class="plain">{item.behavior}</p>}
      {item.prerequisites.length > 0 && (
        <p class="quiet">{l10n.t('Prerequisites: {0}', item.prerequisites.join(' · '))}</p>
      )}
      <ol>
        <PlainItems of={item.actions} />
      </ol>
      {item.expectedResult !== '' && (
        <p>
          <span class="quiet">{l10n.t('Expected:')}</span> <span class="plain">{item.expectedResult}</span>
        </p>
      )}
      <div class="row">
        {(['pass', 'fail', 'waive'] as const).map((name) => (
          <Radio
            key={name}
            name={`qa-${item.id}`}
            label={resultName(name)}
            checked={result.result === name}
            disabled={disabled}
            onChange={() => onChange({ result: name })}
          />
        ))}
      </div>
      {result.result !== null && (
        <TextArea
          label={result.result === 'fail' ? l10n.t('What did you see?') : l10n.t('Note (optional)')}
          value={result.observation}
          rows={2}
          maxLength={20_000}
          disabled={disabled}
          onInput={(observation) => onChange({ observation })}
        />
      )}
    </fieldset>
  );
}

function resultName(result: NonNullable<QaResult['result']>): string {
  const texts: Readonly<Record<NonNullable<QaResult['result']>, string>> = {
    pass: l10n.t('Pass'),
    fail: l10n.t('Fail'),
    waive: l10n.t('Waive'),
  };
  return texts[result];
}
