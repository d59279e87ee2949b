import { join } from 'node:path';
import type { Place } from '../place.ts';
import {
  type Kind,
  greeting,
  greetingFiles,
  plainChecks,
  plainFiles,
  shell,
  write,
  writing,
} from '../kind.ts';

const plain = { files: plainFiles, checks: plainChecks, beads: [greeting] };
const latin = `"$(printf 'caf\\351.txt')"`;
const broken = `"$(printf 'two\\nlines.txt')"`;

/** What may lie in a repository, and what it may be called. */
export const contents: readonly Kind[] = [
  {
    ...plain,
    name: 'crlf',
    about: 'line endings are converted: CRLF in the checkout, LF in git',
    files: { ...plainFiles, '.gitattributes': '*.txt text eol=crlf\n', 'lines.txt': 'one\r\ntwo\r\n' },
    beads: [
      writing(
        'lines',
        { 'more.txt': 'three\r\nfour\r\n' },
        `test "$(tail -c 2 more.txt | od -An -tx1 | tr -d ' \\n')" = 0d0a`,
      ),
    ],
    comes: { delivers: ['lab-final.sh', 'more.txt'] },
  },
  {
    ...plain,
    name: 'odd-names',
    about: 'spaces, quotes and letters of other scripts in the names of files and of the folder',
    folder: `an odd "répo's" 名`,
    files: { ...plainFiles, 'a b.txt': '1\n', 'it\'s "quoted".txt': '2\n', 'größe/日本.txt': '3\n' },
    beads: [
      writing(
        'names',
        { 'größe/neu "1".txt': '4\n', "it's $HOME.txt": '5\n' },
        `test "$(cat 'größe/neu "1".txt' "it's \\$HOME.txt" 'größe/日本.txt' | tr -d '\\n')" = 453`,
      ),
    ],
    comes: { delivers: ['größe/neu "1".txt', "it's $HOME.txt", 'lab-final.sh'] },
  },
  {
    ...plain,
    name: 'not-utf8-present',
    about: 'the name of a tracked file is not UTF-8',
    make: (place) => {
      place.run('sh', '-c', `echo x > ${latin}`);
      place.commit('A name in Latin-1');
    },
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'not-utf8-new',
    about: 'the coder makes a file whose name is not UTF-8',
    beads: [{ ...greeting, does: [...greeting.does, shell(`echo x > ${latin}`)] }],
    options: ['--iterations', '0', '--continuations', '0'],
    comes: { stops: /caf.*\.txt/s, exit: 4 },
  },
  {
    ...plain,
    name: 'line-feed-name',
    about: 'the coder makes a file with a line feed in its name, which not every system can have',
    beads: [{ ...greeting, does: [...greeting.does, shell(`echo x > ${broken}`)] }],
    comes: { stops: /a name that Windows can't have/, exit: 3 },
  },
  {
    ...plain,
    name: 'submodule',
    about: 'the tests need a submodule, which the checkout has',
    make: addLibrary,
    beads: [writing('use', { 'use.sh': 'sh library/tool.sh\n' }, 'test "$(sh use.sh)" = tool')],
    comes: { delivers: ['lab-final.sh', 'use.sh'] },
  },
  {
    ...plain,
    name: 'submodule-step',
    about: 'the tests need a submodule, and the setup has the step that the README of the repository names',
    make: addLibrary,
    bootstrap: ['git submodule update --init --recursive'],
    beads: [writing('use', { 'use.sh': 'sh library/tool.sh\n' }, 'test "$(sh use.sh)" = tool')],
    comes: { delivers: ['lab-final.sh', 'use.sh'] },
  },
  {
    ...plain,
    name: 'lfs-pointer',
    about: 'a pointer of Git LFS, which is not set up here',
    files: {
      ...plainFiles,
      '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      'data.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`,
    },
    comes: { delivers: greetingFiles },
  },
  {
    ...plain,
    name: 'filter-missing',
    about: 'a required filter whose program is missing',
    files: { ...plainFiles, 'data.vault': 'secret\n' },
    make: (place) => {
      place.write({ '.gitattributes': '*.vault filter=vault\n' });
      place.commit('Filter vaults');
      for (const [name, value] of [
        ['required', 'true'],
        ['smudge', 'missing-vault-program'],
        ['clean', 'missing-vault-program'],
      ] as const)
        place.git('config', `filter.vault.${name}`, value);
    },
    comes: { stops: /missing-vault-program|filter/i, exit: 4 },
  },
  {
    ...plain,
    name: 'outputs-as-sources',
    about: 'bin/, build/ and *.log that are sources: tracked ones changed, new ones made',
    files: {
      ...plainFiles,
      'bin/run.sh': 'echo run\n',
      'build/rules.mk': 'all:\n',
      'logs/sample.log': 'line\n',
    },
    beads: [
      {
        ...writing(
          'tools',
          {
            'bin/run.sh': 'echo run "$@"\n',
            'bin/stop.sh': 'echo stop\n',
            'build/extra.mk': 'none:\n',
            'samples/example.log': 'one\ntwo\n',
          },
          'test "$(sh bin/run.sh a)$(sh bin/stop.sh)" = "run astop" && test -f build/extra.mk && test "$(wc -l < samples/example.log)" -eq 2',
        ),
        targets: ['bin/run.sh', 'build/extra.mk'],
      },
    ],
    comes: {
      delivers: ['bin/run.sh', 'bin/stop.sh', 'build/extra.mk', 'lab-final.sh', 'samples/example.log'],
    },
  },
  {
    ...plain,
    name: 'nested-repository',
    about: 'the coder makes a repository inside of the worktree',
    beads: [
      {
        ...greeting,
        does: [
          ...greeting.does,
          write('inner/notes.txt', 'inner\n'),
          shell(
            'cd inner && git init -q && git add . && git -c user.name=A -c user.email=a@example.invalid commit -qm Inner',
          ),
        ],
      },
    ],
    options: ['--iterations', '0', '--continuations', '0'],
    comes: { stops: /inner/, exit: 4 },
  },
];

/** Gives the repository another one as a submodule. */
function addLibrary(place: Place): void {
  const library = join(place.folder, 'library');
  place.run(
    'sh',
    '-c',
    `git init -q -b main "${library}" && cd "${library}" && echo 'echo tool' > tool.sh && git add . && git -c user.name=A -c user.email=a@example.invalid commit -qm Tool`,
  );
  place.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library');
  place.commit('Use the library');
}
