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
