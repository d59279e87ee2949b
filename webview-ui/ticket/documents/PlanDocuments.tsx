import { useState } from 'preact/hooks';
import type { ShownDocument } from '../../../src/protocol/pages/approval.ts';
import { documentName } from '../../base/format.ts';
import { Below, Heading } from '../../base/headings.tsx';
import { Decision } from './Decision.tsx';
import { type DocumentProps, OneDocument } from './OneDocument.tsx';

type PlanProps = Omit<DocumentProps, 'document'> & { readonly documents: readonly ShownDocument[] };

/** Documents that one decision is about. */
export function PlanDocuments({ documents, ...shared }: PlanProps) {
  const [report, setReport] = useState('');
  const { page, state, drafts, locked } = shared;
  return (
    <>
      {documents.map((document) => (
        <section key={document.artifact} aria-label={documentName(document.artifact)}>
          <Heading>{documentName(document.artifact)}</Heading>
          <Below>
            <OneDocument {...shared} document={document} />
          </Below>
        </section>
      ))}
      <p class="report" role="status">
        {report}
      </p>
      <Decision
        page={page}
        state={state}
        documents={documents}
        isDirty={documents.some(({ artifact }) => drafts[artifact] !== undefined)}
        disabled={locked}
        onReport={setReport}
      />
    </>
  );
}
