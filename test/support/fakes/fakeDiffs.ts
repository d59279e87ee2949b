import type { DiffReader, DiffScope, DiffView } from '../../../src/protocol/review.ts';

/** One for each scope, and files by commit and path. */
export class FakeDiffs implements DiffReader {
  readonly views = new Map<string, DiffView>();
  readonly files = new Map<string, string>();

  diff: DiffReader['diff'] = (_ticket, scope) => Promise.resolve(this.views.get(nameOf(scope)));

  file: DiffReader['file'] = (_ticket, commit, path) => {
    const text = this.files.get(`${commit}:${path}`);
    return Promise.resolve(text === undefined ? undefined : new TextEncoder().encode(text));
  };

  set(view: DiffView): void {
    this.views.set(nameOf(view.scope), view);
  }
}

function nameOf(scope: DiffScope): string {
  switch (scope.kind) {
    case 'ticket':
      return 'ticket';
    case 'worktree':
      return `since ${scope.since}`;
    case 'staged':
      return 'staged';
    case 'bead':
      return scope.bead;
    case 'iteration':
      return `${scope.bead}/${String(scope.iteration)}`;
  }
}
