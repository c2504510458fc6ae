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
import { isReached, noteNewVersion, noteServedVersion, suspect, whenReached } from './connection';
import { erasablePolicies } from './erased';
import { errorRule, OTHER_VERSION } from './errors';
import { keptAnswers } from './kept-answers';
import { noteListening, subscriptionKey } from './live';
import { newestAnswers, noteNews } from './newest-answer';
import { noteStale, readAfterHeader } from './stale-answers';
import { isUnanswered, retryAway } from './unavailable';
import { backOff, doingWaits, readingWaits, untilAnswered } from './until-answered';

const saysSignIn = (error: unknown): boolean =>
  CombinedGraphQLErrors.is(error) &&
  error.errors.some(({ extensions }) => extensions?.['code'] === 'UNAUTHENTICATED');

const endLostSessions = new ErrorLink(({ error }) => {
  if (saysSignIn(error) && accessToken() !== null) signOut('ended');
});

// By the correlation id the api's log tells what became of it.
const identify = new SetContextLink(({ headers }) => ({
  headers: {
    ...(headers as Record<string, string> | undefined),
    ...authorization(),
    ...readAfterHeader(),
    'accept-language': document.documentElement.lang,
    'x-correlation-id': uuid(),
  },
}));

// The api knows every operation of this build by its id, and an older or newer one may not: from then on they go by their text.
const byId = new PersistedQueryLink({
  generateHash: (document) => documentIds[getOperationAST(document)?.name?.value ?? ''] ?? '',
  disable: ({ meta }) => meta.persistedQueryNotFound || meta.persistedQueryNotSupported,
});

const noteStaleAnswers = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    tap(({ extensions }) => {
      if (extensions?.['stale'] === true)
        noteStale(extensions['readAfter'] as Readonly<Record<string, string>>);
    }),
  ),
);

/** The api knows neither the id nor the text. */
const noteOtherVersion = new ErrorLink(({ error }) => {
  if (errorRule(error) === OTHER_VERSION) noteNewVersion();
});

const noteLostAnswers = new ErrorLink(({ error }) => {
  if (isUnanswered(error)) suspect();
});

/** Every answer says which build of this app the server has, so that nobody has to ask. */
async function fetchNotingVersion(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(input, init);
  noteServedVersion(response.headers.get('x-web-version'));
  return response;
}

/** Says meanwhile, by the bar of the connection, why it takes so long. */
const fetchAnswered: typeof fetch = (input, init) => {
  const isMutation = new Headers(init?.headers).has('idempotency-key');
  return untilAnswered(() => fetchNotingVersion(input, init), {
    waits: isMutation ? doingWaits : readingWaits,
    isMutation,
    wait: async (most) => {
      suspect();
      await orReached(backOff(most));
      init?.signal?.throwIfAborted();
    },
  });
};

/** How the api closes a socket whose session has ended; the client does not try again. */
const sessionEnded = 4401;

/** How a socket is closed that nobody needs any more. */
const meantToClose = 1000;

/** How often a silent socket is asked whether anybody is there, and how long it may take to answer. */
const asksEvery = 15_000;
const answersWithin = 5_000;

/** The socket of the live updates. What it missed while it was down is read again by `reread`. */
function subscriptions(reread: () => void): ApolloLink {
  let usedToken: string | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const keys = new Map<string, string>();
  // The news may be late: whoever signed in again meanwhile stays.
  const end = (): void => {
    if (usedToken !== null && usedToken === accessToken()) signOut('ended');
  };
  const client = createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    lazy: true,
    keepAlive: asksEvery,
    connectionAckWaitTimeout: answersWithin,
    connectionParams() {
      usedToken = accessToken();
      return authorization();
    },
    generateID({ operationName, variables }) {
      const id = uuid();
      keys.set(id, subscriptionKey(operationName ?? '', variables));
      return id;
    },
    retryAttempts: Infinity,
    // By itself it gives up where nobody answers, as while an api starts again; what is final has codes of its own.
    shouldRetry: () => true,
    retryWait,
    on: {
      // A machine that lost its power says nothing, and a network that was left neither.
      ping(received) {
        if (!received) waiting = setTimeout(() => client.terminate(), answersWithin);
      },
      pong(received, payload) {
        if (!received) return;
        clearTimeout(waiting);
        const confirmed = keys.get(String(payload?.['subscribed']));
        if (confirmed !== undefined) noteListening(confirmed);
      },
      connected: (_socket, _payload, wasRetry) => wasRetry && reread(),
      closed(event) {
        clearTimeout(waiting);
        const { code } = event as CloseEvent;
        if (code !== meantToClose) suspect();
        if (code === sessionEnded) end();
      },
    },
  });
  // A session that ended while the socket was opened: that of nobody is not closed.
  const endLost = new ErrorLink(({ error }) => {
    if (saysSignIn(error)) end();
  });
  return ApolloLink.from([endLost, new GraphQLWsLink(client)]);
}

