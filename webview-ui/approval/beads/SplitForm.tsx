import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { Button, Checkbox, TextField } from '../../base/elements.tsx';
import type { Bead } from '../../../src/domain/beads/bead.ts';
import { partId, type SplitPart } from '../../../src/domain/beads/editPlan.ts';

interface Props {
  readonly beads: readonly Bead[];
  readonly bead: Bead;
  /** Answers why it isn't possible; empty when it was done. */
  readonly onSplit: (part: SplitPart) => string;
  readonly onCancel: () => void;
}

/** Asks how a bead is made two. */
export function SplitForm({ beads, bead, onSplit, onCancel }: Props) {
  const [title, setTitle] = useState('');
  const [id, setId] = useState(() => partId(beads, bead.id));
  const [criteria, setCriteria] = useState<readonly number[]>([]);
  const [tests, setTests] = useState<readonly number[]>([]);
  const [problem, setProblem] = useState('');
  const lists = [
    {
      items: bead.acceptanceCriteria,
      label: l10n.t('Acceptance criteria for the second bead'),
      chosen: criteria,
      choose: setCriteria,
    },
    { items: bead.tests, label: l10n.t('Tests for the second bead'), chosen: tests, choose: setTests },
  ];
  const split = (): void => {
    if (title.trim() === '') setProblem(l10n.t('The second bead needs a title.'));
    else if (criteria.length === 0 || criteria.length === bead.acceptanceCriteria.length)
      setProblem(
        l10n.t('Each bead needs an acceptance criterion. Choose at least one and leave at least one.'),
      );
    else setProblem(onSplit({ id: id.trim(), title: title.trim(), acceptanceCriteria: criteria, tests }));
  };
  return (
    <fieldset class="card">
      <legend class="unseen">{l10n.t('Split {0}', bead.title)}</legend>
      <h3 aria-hidden="true">{l10n.t('Split {0}', bead.title)}</h3>
      <p class="quiet">
        {l10n.t(
          'The second bead waits for the first. Beads that waited for the first then wait for the second. Both keep the commands and files.',
        )}
      </p>
      <TextField
        label={l10n.t('Title of the second bead')}
        value={title}
        maxLength={300}
        onInput={setTitle}
      />
      <TextField label={l10n.t('Id of the second bead')} value={id} maxLength={80} onInput={setId} />
      {lists.map(({ items, label, chosen, choose }) =>
        items.length === 0 ? null : (
          <fieldset key={label}>
            <legend class="label">{label}</legend>
            {items.map((item, place) => (
              <Checkbox
                key={place}
                label={item}
                checked={chosen.includes(place)}
                onChange={(goes) =>
                  choose(goes ? [...chosen, place] : chosen.filter((other) => other !== place))
                }
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
        <Button onClick={split}>{l10n.t('Split')}</Button>
        <Button secondary onClick={onCancel}>
          {l10n.t('Cancel')}
        </Button>
      </div>
    </fieldset>
  );
}
