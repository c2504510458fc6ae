import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  CommentDeleted,
  CommentEvent,
  CommentPosted,
  CommentWordsErased,
  PostRef,
  PostType,
} from '../events.js';
import { commentStream } from '../stream-ids.js';
import { type ActingStudent, type MembershipStatus, requireMember } from '../authority.js';
import { mentionedStudentIds, mentionsById } from '../mentions.js';
import { type Deletion, deletionReason, type PostFacts } from '../posts/post-facts.js';
import { requireCommentBody } from '../validation/content.js';

export type Comment = CommentPosted['data'] & { readonly deleted: boolean };
export type CommentState = Comment | undefined;

export const commentDecider: Decider<CommentState, CommentEvent, [commentId: string]> = {
  stream: commentStream,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'CommentPosted':
        return { ...event.data, deleted: false };
      case 'CommentDeleted':
        return state && { ...state, deleted: true };
      case 'CommentWordsErased':
        return state && { ...state, body: '' };
      default:
        return unreachable(event);
    }
  },
};

export type PostComment = {
  readonly actor: ActingStudent;
  readonly isMember: MembershipStatus;
  readonly commentId: string;
  readonly parent: PostFacts<PostRef & { readonly postType: PostType }> | undefined;
  /** Text as typed, with mentions as `@[<studentId>]` or `@[<user name>]`. */
  readonly body: string;
  /** IDs of members mentioned by user name, by `userNameKey`. */
  readonly idsByName?: ReadonlyMap<string, string>;
  /** Mentioned students who are members of the space. Others are not notified. */
  readonly mentionableIds: readonly string[];
};

export const postComment = (command: PostComment, state: CommentState): readonly CommentPosted[] => {
  const { actor, commentId, parent, mentionableIds, idsByName = new Map() } = command;
  if (!parent || parent.removed) throw new DomainError('POST_NOT_FOUND');
  requireMember(actor, command.isMember);
  const body = mentionsById(requireCommentBody(command.body), idsByName);
  if (state) return [];
  const {
    postType: parentType,
    postId: parentId,
    questionId,
    spaceId,
    postAuthorId: parentAuthorId,
  } = parent;
  return [
    {
      type: 'CommentPosted',
      data: {
        commentId,
        parentType,
        parentId,
        questionId,
        spaceId,
        parentAuthorId,
        authorId: actor.studentId,
        body,
        mentionedStudentIds: mentionedStudentIds(body).filter((id) => mentionableIds.includes(id)),
      },
    },
  ];
};

/** See `eraseQuestionWords`. */
export const eraseCommentWords = (state: CommentState): readonly CommentWordsErased[] => {
  if (!state || state.body === '') return [];
  const { commentId, parentType, parentId, questionId, spaceId, authorId } = state;
  return [
    { type: 'CommentWordsErased', data: { commentId, parentType, parentId, questionId, spaceId, authorId } },
  ];
};

export type DeleteComment = Deletion;

export const deleteComment = (command: DeleteComment, state: CommentState): readonly CommentDeleted[] => {
  if (!state) throw new DomainError('COMMENT_NOT_FOUND');
  const reason = deletionReason(command, state);
  const { commentId, parentType, parentId, questionId, spaceId, authorId } = state;
  if (state.deleted) return [];
  return [
    {
      type: 'CommentDeleted',
      data: { commentId, parentType, parentId, questionId, spaceId, authorId, reason },
    },
  ];
};
