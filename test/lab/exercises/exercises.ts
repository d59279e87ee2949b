import * as z from 'zod';
import { readFixture } from '../../support/readFixture.ts';
import { Exercise, type Language } from './exercise.ts';
import { c } from './languages/c.ts';
import { javascript } from './languages/javascript.ts';
import { python } from './languages/python.ts';
import { rust } from './languages/rust.ts';
import { shell } from './languages/shell.ts';

const languages = { javascript, python, shell, c, rust } as const;
type LanguageName = keyof typeof languages;

export interface Written extends Exercise {
  readonly language: LanguageName;
}

/** 16 in JavaScript, 13 in Python, 7 for the shell, 8 in C, 5 in Rust (`test/fixtures/exercises/`). */
export const exercises = (Object.keys(languages) as LanguageName[]).flatMap((language): readonly Written[] =>
  readFixture(`exercises/${language}.yaml`, z.array(Exercise)).map((one) => ({ ...one, language })),
);

export function languageOf({ language }: Written): Language {
  return languages[language];
}
