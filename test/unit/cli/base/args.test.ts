import assert from 'node:assert/strict';
import { parseGates } from '../../../../src/cli/drive/gatePolicy.ts';
import { parseWords, UsageError } from '../../../../src/cli/base/args.ts';
import { ticketIdOf } from '../../../../src/cli/options/options.ts';
import { limitsAtStart, settingsOf, settingsOptions } from '../../../../src/cli/options/settingsOptions.ts';

const options = {
  title: { value: 'TEXT', about: '' },
  flag: { about: '' },
  many: { value: 'X', many: true, about: '' },
} as const;

describe('the words of a command line', () => {
  it('are read as texts, switches and lists', () => {
    const args = parseWords(
      ['a', '--title=--upload-pack=x', '--flag', '--many', '1', '--many', '2', 'b'],
      options,
    );
    assert.deepEqual(
      [args.text('title'), args.flag('flag'), args.list('many'), args.positionals],
      ['--upload-pack=x', true, ['1', '2'], ['a', 'b']],
    );
  });

  it('are refused when they are no option, with what to write instead', () => {
    assert.throws(() => parseWords(['--upload-pack=x'], options), UsageError);
    assert.throws(() => parseWords(['--title', '--upload-pack=x'], options), {
      name: 'UsageError',
      message: /use --title=VALUE/,
    });
    assert.throws(() => parseWords(['--title'], options), UsageError);
  });

  it('give whole numbers and choices only', () => {
    const args = parseWords(['--title', '1e3'], options);
    for (const text of ['1e3', '', '-1', '1.5', '1234567890'])
      assert.throws(() => parseWords([`--title=${text}`], options).whole('title'), UsageError, text);
    assert.equal(parseWords(['--title', '123456789'], options).whole('title'), 123_456_789);
    assert.throws(() => args.oneOf('title', ['a', 'b'], 'a'), UsageError);
  });
});

describe('gates on the command line', () => {
  it('are all, none or names', () => {
    assert.equal(parseGates('all').size, 8);
    assert.equal(parseGates('none').size, 0);
    assert.deepEqual([...parseGates('prd, beads')], ['prd', 'beads']);
    assert.throws(() => parseGates('prd,coding'), {
      name: 'UsageError',
      message: /"coding".*interview-answers/,
    });
  });
});

describe('a ticket id on the command line', () => {
  it('may be in small letters, and is nothing else', () => {
    assert.equal(ticketIdOf('abc-12'), 'ABC-12');
    for (const word of ['../../x', '--x', 'ABC', 'ABC-0', 'ABC-1/..', undefined])
      assert.throws(() => ticketIdOf(word), UsageError);
  });
});

describe('settings on the command line', () => {
  const parse = (...words: string[]) => parseWords(words, settingsOptions);

  it('take a council and limits in seconds', () => {
    const args = parse(
      '--model',
      'a/one',
      '--council',
      'b/two',
      '--council',
      'a/one',
      '--iterations',
      '0',
      '--timeout',
      '30',
      '--qa',
    );
    assert.deepEqual(settingsOf(args).councilMembers, ['b/two']);
    assert.deepEqual(
      [settingsOf(args).depth, settingsOf(args).manualQaEnabled, settingsOf(args).agentQuestions],
      ['full', true, 'deny'],
    );
    assert.deepEqual(
      [
        limitsAtStart(args).maxIterations,
        limitsAtStart(args).perIterationTimeout,
        limitsAtStart(args).commandTimeout,
      ],
      [0, 30_000, 600_000],
    );
  });

  it('are solo without a council', () => {
    assert.deepEqual(
      [settingsOf(parse('--model', 'a/one')).depth, settingsOf(parse('--model', 'a/one')).minCouncilQuorum],
      ['solo', 1],
    );
  });

  it('say which one is wrong', () => {
    assert.throws(() => settingsOf(parse()), { name: 'UsageError', message: /--model/ });
    assert.throws(() => settingsOf(parse('--model', 'nothing')), {
      code: 'INVALID_INPUT',
      message: /mainImplementer/,
    });
    assert.throws(() => limitsAtStart(parse('--timeout', '100000')), {
      code: 'INVALID_INPUT',
      message: /perIterationTimeout/,
    });
  });
});
