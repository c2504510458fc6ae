import type { DEMO_MAINTAINER, DEMO_MODERATOR, DemoPerson } from './demo-accounts.js';

/** User name of a demo user. */
export type DemoUserName = DemoPerson['userName'];

/** `@name` mentions a demo user. */
export interface DemoComment {
  readonly by: DemoUserName;
  readonly text: string;
}

export interface DemoPost {
  readonly by: DemoUserName;
  /** HTML as the editor produces it. */
  readonly body: string;
  readonly up?: readonly DemoUserName[];
  readonly down?: readonly DemoUserName[];
  readonly comments?: readonly DemoComment[];
}

export interface DemoAnswer extends DemoPost {
  /** Hours after the question. */
  readonly hoursLater: number;
  readonly isAccepted?: true;
}

/** A question with its answers, comments, votes and bookmarks. */
export interface DemoThread extends DemoPost {
  readonly subject: string;
  readonly topic: string;
  readonly title: string;
  readonly daysAgo: number;
  readonly savedBy?: readonly DemoUserName[];
  readonly answers: readonly DemoAnswer[];
}

/** A news post by a moderator or maintainer. */
export interface DemoNews {
  readonly by: typeof DEMO_MODERATOR | typeof DEMO_MAINTAINER;
  readonly title: string;
  readonly body: string;
  readonly daysAgo: number;
  readonly likedBy?: readonly DemoUserName[];
}

export interface DemoSubject {
  readonly subjectName: string;
  /** Hex without #. */
  readonly color: string;
  /** PRIMARY topics. */
  readonly topics: readonly string[];
}

/** A pending request to join. */
export interface DemoRequest {
  readonly by: DemoUserName;
  readonly daysAgo: number;
  readonly text: string;
}

export interface DemoSpace {
  readonly name: string;
  readonly description: string;
  readonly color: string;
  /** Default: open, with public pages. */
  readonly entry?: 'REQUEST' | 'INVITATION';
  readonly subjects: readonly DemoSubject[];
  readonly members: readonly DemoUserName[];
  readonly requests?: readonly DemoRequest[];
  readonly threads: readonly DemoThread[];
  readonly news: readonly DemoNews[];
}
