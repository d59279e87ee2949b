import { isDeepStrictEqual } from 'node:util';
import { endedByStop } from '../../../src/phases/shared/structured/whole.ts';
import { manners } from './careless.ts';
import { everyArtifact } from './artifacts.ts';
import { asAsked } from './writing.ts';
import * as z from 'zod';
import { endMark } from '../../../src/context/promptFile.ts';
import { readFixture } from '../readFixture.ts';

/** `isReadable`: a person reads it at once. */
export interface CarelessAnswer {
  readonly artifact: string;
  readonly manner: string;
  readonly text: string;
  readonly isReadable: boolean;
  readonly isMeant: (value: unknown) => boolean;
}

export function carelessAnswers(): readonly CarelessAnswer[] {
  const made = manners.flatMap((manner) =>
    Object.entries(everyArtifact).flatMap(([name, artifact]): readonly CarelessAnswer[] => {
      const { value } = artifact;
      if (typeof value !== 'object' || value === null || manner.fits?.(artifact, value) === false) return [];
      const text = manner.write(artifact, value);
      const whole = artifact.read(asAsked(artifact, value));
      if (!whole.ok) throw new TypeError(`${name}: ${whole.problem}`);
      const isMeant = (read: unknown): boolean =>
        manner.refused !== true && isDeepStrictEqual(read, whole.value);
      return [
        {
          artifact: name,
          manner: manner.name,
          text: manner.stopped ? endedByStop(text) : text,
          isReadable: manner.refused !== true,
          isMeant,
        },
      ];
    }),
  );
  const written = handWritten.map(({ artifact, name, text, says, stopped }): CarelessAnswer => ({
    artifact,
    manner: name,
    text: stopped ? endedByStop(text) : text,
    isReadable: says !== undefined,
    isMeant: (read) =>
      says !== undefined &&
      Object.entries(says).every(([path, wanted]) => isDeepStrictEqual(at(read, path), wanted)),
  }));
  return [...made, ...written];
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === 'object' && inner !== null
          ? (Object.entries(inner).find(([name]) => name === key)?.[1] as unknown)
          : undefined,
      value,
    );
}

/** Wrongly accepted: read as something else than it says, or read at all. */
export interface CarelessReport {
  readonly table: string;
  readonly cases: number;
  readonly readable: number;
  readonly readAtOnce: number;
  readonly wronglyAccepted: readonly string[];
  readonly unread: readonly string[];
}

export function carelessReport(answers: readonly CarelessAnswer[]): CarelessReport {
  const outcomes = answers.map((answer) => {
    const read = everyArtifact[answer.artifact]?.read(answer.text);
    const outcome = !read?.ok ? 'asked' : answer.isMeant(read.value) ? 'read' : 'wrong';
    return { ...answer, outcome, problem: read?.ok === false ? read.problem : '' };
  });
  const shown = ({ artifact, manner, problem }: (typeof outcomes)[number]): string =>
    `${artifact}, ${manner}: ${problem.slice(0, 120)}`;
  const row = (name: string, list: typeof outcomes): string => {
    const readable = list.filter(({ isReadable }) => isReadable);
    const read = readable.filter(({ outcome }) => outcome === 'read').length;
    const wrong = list.filter(({ outcome }) => outcome === 'wrong').length;
    const share = readable.length === 0 ? '' : `${((100 * read) / readable.length).toFixed(1)} %`;
    return [
      name.padEnd(22),
      String(list.length).padStart(5),
      share.padStart(12),
      String(wrong).padStart(16),
    ].join('  ');
  };
  const readable = outcomes.filter(({ isReadable }) => isReadable);
  return {
    table: [
      ['kind'.padEnd(22), 'cases', 'read at once', 'wrongly accepted'].join('  '),
      ...[...Map.groupBy(outcomes, ({ artifact }) => artifact)].map(([name, list]) => row(name, list)),
      row('all', outcomes),
    ].join('\n'),
    cases: outcomes.length,
    readable: readable.length,
    readAtOnce: readable.filter(({ outcome }) => outcome === 'read').length,
    wronglyAccepted: outcomes.filter(({ outcome }) => outcome === 'wrong').map(shown),
    unread: readable.filter(({ outcome }) => outcome === 'asked').map(shown),
  };
}

const Group = z.strictObject({
  artifact: z.string(),
  name: z.string(),
  text: z.string(),
  says: z.union([z.record(z.string(), z.unknown()), z.literal('nothing')]),
  words: z.array(z.string()).default(['']),
  /** The provider said that the model ended by itself. */
  stopped: z.boolean().default(false),
});

/** `says`: the values at some paths; undefined where it must be asked again. */
interface Written {
  readonly artifact: string;
  readonly name: string;
  readonly text: string;
  readonly says: Readonly<Record<string, unknown>> | undefined;
  readonly stopped: boolean;
}

/** (`test/fixtures/hand-written.yaml`) */
const handWritten = readFixture('hand-written.yaml', z.array(Group)).flatMap(
  ({ artifact, name, text, says, words, stopped }): readonly Written[] =>
    words.map((word) => ({
      artifact,
      name: name.replace('%', () => word),
      text: text.replace('%', () => word) + (stopped ? '' : `\n${endMark}`),
      says: says === 'nothing' ? undefined : says,
      stopped,
    })),
);
