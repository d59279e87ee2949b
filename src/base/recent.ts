/** Answers by question, until `clear`. Failures and unkept answers are asked again. */
export class Recent<Value> {
  readonly #most: number;
  readonly #isKept: (value: Value) => boolean;
  readonly #answers = new Map<string, Promise<Value>>();

  constructor(most: number, isKept: (value: Value) => boolean = () => true) {
    this.#most = most;
    this.#isKept = isKept;
  }

  of(question: string, ask: () => Promise<Value>): Promise<Value> {
    const answer = this.#answers.get(question) ?? this.#asked(question, ask());
    this.#answers.delete(question);
    this.#answers.set(question, answer);
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size > this.#most) this.#answers.delete(oldest);
    return answer;
  }

  clear(): void {
    this.#answers.clear();
  }

  #asked(question: string, answer: Promise<Value>): Promise<Value> {
    const forget = (): void => {
      if (this.#answers.get(question) === answer) this.#answers.delete(question);
    };
    answer.then((value) => {
      if (!this.#isKept(value)) forget();
    }, forget);
    return answer;
  }
}
