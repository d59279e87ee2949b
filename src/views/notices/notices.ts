import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { noticeOf } from './noticeTexts.ts';
import { tellCalls } from './notifyAttention.ts';
import type { Workbench } from '../shared/workbench.ts';

/** How long a window leaves a call to others. */
const patienceMs = { focused: 0, driver: 1_500, other: 4_000 } as const;

/** Shows what calls for a person, each kind unless it is muted, with what can be done about it. */
export function notices(workbench: Workbench): Disposable {
  const failed = (error: unknown): void => workbench.logError('notice', error);
  return tellCalls(workbench.board, workbench.repositories, {
    wants: (kind) => workbench.notices.wants(kind),
    turn: patience,
    failed,
    tell: async (place, kind, detail) => {
      const { text, warns, actions, explain } = noticeOf(workbench, place, kind, detail);
      const titles = actions.map(({ title }) => title);
      const answer = await (warns ? window.showWarningMessage(text, ...titles) : window.showInformationMessage(text, ...titles));
      try {
        await actions.find(({ title }) => title === answer)?.run();
      } catch (error) {
        await explain(error);
      }
    },
  });
}

async function patience(drives: boolean): Promise<void> {
  const ms = window.state.focused ? patienceMs.focused : drives ? patienceMs.driver : patienceMs.other;
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
