import type { TopicType } from '../event-parts.js';
import { auditedAction, BOOKKEEPING, auditLine } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `topic-<subjectId>-<slug>`.

export type TopicCreated = {
  readonly type: 'TopicCreated';
  readonly data: {
    readonly topicId: string;
    readonly spaceId: string;
    readonly subjectId: string;
    readonly topicName: string;
    readonly slug: string;
    readonly topicType: TopicType;
    readonly imageS3Url: string | null;
  };
};
export type TopicChanged = { readonly type: 'TopicChanged'; readonly data: TopicCreated['data'] };
/** In the stream of a later name. `slug` is still that of the first name, whose stream has the other events. */
export type TopicNameTaken = { readonly type: 'TopicNameTaken'; readonly data: TopicCreated['data'] };
export type TopicEvent = TopicCreated | TopicChanged | TopicNameTaken;

const topic = {
  topicId: 'topic-1',
  spaceId: 'space-1',
  subjectId: 'subject-1',
  topicName: 'Accents',
  slug: 'accents',
  topicType: 'PRIMARY',
  imageS3Url: null,
} as const;

export const topicEvents = slice<TopicEvent>()({
  streams: ['topic-'],
  errors: {
    TOPIC_NOT_FOUND: { category: 'NOT_FOUND', message: 'Topic not found.' },
    TOPIC_NAME_TOO_LONG: {
      category: 'VALIDATION',
      field: 'topicName',
      message: 'Topics can’t be longer than {max} characters.',
    },
    TOPIC_EXISTS: {
      category: 'CONFLICT',
      field: 'topicName',
      message: 'This subject already has a topic with this name.',
    },
  },
  events: {
    TopicCreated: {
      example: topic,
      // Students create secondary topics for their own questions.
      audit: {
        class: 'ACT',
        lines: ({ topicType, spaceId, topicName }) =>
          topicType === 'PRIMARY' ? [auditLine({ spaceId, about: topicName })] : [],
      },
    },
    TopicChanged: {
      example: topic,
      audit: auditedAction(({ spaceId, topicName }) => ({ spaceId, about: topicName })),
    },
    TopicNameTaken: {
      example: topic,
      audit: BOOKKEEPING,
    },
  },
});
