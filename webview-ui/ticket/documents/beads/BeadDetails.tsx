import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import {
  addBlocker,
  byPriority,
  partId,
  type PlanRefusal,
  removeBead,
  removeBlocker,
  splitBead,
  type SplitPart,
  workOrder,
} from '../../../../src/domain/beads/editPlan.ts';
import { Button, Checkbox, IconButton, Panel, TextField } from '../../../base/elements.tsx';
import { Heading } from '../../../base/headings.tsx';
import type { Problem } from '../drafts.ts';
import { Form } from '../form/Form.tsx';
import { FormView } from '../form/FormView.tsx';
import { beadFields } from '../form/fields.ts';

export interface BeadProps {
  readonly beads: readonly Bead[];
  readonly bead: Bead;
  readonly problems: readonly Problem[];
  readonly canEdit: boolean;
  readonly disabled: boolean;
  readonly onChange: (beads: readonly Bead[]) => void;
  readonly onSelect: (id: string) => void;
  readonly announce: (text: string) => void;
}

export function BeadDetails(props: BeadProps) {
  const { beads, bead, problems, canEdit, disabled, onChange, onSelect, announce } = props;
  const [problem, setProblem] = useState('');
  const [isSplitting, setSplitting] = useState(false);
  const title = (id: string): string => beads.find((other) => other.id === id)?.title ?? id;
  const place = byPriority(beads).findIndex(({ id }) => id === bead.id) + 1;
  const number = workOrder(beads).indexOf(bead.id) + 1;
  const take = (result: ReturnType<typeof addBlocker>, done: string): boolean => {
    setProblem(result.ok ? '' : refusalText(result.error, title));
    if (!result.ok) return false;
    onChange(result.value);
    announce(done);
    return true;
  };
  const onAdd = (blocker: string): void => {
    if (blocker !== '')
      take(
        addBlocker(beads, bead.id, blocker),
        l10n.t('{0} now depends on {1}.', bead.title, title(blocker)),
      );
  };
  const onRemove = (): void => {
    const next = beads.find(({ id }) => id !== bead.id);
    if (
      take(
        removeBead(beads, bead.id),
        l10n.t('{0} was removed. Beads that depended on it now depend on its dependencies.', bead.title),
      ) &&
      next
    )
      onSelect(next.id);
  };
  const { blocked_by, blocks } = bead.dependencies;
  const others = beads.filter(({ id }) => id !== bead.id && !blocked_by.includes(id));
  return (
    <section class="details" aria-label={bead.title} tabIndex={-1}>
      <Heading class="plain">{bead.title || bead.id}</Heading>
      <p class="quiet">
        <code>{bead.id}</code> · {l10n.t('Position {0} of {1}', place, beads.length)}
        {number > 0 && number !== place && ` · ${l10n.t('run order: {0}', number)}`}
      </p>
      <Edges label={l10n.t('Depends on')} ids={blocked_by} title={title} onSelect={onSelect}>
        {canEdit
          ? (id) => (
              <IconButton
                icon="close"
                label={l10n.t('Remove dependency on {0}', title(id))}
                disabled={disabled}
                onClick={() => {
                  setProblem('');
                  onChange(removeBlocker(beads, bead.id, id));
                  announce(l10n.t('{0} no longer depends on {1}.', bead.title, title(id)));
                }}
              />
            )
          : undefined}
      </Edges>
      {canEdit && others.length > 0 && (
        <label class="field">
          <span class="label">{l10n.t('Add dependency')}</span>
          <select
            class="select"
            value=""
            disabled={disabled}
            onChange={(event) => {
              onAdd(event.currentTarget.value);
              event.currentTarget.value = '';
            }}
          >
            <option value="">{l10n.t('Choose a bead…')}</option>
            {others.map((other) => (
              <option key={other.id} value={other.id}>
                {l10n.t('{0}: {1}', other.id, other.title)}
              </option>
            ))}
          </select>
        </label>
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Edges label={l10n.t('Needed by')} ids={blocks} title={title} onSelect={onSelect} />
      {canEdit && !isSplitting && (
        <div class="actions">
          <Button
            secondary
            icon="split-horizontal"
            opens="split"
            disabled={disabled}
            onClick={() => setSplitting(true)}
          >
            {l10n.t('Split…')}
          </Button>
          <Button secondary icon="trash" disabled={disabled} onClick={onRemove}>
            {l10n.t('Remove')}
          </Button>
        </div>
      )}
      {canEdit && isSplitting && (
        <Panel name="split" onLeave={() => setSplitting(false)}>
          <SplitForm
            beads={beads}
            bead={bead}
            onCancel={() => setSplitting(false)}
            onSplit={(part) => {
              const result = splitBead(beads, bead.id, part);
              if (!result.ok) return refusalText(result.error, title);
              take(result, l10n.t('{0} was split. The second part is {1}.', bead.title, part.title));
              setSplitting(false);
              return '';
            }}
          />
        </Panel>
      )}
      {canEdit ? (
        <Form
          key={bead.id}
          fields={beadFields()}
          value={beads}
          at={[beads.indexOf(bead)]}
          problems={problems}
          disabled={disabled}
          onChange={(next) => onChange(next as readonly Bead[])}
          announce={announce}
        />
      ) : (
        <FormView fields={beadFields()} value={bead} below={1} />
      )}
    </section>
  );
}

function Edges({
  label,
  ids,
  title,
  onSelect,
  children,
}: {
  readonly label: string;
  readonly ids: readonly string[];
  readonly title: (id: string) => string;
  readonly onSelect: (id: string) => void;
  readonly children?: ((id: string) => preact.ComponentChildren) | undefined;
}) {
  return (
    <div class="read-field">
      <div class="label">{label}</div>
      {ids.length === 0 ? (
        <div class="quiet">{l10n.t('none')}</div>
      ) : (
        <ul class="edges" aria-label={label}>
          {ids.map((id) => (
            <li key={id} class="row">
              <button type="button" class="link" onClick={() => onSelect(id)}>
                {title(id)}
              </button>
              {children?.(id)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function refusalText(refusal: PlanRefusal, title: (id: string) => string): string {
  switch (refusal.kind) {
    case 'circle':
      return l10n.t('This would create a dependency cycle: {0}.', refusal.path.map(title).join(' → '));
    case 'self':
      return l10n.t('A bead can’t depend on itself.');
    case 'known':
      return l10n.t('It already depends on {0}.', title(refusal.bead));
    case 'unknown':
      return l10n.t('The bead {0} doesn’t exist.', refusal.bead);
    case 'badId':
      return l10n.t(
        '“{0}” is not a valid bead ID. Use a-z, 0-9 and dashes, at most 80 characters.',
        refusal.bead,
      );
    case 'taken':
      return l10n.t('A bead {0} already exists.', refusal.bead);
    case 'last':
      return l10n.t('A plan must have at least one bead.');
  }
}

interface SplitFormProps {
  readonly beads: readonly Bead[];
  readonly bead: Bead;
  /** Answers why it isn't possible; empty when it was done. */
  readonly onSplit: (part: SplitPart) => string;
  readonly onCancel: () => void;
}

function SplitForm({ beads, bead, onSplit, onCancel }: SplitFormProps) {
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
      <Heading below={1} aria-hidden="true">
        {l10n.t('Split {0}', bead.title)}
      </Heading>
      <p class="quiet">
        {l10n.t(
          'The second bead depends on the first. Beads that depended on the first then depend on the second. Both keep the commands and files.',
        )}
      </p>
      <TextField
        label={l10n.t('Title of the second bead')}
        value={title}
        maxLength={300}
        onInput={setTitle}
      />
      <TextField label={l10n.t('ID of the second bead')} value={id} maxLength={80} onInput={setId} />
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
