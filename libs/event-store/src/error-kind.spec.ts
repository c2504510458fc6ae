import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { kindOfError } from './error-kind.js';
import { EventStoreUnavailableError } from './port.js';

const ofServer = (code: string): Error => Object.assign(new DatabaseError('no', 0, 'error'), { code });
const ofSystem = (code: string, syscall: string): Error => Object.assign(new Error('no'), { code, syscall });

describe('the kind of an error', () => {
  it.each([
    ofServer('57P01'),
    ofServer('57P03'),
    ofServer('53300'),
    ofServer('53100'),
    ofServer('08006'),
    ofServer('25006'),
    ofSystem('EAI_AGAIN', 'getaddrinfo'),
    ofSystem('ENOTFOUND', 'getaddrinfo'),
    ofSystem('ECONNREFUSED', 'connect'),
    ofSystem('ENOENT', 'connect'),
    ofSystem('ECONNRESET', 'read'),
    ofSystem('EPIPE', 'write'),
    new AggregateError([ofSystem('ECONNREFUSED', 'connect'), ofSystem('ENETUNREACH', 'connect')]),
    new Error('Connection terminated'),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout'),
    new Error('Client has encountered a connection error and is not queryable'),
    new Error('Client was closed and is not queryable'),
    new Error('timeout exceeded when trying to connect'),
    new Error('timeout expired'),
    new Error('Query read timeout'),
    new EventStoreUnavailableError('the event log is unavailable'),
    new Error('wrapped', { cause: ofSystem('EAI_AGAIN', 'getaddrinfo') }),
  ])('is away where nobody answered: %s', (error) => {
    expect(kindOfError(error)).toBe('away');
  });

  it.each(['40001', '40P01', '55P03', '57014', '58030', 'XX000', '42501', '0A000'])(
    'is busy where the same may go well: %s',
    (state) => {
      expect(kindOfError(ofServer(state))).toBe('busy');
    },
  );

  it.each(['21000', '22012', '22P02', '23505', '42601', '42P01', '54000'])(
    'is data where it never will: %s',
    (state) => {
      expect(kindOfError(ofServer(state))).toBe('data');
    },
  );

  it.each([
    ofSystem('ENOENT', 'open'),
    ofServer('P0001'),
    new TypeError('no'),
    new AggregateError([]),
    'no',
    null,
  ])('is told of nothing else: %s', (error) => {
    expect(kindOfError(error)).toBe('other');
  });

  it('does not go round in circles', () => {
    const error = new Error('of itself');
    error.cause = error;
    expect(kindOfError(error)).toBe('other');
  });
});
