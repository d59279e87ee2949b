import { useState } from 'preact/hooks';
import type { PageTools } from '../base/page.tsx';
import { documentName } from '../base/format.ts';
import type { approvalPage, ApprovalState, ShownDocument } from '../../src/protocol/pages/approval.ts';
import { Decision } from './Decision.tsx';
import type { Drafts } from './drafts.ts';
import { OneDocument } from './OneDocument.tsx';

interface Props {
  readonly page: PageTools<typeof approvalPage>;
  readonly state: ApprovalState;
  /** The documents that one decision is about, in the order in which they are read. */
  readonly documents: readonly ShownDocument[];
  readonly drafts: Drafts;
  readonly onDrafts: (change: (now: Drafts) => Drafts) => void;
  readonly locked: boolean;
  readonly onApproved: () => void;
}

/** Documents that are approved together: each to be read and edited, and one decision about all. */
export function PlanDocuments({ page, state, documents, drafts, onDrafts, locked, onApproved }: Props) {
  const [notice, setNotice] = useState('');
  return (
    <>
      {documents.map((document) => (
        <section key={document.artifact} aria-label={documentName(document.artifact)}>
          <h2>{documentName(document.artifact)}</h2>
          <OneDocument
            page={page}
            state={state}
            document={document}
            drafts={drafts}
            onDrafts={onDrafts}
            locked={locked}
            onApproved={onApproved}
          />
        </section>
      ))}
      <p class="notice" role="status">
        {notice}
      </p>
      <Decision
        page={page}
        state={state}
        documents={documents}
        isDirty={documents.some(({ artifact }) => drafts[artifact] !== undefined)}
        disabled={locked}
        onApproved={onApproved}
        onNotice={setNotice}
      />
    </>
  );
}
