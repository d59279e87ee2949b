import '../base/page.css';
import './approval.css';
import './form/form.css';
import './beads/beads.css';
import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { ApprovalArtifact, approvalPage, type ShownDocument } from '../../src/protocol/pages/approval.ts';
import { Icon, Tabs } from '../base/elements.tsx';
import { documentName } from '../base/format.ts';
import { useDraft, useViewState } from '../base/keptState.tsx';
import { type PageProps, startPage } from '../base/page.tsx';
import { Decision } from './Decision.tsx';
import { type DocumentProps, OneDocument } from './OneDocument.tsx';
import { Drafts } from './drafts.ts';

/** One tab a document; the one that waits for approval first. */
function ApprovalView({ state, refusal, page }: PageProps<typeof approvalPage>) {
  // Null follows the gate: after an approval the next document is shown when it comes.
  const [tab, setTab] = useViewState(page.viewState, 'tab', ApprovalArtifact.nullable(), null);
  const [drafts, setDrafts] = useDraft(page.draftStore, 'drafts', Drafts, {});
  const { documents, gate } = state;
  // A reason or a note is about a decision that can still be taken.
  useEffect(() => {
    if (gate) page.draftStore.drop((key) => /^(?:reason|note)\./.test(key) && !key.endsWith(`.${gate}`));
  }, [gate]);
  const find = (artifact: ApprovalArtifact | null) =>
    documents.find((document) => document.artifact === artifact);
  const document = find(tab) ?? find(gate) ?? documents.at(-1);
  // Documents that are approved together stand on one tab, that of the gate.
  const planned =
    state.together.length > 1 ? documents.filter(({ artifact }) => state.together.includes(artifact)) : [];
  const inPlan = (artifact: ApprovalArtifact): boolean => planned.some((one) => one.artifact === artifact);
  const isPlan = document !== undefined && inPlan(document.artifact);
  const tabbed = documents.filter(({ artifact }) => artifact === gate || !inPlan(artifact));
  const shared = {
    page,
    state,
    drafts,
    onDrafts: setDrafts,
    locked: refusal !== '',
    onApproved: () => setTab(null),
  };
  return (
    <main class="approval">
      <header>
        <h1>
          <span class="quiet">{state.ticket.id}</span> {state.ticket.title}
        </h1>
        <p class="quiet">{state.ticket.label}</p>
      </header>
      {!document ? (
        <p>{l10n.t('Nothing to approve yet.')}</p>
      ) : (
        <Tabs
          label={l10n.t('Documents')}
          chosen={isPlan && gate ? gate : document.artifact}
          onChoose={(artifact) => setTab(artifact === gate ? null : artifact)}
          tabs={tabbed.map(({ artifact }) => ({
            key: artifact,
            title: (
              <>
                {inPlan(artifact) ? l10n.t('Plan') : documentName(artifact)}
                {artifact === gate && <Mark icon="bell-dot" text={l10n.t('waiting for your approval')} />}
                {(drafts[artifact] || (inPlan(artifact) && planned.some((one) => drafts[one.artifact]))) && (
                  <Mark icon="circle-filled" text={l10n.t('unsaved')} />
                )}
              </>
            ),
          }))}
        >
          {isPlan ? (
            <PlanDocuments {...shared} documents={planned} />
          ) : (
            <OneDocument key={document.artifact} {...shared} document={document} />
          )}
        </Tabs>
      )}
    </main>
  );
}

function Mark({ icon, text }: { readonly icon: string; readonly text: string }) {
  return (
    <span class="tab-mark" title={text}>
      <Icon name={icon} />
      <span class="unseen">({text})</span>
    </span>
  );
}

type PlanProps = Omit<DocumentProps, 'document'> & { readonly documents: readonly ShownDocument[] };

function PlanDocuments({ documents, ...shared }: PlanProps) {
  const [notice, setNotice] = useState('');
  const { page, state, drafts, locked, onApproved } = shared;
  return (
    <>
      {documents.map((document) => (
        <section key={document.artifact} aria-label={documentName(document.artifact)}>
          <h2>{documentName(document.artifact)}</h2>
          <OneDocument {...shared} document={document} />
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

startPage(approvalPage, ApprovalView);
