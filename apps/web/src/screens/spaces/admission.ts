import type { SpaceCardFragment } from '../../generated/graphql';

/** What a space still asks of somebody who wants to join; the api decides. */
export function admissionStep({
  consent,
}: Pick<SpaceCardFragment, 'consent'>): 'age' | 'consent' | undefined {
  if (!consent) return undefined;
  if (!consent.stated) return 'age';
  return consent.stated === 'BELOW' && consent.guardian !== 'GIVEN' ? 'consent' : undefined;
}

/** A question before the one how one joins; of a space that lets nobody in without an invitation, after it. */
export const asksFirst = (space: SpaceCardFragment): boolean =>
  !space.joined &&
  space.request !== 'OPEN' &&
  (space.entry !== 'INVITATION' || space.isInvited) &&
  admissionStep(space) !== undefined;
