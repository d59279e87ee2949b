import { fill } from '../base/fill.ts';
import type { ApprovalText, ApprovalTexts } from '../../src/protocol/pages/approvalTexts.ts';
import type { Problem } from './drafts.ts';

const kinds: Readonly<Record<Exclude<Problem['kind'], 'other'>, ApprovalText>> = { empty: 'empty', none: 'none', tooLong: 'tooLong' };

/** What keeps a document from being saved; each leads to its field. */
export function Problems({
  texts,
  problems,
  onGo,
}: {
  readonly texts: ApprovalTexts;
  readonly problems: readonly Problem[];
  readonly onGo: (path: string) => void;
}) {
  if (problems.length === 0) return null;
  return (
    <div class="problem" role="status">
      <p>{texts.problems}</p>
      <ul>
        {problems.slice(0, 8).map(({ path, kind, message }) => (
          <li key={`${path} ${message}`}>
            {path !== '' && (
              <button type="button" class="link" aria-label={fill(texts.goTo, path)} onClick={() => onGo(path)}>
                {path}
              </button>
            )}
            {path !== '' && ': '}
            {kind === 'other' ? message : texts[kinds[kind]]}
          </li>
        ))}
      </ul>
    </div>
  );
}
