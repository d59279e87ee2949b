import { stringify } from 'yaml';
import * as z from 'zod';
import { coverageOf } from '../../domain/ticket/artifacts.ts';
import {
  CoverageReport,
  Interview,
  InterviewCoverage,
  InterviewSession,
  interviewDocument,
  choiceProblem,
} from '../../domain/requirements/interview.ts';
import { notAsked } from '../../domain/requirements/interviewChecklist.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { HandlerDefinition, RecordIo } from '../../engine/run/run.ts';
import { artifactChange, storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { ticketParts, takeUserContext } from '../shared/ticket/ticketParts.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { followUpsUsed, maxFollowUps } from './interviewQuestions.ts';
import { answerText, withBatch } from './interviewState.ts';
import { saveRecord } from './interview.ts';

const Start = z.object({
  session: InterviewSession,
  passes: CoverageReport.shape.passes,
  candidate: z.string(),
});

/**
 * VERIFYING_INTERVIEW_COVERAGE: one audit of the answers (docs/decisions/022-follow-up-budget.md). Gaps lead
 * back to the user as long as passes and follow-ups are left.
 */
export const interviewCoverage: HandlerDefinition<'clean' | 'gaps' | 'limit'> = {
  version: 1,
  run: async (run, ticket) => {
    const { settings } = ticketParts(ticket);
    const sections = await takeUserContext(run, ticket);
    const start = await run.record('open', Start, openPass);
    const pass = start.passes.length + 1;
    const isLast = pass >= settings.maxCoveragePasses;
    const total = maxFollowUps(settings);
    const used = followUpsUsed(start.session);
    const remaining = Math.max(0, total - used);
    const counters = {
      coverage_run_number: pass,
      max_coverage_passes: settings.maxCoveragePasses,
      is_final_coverage_run: isLast,
      follow_up_budget_total: total,
      follow_up_budget_used: used,
      follow_up_budget_remaining: remaining,
    };
    const { value: audit } = await ask(run, ticket, {
      key: 'audit',
      contextKey: coverageOf(interviewDocument.kind),
      prompt: 'interview-coverage',
      member: start.session.winner,
      sections: [...sections, { name: 'counters', content: stringify(counters) }],
      state: { userAnswers: answersText(start.session) },
      parse: parseStructured({
        schema: InterviewCoverage,
        check: (found) => problemOf(found, start.session),
      }),
      result: InterviewCoverage,
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
    });
    const batch = { questions: audit.follow_up_questions, ai_commentary: '' };
    const asked = withBatch(start.session, batch, 'coverage');
    const again = audit.status === 'gaps' && !isLast && asked.currentBatch !== null;
    const exit = audit.status === 'clean' ? 'clean' : again ? 'gaps' : 'limit';
    // Why gaps stay open after an audit that asks nothing further.
    const ended = isLast ? 'limit' : remaining === 0 ? 'budget' : 'no_questions';
    await run.record('record', z.null(), async (io) => {
      const report: CoverageReport = {
        schema_version: 1,
        passes: [
          ...start.passes,
          { pass, status: audit.status, gaps: audit.gaps, candidate: start.candidate, by: 'check' },
        ],
        outcome: exit === 'limit' ? ended : exit,
        open_gaps: audit.gaps,
      };
      io.save(artifactChange(ticket, coverageOf(interviewDocument.kind), yamlText(report)));
      const { trimmed } = asked;
      const session = again ? asked : { ...start.session, trimmed };
      const isTrimmed = trimmed.length > start.session.trimmed.length;
      if (again || isTrimmed) await saveRecord(io, session);
      // Otherwise the document is written again with the answers to come.
      if (!again && isTrimmed) {
        const { document, status, attempt } = await storedDocument(io, interviewDocument.kind, Interview);
        const content = yamlText({ ...document, trimmed: notAsked(session).trimmed });
        io.save({ type: 'artifact', artifact: interviewDocument.kind, content, status, attempt });
      }
      return null;
    });
    return { exit };
  },
};

async function openPass(io: RecordIo): Promise<z.infer<typeof Start>> {
  const { document: session } = await storedDocument(io, 'interview_session', InterviewSession);
  const before = await io.ports.store.artifact(io.ticket, coverageOf(interviewDocument.kind));
  const passes = before
    ? (await storedDocument(io, coverageOf(interviewDocument.kind), CoverageReport)).document.passes
    : [];
  const interview = await io.ports.store.artifact(io.ticket, interviewDocument.kind);
  return { session, passes, candidate: interview?.info.sha256 ?? ''.padEnd(64, '0') };
}

function problemOf(audit: InterviewCoverage, session: InterviewSession): string | undefined {
  const { status, gaps, follow_up_questions: questions } = audit;
  if ((status === 'clean') !== (gaps.length === 0))
    return 'status: it is "gaps" if and only if gaps are listed.';
  if (status === 'clean' && questions.length > 0) return 'follow_up_questions: a clean interview needs none.';
  const ids = questions.map((question) => question.id);
  const again = ids.filter(
    (id, index) => ids.indexOf(id) !== index || session.asked.some((asked) => asked.id === id),
  );
  if (again.length > 0) return `follow_up_questions: the id ${again.join(', ')} is in use.`;
  return choiceProblem('follow_up_questions', questions);
}

function answersText(session: InterviewSession): string {
  const answers = session.asked.map(({ id, question }) => {
    return { id, question, answer: answerText(session, id) };
  });
  return stringify({ answers }, { lineWidth: 0 });
}
