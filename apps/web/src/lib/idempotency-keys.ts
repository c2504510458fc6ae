import { ApolloLink } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { tap } from 'rxjs';
import { v4 as uuid } from 'uuid';

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
export function idempotencyKeys(): ApolloLink {
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
