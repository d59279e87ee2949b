import * as z from 'zod';
import { stripAnsi, lastLines } from '../../src/base/lastLines.ts';
import { fenced, inline } from '../../src/base/markdown.ts';
import { withoutSecrets } from '../../src/base/outputSecrets.ts';
import { countHidden, visible } from '../../src/base/visible.ts';
import { retryTime } from '../../src/adapters/opencode/failures/retryTime.ts';
import { SecretlintScanner } from '../../src/adapters/secrets/secretlintScanner.ts';
import { GptTokens } from '../../src/adapters/tokens/gptTokens.ts';
import { missingFor } from '../../src/domain/council/draftChecks.ts';
import { filesNamed } from '../../src/domain/council/repositoryFiles.ts';
import { readText } from '../../src/domain/documents/base/text.ts';
import { secretsIn, variablesNamedIn } from '../../src/domain/environment/inputs.ts';
import { sameName } from '../../src/domain/requirements/criteria.ts';
import { names } from '../../src/domain/links/holes.ts';
import { isSameText, mentionsItem } from '../../src/domain/loss/declared.ts';
import { bareText } from '../../src/domain/documents/base/outline.ts';
import type { ChangedText } from '../../src/domain/proof/changedText.ts';
import { excerptOf } from '../../src/domain/proof/failureExcerpt.ts';
import { testResultsOf } from '../../src/domain/proof/testResults.ts';
import { parseBeadMarker } from '../../src/phases/coding/bead/beadMarker.ts';
import { importsFile, topLevelNames } from '../../src/phases/coding/bead/beadContext.ts';
import { isPromptEcho, isRefusal } from '../../src/phases/shared/structured/answerParts.ts';
import { parseLines } from '../../src/phases/shared/structured/parseLines.ts';
import { parseStructured } from '../../src/phases/shared/structured/parseStructured.ts';
import { PrdDraft } from '../../src/domain/requirements/prd.ts';
import { readApart, parseApart } from '../../src/phases/shared/structured/readApart.ts';
import type { Parse } from '../../src/phases/shared/structured/askTypes.ts';
import type { TextReader } from '../../src/engine/ports/ports.ts';
import { Log } from '../../src/host/logging/log.ts';
import { namesIn } from '../../src/phases/shared/relevantFiles/askForFiles.ts';

const Simple = z.object({
  id: z.string().optional(),
  title: z.string(),
  items: z.array(z.string()).default([]),
});
const tokens = new GptTokens();
const nowhere = () => undefined;
const methods = Object.fromEntries(
  ['show', 'trace', 'debug', 'info', 'warn', 'error'].map((name) => [name, nowhere]),
);
const log = new Log({ logLevel: 2, ...methods } as unknown as ConstructorParameters<typeof Log>[0], () => 0);

/** A line of each tool by which its output is known. */
const signs = [
  ['pytest', '== 1 failed, 2 passed in 1.00s =='],
  ['unittest', 'Ran 2 tests in 1.0s'],
  ['cargo', 'test result: FAILED. 1 passed; 1 failed;'],
  ['go', 'FAIL\tshop\t1s'],
  ['ctest', '50% tests passed, 1 tests failed out of 2'],
  ['tap', 'TAP version 13'],
  ['node', 'ℹ tests 2'],
  ['vitest', ' Test Files  1 failed'],
  ['jest', 'Tests:       1 failed, 2 total'],
  ['mocha', '  1 passing (1s)\n  1 failing'],
  ['surefire', 'Tests run: 2, Failures: 1, Time elapsed: 1 s'],
  ['gradle', '2 tests completed, 1 failed'],
  ['dotnet', 'Failed!  - Failed:     1, Passed:     2'],
  ['rspec', '2 examples, 1 failure'],
  ['phpunit', 'Tests: 2, Assertions: 2'],
  ['junit', '<testsuites>'],
] as const;

/** What reads texts of models, repositories and commands in the thread that calls it. */
export const textReaders: Readonly<Record<string, (text: string) => unknown>> = {
  'what a file declares': topLevelNames,
  'what a file imports': (text) => importsFile(text, 'src/a.ts', 'src/import.ts'),
  'a prompt echo': isPromptEcho,
  'a refusal': isRefusal,
  'JSON lines of a person': (text) => readText('jsonl', text),
  'names in a text': namesIn,
  'files named': filesNamed,
  'a command': (text) => missingFor(text, { paths: [], manifests: {} }),
  'a target in a makefile': (text) =>
    missingFor('make a', { paths: ['Makefile'], manifests: { Makefile: text } }),
  ...Object.fromEntries(
    signs.map(([tool, line]) => [
      `test results of ${tool}`,
      (text: string) =>
        testResultsOf({
          head: `${line}\n${text.slice(0, 32_000)}`,
          tail: text.slice(-32_000),
          outputBytes: 0,
        }),
    ]),
  ),
  ...Object.fromEntries(
    signs.map(([tool, line]) => [
      `a failed assertion of ${tool}`,
      (text: string) => excerptOf(`${line}\n${text.slice(0, 32_000)}${text.slice(-32_000)}`),
    ]),
  ),
  'a bare text': bareText,
  'a declared text': (text) => isSameText(text, 'b'.repeat(30)),
  'a declared line': (text) => isSameText('b'.repeat(30), text),
  'a mentioned item': (text) =>
    mentionsItem([text], { id: 'a', title: 'b' } as Parameters<typeof mentionsItem>[1]),
  'a name of a link': sameName,
  'an id in a text': (text) => names(text, 'US-1-1'),
  'variables of an example': (text) => variablesNamedIn('.env.example', text),
  'variables of a file': (text) => variablesNamedIn('a', text),
  'secrets of a file': secretsIn,
  'a retry time': (text) => [
    retryTime(text, 0),
    retryTime(`retry in ${text}`, 0),
    retryTime(`reset ${text}`, 0),
  ],
  'plain output': stripAnsi,
  'last lines': lastLines,
  'a line of the log': (text) => log.write('info', 'a', text),
  'an output without secrets': (text) => withoutSecrets(text),
  'hidden characters': visible,
  'the number of hidden characters': countHidden,
  'a text on one line': inline,
  'a text in a fence': (text) => fenced(text, ''),
  'tokens of a text': (text) => tokens.count(text),
  'secrets of a change': (text) => new SecretlintScanner().scan('a.ts', text),
};

/** What reads such texts in a thread of its own. */
export function readersApart(texts: TextReader): Readonly<Record<string, (text: string) => unknown>> {
  const apart = (parse: Parse<unknown>) => (text: string) => parseApart(texts, parse, text);
  const weakenings = (change: (text: string) => ChangedText) => (text: string) =>
    readApart(texts, 'weakenings', { changes: [change(text)], programs: [], named: [] }, text.length);
  return {
    'a structured answer': apart(parseStructured({ schema: Simple })),
    'an answer in a tag': apart(parseStructured({ tag: 'BEAD_STATUS', schema: Simple })),
    'a PRD': apart(parseStructured({ schema: PrdDraft })),
    'JSON lines': apart(parseLines({ schema: Simple })),
    'a bead marker': apart(parseBeadMarker({ bead: 'b-1', nonce: 'n1', promise: 'DONE' })),
    'test results': (text) => readApart(texts, 'tests', text, text.length),
    'a changed test': weakenings((after) => ({ path: 'a.test.ts', before: 'a', after })),
    'a changed source': weakenings((text) => ({ path: 'a.rs', before: text, after: text })),
    'a changed manifest': weakenings((after) => ({ path: 'package.json', before: '{}', after })),
  };
}