/** Longer from try to try, never more than half a minute, and not the same for everybody after an outage. */
function retryWait(retries: number): Promise<void> {
  const delay = Math.min(1000 * 2 ** retries, 30_000) * (0.5 + Math.random() / 2);
  return orReached(new Promise<void>((resolve) => setTimeout(resolve, delay)));
}

/** The browser of whoever was away need not wait until its turn when the network is back. */
const orReached = (waited: Promise<void>): Promise<void> =>
  isReached() ? waited : Promise.race([waited, whenReached()]);

// The same question is another hit for another text: its marks are not its own.
const typePolicies: TypePolicies = {
  ...erasablePolicies,
  QuestionHit: { keyFields: false },
  AnswerHit: { keyFields: false },
  Projection: { keyFields: ['name'] },
  OwnRemoval: { keyFields: ['postId'] },
};

const FACTOR_QUERY = 'OwnSecondFactor';

/** An open staff area hears from the first refusal that its hours are over, and asks for the second factor again. */
const askForFactorAgain = (client: () => ApolloClient): ApolloLink =>
  new ErrorLink(({ error, operation }) => {
    const isWithheld =
      CombinedGraphQLErrors.is(error) &&
      error.errors.some(({ extensions }) => extensions?.['rule'] === 'SECOND_FACTOR_REQUIRED');
    if (!isWithheld || operation.operationName === FACTOR_QUERY) return;
    for (const query of client().getObservableQueries('active'))
      if (query.queryName === FACTOR_QUERY) void query.refetch();
  });

/**
 * The client of everything behind the login and of the public question page.
 * @param onKeptAnswer told when an answer of earlier stands in for the server's
 */
export function createApolloClient(onKeptAnswer: () => void = () => undefined): ApolloClient {
  const requests = ApolloLink.from([
    newestAnswers(),
    endLostSessions,
    askForFactorAgain(() => client),
    keptAnswers(onKeptAnswer),
    identify,
    idempotencyKeys(),
    // Behind the keys: what is sent again has the same one.
    retryAway(),
    noteLostAnswers,
    noteOtherVersion,
    noteStaleAnswers,
    byId,
    new HttpLink({ uri: '/graphql', fetch: fetchAnswered }),
  ]);
  const client: ApolloClient = new ApolloClient({
    cache: new InMemoryCache({ typePolicies }),
    // It would join what is read after news to what was asked before them; `newestAnswers` joins the rest.
    queryDeduplication: false,
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      subscriptions(() => {
        noteNews();
        void client.refetchQueries({ include: 'active' });
      }),
      requests,
    ),
  });
  return client;
}

/** What makes one more thing each time, so that nothing shows whether it was made. All else shows what it changed, and may be meant to be changed back. */
const making: ReadonlySet<string> = new Set([
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
  'WriteStudentNote',
]);

/** Faults that do not tell whether it was done. */
const undecided: ReadonlySet<unknown> = new Set(['INTERNAL', 'UNAVAILABLE']);

interface Unanswered {
  readonly said: string;
  readonly key: string;
}

/**
 * Gives each mutation a key of its own, and what was sent without an answer the same again when the person sends the same again: then it
 * is done once, however often they press the button.
 */
function idempotencyKeys(): ApolloLink {
  const unanswered = new Map<string, Unanswered>();
  const keyOf = (name: string, variables: object): Unanswered => {
    const said = JSON.stringify(variables);
    const before = unanswered.get(name);
    const sent = before?.said === said ? before : { said, key: uuid() };
    if (making.has(name)) unanswered.set(name, sent);
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
        const isOpen = errors?.some(({ extensions }) => undecided.has(extensions?.['code'])) ?? false;
        if (!isOpen && unanswered.get(name) === sent) unanswered.delete(name);
      }),
    );
  });
}
