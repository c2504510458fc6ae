import { unreachable } from '../errors.js';
import type { TopicChanged, TopicCreated } from '../events.js';

export type TopicEvent = TopicCreated | TopicChanged;
export type TopicState = TopicCreated['data'] | undefined;

export const initialTopic: TopicState = undefined;

export const evolveTopic = (_: TopicState, event: TopicEvent): TopicState => {
  switch (event.type) {
    case 'TopicCreated':
    case 'TopicChanged':
      return event.data;
    default:
      return unreachable(event);
  }
};
