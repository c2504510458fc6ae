import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { kindOfError } from './error-kind.js';
import { EventStoreUnavailableError } from './port.js';

const serverError = (code: string): Error => Object.assign(new DatabaseError('no', 0, 'error'), { code });
const systemError = (code: string, syscall: string): Error =>
  Object.assign(new Error('no'), { code, syscall });

describe('kindOfError', () => {
  it.each([
    serverError('57P01'),
    serverError('57P03'),
    serverError('53300'),
    serverError('53100'),
    serverError('08006'),
    serverError('25006'),
    systemError('EAI_AGAIN', 'getaddrinfo'),
    systemError('ENOTFOUND', 'getaddrinfo'),
    systemError('ECONNREFUSED', 'connect'),
    systemError('ENOENT', 'connect'),
    systemError('ECONNRESET', 'read'),
    systemError('EPIPE', 'write'),
    new AggregateError([systemError('ECONNREFUSED', 'connect'), systemError('ENETUNREACH', 'connect')]),
    new Error('Connection terminated'),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout'),
    new Error('Client has encountered a connection error and is not queryable'),
    new Error('Client was closed and is not queryable'),
    new Error('timeout exceeded when trying to connect'),
    new Error('timeout expired'),
    new Error('Query read timeout'),
    new EventStoreUnavailableError('the event log is unavailable'),
    new Error('wrapped', { cause: systemError('EAI_AGAIN', 'getaddrinfo') }),
  ])('classifies an unreachable server as away: %s', (error) => {
    expect(kindOfError(error)).toBe('away');
  });

  it.each(['40001', '40P01', '55P03', '57014', '58030', 'XX000', '42501', '0A000'])(
    'classifies errors that a retry may resolve as busy: %s',
    (state) => {
      expect(kindOfError(serverError(state))).toBe('busy');
    },
  );

  it.each(['21000', '22012', '22P02', '23505', '42601', '42P01', '54000'])(
    'classifies errors that no retry resolves as data: %s',
    (state) => {
      expect(kindOfError(serverError(state))).toBe('data');
    },
  );

  it.each([
    systemError('ENOENT', 'open'),
    serverError('P0001'),
    new TypeError('no'),
    new AggregateError([]),
    'no',
    null,
  ])('classifies everything else as other: %s', (error) => {
    expect(kindOfError(error)).toBe('other');
  });

  it('terminates on a cyclic cause', () => {
    const error = new Error('of itself');
    error.cause = error;
    expect(kindOfError(error)).toBe('other');
  });
});
