import { useCallback, useState } from 'react';
import type { CommentDetailFragment } from '../../generated/graphql';

/** What the reader has just written here: it shows wherever it stands among the others, folded or not read yet. */
export function useOwnComments() {
  const [own, setOwn] = useState<readonly CommentDetailFragment[]>([]);
  const note = useCallback((comment: CommentDetailFragment | null | undefined) => {
    if (comment) setOwn((before) => [...before, comment]);
  }, []);
  return { own, note };
}
