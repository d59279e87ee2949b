import { useState } from 'preact/hooks';
import type { ServedDetail } from '../../src/protocol/team/served.ts';
import { Button } from '../base/elements.tsx';
import { progressText, QaItems } from '../base/QaItems.tsx';
import { qaProgress, type QaResult } from '../base/qaResults.ts';
import type { Decide } from './Decisions.tsx';
import { TextArea } from './work.tsx';

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
      <QaItems
        checklist={checklist}
        results={given}
        disabled={false}
        field={TextArea}
        itemClass="card"
        onChange={(id, result) => setGiven((now) => ({ ...now, [id]: result }))}
      />
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
        <span class="quiet">{progressText(progress, checklist)}</span>
      </div>
    </section>
  );
}
