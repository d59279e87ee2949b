import { ConfigurationTarget, workspace } from 'vscode';
import type { NoticeKind } from '../../views/notices/attention.ts';
import type { NoticeSettings } from '../../views/shared/workbench.ts';

const section = 'beadsmith.notices';

/** The settings `beadsmith.notices.<kind>`. What a person mutes is muted for all their windows. */
export const noticeSettings: NoticeSettings = {
  wants: (kind: NoticeKind) => workspace.getConfiguration(section).get<unknown>(kind) !== false,
  mute: async (kind: NoticeKind) => workspace.getConfiguration(section).update(kind, false, ConfigurationTarget.Global),
};
