import assert from 'node:assert/strict';
import type { CommentThread } from 'vscode';
import type { ReviewComment, ReviewThread } from '../../../../src/domain/findings/reviewThread.ts';
import { ReviewNote, showNotes } from '../../../../src/views/review/reviewComments.ts';

const written = (text: string): ReviewComment => ({ id: 'c-1', text, author: 'user', at: 0, sent: null });

describe('a comment in a diff', () => {
  it('marks what is hidden in it, and is edited as it was written', () => {
    const note = new ReviewNote(written('use \u202Eexe.sh'));
    assert.equal(note.body, 'use ⟨U+202E⟩exe.sh');
    note.edit(true);
    assert.equal(note.body, 'use \u202Eexe.sh');
    note.body = 'typed and canceled';
    note.edit(false);
    assert.equal(note.body, 'use ⟨U+202E⟩exe.sh');
  });

  it('stays the same object until another text is stored, so that a click on it is not lost', () => {
    const thread = { comments: [] } as unknown as CommentThread;
    const show = (text: string): unknown => {
      showNotes(thread, { comments: [written(text)] } as unknown as ReviewThread);
      return thread.comments[0];
    };
    const first = show('a\u200Bb');
    assert.equal(show('a\u200Bb'), first);
    assert.notEqual(show('a⟨U+200B⟩b'), first);
  });
});
