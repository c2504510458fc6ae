import { examplePost, type PostRef } from '../event-parts.js';
import { auditedAction } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `removal-<spaceId>-<authorId>`. Older removals each have a stream `removal-<removalId>`.

/** The posts of one author in one space. Each is then upheld, or its upholding reversed, in its own stream. */
type Removal = {
  readonly removalId: string;
  readonly spaceId: string;
  readonly authorId: string;
  readonly moderatorId: string;
  readonly reason: string;
  readonly posts: readonly PostRef[];
};
export type PostsRemoved = { readonly type: 'PostsRemoved'; readonly data: Removal };
/** Without the posts that the moderator reported. */
export type PostsRestored = { readonly type: 'PostsRestored'; readonly data: Removal };
export type RemovalEvent = PostsRemoved | PostsRestored;

const removal = {
  example: {
    removalId: 'removal-1',
    spaceId: 'space-1',
    authorId: 'student-1',
    moderatorId: 'student-9',
    reason: 'It is all spam',
    posts: [examplePost],
  },
  sealed: [{ of: 'authorId', with: 'identity', gone: { reason: '' } }],
  audit: auditedAction(({ spaceId, authorId }: Removal) => ({ spaceId, receiverId: authorId })),
} as const;

export const removalEvents = slice<RemovalEvent>()({
  streams: ['removal-'],
  errors: {
    REMOVAL_NOT_FOUND: { category: 'NOT_FOUND', message: 'Removal not found.' },
    REMOVAL_EMPTY: {
      category: 'CONFLICT',
      message: 'This student has no posts that you can remove.',
    },
    POSTS_ALREADY_REMOVED: {
      category: 'CONFLICT',
      message: 'A moderator already removed these posts.',
    },
    REMOVAL_CHANGED: {
      category: 'CONFLICT',
      message: 'The posts of this student have changed since the preview. Preview the removal again.',
    },
    OWN_POSTS_REMOVAL: {
      category: 'FORBIDDEN',
      message: 'You can’t remove all of your own posts, or restore them.',
    },
    REMOVAL_OF_HIGHER_RANK: {
      category: 'FORBIDDEN',
      message: 'Only someone with a higher role can remove all posts of this person.',
    },
  },
  events: { PostsRemoved: removal, PostsRestored: removal },
});
