import { requireMaintainer, requireMember, type Authority } from '../authority.js';
import { DomainError } from '../errors.js';
import type { TopicChanged, TopicCreated, TopicType } from '../events.js';
import { TOPIC_NAME_MAX_LENGTH } from '../limits.js';
import { requireName } from '../validation/content.js';
import { topicSlug } from './topic-slug.js';
import type { TopicState } from './topic.state.js';

export type CreateTopic = {
  readonly by: Authority;
  readonly isMember: boolean;
  readonly topicId: string;
  readonly subject: { readonly subjectId: string; readonly spaceId: string } | null;
  readonly topicName: string;
  readonly topicType: TopicType;
  readonly imageS3Url: string | null;
};

/** A name that the subject has already finds that topic: nothing happens and its state holds the id. */
export const createTopic = (command: CreateTopic, state: TopicState): readonly TopicCreated[] => {
  const { by, topicId, subject, topicType, imageS3Url } = command;
  if (topicType === 'PRIMARY' || by.kind === 'operator') requireMaintainer(by);
  else requireMember(by, command.isMember);
  if (!subject) throw new DomainError('SUBJECT_REQUIRED');
  const topicName = requireTopicName(command.topicName);
  if (state) return [];
  const { spaceId, subjectId } = subject;
  return [
    {
      type: 'TopicCreated',
      data: { topicId, spaceId, subjectId, topicName, slug: topicSlug(topicName), topicType, imageS3Url },
    },
  ];
};

export type ChangeTopic = {
  readonly by: Authority;
  readonly topicName: string;
  readonly topicType: TopicType;
  readonly imageS3Url: string | null;
};

/** The slug names the stream and stays: a name may change as far as it leaves the slug alone. */
export const changeTopic = (
  { by, topicName: name, topicType, imageS3Url }: ChangeTopic,
  state: TopicState,
): readonly TopicChanged[] => {
  requireMaintainer(by);
  if (!state) throw new DomainError('TOPIC_NOT_FOUND');
  const topicName = requireTopicName(name);
  if (topicSlug(topicName) !== state.slug) throw new DomainError('TOPIC_RENAMED');
  const unchanged =
    topicName === state.topicName && topicType === state.topicType && imageS3Url === state.imageS3Url;
  return unchanged ? [] : [{ type: 'TopicChanged', data: { ...state, topicName, topicType, imageS3Url } }];
};

const requireTopicName = (name: string): string => {
  if (topicSlug(name) === '') throw new DomainError('TOPIC_REQUIRED');
  return requireName(name, TOPIC_NAME_MAX_LENGTH, 'TOPIC_REQUIRED', 'TOPIC_NAME_TOO_LONG');
};
