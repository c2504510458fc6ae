import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  HttpLink,
  InMemoryCache,
  type TypePolicies,
} from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { tap } from 'rxjs';
import { v4 as uuid } from 'uuid';
import { documentIds } from '../../generated/document-ids';
import { accessToken, authorization, signOut } from '../auth-storage';
import { isReached, noteNewVersion, noteServedVersion, suspectOutage, whenReached } from './connection';
import { erasablePolicies } from './erased';
import { errorRule, OTHER_VERSION } from './errors';
import { offlineCacheLink } from './offline-cache';
import { confirmListening, subscriptionKey } from './live';
import { newestAnswers, invalidatePendingAnswers } from './newest-answer';
import { handleStaleAnswer, readAfterHeader } from './stale-answers';
import { isUnanswered, retryUnavailable } from './unavailable';
import { backOff, mutationRetryDelays, queryRetryDelays, untilAnswered } from './until-answered';

const isUnauthenticated = (error: unknown): boolean =>
  CombinedGraphQLErrors.is(error) &&
  error.errors.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED');

const endRejectedSessions = new ErrorLink(({ error }) => {
  if (isUnauthenticated(error) && accessToken() !== null) signOut('ended');
});

// The correlation id finds the request in the API's log.
const identify = new SetContextLink(({ headers }) => ({
  headers: {
    ...(headers as Record<string, string> | undefined),
    ...authorization(),
    ...readAfterHeader(),
    'accept-language': document.documentElement.lang,
    'x-correlation-id': uuid(),
  },
}));

// The API knows the operations of its own build by id. If it does not know one (another build), send the text from
// then on.
const byId = new PersistedQueryLink({
  generateHash: (document) => documentIds[getOperationAST(document)?.name?.value ?? ''] ?? '',
  disable: ({ meta }) => meta.persistedQueryNotFound || meta.persistedQueryNotSupported,
});

const staleAnswerLink = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    tap(({ extensions }) => {
      if (extensions?.['stale'] === true)
        handleStaleAnswer(extensions['readAfter'] as Readonly<Record<string, string>>);
    }),
  ),
);

/** The API knows neither the id nor the text. */
const versionMismatchLink = new ErrorLink(({ error }) => {
  if (errorRule(error) === OTHER_VERSION) noteNewVersion();
});

const lostAnswerLink = new ErrorLink(({ error }) => {
  if (isUnanswered(error)) suspectOutage();
});

/** Every response names the web app's build on the server, so no polling is needed. */
async function fetchWithVersionCheck(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(input, init);
  noteServedVersion(response.headers.get('x-web-version'));
  return response;
}

/** Explains a delay in the connection bar. */
const fetchWithRetries: typeof fetch = (input, init) => {
  const isMutation = new Headers(init?.headers).has('idempotency-key');
  return untilAnswered(() => fetchWithVersionCheck(input, init), {
    waits: isMutation ? mutationRetryDelays : queryRetryDelays,
    isMutation,
    wait: async (maxMs) => {
      suspectOutage();
      await untilReached(backOff(maxMs));
      init?.signal?.throwIfAborted();
    },
  });
};

/** Close code of a socket whose session has ended. The client does not reconnect. */
const SESSION_ENDED = 4401;

/** Close code of a socket that is no longer needed. */
const NORMAL_CLOSURE = 1000;

/** Ping interval of a silent socket and the time allowed for the answer, in milliseconds. */
const PING_INTERVAL_MS = 15_000;
const PONG_TIMEOUT_MS = 5_000;

/** The WebSocket of live updates. `reread` catches up on what was missed while it was down. */
function subscriptionLink(reread: () => void): ApolloLink {
  let socketToken: string | null = null;
  let pongTimer: ReturnType<typeof setTimeout> | undefined;
  const keys = new Map<string, string>();
  // The notice may arrive late: do not end a newer session.
  const end = (): void => {
    if (socketToken !== null && socketToken === accessToken()) signOut('ended');
  };
  const client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    lazy: true,
    keepAlive: PING_INTERVAL_MS,
    connectionAckWaitTimeout: PONG_TIMEOUT_MS,
    connectionParams() {
      socketToken = accessToken();
      return authorization();
    },
    generateID({ operationName, variables }) {
      const id = uuid();
      keys.set(id, subscriptionKey(operationName ?? '', variables));
      return id;
    },
    retryAttempts: Infinity,
    // By default the client gives up when nothing answers, for example while the API restarts. Final refusals have
    // close codes of their own.
    shouldRetry: () => true,
    retryWait,
    on: {
      // A machine that lost power or left its network closes nothing.
      ping(received) {
        if (!received) pongTimer = setTimeout(() => client.terminate(), PONG_TIMEOUT_MS);
      },
      pong(received, payload) {
        if (!received) return;
        clearTimeout(pongTimer);
        const confirmed = keys.get(String(payload?.['subscribed']));
        if (confirmed !== undefined) confirmListening(confirmed);
      },
      connected: (_socket, _payload, wasRetry) => wasRetry && reread(),
      closed(event) {
        clearTimeout(pongTimer);
        const { code } = event as CloseEvent;
        if (code !== NORMAL_CLOSURE) suspectOutage();
        if (code === SESSION_ENDED) end();
      },
    },
  });
  // The session ended while the socket was opening. A visitor's socket stays open.
  const endRejected = new ErrorLink(({ error }) => {
    if (isUnauthenticated(error)) end();
  });
  return ApolloLink.from([endRejected, new GraphQLWsLink(client)]);
}

