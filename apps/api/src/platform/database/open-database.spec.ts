import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { isDatabaseUnavailable } from './open-database.js';

const ofServer = (code: string): Error => Object.assign(new pg.DatabaseError('no', 0, 'error'), { code });
const ofSocket = (code: string, syscall: string): Error => Object.assign(new Error('no'), { code, syscall });

describe('isDatabaseUnavailable', () => {
  it.each([
    ofServer('57P01'),
    ofServer('57P03'),
    ofServer('53300'),
    ofServer('08006'),
    ofSocket('ECONNREFUSED', 'connect'),
    ofSocket('ENOENT', 'connect'),
    ofSocket('ECONNRESET', 'read'),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
  ])('is true for an unreachable server: %s', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each([
    ofServer('23505'),
    ofServer('42601'),
    ofServer('57014'),
    ofSocket('ENOENT', 'open'),
    new TypeError('no'),
    'no',
    null,
  ])('is false for permanent errors: %s', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
