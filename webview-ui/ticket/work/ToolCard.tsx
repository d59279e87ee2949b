import * as l10n from '@vscode/l10n';
import type { ToolCall } from '../../../src/domain/core/toolCall.ts';
import { visible } from '../../../src/base/visible.ts';
import { Icon } from '../../base/elements.tsx';
import { count } from '../../base/format.ts';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { LongText, type Tools } from '../shared/parts.tsx';

/** Its icon, and what it does, by the names of OpenCode's tools. */
function verbOf(tool: string): readonly [icon: string, verb: string] {
  switch (tool) {
    case 'read':
      return ['file', l10n.t('Read')];
    case 'list':
    case 'ls':
      return ['list-tree', l10n.t('List')];
    case 'glob':
      return ['search', l10n.t('Find files')];
    case 'grep':
      return ['search', l10n.t('Search')];
    case 'edit':
    case 'multiedit':
    case 'patch':
    case 'apply_patch':
      return ['edit', l10n.t('Edit')];
    case 'write':
      return ['new-file', l10n.t('Write')];
    case 'bash':
      return ['terminal', l10n.t('Run')];
    case 'command':
      return ['terminal', l10n.t('Check')];
    case 'webfetch':
      return ['globe', l10n.t('Fetch')];
    case 'todowrite':
      return ['checklist', l10n.t('Update tasks')];
    default:
      return ['tools', visible(tool)];
  }
}

export function ToolCard({ call, page }: { readonly call: ToolCall; readonly page: Tools }) {
  const { tool, state, path, about = '', command, output = '', added, deleted, todos, isOnBase } = call;
  const [icon, verb] = verbOf(tool);
  const done = todos?.filter((todo) => todo.state === 'done').length;
  const isProblem = state === 'failed' && !isOnBase;
  const shown = state === 'running' ? 'loading' : isProblem ? 'error' : icon;
  return (
    <div class={`tool tool-${state}`}>
      <Icon name={shown} spin={state === 'running'} />
      <div class="grow">
        <div class="tool-line">
          <span class="verb">{verb}</span>
          {path !== undefined && <FileLink path={path} page={page} />}
          {command !== undefined && <span class="code">{visible(command)}</span>}
          {about !== '' && <span class="quiet">{visible(about)}</span>}
          <Lines added={added} deleted={deleted} />
          {todos && (
            <span class="quiet">{l10n.t('{0} of {1} done', count(done ?? 0), count(todos.length))}</span>
          )}
          {isOnBase && <span class="quiet">{baseText(state)}</span>}
          {isProblem && <span class="problem">{l10n.t('failed')}</span>}
        </div>
        {output !== '' && (
          <details>
            <summary class="quiet">{l10n.t('Output')}</summary>
            <LongText label={l10n.t('Output of {0}', command ?? path ?? verb)} text={output} />
          </details>
        )}
      </div>
    </div>
  );
}

/** A test that fails without the changes proves something. */
function baseText(state: ToolCall['state']): string {
  return {
    running: l10n.t('without the changes'),
    done: l10n.t('without the changes: passed'),
    failed: l10n.t('without the changes: failed'),
  }[state];
}

/** Lines of a change: `+3 −1`. */
export function Lines({
  added,
  deleted,
}: {
  readonly added: number | undefined;
  readonly deleted: number | undefined;
}) {
  if (added === undefined || deleted === undefined) return null;
  const label = l10n.t('{0} lines added, {1} deleted', count(added), count(deleted));
  return (
    <span class="lines" role="img" aria-label={label}>
      <span class="added">+{count(added)}</span> <span class="deleted">−{count(deleted)}</span>
    </span>
  );
}

/** Opens the file of the worktree, if it is still there. */
function FileLink({ path, page }: { readonly path: string; readonly page: Tools }) {
  const opening = useRequest(page, 'openFile');
  return (
    <>
      <button type="button" class="link code" onClick={() => void opening.send({ path })}>
        {visible(path)}
      </button>
      <Failure of={opening} />
    </>
  );
}
