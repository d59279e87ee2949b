import { useEffect, useRef } from 'preact/hooks';
import { useViewState, type ViewState } from '../../base/keptState.tsx';
import { followed, Opened, toggled } from './following.ts';

export interface OpenParts {
  readonly isOpen: (part: string) => boolean;
  readonly toggle: (part: string) => void;
  /** Opens it and leads there. */
  readonly show: (part: string) => void;
}

const fields =
  'vscode-textarea, vscode-textfield, textarea, select, input:not([type=radio], [type=checkbox])';

/**
 * Follows what is due: it opens, gets the focus and comes into sight, unless a person is somewhere else on
 * the page. `list` names the elements: see `sectionId` and `titleId`.
 */
export function useOpenParts(viewState: ViewState, list: string, due: string | null): OpenParts {
  const [opened, keep] = useViewState(viewState, list, Opened, followed({ due: null, open: [] }, due, false));
  const leadsTo = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (opened.due === due) return;
    const before = opened.due === null ? null : document.getElementById(sectionId(list, opened.due));
    const active = document.activeElement;
    const isThere = before?.contains(active) ?? false;
    const isTyping = isThere && (active?.matches(fields) ?? false);
    if (due !== null && !isTyping && (isThere || active === document.body)) leadsTo.current = due;
    keep(followed(opened, due, isTyping));
  }, [due]);
  useEffect(() => {
    const part = leadsTo.current;
    if (part === undefined) return;
    leadsTo.current = undefined;
    document.getElementById(titleId(list, part))?.focus({ preventScroll: true });
    document.getElementById(sectionId(list, part))?.scrollIntoView({ block: 'start' });
  }, [opened]);
  return {
    isOpen: (part) => opened.open.includes(part),
    toggle: (part) => keep((now) => toggled(now, part)),
    show: (part) => {
      leadsTo.current = part;
      keep((now) => ({ ...now, open: [...now.open.filter((one) => one !== part), part] }));
    },
  };
}

export function sectionId(list: string, part: string): string {
  return `${list}-${part}`;
}

export function titleId(list: string, part: string): string {
  return `${list}-${part}-title`;
}
