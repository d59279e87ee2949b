import { cFunctions } from './data/cFunctions.ts';
import { javascriptData } from './data/javascriptData.ts';
import { javascriptTexts } from './data/javascriptTexts.ts';
import { pythonData } from './data/pythonData.ts';
import { pythonTexts } from './data/pythonTexts.ts';
import { rustFunctions } from './data/rustFunctions.ts';
import { shellScripts } from './data/shellScripts.ts';
import type { Exercise, Language } from './exercise.ts';
import { c } from './languages/c.ts';
import { javascript } from './languages/javascript.ts';
import { python } from './languages/python.ts';
import { rust } from './languages/rust.ts';
import { shell } from './languages/shell.ts';

const languages = { javascript, python, shell, c, rust } as const;
export type LanguageName = keyof typeof languages;

export interface Written extends Exercise {
  readonly language: LanguageName;
}

/** All exercises: 16 in JavaScript, 13 in Python, 7 for the shell, 8 in C, 5 in Rust. */
export const exercises: readonly Written[] = [
  ...inLanguage('javascript', javascriptTexts, javascriptData),
  ...inLanguage('python', pythonTexts, pythonData),
  ...inLanguage('shell', shellScripts),
  ...inLanguage('c', cFunctions),
  ...inLanguage('rust', rustFunctions),
];

function inLanguage(language: LanguageName, ...lists: readonly (readonly Exercise[])[]): readonly Written[] {
  return lists.flat().map((exercise) => ({ ...exercise, language }));
}

export function languageOf({ language }: Written): Language {
  return languages[language];
}
