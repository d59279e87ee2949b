export function bareKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const otherWords: Readonly<Record<string, readonly string[]>> = {
  foundation: ['foundations', 'foundational'],
  structure: ['structural'],
  critical: ['blocker', 'urgent', 'crit'],
  high: ['h'],
  medium: ['med', 'moderate', 'normal', 'mid'],
  low: ['l', 'minor'],
  free_text: ['text', 'open', 'openended', 'freeform', 'string'],
  single_choice: ['choice', 'single', 'singleselect', 'radio', 'select', 'selectone'],
  multiple_choice: ['multiple', 'multichoice', 'multi', 'multiselect', 'checkbox', 'checkboxes'],
  yes_no: ['boolean', 'bool', 'yesorno'],
  modify: ['edit', 'update', 'change', 'modified', 'modification'],
  create: ['new', 'add', 'created'],
  read: ['reference', 'inspect', 'readonly', 'view'],
  added: ['add', 'new', 'addition'],
  removed: ['remove', 'deleted', 'delete'],
  modified: ['modify', 'changed', 'updated', 'edited'],
  replaced: ['replace'],
  user_story: ['story'],
  gaps: ['gap', 'gapsfound', 'hasgaps'],
  clean: ['nogaps', 'nogapsfound'],
  already_covered: ['covered'],
  left_unresolved: ['unresolved'],
  updated_prd: ['prdupdated'],
  updated_beads: ['beadsupdated'],
  required: ['mandatory', 'must'],
  pass: ['passed', 'passes', 'passing', 'ok', 'success', 'green', 'true', 'yes'],
  fail: ['failed', 'fails', 'failing', 'failure', 'red', 'false', 'no'],
};

export function wordOf(text: string, words: readonly string[]): string | undefined {
  const bare = bareKey(text.replace(/[ \t]+\([^()]*\)$/, ''));
  if (bare === '') return undefined;
  const found = words.filter((word) => bareKey(word) === bare);
  const spelled = found.length > 0 ? found : words.filter((word) => otherWords[word]?.includes(bare));
  return spelled.length === 1 ? spelled[0] : undefined;
}

/** `17`, `"17"`, `17/20` where 20 is the most there can be. */
export function numberOf(text: string, most: number | null): number | undefined {
  const match = /^([-+]?\d+(?:\.\d+)?)(?:\s*(?:\/|out of|of)\s*(\d+))?$/i.exec(text.trim());
  if (!match || (match[2] !== undefined && Number(match[2]) !== most)) return undefined;
  return Number(match[1]);
}

export function booleanOf(text: string): boolean | undefined {
  const bare = bareKey(text);
  if (['true', 'yes', 'y', 'on', '1'].includes(bare)) return true;
  return ['false', 'no', 'n', 'off', '0'].includes(bare) ? false : undefined;
}

/** A text says that there is nothing, where something else than a text is due. */
export function isNothing(text: string): boolean {
  return /^(?:|~|-|—|\[\s*\]|\{\s*\}|\(?(?:null|none|nil|n\/?a|not applicable|nothing|empty)\)?)\.?$/i.test(
    text.trim(),
  );
}

/** A word for nothing that is meant so in quotes, too. */
export function isNone(text: string): boolean {
  return /^\(?(?:none|n\/a|not applicable|nothing)\)?\.?$/i.test(text.trim());
}

const things =
  'findings?|questions?|issues?|problems?|gaps?|risks?|cautions?|items?|concerns?|follow[- ]?ups?|assumptions?|notes?|decisions?|changes?';
const noContent = new RegExp(
  `^\\(?(?:no|false|none (?:found|needed|required|identified|known|necessary|noted|so far|yet|at this time)|not (?:needed|required|necessary)|nothing (?:found|to add|needed|noted|else)|no (?:further |open |known |more |such )?(?:${things})(?: (?:found|needed|identified|known|noted|so far|yet))?)\\)?\\.?$`,
  'i',
);

/** A list or question may be left out there. */
export function isNoContent(text: string): boolean {
  return isNothing(text) || noContent.test(text.trim());
}

/** `...`, `... remaining unchanged`. `comment`: it is one. */
export function isElision(text: string, comment = false): boolean {
  const bare = text.trim();
  if (bare.length > 200 || bare === '') return false;
  if (/^[\s#/*<!([{-]*(?:\.{3,}|…)[\s*/>)\]}-]*$/.test(bare)) return true;
  const left =
    'remaining|rest|unchanged|same|omitted|as before|as above|others?|more|continue[sd]?|existing|previous|truncated|brevity';
  if (new RegExp(`^[\\s#/*<!([{-]*(?:\\.{3,}|…)\\s*.{0,80}\\b(?:${left})\\b`, 'i').test(bare)) return true;
  if (
    new RegExp(`\\b(?:${left})\\b.{0,80}(?:\\.{3,}|…)[\\s*/>)\\]}-]*$`, 'i').test(bare) &&
    /^[#/(<[]|^(?:and |the )?(?:rest|remaining|other)/i.test(bare)
  )
    return true;
  if (
    /^[[(<](?:same|unchanged|omitted|the rest|rest|remaining|truncated|as (?:before|above)|no changes?|existing)\b.{0,80}[\])>]$/i.test(
      bare,
    )
  )
    return true;
  if (
    /^(?:same as (?:above|before)|(?:omitted|truncated|shortened) for brevity|as (?:above|before))\.?$/i.test(
      bare,
    )
  )
    return true;
  return (
    comment &&
    /\b(?:remaining|rest|other)\b.{0,60}\b(?:unchanged|as before|omitted|same|as is|stays?|here)\b|\bomitted\b|\bfor brevity\b|\btruncated\b|\bunchanged\b/i.test(
      bare,
    )
  );
}
