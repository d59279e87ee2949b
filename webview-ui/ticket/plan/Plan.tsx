import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import type { ApprovalArtifact, ApprovalState, ShownDocument } from '../../../src/protocol/pages/approval.ts';
import type { InterviewState } from '../../../src/protocol/pages/interview.ts';
import { Icon } from '../../base/elements.tsx';
import { documentName } from '../../base/format.ts';
import { useDraft } from '../../base/keptState.tsx';
import { Drafts } from '../documents/drafts.ts';
import { OneDocument } from '../documents/OneDocument.tsx';
import { PlanDocuments } from '../documents/PlanDocuments.tsx';
import { Interview } from '../interview/Interview.tsx';
import { Fold } from '../shared/Fold.tsx';
import { useOpenParts } from '../shared/opened.ts';
import { Empty, Loading, type TicketProps, useLoaded } from '../shared/parts.tsx';

/** Open questions and the document that waits for approval are open, and the rest is a line each. */
export function Plan({ state, page, canAct }: TicketProps) {
  const asked = useLoaded(page, 'interview', {}, state.planStamp);
  const documents = useLoaded(page, 'documents', {}, state.planStamp);
  if (asked.value === undefined || !documents.value)
    return <Loading failure={asked.failure ?? documents.failure} />;
  return (
    <Parts state={state} page={page} canAct={canAct} interview={asked.value} approval={documents.value} />
  );
}

interface PartsProps extends TicketProps {
  readonly interview: InterviewState | null;
  readonly approval: ApprovalState;
}

function Parts({ state: { head }, page, canAct, interview, approval }: PartsProps) {
  const [drafts, setDrafts] = useDraft(page.draftStore, 'documents', Drafts, {});
  const { documents, gate, together } = approval;
  const questions = questionsOf(interview, approval);
  const parts = useOpenParts(
    page.viewState,
    'documents',
    head.mood === 'draft' ? 'description' : questions && questions.phase !== 'over' ? 'questions' : gate,
  );
  // A reason or a note is about a decision that can still be taken.
  useEffect(() => {
    if (gate) page.draftStore.drop((key) => /^(?:reason|note)\./.test(key) && !key.endsWith(`.${gate}`));
  }, [gate]);
  // Documents that are approved together stand as one, that of the gate.
  const planned = together.length > 1 ? documents.filter(({ artifact }) => together.includes(artifact)) : [];
  const inPlan = (artifact: ApprovalArtifact): boolean => planned.some((one) => one.artifact === artifact);
  const isUnsaved = ({ artifact }: ShownDocument): boolean => drafts[artifact] !== undefined;
  const shared = { page, state: approval, drafts, onDrafts: setDrafts, locked: !canAct };
  return (
    <div class="approval">
      <Fold list="documents" part="description" parts={parts} title={l10n.t('Description')}>
        {() =>
          head.description === '' ? (
            <Empty text={l10n.t('No description.')} />
          ) : (
            <div class="plain">{head.description}</div>
          )
        }
      </Fold>
      {questions && (
        <Fold list="documents" part="questions" parts={parts} title={l10n.t('Questions')}>
          {() => <Interview state={questions} page={page} canAct={canAct} />}
        </Fold>
      )}
      {documents
        .filter(({ artifact }) => artifact === gate || !inPlan(artifact))
        .map((document) => {
          const { artifact } = document;
          const isPlan = inPlan(artifact);
          return (
            <Fold
              key={artifact}
              list="documents"
              part={artifact}
              parts={parts}
              title={
                <>
                  {isPlan ? l10n.t('Plan') : documentName(artifact)}
                  {artifact === gate && <Mark icon="bell-dot" text={l10n.t('waiting for your approval')} />}
                  {(isPlan ? planned.some(isUnsaved) : isUnsaved(document)) && (
                    <Mark icon="circle-filled" text={l10n.t('unsaved')} />
                  )}
                </>
              }
            >
              {() =>
                isPlan ? (
                  <PlanDocuments {...shared} documents={planned} />
                ) : (
                  <OneDocument {...shared} document={document} />
                )
              }
            </Fold>
          );
        })}
    </div>
  );
}

/** Once it is over, its document has all of it. */
function questionsOf(interview: InterviewState | null, { documents }: ApprovalState): InterviewState | null {
  const isDocument = documents.some(({ artifact }) => artifact === 'interview');
  return interview?.phase === 'over' && isDocument ? null : interview;
}

function Mark({ icon, text }: { readonly icon: string; readonly text: string }) {
  return (
    <span class="tab-mark" title={text}>
      <Icon name={icon} />
      <span class="unseen">({text})</span>
    </span>
  );
}
