import type { ComponentChildren } from 'preact';
import { Icon } from '../../base/elements.tsx';
import { Below, Heading } from '../../base/headings.tsx';
import { type OpenParts, sectionId, titleId } from './opened.ts';

interface FoldProps {
  /** As for `useOpenParts`. */
  readonly list: 'parts' | 'documents' | 'work-beads';
  readonly part: string;
  readonly parts: OpenParts;
  readonly title: ComponentChildren;
  /** Beside the title, open or not. */
  readonly summary?: ComponentChildren;
  /** Nothing is made of it while it is closed. */
  readonly children: () => ComponentChildren;
}

export function Fold({ list, part, parts, title, summary, children }: FoldProps) {
  const isOpen = parts.isOpen(part);
  const [section, heading] = [sectionId(list, part), titleId(list, part)];
  return (
    <section id={section} class={`disclosure disclosure-of-${list}`} aria-labelledby={heading}>
      <div class="disclosure-head">
        <Heading class="disclosure-title">
          <button
            type="button"
            id={heading}
            aria-expanded={isOpen}
            aria-controls={isOpen ? `${section}-body` : undefined}
            onClick={() => parts.toggle(part)}
          >
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
            {title}
          </button>
        </Heading>
        {summary && <span class="disclosure-summary quiet">{summary}</span>}
      </div>
      {isOpen && (
        <div id={`${section}-body`} class="disclosure-body">
          <Below>{children()}</Below>
        </div>
      )}
    </section>
  );
}
