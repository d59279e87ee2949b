import { join } from 'node:path';
import { type Kind, greeting, greetingFiles, plainChecks, plainFiles, write, writing } from '../kind.ts';

const plain = { files: plainFiles, checks: plainChecks, beads: [greeting] };

/** What a person has set up around a repository. */
export const policies: readonly Kind[] = [
  {
    ...plain,
    name: 'commit-hooks',
    about: 'hooks that refuse every commit and leave a trace',
    make: (place) => {
      const trace = join(place.folder, 'hook-ran');
      for (const name of ['pre-commit', 'commit-msg', 'post-checkout', 'pre-push'])
        place.run(
          'sh',
          '-c',
          `printf '#!/bin/sh\\necho ${name} >> "${trace}"\\nexit 1\\n' > .git/hooks/${name} && chmod +x .git/hooks/${name}`,
        );
    },
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'signing-required',
    about: 'commits are signed with an SSH key',
    needs: ['ssh-keygen'],
    make: (place) => {
      const key = join(place.folder, 'key');
      place.run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key);
      for (const [name, value] of [
        ['gpg.format', 'ssh'],
        ['user.signingKey', `${key}.pub`],
        ['commit.gpgsign', 'true'],
      ] as const)
        place.git('config', name, value);
    },
    signed: true,
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'signing-broken',
    about: 'commits have to be signed, and the key is missing',
    needs: ['ssh-keygen'],
    make: (place) => {
      for (const [name, value] of [
        ['gpg.format', 'ssh'],
        ['user.signingKey', join(place.folder, 'no-key.pub')],
        ['commit.gpgsign', 'true'],
      ] as const)
        place.git('config', name, value);
    },
    comes: { stops: /sign/i, exit: 4 },
  },
  {
    ...plain,
    name: 'env-needed',
    about: 'the tests read an ignored .env, which .worktreeinclude names',
    files: { ...plainFiles, '.gitignore': '.env\n', '.worktreeinclude': '.env\n' },
    make: (place) => place.write({ '.env': 'TOKEN=of-the-person\n' }),
    beads: [writing('token', { 'token.sh': '. ./.env\ntest ${#TOKEN} -eq 13\n' }, 'sh token.sh')],
    inputs: ['.env'],
    secret: 'of-the-person',
    comes: { delivers: ['lab-final.sh', 'token.sh'] },
  },
  {
    ...plain,
    name: 'secret-in-work',
    about: 'the coder writes a key into a file',
    beads: [
      {
        ...greeting,
        does: [...greeting.does, write('key.sh', `TOKEN=${['ghp_', 'a1B2c3'.repeat(6)].join('')}\n`)],
      },
    ],
    comes: { stops: /key\.sh:1: looks like a secret/, exit: 3 },
  },
  {
    ...plain,
    name: 'workflow-in-work',
    about: 'the coder changes what runs in CI',
    beads: [{ ...greeting, does: [...greeting.does, write('.github/workflows/ci.yml', 'on: push\n')] }],
    comes: { stops: /ci\.yml: changes what runs in CI/, exit: 3 },
  },
  {
    ...plain,
    name: 'env-unnamed',
    about: 'the tests read an ignored .env that nobody offered',
    files: { ...plainFiles, '.gitignore': '.env\n' },
    beads: [
      writing(
        'token',
        { 'token.sh': 'test -f .env || { echo "token.sh: .env is missing"; exit 1; }\n' },
        'sh token.sh',
      ),
    ],
    options: ['--iterations', '0', '--continuations', '0'],
    comes: { stops: /\.env/, exit: 4 },
  },
  {
    ...plain,
    name: 'origin-ahead',
    about: 'origin has a commit that the checkout does not have',
    make: (place) => {
      const origin = join(place.folder, 'origin.git');
      place.git('init', '--quiet', '--bare', '--initial-branch=main', origin);
      place.git('remote', 'add', 'origin', origin);
      place.write({ 'theirs.txt': 'theirs\n' });
      place.commit('Theirs');
      place.git('push', '--quiet', '-u', 'origin', 'main');
      place.git('reset', '--quiet', '--hard', 'HEAD^');
      place.git('remote', 'set-head', 'origin', 'main');
    },
    comes: { stops: /"main" is behind "origin\/main".*--base/s, exit: 2 },
  },
];
