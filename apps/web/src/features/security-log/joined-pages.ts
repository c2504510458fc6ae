import type { SecurityLogPagePartsFragment } from '../../generated/graphql';

/** Both pages as one. What came meanwhile pushes entries from one to the next, where they are not to stand twice. */
export function joinedPages(
  before: SecurityLogPagePartsFragment,
  more: SecurityLogPagePartsFragment,
): SecurityLogPagePartsFragment {
  const known = new Set(before.docs.map(({ _id }) => _id));
  return { ...more, docs: [...before.docs, ...more.docs.filter(({ _id }) => !known.has(_id))] };
}
