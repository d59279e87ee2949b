import { useState } from 'preact/hooks';
import { fill } from '../base/fill.ts';
import { Button, IconButton } from '../base/elements.tsx';
import { Panel } from '../base/Panel.tsx';
import type { Bead } from '../../src/domain/beads/bead.ts';
import {
  addBlocker,
  byPriority,
  type PlanRefusal,
  removeBead,
  removeBlocker,
  splitBead,
  workOrder,
} from '../../src/domain/beads/editPlan.ts';
import type { ApprovalTexts } from '../../src/protocol/pages/approvalTexts.ts';
import type { Problem } from './drafts.ts';
import { beadFields } from './fields.ts';
import { Form } from './Form.tsx';
import { FormView } from './FormView.tsx';
import { SplitForm } from './SplitForm.tsx';

interface Props {
  readonly texts: ApprovalTexts;
  readonly beads: readonly Bead[];
  readonly bead: Bead;
  readonly problems: readonly Problem[];
  readonly canEdit: boolean;
  readonly disabled: boolean;
  readonly onChange: (beads: readonly Bead[]) => void;
  readonly onSelect: (id: string) => void;
  readonly announce: (text: string) => void;
}

/** One bead: its edges, and its fields for reading or editing. */
export function BeadDetails({ texts, beads, bead, problems, canEdit, disabled, onChange, onSelect, announce }: Props) {
  const [problem, setProblem] = useState('');
  const [isSplitting, setSplitting] = useState(false);
  const title = (id: string): string => beads.find((other) => other.id === id)?.title ?? id;
  const place = byPriority(beads).findIndex(({ id }) => id === bead.id) + 1;
  const number = workOrder(beads).indexOf(bead.id) + 1;
  const take = (result: ReturnType<typeof addBlocker>, done: string): boolean => {
    setProblem(result.ok ? '' : refusalText(texts, result.error, title));
    if (!result.ok) return false;
    onChange(result.value);
    announce(done);
    return true;
  };
  const onAdd = (blocker: string): void => {
    if (blocker !== '') take(addBlocker(beads, bead.id, blocker), fill(texts.edgeAdded, bead.title, title(blocker)));
  };
  const onRemove = (): void => {
    const next = beads.find(({ id }) => id !== bead.id);
    if (take(removeBead(beads, bead.id), fill(texts.beadRemoved, bead.title)) && next) onSelect(next.id);
  };
  const { blocked_by, blocks } = bead.dependencies;
  const others = beads.filter(({ id }) => id !== bead.id && !blocked_by.includes(id));
  return (
    <section class="details" aria-label={bead.title} tabIndex={-1}>
      <h2 class="plain">{bead.title || bead.id}</h2>
      <p class="quiet">
        <code>{bead.id}</code> · {fill(texts.place, place, beads.length)}
        {number > 0 && number !== place && ` · ${fill(texts.worksAs, number)}`}
      </p>
      <Edges texts={texts} label={texts.waitsFor} ids={blocked_by} title={title} onSelect={onSelect}>
        {canEdit
          ? (id) => (
              <IconButton
                icon="close"
                label={fill(texts.noLonger, title(id))}
                disabled={disabled}
                onClick={() => {
                  setProblem('');
                  onChange(removeBlocker(beads, bead.id, id));
                  announce(fill(texts.edgeRemoved, bead.title, title(id)));
                }}
              />
            )
          : undefined}
      </Edges>
      {canEdit && others.length > 0 && (
        <label class="field">
          <span class="label">{texts.addBlocker}</span>
          <select
            class="select"
            value=""
            disabled={disabled}
            onChange={(event) => {
              onAdd(event.currentTarget.value);
              event.currentTarget.value = '';
            }}
          >
            <option value="">{texts.chooseBead}</option>
            {others.map((other) => (
              <option key={other.id} value={other.id}>
                {fill(texts.beadName, other.id, other.title)}
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
      <Edges texts={texts} label={texts.neededBy} ids={blocks} title={title} onSelect={onSelect} />
      {canEdit && !isSplitting && (
        <div class="actions">
          <Button secondary icon="split-horizontal" opens="split" disabled={disabled} onClick={() => setSplitting(true)}>
            {texts.split}
          </Button>
          <Button secondary icon="trash" disabled={disabled} onClick={onRemove}>
            {texts.removeBead}
          </Button>
        </div>
      )}
      {canEdit && isSplitting && (
        <Panel name="split" onLeave={() => setSplitting(false)}>
          <SplitForm
            texts={texts}
            beads={beads}
            bead={bead}
            onCancel={() => setSplitting(false)}
            onSplit={(part) => {
              const result = splitBead(beads, bead.id, part);
              if (!result.ok) return refusalText(texts, result.error, title);
              take(result, fill(texts.splitDone, bead.title, part.title));
              setSplitting(false);
              return '';
            }}
          />
        </Panel>
      )}
      {canEdit ? (
        <Form
          key={bead.id}
          texts={texts}
          fields={beadFields}
          value={beads}
          at={[beads.indexOf(bead)]}
          problems={problems}
          disabled={disabled}
          onChange={(next) => onChange(next as readonly Bead[])}
          announce={announce}
        />
      ) : (
        <FormView texts={texts} fields={beadFields} value={bead} level={3} />
      )}
    </section>
  );
}

function Edges({
  texts,
  label,
  ids,
  title,
  onSelect,
  children,
}: {
  readonly texts: ApprovalTexts;
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
        <div class="quiet">{texts.nothing}</div>
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

/** Why a change of the plan isn't possible, with the circle it would close. */
function refusalText(texts: ApprovalTexts, refusal: PlanRefusal, title: (id: string) => string): string {
  switch (refusal.kind) {
    case 'circle':
      return fill(texts.refusedCircle, refusal.path.map(title).join(texts.waitsArrow));
    case 'self':
      return texts.refusedSelf;
    case 'known':
      return fill(texts.refusedKnown, title(refusal.bead));
    case 'unknown':
      return fill(texts.refusedUnknown, refusal.bead);
    case 'badId':
      return fill(texts.refusedBadId, refusal.bead);
    case 'taken':
      return fill(texts.refusedTaken, refusal.bead);
    case 'last':
      return texts.refusedLast;
  }
}
