import type { ActionForm, ChoiceField } from './formFields.ts';

const mergeKind = {
  kind: 'choice',
  label: 'Kind of Merge',
  about: 'The kind of merge, of those that the repository allows.',
  choices: {
    merge: { label: 'Merge Commit', about: 'All commits of the branch, and a commit that merges them.' },
    squash: { label: 'Squash', about: 'One commit with all changes.' },
    rebase: { label: 'Rebase', about: 'The commits of the branch, rewritten on the base branch.' },
  },
  offered: 'mergeKinds',
} as const satisfies ChoiceField;

const publishMenu = { group: 'go', order: 6 } as const;
const publishDetail =
  'The branch is pushed to {remote} ({pushTo}) with your git credentials. Everyone who can read these repositories can see it.';

/** The forms of actions on a pull request of a forge (docs/decisions/202-the-forge.md). */
export const pullRequestForms = {
  create_pull_request: {
    command: {
      title: 'Create Pull Request…',
      icon: 'git-pull-request-create',
      menu: publishMenu,
      menuOnly: true,
    },
    about: 'Push the branch and create its pull request on GitHub, or update both.',
    fields: {
      remote: {
        kind: 'text',
        label: 'Remote',
        about: 'The remote that gets the pull request, if several are on GitHub.',
        most: 200,
      },
      repository: {
        kind: 'text',
        label: 'Repository',
        about: 'The repository that must be the one that gets the pull request (owner/name).',
        most: 400,
      },
      pushTo: {
        kind: 'text',
        label: 'Repository of the Branch',
        about: 'The repository that must be the one that the branch is pushed to (owner/name).',
        most: 400,
      },
      labels: {
        kind: 'text',
        label: 'Labels',
        about: 'Labels of the pull request, separated by commas. They have to exist in its repository.',
        placeholder: 'bug, needs review',
        most: 1_000,
        asked: true,
      },
      reviewers: {
        kind: 'text',
        label: 'Reviewers',
        about: 'Users and teams (owner/team) to request a review from, separated by commas.',
        placeholder: 'ada, octo/platform',
        most: 1_000,
        asked: true,
      },
      draft: { kind: 'flag', about: 'Create a draft.', button: 'Create Draft' },
    },
    confirmation: {
      question: 'Create a pull request for {branch} in {repository}?',
      detail: publishDetail,
      button: 'Create Pull Request',
    },
    again: {
      command: {
        name: 'updatePullRequest',
        title: 'Update Pull Request…',
        icon: 'git-pull-request',
        menu: publishMenu,
        menuOnly: true,
      },
      about: 'Push the branch and update its pull request on GitHub.',
      confirmation: {
        question: 'Update the pull request for {branch} in {repository}?',
        detail: publishDetail,
        button: 'Update Pull Request',
      },
    },
  },
  rerun_checks: {
    command: {
      title: 'Run Failed Checks Again',
      icon: 'debug-rerun',
      menu: { group: 'go', order: 2, inline: 1, row: 'failedChecks' },
      decides: true,
      menuOnly: true,
    },
    about: 'Run the failed checks of the pull request on GitHub again, without changing the code.',
    fields: {},
  },
  check_pull_request: {
    command: {
      title: 'Check Pull Request',
      icon: 'sync',
      menu: { group: 'go', order: 1, inline: 1, row: 'pullRequest' },
      menuOnly: true,
    },
    about: 'Check on GitHub whether the pull request was merged, closed or reviewed.',
    fields: {},
  },
  fix_checks: {
    command: {
      title: 'Fix Failed Checks…',
      icon: 'wrench',
      menu: { group: 'go', order: 3, inline: 2, row: 'failedChecks' },
      menuOnly: true,
    },
    about: 'Have the failed checks of the pull request fixed, and push the fix once it is proved.',
    fields: {},
    confirmation: {
      question: 'Fix the failed checks of {branch}?',
      detail:
        'An agent fixes them in the worktree of {ticket}. Once the checks of the ticket pass, the fix is pushed to the branch of the pull request.',
      button: 'Fix Checks',
    },
  },
  merge_pull_request: {
    command: {
      title: 'Merge on GitHub…',
      icon: 'git-merge',
      menu: { group: 'go', order: 2, inline: 2, row: 'pullRequest' },
      menuOnly: true,
    },
    about: 'Merge the pull request on GitHub, or put it in the merge queue of its base branch.',
    fields: {
      kind: mergeKind,
      whenReady: {
        kind: 'flag',
        about: 'Let GitHub merge it once all required reviews and checks are there.',
        button: 'Merge When Ready',
      },
    },
    confirmation: {
      question: 'Merge the pull request of {branch} on GitHub?',
      detail:
        'GitHub merges the tested commit of {ticket} into {base}, and the ticket is completed. If {base} has a merge queue, it waits there.',
      button: 'Merge on GitHub',
    },
  },
  unplan_merge: {
    command: {
      title: 'Cancel Merge on GitHub',
      icon: 'debug-stop',
      menu: { group: 'go', order: 3, inline: 3, row: 'pullRequest' },
      decides: true,
      menuOnly: true,
    },
    about: 'Take the pull request out of the merge queue, or no longer have it merged when it is ready.',
    fields: {},
  },
  close_pull_request: {
    command: {
      title: 'Close Pull Request on GitHub…',
      icon: 'git-pull-request-closed',
      menu: { group: 'go', order: 7, row: 'pullRequest' },
      menuOnly: true,
    },
    about: 'Close the pull request on GitHub without merging it; the ticket stays at its review.',
    fields: {},
    confirmation: {
      question: 'Close the pull request of {branch} on GitHub?',
      detail: 'Nothing is merged, and the branch is kept. The ticket {ticket} stays at its review.',
      button: 'Close Pull Request',
    },
  },
  fix_comment: {
    about: 'Have agents do what a comment on the pull request asks for.',
    fields: {
      comment: {
        kind: 'text',
        label: 'Comment',
        about: 'The comment on the pull request, by its ID.',
        most: 30,
        needed: 'always',
      },
      note: {
        kind: 'text',
        label: 'Note',
        about: 'Your own words about it.',
        placeholder: 'What should agents know about it?',
        most: 4_000,
      },
      shown: {
        kind: 'text',
        label: 'Hash',
        about: 'The hash of what you read, for comments by people without write access.',
        most: 64,
      },
      resolve: {
        kind: 'flag',
        about: 'Resolve the thread on GitHub once the fix is there.',
        button: 'Fix and Resolve',
      },
    },
    confirmation: {
      question: 'Fix what {author} asked for?',
      detail:
        '{ticket} returns to coding. Agents get the comment as a quotation, and what they do is proved. When you update the pull request, a reply on GitHub names the commit and its evidence.',
      button: 'Fix',
    },
  },
  reply_comment: {
    about: 'Reply to a comment on the pull request, or resolve its thread.',
    fields: {
      comment: {
        kind: 'text',
        label: 'Comment',
        about: 'The comment on the pull request, by its ID.',
        most: 30,
        needed: 'always',
      },
      text: {
        kind: 'text',
        label: 'Reply',
        about: 'The reply. Without one, the thread is only resolved.',
        most: 20_000,
      },
      resolve: { kind: 'flag', about: 'Resolve the thread on GitHub.', button: 'Reply and Resolve' },
    },
    confirmation: {
      question: 'Reply to {author} on GitHub?',
      detail: 'Posts it as you to {location}. Everyone who can read that pull request sees it.',
      button: 'Reply',
    },
    done: 'Reply posted on GitHub.',
  },
} as const satisfies Readonly<Record<string, ActionForm>>;
