import * as z from 'zod';
import { GitHookPolicy } from '../../environment/gitHooks.ts';
import { SandboxHosts, SandboxSetting } from '../../environment/sandbox.ts';
import type { SettingRows } from './row.ts';

/** Settings of "Sandbox and OpenCode". */
export const sandboxRows = {
  sandbox: {
    store: 'machine',
    group: 'sandbox',
    schema: SandboxSetting.default('auto'),
    about:
      "Controls whether agents and commands run in a sandbox (on Linux, bubblewrap). In it they write only to the worktree of their ticket, and can't reach your home folder, other tickets or, while they code and test, the network.",
    choices: {
      auto: {
        about:
          'In a sandbox if this machine has one. If it has none, agents ask before each command, and the Tickets view, the ticket page and the pull request say so.',
      },
      require: { about: 'Only in a sandbox. If this machine has none, no ticket is worked on.' },
      off: { about: "Without a sandbox, with your permissions. Agents don't ask before they run commands." },
    },
  },
  sandboxHosts: {
    store: 'machine',
    group: 'sandbox',
    schema: SandboxHosts.default([]),
    about:
      'Hosts that the setup of a ticket can fetch packages from in the sandbox, such as `registry.example.com` or `.example.com:8443`. The public registries and those that your package managers are configured for are always reachable.',
    tags: ['advanced'],
  },
  'opencode.path': {
    store: 'machine',
    group: 'sandbox',
    schema: z.string().default(''),
    about:
      'The absolute path of the `opencode` binary. If empty, Beadsmith uses the one on the PATH, or the one it installed. Ignored if `#beadsmith.opencode.url#` is set.',
  },
  'opencode.configFile': {
    store: 'machine',
    group: 'sandbox',
    schema: z.string().default(''),
    about:
      'The absolute path of an OpenCode configuration file (JSON). Beadsmith uses its `provider` section. If empty, it uses that of your own OpenCode configuration.',
    tags: ['advanced'],
  },
  'opencode.url': {
    store: 'machine',
    group: 'sandbox',
    schema: z
      .string()
      .regex(/^$|^https?:\/\/\S+$/)
      .default(''),
    about:
      'The URL of an OpenCode server that you run yourself. If set, `#beadsmith.opencode.path#` and `#beadsmith.opencode.configFile#` are ignored. To set its password, use the command *Set OpenCode Server Password…*.',
    invalid: 'Enter a URL that starts with http:// or https://.',
    tags: ['advanced'],
  },
  team: {
    store: 'machine',
    group: 'sandbox',
    // docs/team.md
    schema: z
      .string()
      .regex(/^$|^postgres(?:ql)?:\/\/\S+$/)
      .default(''),
    about:
      'The URL of the PostgreSQL database where your team keeps its tickets, without a password. If set, the team’s tickets of your open repositories are shown next to your own. The password is asked for once and stored in the secret storage.',
    invalid: 'Enter a URL that starts with postgres://.',
    tags: ['advanced', 'experimental'],
  },
  integration: {
    store: 'settings',
    group: 'sandbox',
    schema: z.enum(['keep', 'squash']).default('keep'),
    about: 'Controls how the commits of a ticket are integrated.',
    choices: {
      keep: { about: 'Keep one commit for each bead.' },
      squash: { about: 'Squash all beads into one commit.' },
    },
    option: 'integration',
  },
  gitHookPolicy: {
    store: 'settings',
    group: 'sandbox',
    setting: 'gitHooks',
    schema: GitHookPolicy.default('validate_advisory'),
    about:
      'Controls which `pre-commit` and `commit-msg` hooks of the repository check the commits of a ticket. They run in the scratch worktree. Other hooks never run.',
    choices: {
      observe_only: { label: 'Observe', word: 'observe', about: 'No hook runs. Pre-flight lists them.' },
      validate_advisory: {
        label: 'Check',
        word: 'check',
        about:
          'Hooks that the approved setup plan runs check each commit. Commits that they reject are reported, but still made.',
      },
      validate_required: {
        label: 'Require',
        word: 'require',
        about:
          "Hooks that the approved setup plan runs check each commit. Commits that they reject aren't made.",
      },
      use_native_hooks: {
        label: 'Run',
        word: 'run',
        about: "All hooks check each commit, as if you committed it. Commits that they reject aren't made.",
      },
    },
    option: 'git-hooks',
    tags: ['advanced'],
  },
  worktreeFolder: {
    store: 'repository',
    group: 'sandbox',
    schema: z.enum(['beside', 'inside']).default('beside'),
    about: 'Controls where the worktrees of tickets are created.',
    choices: {
      beside: { about: 'Next to the repository, in a folder named after it.' },
      inside: { about: 'In the `.beadsmith` folder of the repository.' },
    },
    tags: ['advanced'],
  },
  worktreeAtEnd: {
    store: 'settings',
    group: 'sandbox',
    schema: z.enum(['keep', 'remove']).default('keep'),
    about: 'Controls what happens to the worktree of a completed ticket. The branch is always kept.',
    choices: {
      keep: { about: 'Keep the worktree.' },
      remove: { about: 'Remove the worktree. Uncommitted changes are kept under a ref.' },
    },
    option: 'worktree-at-end',
    tags: ['advanced'],
  },
} as const satisfies SettingRows;
