import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { Icon, IconButton } from '../../base/elements.tsx';
import { type Bead, beadStatusLabels } from '../../../src/domain/beads/bead.ts';

interface Props {
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

/** The beads by priority: the same as in the graph, as a list. */
export function BeadList({ beads, selected, onSelect, onOpen, onMove }: Props) {
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
                <>
                  <IconButton
                    icon="arrow-up"
                    label={l10n.t('Move {0} up', title)}
                    disabled={place === 0}
                    onClick={() => onMove(id, -1)}
                  />
                  <IconButton
                    icon="arrow-down"
                    label={l10n.t('Move {0} down', title)}
                    disabled={place === beads.length - 1}
                    onClick={() => onMove(id, 1)}
                  />
                </>
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
