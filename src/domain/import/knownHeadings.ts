/** Words that headings have in the languages in which people keep specifications, in lower case. */
const words = {
  criteria: [
    'acceptance criteria',
    'acceptance scenarios',
    'akzeptanzkriterien',
    'abnahmekriterien',
    'akzeptanzszenarien',
    "critères d'acceptation",
    "scénarios d'acceptation",
    'criterios de aceptación',
    'escenarios de aceptación',
    'critérios de aceitação',
    'cenários de aceitação',
    'criteri di accettazione',
    'критерии приёмки',
    'критерии приемки',
    'сценарии приёмки',
    '验收标准',
    '验收准则',
    '验收场景',
    '驗收標準',
    '驗收場景',
    '受け入れ基準',
    '受入基準',
    '受け入れ条件',
    '受け入れシナリオ',
    '수용 기준',
    '인수 기준',
    '수락 기준',
    '인수 시나리오',
  ],
  requirement: [
    'requirement',
    'anforderung',
    'exigence',
    'requisito',
    'требование',
    '需求',
    '要求',
    '要件',
    '요구사항',
    '요구 사항',
  ],
  story: [
    'user story',
    'user-story',
    'benutzergeschichte',
    'récit utilisateur',
    'histoire utilisateur',
    'historia de usuario',
    'história de usuário',
    'storia utente',
    'пользовательская история',
    '用户故事',
    '使用者故事',
    'ユーザーストーリー',
    '사용자 스토리',
  ],
} as const;

/** True for "Acceptance Criteria", also in bold, with a colon, or with words in parentheses. */
export function isCriteriaTitle(text: string): boolean {
  const plain = text
    .slice(0, 200)
    .replaceAll(/[*_]/gu, '')
    .replaceAll('’', "'")
    .normalize('NFC')
    .trim()
    .toLowerCase();
  return words.criteria.some(
    (one) => plain.startsWith(one) && /^(?:$|[^\p{L}\p{N}])/u.test(plain.slice(one.length)),
  );
}

interface Numbered {
  readonly number: string;
  readonly title: string;
}

/** `Requirement 1: Title`, also without the word. */
export function requirementTitle(text: string): Numbered | undefined {
  return numbered(requirement, text);
}

/** `User Story 1 - Title`. */
export function storyTitle(text: string): Numbered | undefined {
  return numbered(story, text);
}

const requirement = numberedPattern(words.requirement, '?');
const story = numberedPattern(words.story, '');

function numberedPattern(names: readonly string[], optional: '?' | ''): RegExp {
  return new RegExp(
    `^(?:(?:${names.join('|')}) ?)${optional}(\\d{1,4})\\s?(?:[:：.)–—-]\\s?(.*)|(\\s\\S.*)?)$`,
    'iu',
  );
}

function numbered(pattern: RegExp, text: string): Numbered | undefined {
  const [, number, title, rest] = pattern.exec(text.normalize('NFC')) ?? [];
  return number === undefined ? undefined : { number, title: (title ?? rest ?? '').trim() };
}