/** Exponential backoff with jitter, at most 30 seconds. */
function retryWait(retries: number): Promise<void> {
  const delay = Math.min(1000 * 2 ** retries, 30_000) * (0.5 + Math.random() / 2);
  return untilReached(new Promise<void>((resolve) => setTimeout(resolve, delay)));
}

/** Reconnect as soon as the network is back instead of waiting for the next attempt. */
const untilReached = (waited: Promise<void>): Promise<void> =>
  isReached() ? waited : Promise.race([waited, whenReached()]);

// Hits differ per search text, because their marks do.
const typePolicies: TypePolicies = {
  ...erasablePolicies,
  QuestionHit: { keyFields: false },
  AnswerHit: { keyFields: false },
  Projection: { keyFields: ['name'] },
  OwnRemoval: { keyFields: ['postId'] },
};

const FACTOR_QUERY = 'OwnSecondFactor';

/** Makes an open staff area ask for the second factor again after the first refusal. */
const secondFactorLink = (client: () => ApolloClient): ApolloLink =>
  new ErrorLink(({ error, operation }) => {
    const requiresFactor =
      CombinedGraphQLErrors.is(error) &&
      error.errors.some(({ extensions }) => extensions?.['rule'] === 'SECOND_FACTOR_REQUIRED');
    if (!requiresFactor || operation.operationName === FACTOR_QUERY) return;
    for (const query of client().getObservableQueries('active'))
      if (query.queryName === FACTOR_QUERY) void query.refetch();
  });

/**
 * The client of everything behind the login and of the public question page.
 * @param onCachedAnswer called when a cached answer replaces the server's
 */
export function createApolloClient(onCachedAnswer: () => void = () => undefined): ApolloClient {
  const requests = ApolloLink.from([
    newestAnswers(),
    endRejectedSessions,
    secondFactorLink(() => client),
    offlineCacheLink(onCachedAnswer),
    identify,
    idempotencyKeys(),
    // After the link that adds the keys, so that a retry sends the same key.
    retryUnavailable(),
    lostAnswerLink,
    versionMismatchLink,
    staleAnswerLink,
    byId,
    new HttpLink({ uri: '/graphql', fetch: fetchWithRetries }),
  ]);
  const client: ApolloClient = new ApolloClient({
    cache: new InMemoryCache({ typePolicies }),
    // Deduplication here would join a read after a change with one from before it; `newestAnswers` handles the rest.
    queryDeduplication: false,
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      subscriptionLink(() => {
        invalidatePendingAnswers();
        void client.refetchQueries({ include: 'active' });
      }),
      requests,
    ),
  });
  return client;
}

/**
 * Mutations that add something each time, so a repeat would go unnoticed. The others are idempotent or may be meant
 * as an undo.
 */
const additiveMutations: ReadonlySet<string> = new Set([
  'AddAnswer',
  'AddAnswerComment',
  'AddAvatar',
  'AddQuestionComment',
  'AddSubject',
  'AddTopic',
  'AskQuestion',
  'CreateInvitation',
  'CreateSpace',
  'CreateTopic',
  'PublishNews',
  'WarnMember',
  'WriteStudentNote',
]);

/** Errors that leave it open whether the mutation was applied. */
const ambiguousCodes: ReadonlySet<unknown> = new Set(['INTERNAL', 'UNAVAILABLE']);

interface PendingMutation {
  readonly input: string;
  readonly key: string;
}

/**
 * Gives each mutation an idempotency key, and the same key again when the person resends a mutation that got no
 * answer. It is then applied once, however often they press the button.
 */
function idempotencyKeys(): ApolloLink {
  const pending = new Map<string, PendingMutation>();
  const keyOf = (name: string, variables: object): PendingMutation => {
    const input = JSON.stringify(variables);
    const before = pending.get(name);
    const sent = before?.input === input ? before : { input, key: uuid() };
    if (additiveMutations.has(name)) pending.set(name, sent);
    return sent;
  };
  return new ApolloLink((operation, forward) => {
    if (operation.operationType !== OperationTypeNode.MUTATION) return forward(operation);
    const name = operation.operationName ?? '';
    const sent = keyOf(name, operation.variables);
    operation.setContext(({ headers }: { headers?: Record<string, string> }) => ({
      headers: { ...headers, 'idempotency-key': sent.key },
    }));
    return forward(operation).pipe(
      tap(({ errors }) => {
        const isOpen = errors?.some(({ extensions }) => ambiguousCodes.has(extensions?.['code'])) ?? false;
        if (!isOpen && pending.get(name) === sent) pending.delete(name);
      }),
    );
  });
}
