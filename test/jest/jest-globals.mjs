// Stands in for `@jest/globals` in specs that run outside Jest's module registry (see `scripts/typescript-hooks.mjs`).
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globalThis;
