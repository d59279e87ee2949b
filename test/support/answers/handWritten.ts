import { endMark } from '../../../src/context/promptFile.ts';

/**
 * An answer that a person wrote down, and what it says: the values at some paths; undefined where it must be
 * asked again.
 */
export interface Written {
  readonly artifact: string;
  readonly name: string;
  readonly text: string;
  readonly says: Readonly<Record<string, unknown>> | undefined;
  readonly stopped?: true;
}

const one = (artifact: string, name: string, text: string, says: Written['says']): Written => ({
  artifact,
  name,
  text: `${text}\n${endMark}`,
  says,
});
const notes = 'architectural_notes:\n  - Codes are parsed in one place\n';
const claim = (file: string, line = ''): string =>
  `checked:\n  - all callers\nfindings:\n  - severity: high\n    category: behaviour\n    file: ${file}\n${line}    claim: It fails\n    evidence: x\n`;
const ballot = (finding: string): string =>
  `ballots:\n  - finding: ${finding}\n    vote: confirm\n    reason: It holds\n`;
const list = (key: string, says: string): string => `checked:\n  - all callers\n${key}: ${says}`;

/** Values as people write them, one by one. */
export const handWritten: readonly Written[] = [
  ...[
    'none',
    'None',
    'NONE',
    'None.',
    '"none"',
    "'None'",
    'no',
    'No',
    'No.',
    '"no"',
    'false',
    '"false"',
    'N/A',
    '"N/A"',
    'n/a',
    'null',
    '~',
    '""',
    '-',
    'nothing',
    'Not applicable',
    '(none)',
    'No question',
    'No questions.',
    'None needed',
    '[]',
    'not needed',
  ].map((word) =>
    one('kickoff', `needs_human: ${word}`, `${notes}needs_human: ${word}`, { needs_human: '' }),
  ),
  one(
    'kickoff',
    'needs_human with a question',
    `${notes}needs_human: No code without a day? Which day then?`,
    {
      needs_human: 'No code without a day? Which day then?',
    },
  ),
  one('kickoff', 'needs_human: true', `${notes}needs_human: "Is none allowed?"`, {
    needs_human: 'Is none allowed?',
  }),
  ...[
    'none',
    '"none"',
    'no',
    'false',
    'N/A',
    '"N/A"',
    '[none]',
    '["N/A"]',
    '[]',
    '\n  - none',
    '\n  - "None"',
    '\n  - N/A',
    '\n  - no',
    '\n  - "None."',
    'no findings',
    'No findings.',
    'None found.',
  ].map((word) => one('review', `findings: ${word}`, list('findings', word), { findings: [] })),
  ...(
    [
      ['src/a.mjs:18', '', 'src/a.mjs', 18],
      ['"src/a.mjs:18"', '', 'src/a.mjs', 18],
      ['`src/a.mjs:18`', '', 'src/a.mjs', 18],
      ['a.mjs:18', '    line: null\n', 'a.mjs', 18],
      ['a.mjs:18', '    line: 18\n', 'a.mjs', 18],
      ['a.mjs:18:7', '', 'a.mjs', 18],
      ['a.mjs:18-20', '', 'a.mjs', 18],
      ['a.mjs#L18', '', 'a.mjs', 18],
      ['a.mjs#L18-L20', '', 'a.mjs', 18],
      ['a.mjs (line 18)', '', 'a.mjs', 18],
      ['a.mjs, line 18', '', 'a.mjs', 18],
      ['a.mjs', '    line: "18-20"\n', 'a.mjs', 18],
      ['a.mjs', '    line: L18\n', 'a.mjs', 18],
      ['a.mjs', '    line: line 18\n', 'a.mjs', 18],
      ['a.mjs', '    line: 18\n', 'a.mjs', 18],
      ['a.mjs', '    line: N/A\n', 'a.mjs', null],
      ['a.mjs', '', 'a.mjs', null],
      ['"C:\\\\work\\\\a.mjs"', '', 'C:\\work\\a.mjs', null],
    ] as const
  ).map(([file, line, path, number]) =>
    one('review', `file ${file} ${line.trim()}`, claim(file, line), {
      'findings.0.file': path,
      'findings.0.line': number,
    }),
  ),
  ...[
    'code-model.1.1.1',
    '"code-model.1.1.1"',
    'Finding code-model.1.1.1',
    '`code-model.1.1.1`',
    '[code-model.1.1.1]',
    '"code-model.1.1.1: It fails"',
  ].map((name) =>
    one('party-vote', `finding ${name}`, ballot(name), { 'ballots.0.finding': 'code-model.1.1.1' }),
  ),
  ...['Finding 1', 'finding 1', '"Finding #1"', '1', '"#1"', 'F1', '"1."'].map((name) =>
    one('party-vote', `finding ${name}`, ballot(name), { 'ballots.0.finding': 'code-model.1.1.1' }),
  ),
  ...['Finding 9', '0', 'F12', 'something else'].map((name) =>
    one('party-vote', `finding ${name}`, ballot(name), undefined),
  ),
  ...[
    'architectural_notes: []',
    'architectural_notes:',
    'needs_human: ""',
    'needs_human: none',
    'identified_risks: none',
    'key_decisions:\n  - none',
  ].map((text) => one('kickoff', `only ${text}`, text, undefined)),
  ...['summary: {}', 'settled: []', 'summary:\n  goals: []', 'settled: none'].map((text) =>
    one('interview-complete', `only ${text}`, text, undefined),
  ),
  ...['ballots:', 'ballots: none'].map((text) => one('party-vote', `only ${text}`, text, undefined)),
  ...['summary: ""', 'files: []', 'decisions: none'].map((text) =>
    one('dev-record', `only ${text}`, text, undefined),
  ),
  { artifact: 'pull-request', name: 'later known key in prose', stopped: true, says: { title: 'Take codes' }, text: 'title: Take codes\nsummary:\n  - An order takes a code\nwhy:\n  - It was promised\nwhat_changed:\n  - The total\nvalidation:\n  - npm test\nfollow_ups:\n  - none' }, // prettier-ignore
  { artifact: 'pull-request', name: 'ends with an open key', stopped: true, says: undefined, text: 'title: Take codes\nsummary:\n  - An order takes a code\nwhy:' }, // prettier-ignore
  { artifact: 'pull-request', name: 'ends with an open quote', stopped: true, says: undefined, text: 'title: Take codes\nsummary:\n  - "An order takes a' }, // prettier-ignore
];
