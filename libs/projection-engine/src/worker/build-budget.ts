/** Of each that is built: less is not worth a transaction. */
const WORTH_A_FLUSH = 12 * 2 ** 20;

/** How much all that a process builds may keep in memory of what is not written yet. */
export class BuildBudget {
  readonly #share: number;
  readonly #users = new Set<{ readonly bytes: number }>();
  #kept = 0;

  /** A third is for what was folded, one for what is on its way to the database, and one for what was written last. */
  constructor(bytes: number) {
    this.#share = bytes / 3;
  }

  add(user: { readonly bytes: number }): void {
    this.#users.add(user);
  }

  remove(user: { readonly bytes: number }): void {
    this.#users.delete(user);
  }

  get #bytes(): number {
    let bytes = 0;
    for (const user of this.#users) bytes += user.bytes;
    return bytes;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#share;
  }

  /** The database need not stand idle: what is written by the end of the log delays nobody then. */
  get isWorthAFlush(): boolean {
    return this.#bytes >= Math.min(this.#share, WORTH_A_FLUSH * this.#users.size);
  }

  /** Before a flush. @returns whether there is no room left for what was written before it, too */
  forgets(): boolean {
    const bytes = this.#bytes;
    const forgets = this.#kept + bytes > this.#share;
    this.#kept = forgets ? bytes : this.#kept + bytes;
    return forgets;
  }
}
