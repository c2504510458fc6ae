const DAY_MS = 86_400_000;

export interface SteppingClock {
  readonly now: () => Date;
  advance(ms: number): void;
}

/** A clock that starts at noon UTC today and advances 5 ms per reading, so that neither a slow machine nor midnight affects a test. */
export function newSteppingClock(): SteppingClock {
  const today = Date.now();
  let now = today - (today % DAY_MS) + DAY_MS / 2;
  return {
    now: () => new Date((now += 5)),
    advance: (ms) => void (now += ms),
  };
}
