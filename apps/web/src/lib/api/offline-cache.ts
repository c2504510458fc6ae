import { ApolloLink, Observable, type OperationVariables } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { tap } from 'rxjs';
import { accessToken, authUser, OFFLINE_CACHE_PREFIX } from '../auth-storage';
import { isUnanswered } from './unavailable';

/**
 * Queries cached for offline use. A query that is not listed is never cached: no staff reads, no personal data, no upload
 * addresses.
 */
const offlineQueries: ReadonlySet<string> = new Set([
  'AnswerComments',
  'AnswerList',
  'Leaderboard',
  'NewNotificationCount',
  'News',
  'Notifications',
  'OwnActivities',
  'OwnQuestion',
  'OwnScore',
  'PopularTopics',
  'Profile',
  'PublicQuestion',
  'QuestionComments',
  'QuestionList',
  'SavedQuestions',
  'SimilarQuestions',
  'SpaceStart',
  'SpaceSubjects',
  'Spaces',
  'SubjectTopics',
  'UnsolvedQuestions',
]);

const MAX_ANSWERS = 150;
const MAX_BYTES = 5_000_000;
const MAX_AGE_MS = 7 * 24 * 60 * 60_000;
const AT = 'x-kept-at';
const SIZE = 'x-kept-size';

/** Without a service worker the app does not open offline, so nothing needs keeping. */
const isCacheAvailable = (): boolean =>
  'caches' in window && 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;

const addressOf = (name: string, variables: object): string =>
  `/kept/${name}?${encodeURIComponent(JSON.stringify(variables))}`;

const cacheOf = (studentId: string): string => `${OFFLINE_CACHE_PREFIX}${studentId}`;

const isTooOld = (answer: Response): boolean => Date.now() - Number(answer.headers.get(AT)) > MAX_AGE_MS;

interface Session {
  readonly studentId: string;
  readonly token: string | null;
}

let writing: Promise<void> = Promise.resolve();

/** Writes run one at a time: each builds on the one before. */
function queue(write: () => Promise<void>): void {
  writing = writing.then(write).catch(() => undefined);
}

/** Keeps an answer of that person and drops the oldest beyond the limits. Does nothing if that person has logged out. */
async function write({ studentId, token }: Session, address: string, data: unknown): Promise<void> {
  const text = JSON.stringify(data);
  const isGone = () => accessToken() !== token;
  if (isGone() || text.length > MAX_BYTES / 10) return;
  const cache = await caches.open(cacheOf(studentId));
  const headers = { [AT]: String(Date.now()), [SIZE]: String(text.length) };
  await cache.put(address, new Response(text, { headers }));
  await trim(cache);
  if (isGone()) await caches.delete(cacheOf(studentId));
}

/** A cache lists its entries in insertion order. */
async function trim(cache: Cache): Promise<void> {
  const requests = (await cache.keys()).toReversed();
  let [count, bytes] = [0, 0];
  for (const request of requests) {
    const answer = await cache.match(request);
    if (!answer) continue;
    count += 1;
    bytes += Number(answer.headers.get(SIZE));
    if (count > MAX_ANSWERS || bytes > MAX_BYTES || isTooOld(answer)) await cache.delete(request);
  }
}

/** Does not create a missing cache. */
async function read(studentId: string, address: string): Promise<Record<string, unknown> | undefined> {
  const answer = await caches.match(address, { cacheName: cacheOf(studentId) });
  if (!answer || isTooOld(answer)) return undefined;
  return (await answer.json()) as Record<string, unknown>;
}

/** Operations with the count of new notifications, and the field that has it. */
const COUNTS: ReadonlyMap<string, string> = new Map([
  ['MarkNotificationsSeen', 'markNotificationsSeen'],
  ['NewNotificationCount', 'getNewNotificationCount'],
]);

/** Updates the count in cached answers, so that notifications marked as read stay read offline. */
async function writeCount(session: Session, { space }: OperationVariables, count: unknown): Promise<void> {
  for (const name of ['NewNotificationCount', 'SpaceStart']) {
    const address = addressOf(name, { space: space as unknown });
    const kept = await read(session.studentId, address);
    if (kept) await write(session, address, { ...kept, getNewNotificationCount: count });
  }
}

/**
 * Keeps the last answers per person and returns them when the server does not answer. Deleted with the session
 * (`auth-storage`).
 * @param onCachedAnswer called when a cached answer is used: it has to be refetched when the server is back
 */
export function offlineCacheLink(onCachedAnswer: () => void): ApolloLink {
  return new ApolloLink((operation, forward) => {
    const studentId = authUser()?._id;
    const name = operation.operationName ?? '';
    const isOfflineQuery = operation.operationType === OperationTypeNode.QUERY && offlineQueries.has(name);
    const counting = COUNTS.get(name);
    if ((!isOfflineQuery && counting === undefined) || studentId === undefined || !isCacheAvailable())
      return forward(operation);
    // The session at the time of the request: the answer may arrive after a logout.
    const session: Session = { studentId, token: accessToken() };
    const answered = forward(operation).pipe(
      tap(({ data }) => {
        if (data && counting !== undefined)
          queue(() => writeCount(session, operation.variables, data[counting]));
      }),
    );
    if (!isOfflineQuery) return answered;
    const address = addressOf(name, operation.variables);
    return new Observable<ApolloLink.Result>((observer) => {
      const answers = answered.subscribe({
        next: (result) => {
          observer.next(result);
          if (result.data && !result.errors) queue(() => write(session, address, result.data));
        },
        error: (cause: unknown) => {
          if (!isUnanswered(cause)) return observer.error(cause);
          read(studentId, address).then(
            (data) => {
              if (data === undefined || authUser()?._id !== studentId) return observer.error(cause);
              onCachedAnswer();
              observer.next({ data });
              observer.complete();
            },
            () => observer.error(cause),
          );
        },
        complete: () => observer.complete(),
      });
      return () => answers.unsubscribe();
    });
  });
}
