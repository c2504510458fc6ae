import { useState } from 'react';

/** How much of what is written another tab has sent. */
export type Sent = 'all' | 'part';

/**
 * A draft that is discarded leaves an empty form, not a closed one: another attempt is another form. So does one that another
 * tab has sent.
 *
 * @param closeEdit closes the edit of a post, which shows by then what was sent
 */
export function useAttempts(closeEdit: (() => void) | undefined) {
  const [{ attempt, sent }, setState] = useState<{ attempt: number; sent?: Sent }>({ attempt: 0 });
  return {
    attempt,
    sent,
    restart: () => setState((before) => ({ attempt: before.attempt + 1 })),
    noteSent: (isAll: boolean) => {
      if (isAll && closeEdit) closeEdit();
      else
        setState((before) => ({
          attempt: before.attempt + (isAll ? 1 : 0),
          sent: isAll ? 'all' : 'part',
        }));
    },
  };
}
