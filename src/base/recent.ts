/** The last answers to questions whose answers never change, by a name of the question. A question that failed is asked again. */
export class Recent<Value> {
  readonly #most: number;
  readonly #answers = new Map<string, Promise<Value>>();

  constructor(most: number) {
    this.#most = most;
  }

  of(question: string, ask: () => Promise<Value>): Promise<Value> {
    const answer = this.#answers.get(question) ?? ask();
    // Put at the end, so that what nobody asked for the longest goes first.
    this.#answers.delete(question);
    this.#answers.set(question, answer);
    answer.catch(() => this.#answers.delete(question));
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size > this.#most) this.#answers.delete(oldest);
    return answer;
  }
}
