import { configure } from '@testing-library/react';

// A bound on what hangs, not a measure of speed: a busy machine must not fail a test.
configure({ asyncUtilTimeout: 60_000 });
