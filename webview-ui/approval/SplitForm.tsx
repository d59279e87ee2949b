import { useState } from 'preact/hooks';
import { fill } from '../base/fill.ts';
import { Button, Checkbox, TextField } from '../base/elements.tsx';
import type { Bead } from '../../src/domain/beads/bead.ts';
import { partId, type SplitPart } from '../../src/domain/beads/editPlan.ts';
import type { ApprovalTexts } from '../../src/protocol/pages/approvalTexts.ts';

interface Props {
  readonly texts: ApprovalTexts;
  readonly beads: readonly Bead[];
  readonly bead: Bead;
  /** Answers why it isn't possible; empty when it was done. */
  readonly onSplit: (part: SplitPart) => string;
  readonly onCancel: () => void;
}

/** Asks how a bead is made two. */
export function SplitForm({ texts, beads, bead, onSplit, onCancel }: Props) {
  const [title, setTitle] = useState('');
  const [id, setId] = useState(() => partId(beads, bead.id));
  const [criteria, setCriteria] = useState<readonly number[]>([]);
  const [tests, setTests] = useState<readonly number[]>([]);
  const [problem, setProblem] = useState('');
  const lists = [
    { items: bead.acceptanceCriteria, label: texts.criteria, chosen: criteria, choose: setCriteria },
    { items: bead.tests, label: texts.tests, chosen: tests, choose: setTests },
  ];
  const split = (): void => {
    if (title.trim() === '') setProblem(texts.splitTitleMissing);
    else if (criteria.length === 0 || criteria.length === bead.acceptanceCriteria.length) setProblem(texts.splitCriteriaMissing);
    else setProblem(onSplit({ id: id.trim(), title: title.trim(), acceptanceCriteria: criteria, tests }));
  };
  return (
    <fieldset class="card">
      <legend class="unseen">{fill(texts.splitTitle, bead.title)}</legend>
      <h3 aria-hidden="true">{fill(texts.splitTitle, bead.title)}</h3>
      <p class="quiet">{texts.splitHint}</p>
      <TextField label={texts.secondTitle} value={title} maxLength={300} onInput={setTitle} />
      <TextField label={texts.secondId} value={id} maxLength={80} onInput={setId} />
      {lists.map(({ items, label, chosen, choose }) =>
        items.length === 0 ? null : (
          <fieldset key={label}>
            <legend class="label">
              {label}: {texts.goesOver}
            </legend>
            {items.map((item, place) => (
              <Checkbox
                key={place}
                label={item}
                checked={chosen.includes(place)}
                onChange={(goes) => choose(goes ? [...chosen, place] : chosen.filter((other) => other !== place))}
              />
            ))}
          </fieldset>
        ),
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="actions">
        <Button onClick={split}>{texts.splitNow}</Button>
        <Button secondary onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </fieldset>
  );
}
