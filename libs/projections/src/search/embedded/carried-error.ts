import { DatabaseError } from 'pg';

/** What is kept of an error that goes from one thread to another, where its class and most of its fields are lost. */
export interface CarriedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly isOfDatabase: boolean;
  readonly code: string | undefined;
  /** By which errors of the network are told. */
  readonly syscall: string | undefined;
}

export function carried(error: unknown): CarriedError {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const fields = error as Partial<Record<'code' | 'syscall', unknown>> | undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    ...{ name, message, stack },
    isOfDatabase: error instanceof DatabaseError,
    code: text(fields?.code),
    syscall: text(fields?.syscall),
  };
}

/** As good as the original for whoever asks what kind of error it is, and whether the same may go well in a moment. */
export function broughtBack({ isOfDatabase, message, ...fields }: CarriedError): Error {
  const error = isOfDatabase ? new DatabaseError(message, message.length, 'error') : new Error(message);
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined)
      Object.defineProperty(error, field, { value, configurable: true, writable: true, enumerable: false });
  }
  return error;
}
