// What `@jest/globals` is to a spec that runs without Jest's module registry (see `scripts/typescript-hooks.mjs`).
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globalThis;
