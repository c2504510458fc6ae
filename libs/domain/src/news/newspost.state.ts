import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { NewspostEvent } from '../events.js';
import { newspostStream } from '../stream-ids.js';

export type Newspost = {
  readonly newspostId: string;
  readonly spaceId: string | null;
  readonly authorId: string;
  readonly title: string;
  readonly body: string;
  readonly removed: boolean;
};
export type NewspostState = Newspost | undefined;

export const newspostDecider: Decider<NewspostState, NewspostEvent, [newspostId: string]> = {
  stream: newspostStream,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'NewspostPublished':
        return { ...event.data, removed: false };
      case 'NewspostChanged':
        return state && { ...state, title: event.data.title, body: event.data.body };
      case 'NewspostRemoved':
        return state && { ...state, removed: true };
      case 'NewspostRestored':
        return state && { ...state, removed: false };
      default:
        return unreachable(event);
    }
  },
};
