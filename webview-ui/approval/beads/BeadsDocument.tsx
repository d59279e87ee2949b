import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import type { Bead } from '../../../src/domain/beads/bead.ts';
import { byPriority, moveBead } from '../../../src/domain/beads/editPlan.ts';
import { BeadDetails } from './BeadDetails.tsx';
import { BeadList } from './BeadList.tsx';
import type { Problem } from '../drafts.ts';
import { PlanGraph } from './PlanGraph.tsx';

interface Props {
  readonly beads: readonly Bead[];
  readonly problems: readonly Problem[];
  readonly canEdit: boolean;
  readonly disabled: boolean;
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  readonly onChange: (beads: readonly Bead[]) => void;
  readonly announce: (text: string) => void;
}

/** A plan: its beads as a list and as a graph, and the chosen one in detail. */
export function BeadsDocument(props: Props) {
  const { beads, problems, canEdit, disabled, onSelect, onChange, announce } = props;
  const details = useRef<HTMLDivElement>(null);
  const ordered = byPriority(beads);
  const bead = ordered.find(({ id }) => id === props.selected) ?? ordered[0];
  const open = (): void => details.current?.querySelector<HTMLElement>('.details')?.focus();
  if (!bead) return null;
  const onMove = (id: string, by: number): void => {
    const next = moveBead(beads, id, by);
    onChange(next);
    announce(
      l10n.t('Moved to position {0} of {1}.', next.findIndex((moved) => moved.id === id) + 1, next.length),
    );
  };
  return (
    <div class="plan">
      <div class="plan-map">
        <BeadList
          beads={ordered}
          selected={bead.id}
          onSelect={onSelect}
          onOpen={open}
          onMove={canEdit && !disabled ? onMove : undefined}
        />
        <PlanGraph beads={ordered} selected={bead.id} onSelect={onSelect} onOpen={open} />
      </div>
      <div ref={details}>
        <BeadDetails
          key={bead.id}
          beads={beads}
          bead={bead}
          problems={problems}
          canEdit={canEdit}
          disabled={disabled}
          onChange={onChange}
          onSelect={onSelect}
          announce={announce}
        />
      </div>
    </div>
  );
}
