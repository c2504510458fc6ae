import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  NewspostChanged,
  NewspostEvent,
  NewspostPublished,
  NewspostRemoved,
  NewspostRestored,
} from '../events.js';
import { newspostStream } from '../stream-ids.js';
import { type ActingStudent, isMaintainer, isModeratorOf, requireActive } from '../authority.js';
import { requireNewsBody, requireTitle } from '../validation/content.js';

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

type Texts = {
  readonly title: string;
  /** Sanitised HTML. */
  readonly body: string;
};

export type PublishNewspost = Texts & {
  readonly actor: ActingStudent;
  readonly newspostId: string;
  /** Null for all spaces. */
  readonly spaceId: string | null;
  readonly spaceExists: boolean;
};

export const publishNewspost = (
  { actor, newspostId, spaceId, spaceExists, ...texts }: PublishNewspost,
  state: NewspostState,
): readonly NewspostPublished[] => {
  requireNewsWriter(actor, spaceId);
  if (!spaceExists) throw new DomainError('SPACE_NOT_FOUND');
  const { title, body } = requireTexts(texts);
  if (state) return [];
  const data = { newspostId, spaceId, authorId: actor.studentId, title, body };
  return [{ type: 'NewspostPublished', data }];
};

export type ChangeNewspost = Texts & { readonly actor: ActingStudent };

export const changeNewspost = (
  { actor, ...texts }: ChangeNewspost,
  state: NewspostState,
): readonly NewspostChanged[] => {
  const newspost = requireNewspost(state);
  requireNewsWriter(actor, newspost.spaceId);
  if (newspost.removed) throw new DomainError('NEWSPOST_NOT_FOUND');
  const { title, body } = requireTexts(texts);
  const unchanged = title === newspost.title && body === newspost.body;
  return unchanged ? [] : [{ type: 'NewspostChanged', data: { ...subject(newspost, actor), title, body } }];
};

export type RemoveNewspost = { readonly actor: ActingStudent };

export const removeNewspost = (
  { actor }: RemoveNewspost,
  state: NewspostState,
): readonly NewspostRemoved[] => {
  const newspost = requireNewspost(state);
  requireNewsWriter(actor, newspost.spaceId);
  return newspost.removed ? [] : [{ type: 'NewspostRemoved', data: subject(newspost, actor) }];
};

export type RestoreNewspost = RemoveNewspost;

export const restoreNewspost = (
  { actor }: RestoreNewspost,
  state: NewspostState,
): readonly NewspostRestored[] => {
  const newspost = requireNewspost(state);
  requireNewsWriter(actor, newspost.spaceId);
  return newspost.removed ? [{ type: 'NewspostRestored', data: subject(newspost, actor) }] : [];
};

/** Moderators write news for their space. News for all spaces needs a moderator of all spaces or a maintainer. */
export const mayWriteNews = (actor: ActingStudent, spaceId: string | null): boolean =>
  isMaintainer(actor) ||
  (spaceId === null
    ? actor.roles.some((held) => held.role === 'MODERATOR' && held.spaceId === null)
    : isModeratorOf(actor, spaceId));

const requireNewsWriter = (actor: ActingStudent, spaceId: string | null): void => {
  requireActive(actor);
  if (!mayWriteNews(actor, spaceId)) throw new DomainError('FORBIDDEN');
};

const requireNewspost = (state: NewspostState): Newspost => {
  if (!state) throw new DomainError('NEWSPOST_NOT_FOUND');
  return state;
};

const requireTexts = ({ title, body }: Texts): Texts => ({
  title: requireTitle(title, 'NEWSPOST_TITLE_REQUIRED'),
  body: requireNewsBody(body),
});

const subject = ({ newspostId, spaceId }: Newspost, actor: ActingStudent) => ({
  newspostId,
  spaceId,
  editorId: actor.studentId,
});
