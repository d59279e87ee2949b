import { useEffect, useRef } from 'preact/hooks';
import { fill } from '../base/fill.ts';
import { Icon, IconButton } from '../base/elements.tsx';
import type { Bead } from '../../src/domain/beads/bead.ts';
import type { ApprovalText, ApprovalTexts } from '../../src/protocol/pages/approvalTexts.ts';

interface Props {
  readonly texts: ApprovalTexts;
  /** By priority. */
  readonly beads: readonly Bead[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  readonly onOpen: () => void;
  /** Absent where nothing can be changed. */
  readonly onMove?: ((id: string, by: number) => void) | undefined;
}

const statuses: Readonly<Record<Bead['status'], readonly [icon: string, text: ApprovalText]>> = {
  pending: ['circle-large-outline', 'statusPending'],
  in_progress: ['sync', 'statusProgress'],
  done: ['pass', 'statusDone'],
  error: ['error', 'statusError'],
};

/** The beads by priority: the same as in the graph, as a list. */
export function BeadList({ texts, beads, selected, onSelect, onOpen, onMove }: Props) {
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
      <ol ref={list} aria-label={texts.beadList} onKeyDown={onKeyDown}>
        {beads.map(({ id, title, status }, place) => {
          const [icon, text] = statuses[status];
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
                  <span title={texts[text]}>
                    <Icon name={icon} />
                    <span class="unseen">{texts[text]}</span>
                  </span>
                )}
                <span class="grow">{title || id}</span>
              </button>
              {onMove && isSelected && (
                <>
                  <IconButton icon="arrow-up" label={fill(texts.moveUp, title)} disabled={place === 0} onClick={() => onMove(id, -1)} />
                  <IconButton
                    icon="arrow-down"
                    label={fill(texts.moveDown, title)}
                    disabled={place === beads.length - 1}
                    onClick={() => onMove(id, 1)}
                  />
                </>
              )}
            </li>
          );
        })}
      </ol>
      {onMove && <p class="quiet hint">{texts.listHint}</p>}
    </div>
  );
}
