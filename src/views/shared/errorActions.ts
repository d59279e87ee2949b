import { BeadsmithError, type ErrorCode } from '../../domain/core/errors.ts';
import { isFault } from '../../domain/core/faults.ts';
import { RefusedAction } from './sendAction.ts';

/** A one-click action for an error. Lists start with the most helpful one; the log is always in them. */
export type ErrorAction =
  | 'install'
  | 'settings'
  | 'trust'
  | 'trustSettings'
  | 'sourceControl'
  | 'checkSetup'
  | 'restoreBackup'
  | 'report'
  | 'log';

/** Errors whose cause lies in how this machine or repository is set up. */
const ofSetup: readonly ErrorCode[] = [
  'OPENCODE_MISSING',
  'OPENCODE_VERSION',
  'OPENCODE_START_FAILED',
  'OPENCODE_INSTALL_FAILED',
  'REGISTRY_UNREACHABLE',
  'NPM_MISSING',
  'MODEL_UNKNOWN',
  'PROVIDER_AUTH',
  'DATABASE_NEWER',
  'DATABASE_CORRUPT',
  'DATABASE_BEHIND',
  'DATABASE_READ_ONLY',
  'JOURNAL_BROKEN',
  'GIT_FAILED',
];

/** At most two, and the log. `trusted`: whether the workspace is. */
export function errorActions(thrown: unknown, trusted: boolean): readonly ErrorAction[] {
  if (thrown instanceof RefusedAction) return ['log'];
  if (!(thrown instanceof BeadsmithError)) return ['report', 'log'];
  const { code } = thrown;
  if (!trusted && code === 'DATABASE_READ_ONLY') return ['trust', 'log'];
  const first: readonly ErrorAction[] =
    code === 'OPENCODE_MISSING' || code === 'OPENCODE_VERSION'
      ? ['install']
      : code === 'NO_COMMITS'
        ? ['sourceControl']
        : code === 'GIT_SETTING_REFUSED'
          ? typed(thrown)
          : code === 'DATABASE_CORRUPT' || code === 'DATABASE_BEHIND'
            ? ['restoreBackup']
            : settingOf(thrown) === undefined
              ? []
              : ['settings'];
  const second: readonly ErrorAction[] = ofSetup.includes(code)
    ? ['checkSetup']
    : isFault(code)
      ? ['report']
      : [];
  return [...first, ...second, 'log'];
}

/** A value with control characters isn't typed into a terminal: there it could press keys. */
function typed({ args }: BeadsmithError): readonly ErrorAction[] {
  return /\p{Cc}/u.test(String(args['commands'])) ? [] : ['trustSettings'];
}

/** The setting an error is about, by its whole name. */
export function settingOf({ code, args }: Pick<BeadsmithError, 'code' | 'args'>): string | undefined {
  return code === 'INVALID_INPUT' ? /\b(beadsmith\.[\w.]+)$/.exec(String(args['what']))?.[1] : undefined;
}
