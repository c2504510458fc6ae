const DAY_MS = 86_400_000;

export interface DayClock {
  readonly now: () => Date;
  passADay(): void;
}

/** A clock that goes as clocks go, from noon (UTC) of today on: no midnight comes but when the test says so. */
export function newDayClock(): DayClock {
  const began = Date.now();
  let noon = began - (began % DAY_MS) + DAY_MS / 2;
  return {
    now: () => new Date(noon + Date.now() - began),
    passADay: () => void (noon += DAY_MS),
  };
}

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
