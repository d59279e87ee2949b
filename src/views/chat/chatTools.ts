import {
  l10n,
  LanguageModelTextPart,
  LanguageModelToolResult,
  MarkdownString,
  type LanguageModelTool,
  type PreparedToolInvocation,
} from 'vscode';
import type { Json } from '../../base/json.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Board } from '../tickets/board.ts';
import type { Workbench } from '../shared/workbench.ts';
import { repositoryFor, ticketAnswer, ticketsAnswer, toolInputs } from './toolAnswers.ts';
import type { ToolName } from './toolNames.ts';

/**
 * Tools for the editor's chat and its agents: they read tickets, and file drafts once the person agrees.
 * Nothing is started, approved, answered or merged by them: gates are for people. What they are asked with
 * comes from a model, and is checked here.
 */
export function chatTools(workbench: Workbench): Readonly<Record<ToolName, LanguageModelTool<object>>> {
  const { board, repositories } = workbench;
  const rows = async (): Promise<Board['rows']> => {
    await repositories.open();
    await board.refresh();
    return board.rows;
  };
  return {
    beadsmith_tickets: tool(
      async (input) => ticketsAnswer(await rows(), toolInputs.beadsmith_tickets.parse(input)),
      () => ({ invocationMessage: l10n.t('Reading tickets') }),
    ),
    beadsmith_ticket: tool(
      async (input) => ticketAnswer(await rows(), toolInputs.beadsmith_ticket.parse(input)),
      () => ({ invocationMessage: l10n.t('Reading a ticket') }),
    ),
    beadsmith_new_ticket: tool(async (input) => {
      const { title, description, repository } = toolInputs.beadsmith_new_ticket.parse(input);
      if (!repositories.trusted)
        throw new BeadsmithError('DATABASE_READ_ONLY', { reason: 'the workspace is in Restricted Mode' });
      const { id } = await repositoryFor(await rows(), repository).client.create({ title, description });
      return { id, status: 'Draft', next: 'A person starts it in the view of tickets.' };
    }, confirmDraft),
  };
}

function tool(
  answer: (input: object) => Promise<Json>,
  prepare: (input: object) => PreparedToolInvocation,
): LanguageModelTool<object> {
  return {
    prepareInvocation: ({ input }) => prepare(input),
    invoke: async ({ input }) =>
      new LanguageModelToolResult([new LanguageModelTextPart(JSON.stringify(await answer(input)))]),
  };
}

/** The texts are a model's, so they are shown as text. */
function confirmDraft(input: object): PreparedToolInvocation {
  const { data } = toolInputs.beadsmith_new_ticket.safeParse(input);
  const message = new MarkdownString();
  message.appendText(
    data ? [data.title, data.description].filter((part) => part !== '').join('\n\n') : JSON.stringify(input),
  );
  return {
    invocationMessage: l10n.t('Creating a draft'),
    confirmationMessages: {
      title: l10n.t('Create this as a draft? Nothing runs until you start it.'),
      message,
    },
  };
}
