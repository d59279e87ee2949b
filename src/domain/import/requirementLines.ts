import type { ImportedRequirement } from './imported.ts';
import { checkItem, indentOf, joinedLines, listItem } from './markdownLines.ts';

/** Collects requirements line by line. Each line is taken once, by the requirement that is open. */
export class RequirementLines {
  readonly #found: {
    id: string;
    title: string;
    text: string[];
    criteria: { id: string; text: string[]; met: boolean }[];
  }[] = [];
  readonly #ids = new Set<string>();
  /** Of an id that came more than once, the last number. */
  readonly #again = new Map<string, number>();
  #inCriteria = false;
  /** Of the first criterion's line: what is deeper belongs to a criterion. */
  #indent = 0;

  open(id: string, title: string, text: readonly string[] = []): void {
    this.#found.push({ id: this.#free(id), title, text: [...text], criteria: [] });
    this.#inCriteria = false;
  }

  get isOpen(): boolean {
    return this.#found.length > 0;
  }

  /** From here on, items of lists are criteria of the open requirement. */
  openCriteria(): void {
    this.#inCriteria = true;
  }

  /** `idOf`: from the requirement's id and the number of the item. */
  take(line: string, idOf: (requirement: string, number: string) => string): void {
    const last = this.#found.at(-1);
    if (!last) return;
    const item =
      this.#inCriteria && (last.criteria.length === 0 || indentOf(line) <= this.#indent + 1)
        ? listItem(line)
        : undefined;
    const criterion = last.criteria.at(-1);
    if (item) {
      if (!criterion) this.#indent = indentOf(line);
      const number = item.number === '' ? String(last.criteria.length + 1) : item.number;
      const checked = checkItem(line);
      const text = [checked?.text ?? item.text];
      last.criteria.push({ id: idOf(last.id, number), text, met: checked?.done ?? false });
    } else if (this.#inCriteria && criterion && indentOf(line) >= 2 && line.trim() !== '')
      criterion.text.push(line.trim());
    else {
      if (line.trim() !== '') this.#inCriteria &&= criterion === undefined;
      last.text.push(line);
    }
  }

  get found(): ImportedRequirement[] {
    return this.#found.map(({ id, title, text, criteria }) => ({
      id,
      title,
      text: joinedLines(text),
      criteria: criteria.map((one) => ({ ...one, text: one.text.join('\n') })),
    }));
  }

  /** A second requirement of the same id has a number. */
  #free(id: string): string {
    let name = id;
    for (let number = this.#again.get(id) ?? 2; this.#ids.has(name); number += 1) {
      name = `${id}-${String(number)}`;
      this.#again.set(id, number);
    }
    this.#ids.add(name);
    return name;
  }
}
