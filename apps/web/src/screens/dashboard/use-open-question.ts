import { useState } from 'react';

interface OpenedByItself {
  /** The address of the list that it was the first of. */
  list: string;
  id: string;
}

/**
 * The question beside the list: the chosen one, otherwise the first. That one stays for as long as it is in the same list, though others
 * come before it: a question that somebody reads, votes on or writes to is not exchanged under their hands, and the focus with it.
 */
export function useOpenQuestion(
  selectedId: string | null,
  questions: readonly { _id: string }[] | undefined,
  list: string,
): string | undefined {
  const [opened, setOpened] = useState<OpenedByItself>();
  if (selectedId !== null) return selectedId;
  const kept = opened?.list === list ? opened.id : undefined;
  // While a list is read again, there is none for a moment.
  const isThere = questions === undefined || questions.some(({ _id }) => _id === kept);
  const open = kept !== undefined && isThere ? kept : questions?.[0]?._id;
  if (open !== undefined && open !== kept) setOpened({ list, id: open });
  return open;
}
