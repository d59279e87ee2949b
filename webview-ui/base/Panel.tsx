import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PanelProps {
  /** The button that opens it has the same in `opens`. */
  readonly name: string;
  readonly onLeave: () => void;
  readonly class?: 'card';
  readonly children: ComponentChildren;
}

/**
 * A question that opened just now: the focus moves into it, Escape closes it, and then the focus returns to
 * what opened it.
 */
export function Panel({ name, onLeave, class: look, children }: PanelProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('vscode-textarea, vscode-textfield')?.focus();
    return () =>
      // What opened it may only be there again after the page was drawn.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body)
          document.querySelector<HTMLElement>(`[data-opens="${CSS.escape(name)}"]`)?.focus();
      });
  }, []);
  return (
    <div
      class={look}
      ref={root}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave();
      }}
    >
      {children}
    </div>
  );
}
