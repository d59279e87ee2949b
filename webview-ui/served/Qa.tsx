import { useState } from 'preact/hooks';
import { visible } from '../../src/base/visible.ts';
import type { ServedDetail } from '../../src/protocol/team/served.ts';
import { Button, Radio } from '../base/elements.tsx';
import { Heading } from '../base/headings.tsx';
import { qaProgress, type QaResult, untouched } from '../base/qaResults.ts';
import type { Decide } from './Decisions.tsx';
import { TextArea } from './work.tsx';

const names = { pass: 'Pass', fail: 'Fail', waive: 'Waive' } as const;
const results = ['pass', 'fail', 'waive'] as const;

/** The manual checks, with a result for each. */
export function Qa({
  qa: { sha256, content: checklist },
  disabled,
  decide,
}: {
  readonly qa: NonNullable<ServedDetail['qa']>;
  readonly disabled: boolean;
  readonly decide: Decide;
}) {
  const [given, setGiven] = useState<Readonly<Record<string, QaResult>>>({});
  const progress = qaProgress(checklist, given);
  return (
    <section aria-labelledby="qa">
      <Heading id="qa">Manual QA, round {checklist.round}</Heading>
      {checklist.items.map((item) => (
        <Item
          key={item.id}
          item={item}
          result={given[item.id] ?? untouched}
          onChange={(change) =>
            setGiven({ ...given, [item.id]: { ...(given[item.id] ?? untouched), ...change } })
          }
        />
      ))}
      <p class="quiet">
        SHA-256 <code class="hash">{sha256}</code>
      </p>
      <div class="row">
        <Button
          disabled={disabled || !progress.canSend}
          onClick={() => void decide('qa', progress.body, 'Results sent.')}
        >
          Send Results
        </Button>
        <span class="quiet">
          {progress.isUnexplained
            ? 'Describe what failed.'
            : `${progress.given} of ${checklist.items.length} have a result`}
        </span>
      </div>
    </section>
  );
}

function Item({
  item: { id, title, severity, behavior, prerequisites, actions, expectedResult },
  result: { result, observation },
  onChange,
}: {
  readonly item: NonNullable<ServedDetail['qa']>['content']['items'][number];
  readonly result: QaResult;
  readonly onChange: (change: Partial<QaResult>) => void;
}) {
  return (
    <fieldset class="card">
      <legend class="plain">
        {visible(title)}
        {severity === 'optional' && <span class="quiet"> (optional)</span>}
      </legend>
      {behavior !== '' && <p class="plain">{visible(behavior)}</p>}
      {prerequisites.length > 0 && (
        <p class="quiet plain">Prerequisites: {visible(prerequisites.join(' · '))}</p>
      )}
      <ol>
        {actions.map((action, at) => (
          <li key={at} class="plain">
            {visible(action)}
          </li>
        ))}
      </ol>
      {expectedResult !== '' && (
        <p class="plain">
          <span class="quiet">Expected:</span> {visible(expectedResult)}
        </p>
      )}
      <div class="row">
        {results.map((one) => (
          <Radio
            key={one}
            name={`qa-${id}`}
            label={names[one]}
            checked={result === one}
            onChange={() => onChange({ result: one })}
          />
        ))}
      </div>
      {result !== null && (
        <TextArea
          label={result === 'fail' ? 'What did you see?' : 'Note (optional)'}
          value={observation}
          rows={2}
          onInput={(text) => onChange({ observation: text })}
        />
      )}
    </fieldset>
  );
}
