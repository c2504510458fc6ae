import type { Decider } from '../decider.js';
import type { ConfidentialDataRead } from '../events.js';
import { readStream } from '../stream-ids.js';

/** One read of confidential data. Stateless. */
export const confidentialReadDecider: Decider<null, ConfidentialDataRead, [readId: string]> = {
  stream: readStream,
  initial: null,
  evolve: () => null,
};
