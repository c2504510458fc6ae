import { DomainError } from '../errors.js';
import { sameTexts } from './same-texts.js';

interface Words {
  readonly title?: string | undefined;
  readonly body: string;
  readonly imageUrls: readonly string[];
}

/** A post as its author had it before their eyes when they began to edit it. What is left out is not compared. */
export type SeenPost = { readonly [Key in keyof Words]?: Words[Key] | undefined };

/**
 * Somebody with two tabs or two devices must not undo on one what they changed on the other. Who wants what is there already is not
 * told off.
 * @throws DomainError POST_CHANGED
 */
export const requireSeenPost = (seen: SeenPost | undefined, before: Words, after: Words): void => {
  const isStale = (key: 'title' | 'body'): boolean =>
    seen?.[key] !== undefined && seen[key] !== before[key] && after[key] !== before[key];
  const hasOtherImages =
    seen?.imageUrls !== undefined &&
    !sameImages(seen.imageUrls, before.imageUrls) &&
    !sameImages(after.imageUrls, before.imageUrls);
  if (isStale('title') || isStale('body') || hasOtherImages) throw new DomainError('POST_CHANGED');
};

/** In whatever order they are told. */
const sameImages = (left: readonly string[], right: readonly string[]): boolean =>
  sameTexts(left.toSorted(), right.toSorted());
