import { actionCommand } from '../actionCommand.ts';

const reason = { reason: { value: 'TEXT', about: 'why; kept with the receipt' } } as const;
const note = { note: { value: 'TEXT', about: 'what to do differently' } } as const;

export const retry = actionCommand({
  name: 'retry',
  kind: 'retry',
  about: 'begin a blocked status anew (while coding: the failed bead)',
  options: note,
  body: ({ args }) => ({ note: args.text('note') ?? '' }),
});

export const continueTicket = actionCommand({
  name: 'continue',
  kind: 'continue',
  about: 'go on in the interrupted session of a blocked ticket',
  body: () => ({}),
});

export const cancel = actionCommand({
  name: 'cancel',
  kind: 'cancel',
  about: 'end a ticket without a result; its branch stays',
  options: { ...reason, 'delete-worktree': { about: 'remove the worktree too; what is in it is kept under a ref' } },
  body: ({ args }) => ({ reason: args.text('reason') ?? '', deleteWorktree: args.flag('delete-worktree') }),
});

export const merge = actionCommand({
  name: 'merge',
  kind: 'merge',
  about: 'end the review by merging into the base branch',
  body: () => ({}),
});

export const close = actionCommand({
  name: 'close',
  kind: 'close',
  about: 'end the review without merging; the branch stays',
  options: reason,
  body: ({ args }) => ({ reason: args.text('reason') ?? '' }),
});

export const changes = actionCommand({
  name: 'changes',
  kind: 'changes',
  words: 'TEXT …',
  about: 'ask for changes; each TEXT becomes work for the coder',
  takes: [1, 50],
  options: {
    bead: { value: 'ID', about: 'the bead it concerns' },
    file: { value: 'PATH', about: 'the file it concerns' },
    line: { value: 'N', about: 'the line in that file' },
  },
  body: ({ args, words }) => {
    const [bead, file, line] = [args.text('bead'), args.text('file'), args.whole('line')];
    const place = {
      ...(bead === undefined ? {} : { bead }),
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
    };
    return { items: words.map((text) => ({ text, ...place })) };
  },
});

export const pause = actionCommand({
  name: 'pause',
  kind: 'pause',
  about: 'let a ticket rest after what it is doing',
  body: () => ({}),
});

export const resume = actionCommand({
  name: 'resume',
  kind: 'resume',
  about: 'let a resting ticket go on',
  body: () => ({}),
});

export const rewindSetup = actionCommand({
  name: 'rewind-setup',
  kind: 'rewind_setup',
  about: 'go back to the approval of the setup plan',
  body: () => ({}),
});

/** `context add`: tells the agents something. */
export const addContext = actionCommand({
  name: 'context add',
  kind: 'context',
  words: 'TEXT',
  about: 'tell the agents something; once, unless --always',
  takes: [1, 1],
  options: { always: { about: 'with every prompt from now on' } },
  body: ({ args, words }) => ({ text: words[0] ?? '', scope: args.flag('always') ? 'always' : 'once' }),
});
