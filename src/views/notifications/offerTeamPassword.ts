import { l10n, window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { writeText } from '../shared/quickInput.ts';
import type { Workbench } from '../shared/workbench.ts';

/** Asks once a refusal for the password of the team's database, which the settings don't hold. */
export function offerTeamPassword({
  repositories,
  team,
  logError,
}: Pick<Workbench, 'repositories' | 'team' | 'logError'>): Disposable {
  let offered = '';
  const offer = async (message: string): Promise<void> => {
    const enter = l10n.t('Enter Password…');
    if ((await window.showWarningMessage(message, enter)) !== enter) return;
    const reply = await writeText({
      title: l10n.t('Password of the Team’s Database'),
      prompt: l10n.t(
        'Stored in the editor’s secret storage, never in settings or logs. Leave it empty if the server asks for none.',
      ),
      isPassword: true,
    });
    if (reply.kind !== 'given') return;
    // The next refusal is another one, also with the same words.
    offered = '';
    await team.setPassword(reply.value);
  };
  return repositories.onDidChange(() => {
    const refused = repositories.entries.flatMap((entry) =>
      entry.kind === 'failed' && entry.error.code === 'TEAM_LOGIN' ? [entry.error.message] : [],
    );
    const message = refused[0] ?? '';
    if (message === offered) return;
    offered = message;
    if (message !== '') offer(message).catch((error: unknown) => logError('asking for a password', error));
  });
}
