import type { DEMO_MAINTAINER, DEMO_MODERATOR, DemoPerson } from './demo-accounts.js';

/** A person of the demonstration, by user name. */
export type Who = DemoPerson['userName'];

/** `@name` mentions a person of the demonstration. */
export interface DemoComment {
  readonly by: Who;
  readonly text: string;
}

export interface DemoPost {
  readonly by: Who;
  /** HTML as the editor makes it. */
  readonly body: string;
  readonly up?: readonly Who[];
  readonly down?: readonly Who[];
  readonly comments?: readonly DemoComment[];
}

export interface DemoAnswer extends DemoPost {
  /** After the question. */
  readonly hoursLater: number;
  readonly isAccepted?: true;
}

/** A question with all that stands under it. */
export interface DemoThread extends DemoPost {
  readonly subject: string;
  readonly topic: string;
  readonly title: string;
  readonly daysAgo: number;
  readonly savedBy?: readonly Who[];
  readonly answers: readonly DemoAnswer[];
}

/** What a moderator or a maintainer tells. */
export interface DemoNews {
  readonly by: typeof DEMO_MODERATOR | typeof DEMO_MAINTAINER;
  readonly title: string;
  readonly body: string;
  readonly daysAgo: number;
  readonly likedBy?: readonly Who[];
}

export interface DemoSubject {
  readonly subjectName: string;
  /** Hex without #. */
  readonly color: string;
  /** PRIMARY topics. */
  readonly topics: readonly string[];
}

/** Of somebody who asks to join and waits. */
export interface DemoRequest {
  readonly by: Who;
  readonly daysAgo: number;
  readonly text: string;
}

export interface DemoSpace {
  readonly name: string;
  readonly description: string;
  readonly color: string;
  /** Left out: open, with public pages. */
  readonly entry?: 'REQUEST' | 'INVITATION';
  readonly subjects: readonly DemoSubject[];
  readonly members: readonly Who[];
  readonly requests?: readonly DemoRequest[];
  readonly threads: readonly DemoThread[];
  readonly news: readonly DemoNews[];
}
