import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { type Bead, beadStatusLabels } from '../../../../src/domain/beads/bead.ts';
import { byPriority, moveBead } from '../../../../src/domain/beads/editPlan.ts';
import { Icon, MoveButtons } from '../../../base/elements.tsx';
import { BeadDetails, type BeadProps } from './BeadDetails.tsx';
import { PlanGraph } from './PlanGraph.tsx';

export function BeadsDocument({
  selected,
  ...rest
}: Omit<BeadProps, 'bead'> & { readonly selected: string }) {
  const { beads, canEdit, disabled, onSelect, onChange, announce } = rest;
  const details = useRef<HTMLDivElement>(null);
  const ordered = byPriority(beads);
  const bead = ordered.find(({ id }) => id === selected) ?? ordered[0];
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
      {ordered.length > 1 && (
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
      )}
      <div ref={details}>
        <BeadDetails key={bead.id} {...rest} bead={bead} />
      </div>
    </div>
  );
}

interface BeadListProps {
  /** By priority. */
  readonly beads: readonly Bead[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  readonly onOpen: () => void;
  /** Absent where nothing can be changed. */
  readonly onMove?: ((id: string, by: number) => void) | undefined;
}

const icons: Readonly<Record<Bead['status'], string>> = {
  pending: 'circle-large-outline',
  in_progress: 'sync',
  done: 'pass',
  error: 'error',
  skipped: 'circle-slash',
};

function BeadList({ beads, selected, onSelect, onOpen, onMove }: BeadListProps) {
  const list = useRef<HTMLOListElement>(null);
  const follow = useRef(false);
  // The chosen bead keeps the focus wherever it went.
  useEffect(() => {
    if (follow.current) list.current?.querySelector<HTMLElement>('[aria-current=true]')?.focus();
    follow.current = false;
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = beads.findIndex(({ id }) => id === selected);
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const to = by === undefined ? { Home: 0, End: beads.length - 1 }[event.key] : at + by;
    if (event.ctrlKey || event.metaKey || to === undefined) return;
    event.preventDefault();
    const next = beads[to];
    if (!next) return;
    follow.current = true;
    if (event.altKey && onMove) onMove(selected, to - at);
    else if (!event.altKey) onSelect(next.id);
  };
  return (
    <div class="bead-list">
      <ol ref={list} aria-label={l10n.t('Beads by priority')} onKeyDown={onKeyDown}>
        {beads.map(({ id, title, status }, place) => {
          const text = l10n.t(beadStatusLabels[status]);
          const isSelected = id === selected;
          return (
            <li key={id} class={isSelected ? 'selected' : ''}>
              <button
                type="button"
                class="bead"
                aria-current={isSelected}
                tabIndex={isSelected ? 0 : -1}
                onClick={() => (isSelected ? onOpen() : onSelect(id))}
              >
                <span class="place">{place + 1}</span>
                {status !== 'pending' && (
                  <span title={text}>
                    <Icon name={icons[status]} />
                    <span class="unseen">{text}</span>
                  </span>
                )}
                <span class="grow">{title || id}</span>
              </button>
              {onMove && isSelected && (
                <MoveButtons
                  name={title}
                  isFirst={place === 0}
                  isLast={place === beads.length - 1}
                  onMove={(by) => onMove(id, by)}
                />
              )}
            </li>
          );
        })}
      </ol>
      {onMove && (
        <p class="quiet hint">
          {l10n.t('Use Up and Down to select a bead, and Alt+Up and Alt+Down to move it.')}
        </p>
      )}
    </div>
  );
}
