import { jest } from '@jest/globals';

// The timing of faults is not exact, so a test may pass on a retry; `npm run test:all` lists those.
jest.retryTimes(2, { logErrorsBeforeRetry: true });
