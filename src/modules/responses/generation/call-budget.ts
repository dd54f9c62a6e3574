/**
 * The calls of the model that one response may take, summaries and repeated requests included, because every call may cost
 * money. A call that no server has received is refunded.
 */
export class CallBudget {
  readonly most: number;
  #spent: number;

  /** `spent`: the calls of earlier attempts, on whatever process. */
  constructor(most: number, spent = 0) {
    this.most = most;
    this.#spent = spent;
  }

  get spent(): number {
    return this.#spent;
  }

  get left(): number {
    return Math.max(0, this.most - this.#spent);
  }

  spend(): void {
    this.#spent += 1;
  }

  refund(): void {
    this.#spent -= 1;
  }
}
