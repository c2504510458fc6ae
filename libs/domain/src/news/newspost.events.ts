import { auditedAction } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `newspost-<newspostId>`.

export type NewspostPublished = {
  readonly type: 'NewspostPublished';
  readonly data: {
    readonly newspostId: string;
    /** Null for all spaces. */
    readonly spaceId: string | null;
    readonly authorId: string;
    readonly title: string;
    /** Sanitised HTML. */
    readonly body: string;
  };
};
export type NewspostChanged = {
  readonly type: 'NewspostChanged';
  readonly data: {
    readonly newspostId: string;
    readonly spaceId: string | null;
    readonly editorId: string;
    readonly title: string;
    readonly body: string;
  };
};
export type NewspostRemoved = {
  readonly type: 'NewspostRemoved';
  readonly data: { readonly newspostId: string; readonly spaceId: string | null; readonly editorId: string };
};
export type NewspostRestored = {
  readonly type: 'NewspostRestored';
  readonly data: NewspostRemoved['data'];
};
export type NewspostEvent = NewspostPublished | NewspostChanged | NewspostRemoved | NewspostRestored;

const newspost = { newspostId: 'newspost-1', spaceId: null, editorId: 'student-9' };

const newsTextAudit = auditedAction(({ spaceId, title }: (NewspostPublished | NewspostChanged)['data']) => ({
  spaceId,
  about: title,
}));
const newsAudit = auditedAction(({ spaceId }: (NewspostRemoved | NewspostRestored)['data']) => ({
  spaceId,
}));

export const newspostEvents = slice<NewspostEvent>()({
  streams: ['newspost-'],
  errors: {
    NEWSPOST_NOT_FOUND: { category: 'NOT_FOUND', message: 'This news no longer exists.' },
    NEWSPOST_TITLE_REQUIRED: { category: 'VALIDATION', field: 'title', message: 'Please add a title.' },
    NEWSPOST_BODY_REQUIRED: { category: 'VALIDATION', field: 'body', message: 'Please add some text.' },
  },
  events: {
    NewspostPublished: {
      example: {
        newspostId: 'newspost-1',
        spaceId: 'space-1',
        authorId: 'student-9',
        title: 'Open day',
        body: '<p>On Friday.</p>',
      },
      audit: newsTextAudit,
    },
    NewspostChanged: {
      example: { ...newspost, title: 'Open days', body: '<p>On Friday and Saturday.</p>' },
      audit: newsTextAudit,
    },
    NewspostRemoved: {
      example: newspost,
      audit: newsAudit,
    },
    NewspostRestored: {
      example: newspost,
      audit: newsAudit,
    },
  },
});
