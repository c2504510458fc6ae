import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { TopicCreated, TopicEvent } from '../events.js';
import { topicStream } from '../stream-ids.js';

export type TopicState = TopicCreated['data'] | undefined;

export const topicDecider: Decider<TopicState, TopicEvent, [subjectId: string, slug: string]> = {
  stream: topicStream,
  initial: undefined,
  evolve: (_, event) => {
    switch (event.type) {
      case 'TopicCreated':
      case 'TopicChanged':
      // The stream of a later name holds that topic, whose home is the stream of its slug.
      case 'TopicNameTaken':
        return event.data;
      default:
        return unreachable(event);
    }
  },
};
