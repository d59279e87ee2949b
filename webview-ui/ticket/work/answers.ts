/** `data`: an answer for the engine, which other parts of the page show in words. */
export interface Passage {
  readonly kind: 'words' | 'data';
  readonly text: string;
}

/** A marked block, or one of a language for data. */
const block = /<([A-Z]+(?:_[A-Z]+)+)>[^]*?<\/\1>|^```(?:json|ya?ml)\n[^]*?\n```$/gm;
const wholeObject = /^\s*[{[][^]*[}\]]\s*$/;

/** Tells what a model wrote for people from what it wrote for the engine. */
export function passagesOf(text: string): readonly Passage[] {
  if (wholeObject.test(text)) return [{ kind: 'data', text: text.trim() }];
  const found: Passage[] = [];
  const add = (kind: Passage['kind'], part: string): void => {
    const text = part.trim();
    const last = found.at(-1);
    if (text === '') return;
    if (last?.kind === 'data' && kind === 'data')
      found.splice(-1, 1, { kind, text: `${last.text}\n\n${text}` });
    else found.push({ kind, text });
  };
  let end = 0;
  for (const { 0: whole, index } of text.matchAll(block)) {
    add('words', text.slice(end, index));
    add('data', whole);
    end = index + whole.length;
  }
  add('words', text.slice(end));
  return found;
}
