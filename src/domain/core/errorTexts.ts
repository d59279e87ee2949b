/** Errors: sentence and next step for people, with `{name}` holes. */
export const errorTexts = {
  NOT_A_REPOSITORY: ['{path} is not a git repository.', 'Run "git init" there, or choose another folder.'],
  BARE_REPOSITORY: [
    '{path} is a bare repository, which has no files to work on.',
    'Open a checkout of it, for example one made by "git worktree add" or "git clone".',
  ],
  PATH_UNUSABLE: [
    "The path {path} contains a line break, which git and other tools can't handle.",
    'Rename the folder, then open it again.',
  ],
  REPOSITORY_NOT_OPEN: ["{path} isn't open in this window.", 'Open its folder to show its contents again.'],
  NO_COMMITS: ['The repository has no commits yet.', 'Create an initial commit, then start the ticket.'],
  BASE_BRANCH_MISSING: [
    'The branch "{branch}" doesn\'t exist.',
    'Choose another base branch; these exist: {branches}.',
  ],
  BASE_BRANCH_OPEN: [
    'The checkout has a detached HEAD, so there is no default base branch.',
    'Choose one: {branches}. On the command line: --base BRANCH.',
  ],
  BASE_BRANCH_BEHIND: [
    'The branch "{branch}" is behind "origin/{branch}" (commits: {behind}), as of the last fetch.',
    'Choose where to start: "{branch}" or "origin/{branch}". On the command line: --base BRANCH.',
  ],
  BASE_BRANCH_GONE: [
    'The base branch "{branch}" no longer exists.',
    'Update from base: choose another base, or keep the commit that the ticket started from.',
  ],
  BASE_BRANCH_REWRITTEN: [
    'The base branch "{branch}" was rewritten: it no longer contains {commit}, which the ticket started from.',
    'Update from base: put the work on the branch as it is now, choose another base, or keep the commit that the ticket started from.',
  ],
  BRANCH_EXISTS: [
    'The branch "{branch}" already exists and doesn\'t belong to this ticket.',
    'Rename or delete that branch, then retry.',
  ],
  WORKTREE_EXISTS: [
    "{path} already exists and isn't the worktree of this ticket.",
    'Move that folder away, then retry.',
  ],
  BRANCH_NOT_PUSHED: [
    "{ticket} has no commits on the team's remote yet.",
    'A runner pushes them with the first bead. Try again then.',
  ],
  WORKTREE_FAILED: [
    'The worktree at {path} could not be created: {reason}',
    'Fix the cause, then retry. Your checkout was not changed.',
  ],
  WORKTREE_LOST: [
    'The worktree at {path} is missing or no longer belongs to the ticket.',
    'Retry to recreate it from the branch of the ticket.',
  ],
  OUTSIDE_WORKTREE: [
    '{path} is outside the worktree of the ticket.',
    'Nothing was changed. Please report this.',
  ],
  GIT_FAILED: ['git {command} failed: {reason}', 'Fix the cause, then retry.'],
  GIT_NOT_FOUND: [
    'git was not found. Beadsmith only uses git from folders on the PATH that are outside the repository.',
    'Install git, then restart.',
  ],
  GIT_SETTING_REFUSED: [
    "The repository's own git configuration names programs or ways to a server: {settings}",
    'Remove these settings. If you trust them, run "{commands}", then retry.',
  ],
  GIT_LOCKED: ['Another git process has locked {path}.', 'Wait for it to finish or end it, then retry.'],
  SIGNING_FAILED: [
    "git can't sign a commit, as commit.gpgSign requires: {reason}",
    'Run "git commit --allow-empty --gpg-sign" to check whether git can sign. Set up signing or turn it off in git\'s configuration, then retry.',
  ],
  MERGE_ON_FORGE: [
    "A team's tickets are merged on the forge: a merge here would be lost with the clone of a runner.",
    'Create the pull request and merge it on the forge, or close the ticket without merging.',
  ],
  MERGE_REFUSED: ['The branch can\'t be merged into "{base}": {reason}', '{remedy}'],
  UNDO_REFUSED: ['The merge into "{base}" can\'t be undone: {reason}', '{remedy}'],
  REVISION_UNKNOWN: [
    '"{revision}" does not refer to a commit.',
    'Use a branch, a tag or a commit that exists; "git branch --all" lists the branches.',
  ],

  SANDBOX_OFF: [
    'Agents and commands run without a sandbox: it is turned off.',
    'Set beadsmith.sandbox to "auto" to turn it on.',
  ],
  SANDBOX_UNSUPPORTED: [
    "Agents and commands run without a sandbox: this operating system isn't supported.",
    'Work in a container, a virtual machine or WSL to confine them.',
  ],
  SANDBOX_MISSING: [
    "Agents and commands run without a sandbox: bubblewrap isn't installed.",
    'Install the "bubblewrap" package, then restart.',
  ],
  SANDBOX_BLOCKED: [
    "Agents and commands run without a sandbox: this system doesn't allow bubblewrap to create one.",
    'Allow bubblewrap to create user namespaces (on Ubuntu, with an AppArmor profile for /usr/bin/bwrap), then restart.',
  ],
  SANDBOX_OWN_SERVER: [
    'Agents run without a sandbox: you run the OpenCode server yourself.',
    'Clear beadsmith.opencode.url, or omit --opencode-url, to let Beadsmith start a server in a sandbox.',
  ],
  SANDBOX_FAILED: [
    'The sandbox did not start, so nothing ran in it: {reason}',
    'Fix the reported problem, then retry. For details, run "beadsmith doctor". If it cannot be fixed, set beadsmith.sandbox to "off".',
  ],
  SANDBOX_NEEDED: [
    '{what} is refused without a sandbox. {reason}',
    'Set up a sandbox (see "beadsmith doctor"), or accept the risk with --unattended-without-sandbox.',
  ],

  INVALID_INPUT: ["{what} can't be used: {reason}", 'Correct it and send it again. Nothing was changed.'],
  PROMPT_REFUSED: [
    "Your own prompt {path} can't be used: {reason}.",
    "Correct the file or delete it, then try again. The built-in prompt isn't used instead.",
  ],
  PERSONA_REFUSED: [
    "The persona {persona} can't be used: {reason}.",
    'Correct its file, or choose other personas. `beadsmith personas` lists them.',
  ],
  TICKET_UNKNOWN: ["The ticket {ticket} doesn't exist.", 'List the tickets to see which exist.'],
  ACTION_NOT_ALLOWED: [
    "The action {action} isn't available for a ticket in {status}.",
    'Possible now: {allowed}.',
  ],
  DECISION_UNSEALED: [
    'The decision was refused because nothing shows that a person made it.',
    'If it was you, decide again in the editor or in a terminal.',
  ],
  DECISION_BY_AGENT: [
    "Agents and ticket commands can't make decisions or changes, and one of them started this process.",
    'Have a person do this in the editor or in a terminal.',
  ],
  DECISION_NEEDS_PERSON: [
    'This decision needs a person, and there is no terminal to ask one.',
    'Decide in the editor, or run the command in a terminal. To decide in advance, use "beadsmith run" with --approve.',
  ],
  DECISION_NOT_CONFIRMED: [
    "The confirmation didn't match. Nothing was changed.",
    'Run the command again and type the word that it shows.',
  ],
  TEAM_PARTS: ['The package {what} is not installed.', 'Run "beadsmith team install".'],
  DEVICE_UNKNOWN: [
    "This device isn't one of the team's.",
    'Ask an admin for a pairing code, then run "beadsmith team join CODE".',
  ],
  DEVICE_KNOWN: [
    "This device is already one of the team's, as another person's.",
    'Use the code on another device.',
  ],
  DEVICE_REVOKED: [
    "This device was revoked, so the team doesn't accept its decisions.",
    'Ask an admin. A revoked key stays revoked.',
  ],
  PAIRING_INVALID: [
    "The pairing code doesn't exist, has expired, or was used by another device.",
    'Ask for a new one: "beadsmith team pair".',
  ],
  ROLE_MISSING: [
    'Your role in the team is {role}, and this needs {needed}.',
    'Ask an admin for a pairing code with another role.',
  ],
  STALE_APPROVAL: ['{artifact} changed after you opened it.', 'Review the current version before approving.'],
  REASON_MISSING: [
    'The approval requires a reason because gaps are open.',
    'Enter a reason, so that others understand the decision, or fix the gaps first.',
  ],
  EDIT_CONFLICT: [
    'Someone else changed {artifact}.',
    'Open the current version, apply your change to it, and save again.',
  ],
  NO_EVIDENCE: [
    'There is no evidence of {ticket}.',
    'Fetch it with "git fetch origin refs/notes/beadsmith:refs/notes/beadsmith", or use the file .ticket/evidence.json of its worktree. A pull request has it in its text, unless that was removed or is too long.',
  ],
  INVALID_ARTIFACT: [
    '{artifact} is not valid: {reason}',
    'Correct the document. The previous version is kept.',
  ],
  REQUEST_CUT: [
    "The request can't be allowed because it is too long to show in full or is incomplete.",
    'Deny it. The agent continues without it and can ask for less.',
  ],
  REQUEST_GONE: ['The agent no longer waits for this request.', 'Check whether it has another request.'],
  CONTEXT_UNKNOWN: [
    '{ticket} has no context with the ID "{entry}".',
    'List its context, and use an ID from that list.',
  ],
  CONTEXT_DELIVERED: [
    "The context {entry} can't be changed anymore because an agent has received it.",
    'Add context that corrects it. Use --now to restart the iteration immediately.',
  ],
  CONTEXT_WITHDRAWN: [
    'The context was withdrawn before an agent received it.',
    'Add it again if you still need it.',
  ],
  CONTEXT_RESTART: ['A person added context and restarted the iteration.', 'The next iteration includes it.'],
  NOTHING_TO_CONTINUE: ['No interrupted session to continue.', 'Use Retry instead.'],
  NO_OPEN_GAPS: [
    'The last check of this document found no gaps.',
    'Approve it, edit it, or regenerate it with a note.',
  ],
  FINDING_UNKNOWN: [
    '{ticket} has no finding "{finding}".',
    'Choose one of its findings; "beadsmith findings {ticket}" lists them.',
  ],
  NO_REVIEW: ['Reviews are off for {ticket}.', 'Turn reviews on for the next ticket: beadsmith.review.'],
  DISMISSAL_UNKNOWN: [
    'There is no dismissal {number}.',
    'List the dismissals of the repository to see which exist.',
  ],
  NO_FINISHED_BEAD: ['This ticket has no finished beads.', 'Accept a bead after it is committed.'],
  ALREADY_PAUSED: ['This ticket is already paused.', 'Resume it to continue.'],
  NOT_HELD: ["This ticket isn't paused, so there is nothing to resume.", 'Possible now: {allowed}.'],
  CONFIRMATION_NEEDED: ['{what}', 'Confirm explicitly to continue.'],

  DATABASE_NEWER: [
    'The database was written by a newer version of Beadsmith (schema {found}; this version supports {known}).',
    'Update Beadsmith. Until then, tickets are read-only.',
  ],
  TEAM_TABLES: [
    "The team's database {state}.",
    'Run "beadsmith create" in a repository, with a login that may create schemas: it makes and updates the tables. Reading commands don\'t.',
  ],
  BACKUP_UNUSABLE: [
    "The backup {name} can't be restored: {reason}",
    'Choose another one. Nothing was changed.',
  ],
  CLEANING_ELSEWHERE: [
    'Another process is using or cleaning up data of finished tickets here.',
    'Wait until it is done, then clean up again.',
  ],
  DATABASE_CORRUPT: [
    'The database at {path} is damaged: {reason}',
    'It is opened read-only. Restore a backup: "beadsmith restore" lists them. The newest is {backup}.',
  ],
  DATABASE_BEHIND: [
    'The database at {path} is older than before: entry {seq} of the journal of {ticket} is missing or different.',
    'It is opened read-only. Restore a backup with "beadsmith restore" (the newest is {backup}), or use this one with "beadsmith list --adopt".',
  ],
  PATH_TOO_LONG: [
    'The path {path} is too long: {bytes} bytes; the maximum is {most}.',
    'Move the repository, or set TMPDIR, to a shorter path.',
  ],
  DATABASE_UNKNOWN: [
    'The database at {path} belongs to another program.',
    'Move it away, then try again. "beadsmith restore" lists the backups of tickets.',
  ],
  DATABASE_FOREIGN: [
    'The tickets of this repository were created by another installation.',
    'If you trust their source, run "beadsmith list --adopt" in the repository to adopt them.',
  ],
  DATABASE_READ_ONLY: [
    'Tickets are read-only here: {reason}',
    'Resolve the problem, then try again. For details, run "beadsmith doctor".',
  ],
  DRIVEN_ELSEWHERE: [
    'Another process is working on the tickets of this repository, on {host} (process {pid}).',
    'Work there, or end the process.',
  ],
  TEAM_LOGIN: [
    "The team's database can't be used with this login: {reason}.",
    "Check the user and the password in the database's URL; in the editor, enter the password again.",
  ],
  OWNER_ELSEWHERE: [
    'The tickets of this repository belong to process {pid} on {host}, in another container or on another machine, since {since}. Last active {minutes} min ago.',
    'Work there. If that process is gone, for example because its container was rebuilt, take over: "beadsmith list --take-over" in the repository.',
  ],
  EPOCH_LOST: [
    'Another process has taken over the tickets of this repository.',
    'Nothing was lost. This process is now a follower.',
  ],
  TICKET_BUSY: [
    '{ticket} has decisions that nobody has carried out yet.',
    'Let it continue until they are carried out, then try again.',
  ],
  TICKET_CLAIMED: ['A runner of the team is working on {ticket}.', 'Pause the ticket, then try again.'],
  MOVE_NEEDS_DRIVER: [
    'Another process is working on the tickets of this repository, so {ticket} can’t be moved.',
    'Close the editor window or end the command that works on them, then try again.',
  ],
  TICKET_TAKEN: [
    'There is another ticket {ticket} where this one is to go.',
    'Use another ticket prefix for one of the two, or finish the ticket where it is.',
  ],
  STATUS_CONFLICT: ['The status of the ticket has changed.', 'Check its current status.'],
  JOURNAL_BROKEN: [
    'The journal of {ticket} is damaged at entry {seq}.',
    'The ticket is now read-only. Restore state.db from the folder "backups" next to it, or create the ticket again.',
  ],
  TICKET_DAMAGED: [
    "{ticket} can't be read: {reason}.",
    'Other tickets still work. Restore a backup with "beadsmith restore".',
  ],
  ROWS_ALTERED: [
    "Stored data of {ticket} doesn't match what was decided: {rows}. Something other than Beadsmith changed it in the database.",
    'Restore a backup with "beadsmith restore", or edit and approve the changed part again.',
  ],
  DATABASE_BUSY: [
    'Another process has held a lock on the database for {seconds} s.',
    'End that process. The ticket continues automatically.',
  ],
  DATABASE_LOST: [
    'This process can no longer use the database of the repository: {reason}.',
    'Nothing was lost. The repository is opened again automatically; if this happens again, run "beadsmith doctor".',
  ],
  DATABASE_IO: [
    "The database can't be read or written: {reason}.",
    'Check the disk or network drive that the repository is on. The ticket continues automatically.',
  ],
  DISK_FULL: ['The disk is full.', 'Free up disk space. The ticket continues automatically.'],

  DEMO_NEEDS: [
    'The demo requires {program}, which was not found.',
    'Install it, restart the editor, then try again.',
  ],
  DEMO_IN_USE: [
    'The demo in {path} is in use by another window or command.',
    'Close the window or end the command, then remove the demo again.',
  ],
  DEMO_MODEL_FAILED: [
    'The scripted model of the demo did not start: {reason}',
    'Refresh the view to try again.',
  ],

  STEP_KEY_REUSED: ['The step key "{key}" was used twice in one run.', 'Please report this.'],
  REPLAY_MISMATCH: [
    'The journal of this run doesn\'t match its handler at "{key}": {reason}',
    'Retry restarts the status.',
  ],
  LIMIT_EXPIRED: ['{what} took longer than {seconds} s.', 'Raise the timeout, then retry.'],
  STAGE_RESULT_INVALID: [
    'The stage "{stage}" returned an unusable result: {reason}',
    'Retry. If the problem persists, report it.',
  ],
  DRIVE_FAILED: [
    'Work on {ticket} failed {count} times within ten minutes: {reason}',
    'Retry. If the problem persists, report it.',
  ],
  CRASH_LOOP: [
    '{what} was interrupted {count} times within ten minutes.',
    'Find the cause, then retry, or run the ticket again with "beadsmith run".',
  ],
  UNEXPECTED: ['An unexpected error occurred: {reason}', 'Retry. If the problem persists, report it.'],

  OPENCODE_MISSING: [
    'OpenCode was not found.',
    'Run "npm install --global opencode-ai@{version}", or set the path of the opencode binary.',
  ],
  OPENCODE_INSIDE: [
    "OpenCode at {path} isn't started because it is inside the repository.",
    'Set the path of an OpenCode binary outside the repository.',
  ],
  OPENCODE_VERSION: [
    "OpenCode {found} at {path} can't be used; {wanted} is needed.",
    'Install that version, or set the path of its binary.',
  ],
  INSTALL_FAILED: ['npm could not install {what}: {reason}', 'Fix the cause, then try again.'],
  REGISTRY_UNREACHABLE: [
    'npm could not reach its registry to install {what}.',
    'Check the connection, the proxy and "npm config get registry", then try again.',
  ],
  NPM_MISSING: [
    'npm, which installs {what}, is not on the PATH.',
    'Install Node.js, which includes npm, and restart the editor or the terminal.',
  ],
  OPENCODE_START_FAILED: ['OpenCode did not start: {reason}', 'Check the log, fix the cause, then retry.'],
  OPENCODE_GONE: ['OpenCode exited unexpectedly.', 'Continue or retry; a new server is started.'],
  MODEL_UNKNOWN: ['OpenCode has no model "{model}".', 'Choose one of: {models}.'],
  PROVIDER_AUTH: [
    'The provider of {model} rejected the sign-in: {reason}',
    'Sign in again with "opencode auth login", then retry.',
  ],
  PROVIDER_QUOTA: [
    'The provider of {model} is busy or over quota: {reason}',
    'Wait, or change the models, then continue.',
  ],
  PROVIDER_ERROR: ['The provider of {model} failed: {reason}', 'Continue or retry.'],
  OUTPUT_TRUNCATED: [
    '{model} was cut off before its answer was complete.',
    'Retry, or choose a model with a longer output.',
  ],
  CONTEXT_OVERFLOW: [
    'The session with {model} exceeded the context window of the model: {reason}',
    'Retry starts a new session. A model with a larger context window, or a smaller bead, may help.',
  ],
  AGENT_LOOP: ['{model} repeated itself: {reason}', 'Retry starts a new session.'],
  SESSION_LOST: ['The session with {model} no longer exists.', 'Retry starts a new session.'],
  RESPONSE_INVALID: [
    '{model} gave no usable answer for {what}: {reason}',
    "Retry; the rejected text is in the call's record.",
  ],
  PROMPT_STOPPED: [
    'The prompt "{prompt}" was stopped before it was sent.',
    'Change its content, or continue and exclude what must not be sent.',
  ],
  CONTEXT_OVER_BUDGET: [
    'The prompt for {what} needs {tokens} tokens; the limit is {budget}.',
    'Raise the token limit of a prompt, shorten the ticket or the bead, or unpin parts, then retry.',
  ],
  PHASE_CAP_REACHED: [
    'The optional phase "{phase}" reached its limit: {limit}.',
    'Raise the limit, or work without the phase.',
  ],
  BUDGET_EXHAUSTED: [
    '{whose} used {used} of {cap} tokens.',
    'Raise the limit and continue, or cancel the ticket.',
  ],
  COST_CAP_REACHED: [
    '{whose} cost {used} of {cap} US cents.',
    'Raise the limit and continue, or cancel the ticket.',
  ],
  TIME_CAP_REACHED: [
    '{whose} used {used} of {cap} minutes.',
    'Raise the limit and continue, or cancel the ticket.',
  ],
  QUORUM_NOT_MET: [
    'Only {valid} of {needed} council members gave a valid {what}: {reasons}',
    'Retry, or choose other members.',
  ],
  PREFLIGHT_FAILED: ['The ticket is not ready: {checks}', 'Fix the reported problems, then retry.'],
  LOOP_UNPROVED: [
    'No command can prove the loop: it was started without test commands, and no project checks have been approved yet.',
    'Start it with test commands, or say why there are none.',
  ],
  SETUP_FAILED: [
    'The environment could not be set up: {reason}',
    'Retry with a note, or edit the setup plan.',
  ],
  BEAD_RETRY_BUDGET_EXHAUSTED: [
    'Bead {bead} failed (iterations: {iterations}). {reason}',
    'Read its notes, then retry with a note.',
  ],
  BEAD_FINALIZATION_FAILED: [
    'Bead {bead} passed its checks but could not be committed: {reason}',
    'The worktree is kept as it is. Fix the cause, then retry.',
  ],
  BEAD_DEADLOCK: ['No bead can run: {beads} depend on beads that failed.', 'Retry the failed bead.'],
  FAILURE_NEEDS_DECISION: [
    'Bead {bead} failed, and its failure analysis recommends: {choice}. {reason}',
    'Follow the analysis, or decide otherwise: retry, skip, split or replan the bead.',
  ],
  FAILURE_ESCALATED: [
    'Bead {bead} waits for a person: {reason}',
    'Provide what is missing, then retry, skip, split or replan the bead.',
  ],
  BEAD_NOT_FAILED: [
    '{bead} is not a failed bead. Failed beads: {beads}.',
    'Specify a failed bead, or retry.',
  ],
  BEAD_SKIP_REFUSED: ['Bead {bead} can’t be skipped. {reason}', 'Retry it, or split or replan it.'],
  PLAN_CHANGE_PROPOSED: [
    'A plan change is proposed to replace bead {bead}: {beads}.',
    'Review the proposed beads. Then approve them, or choose another action for the bead.',
  ],
  PLAN_CHANGE_FAILED: [
    'No plan change could be proposed for bead {bead}: {reason}',
    'Try again, or choose another action for the bead.',
  ],
  FINAL_TEST_FAILED: [
    'The final test failed (attempts: {attempts}): {reason}',
    'Read its report, then retry.',
  ],
  INTEGRATION_FAILED: ['The changes could not be integrated: {reason}', 'Fix the cause, then retry.'],
  PULL_REQUEST_FAILED: ['The pull request could not be created: {reason}', 'Fix the cause, then retry.'],
  PUSH_REFUSED: ['The branch "{branch}" can\'t be pushed to "{remote}": {reason}', '{remedy}'],
  FORGE_UNKNOWN: ['There is no repository for a pull request: {reason}', '{remedy}'],
  FORGE_SIGN_IN: [
    "{host} doesn't know you: {reason}",
    'Sign in, for example with "gh auth login", then try again.',
  ],
  FORGE_REFUSED: ['{host} refused the request: {reason}', '{remedy}'],
  FORGE_UNREACHABLE: [
    "{host} can't be reached: {reason}",
    'Try again later. Everything else works without it.',
  ],
  FORGE_COMMENT_UNKNOWN: ['The pull request has no comment "{comment}".', 'Check the pull request again.'],
  FORGE_COMMENT_UNREAD: [
    'Comment {comment} has text by people without write access ({authors}), which nobody confirmed.',
    'Read all of it, then confirm what you read.',
  ],
  FORGE_REPLACED: [
    'The repository {repository} was replaced by another one of this name, so its pull requests are not of this ticket: {location}',
    'Find out who has the name now. Then choose another remote, or close the ticket without merging.',
  ],
  FORGE_OTHER_BRANCH: [
    'The pull request is of the branch "{head}", not of "{branch}": {location}',
    'Rename the branch back there. If the changes of the ticket are merged, close the ticket without merging.',
  ],
  FORGE_MERGED_ELSEWHERE: [
    'The pull request was merged into "{found}", not into "{base}": {location}',
    'If that is right, close the ticket without merging.',
  ],
  FORGE_MERGED_WITHOUT: [
    'The pull request was merged without the latest commits of the ticket: {location}',
    'Pull "{base}", then close the ticket without merging. For the rest, create a new ticket.',
  ],
  FORGE_CLOSED: [
    'The pull request was closed without merging: {location}',
    'Reopen it there, or close the ticket without merging.',
  ],
  FORGE_BRANCH_DELETED: [
    'The branch of the pull request was deleted: {location}',
    'Restore the branch and reopen the pull request there, or close the ticket without merging.',
  ],
  FORGE_BASE_CHANGED: [
    'The pull request now goes to "{found}", not to "{base}": {location}',
    'Change it back there, or update the ticket from "{found}".',
  ],
  FORGE_BRANCH_MOVED: [
    'Someone else pushed {commit} to the branch of the pull request: {location}',
    'Merge it there, or take the commits over before you update the pull request.',
  ],
  FORGE_BEHIND: [
    "The pull request doesn't have the latest commits or the base branch of the ticket: {location}",
    'Update the pull request.',
  ],
  FORGE_CONFLICTS: [
    'The pull request conflicts with "{base}": {location}',
    'Pull "{base}", update the ticket from base, then update the pull request.',
  ],
  FORGE_UNQUEUED: [
    'The merge queue took out the pull request without merging it: {location}',
    'See there why, and fix that. Then choose "Merge on GitHub" again.',
  ],
  FORGE_CHECKS_FAIL: [
    'Checks of the pull request still fail after {count} fixes: {location}',
    'Read what fails, then request changes, or choose "Fix Failed Checks" for further fixes.',
  ],
} as const satisfies Record<string, readonly [sentence: string, nextStep: string]>;
