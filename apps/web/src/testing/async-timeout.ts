import { configure } from '@testing-library/react';

// A limit for tests that hang. Generous, so that a busy machine does not fail tests.
configure({ asyncUtilTimeout: 60_000 });
