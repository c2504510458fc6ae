/** How much all that a process builds may keep in memory of what is not written yet. */
export class BuildBudget {
  readonly #bytes: number;
  readonly #users = new Set<{ readonly bytes: number }>();

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  add(user: { readonly bytes: number }): void {
    this.#users.add(user);
  }

  remove(user: { readonly bytes: number }): void {
    this.#users.delete(user);
  }

  /** A third, since as much may be on its way to the database, and as much is kept of what was written last. */
  get isFull(): boolean {
    let bytes = 0;
    for (const user of this.#users) bytes += user.bytes;
    return bytes >= this.#bytes / 3;
  }
}
