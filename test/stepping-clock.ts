const DAY_MS = 86_400_000;

export interface SteppingClock {
  readonly now: () => Date;
  pass(ms: number): void;
}

/**
 * A clock that goes on by five milliseconds with every look at it, from noon (UTC) of today on: neither a slow machine nor midnight changes
 * what a test sees.
 */
export function newSteppingClock(): SteppingClock {
  const today = Date.now();
  let now = today - (today % DAY_MS) + DAY_MS / 2;
  return {
    now: () => new Date((now += 5)),
    pass: (ms) => void (now += ms),
  };
}
