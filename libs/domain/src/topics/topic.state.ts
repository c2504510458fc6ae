import { unreachable } from '../errors.js';
import type { TopicChanged, TopicCreated, TopicNameTaken } from '../events.js';

export type TopicEvent = TopicCreated | TopicChanged | TopicNameTaken;
export type TopicState = TopicCreated['data'] | undefined;

export const initialTopic: TopicState = undefined;

export const evolveTopic = (_: TopicState, event: TopicEvent): TopicState => {
  switch (event.type) {
    case 'TopicCreated':
    case 'TopicChanged':
    // The stream of a later name holds that topic, whose home is the stream of its slug.
    case 'TopicNameTaken':
      return event.data;
    default:
      return unreachable(event);
  }
};
