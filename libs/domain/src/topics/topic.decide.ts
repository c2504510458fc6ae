import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type { TopicChanged, TopicCreated, TopicEvent, TopicNameTaken, TopicType } from '../events.js';
import { topicStream } from '../stream-ids.js';
import { type Authority, type MembershipStatus, requireMaintainer, requireMember } from '../authority.js';
import { MAX_TOPIC_NAME_LENGTH } from '../limits.js';
import { requireName } from '../validation/content.js';
import { requireUnchangedSince } from '../validation/seen.js';

/**
 * Key for uniqueness of topic names within a subject. Ignores case, Unicode form, spaces and punctuation, but not letters, digits,
 * symbols or # ("C", "C#" and "C++" differ). May be empty.
 */
export const topicSlug = (topicName: string): string =>
  topicName
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}\p{S}#]+/gu, '-')
    .replace(/^-+|-+$/g, '');

export type TopicState = TopicCreated['data'] | undefined;

export const topicDecider: Decider<TopicState, TopicEvent, [subjectId: string, slug: string]> = {
  stream: topicStream,
  initial: undefined,
  evolve: (_, event) => {
    switch (event.type) {
      case 'TopicCreated':
      case 'TopicChanged':
      // In the stream of a later name. The other events of the topic are in the stream of its slug.
      case 'TopicNameTaken':
        return event.data;
      default:
        return unreachable(event);
    }
  },
};

export type CreateTopic = {
  readonly by: Authority;
  readonly isMember: MembershipStatus;
  readonly topicId: string;
  readonly subject: { readonly subjectId: string; readonly spaceId: string } | null;
  readonly topicName: string;
  readonly topicType: TopicType;
  readonly imageS3Url: string | null;
};

/** If the name is taken, records nothing; the state has the existing topic. */
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

export type AddTopic = Omit<CreateTopic, 'isMember' | 'topicType'>;

/** Adds a PRIMARY topic. Unlike `createTopic`, refuses a name that is taken. @throws DomainError TOPIC_EXISTS */
export const addTopic = (command: AddTopic, state: TopicState): readonly TopicCreated[] => {
  requireMaintainer(command.by);
  if (state) throw new DomainError('TOPIC_EXISTS');
  return createTopic({ ...command, isMember: false, topicType: 'PRIMARY' }, state);
};

export type TopicDetails = {
  readonly topicName: string;
  readonly topicType: TopicType;
  readonly imageS3Url: string | null;
};
/** Omitted fields stay. `seen` has the values that the form showed for the fields it changes. */
export type ChangeTopic = {
  readonly by: Authority;
  readonly change: Partial<TopicDetails>;
  readonly seen?: Partial<TopicDetails>;
  /** Topic that holds the new name, if its slug differs: see `takeTopicName`. */
  readonly nameHolderId: string | null;
};

/** The slug stays, because it names the stream. The old name still finds the topic. */
export const changeTopic = (
  { by, change, seen, nameHolderId }: ChangeTopic,
  state: TopicState,
): readonly TopicChanged[] => {
  requireMaintainer(by);
  if (!state) throw new DomainError('TOPIC_NOT_FOUND');
  const { topicType = state.topicType, imageS3Url = state.imageS3Url } = change;
  const topicName = requireTopicName(change.topicName ?? state.topicName);
  const after = { ...state, topicName, topicType, imageS3Url };
  requireUnchangedSince(seen, state, after);
  if (topicSlug(topicName) !== state.slug && nameHolderId !== state.topicId)
    throw new DomainError('TOPIC_EXISTS');
  const unchanged =
    topicName === state.topicName && topicType === state.topicType && imageS3Url === state.imageS3Url;
  return unchanged ? [] : [{ type: 'TopicChanged', data: after }];
};

export type TakeTopicName = {
  readonly by: Authority;
  readonly topic: TopicCreated['data'];
  readonly topicName: string;
};

/**
 * First step of a rename: claims the new name for the topic, so that students find it instead of creating another. If the rename is
 * not completed, the claim remains as a harmless alias.
 * @param state of the stream of the new name
 */
export const takeTopicName = (
  { by, topic, topicName: name }: TakeTopicName,
  state: TopicState,
): readonly TopicNameTaken[] => {
  requireMaintainer(by);
  const topicName = requireTopicName(name);
  if (state && state.topicId !== topic.topicId) throw new DomainError('TOPIC_EXISTS');
  return state ? [] : [{ type: 'TopicNameTaken', data: { ...topic, topicName } }];
};

export const requireTopicName = (name: string): string => {
  if (topicSlug(name) === '') throw new DomainError('TOPIC_REQUIRED');
  return requireName(name, MAX_TOPIC_NAME_LENGTH, 'TOPIC_REQUIRED', 'TOPIC_NAME_TOO_LONG');
};
