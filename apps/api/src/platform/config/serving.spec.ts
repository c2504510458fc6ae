import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { mailSender } from '../adapters/mail/mail-sender.js';
import { smsSender } from '../adapters/sms/sms-sender.js';
import { createLogger } from '../logging/logger.js';
import { loadSettings } from './load-settings.js';
import { assertMayServe, hasOpenOutbox } from './serving.js';

const key = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
const KEYS = {
  NIMO_MASTER_KEY: key('a'),
  NIMO_HMAC_KEY: key('b'),
  NIMO_SIGNING_KEY: key('c'),
  LOG_SIGNING_KEY: key('d'),
};
const SMS = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'hush', TWILIO_FROM: '+1555' };
const MAIL = { SMTP_URL: 'smtps://mail.example' };
const PRODUCTION = {
  NODE_ENV: 'production',
  HOST: '0.0.0.0',
  PUBLIC_URL: 'https://nimo.example',
  ...SMS,
  ...MAIL,
};

const settingsOf = (environment: Readonly<Record<string, string>>) =>
  loadSettings({ ...KEYS, ...environment });
const serve = (environment: Readonly<Record<string, string>>) => () =>
  assertMayServe(settingsOf(environment));

describe('serving', () => {
  it.each([
    [{}],
    [{ HOST: 'localhost' }],
    [{ HOST: '127.0.0.2' }],
    [{ HOST: '::1' }],
    [{ NODE_ENV: 'test' }],
    [PRODUCTION],
  ])('is allowed with %j', (environment) => {
    expect(serve(environment)).not.toThrow();
  });

  it.each(['0.0.0.0', '::', '192.168.1.20', 'nimo.example', '127.0.0.1.nip.io'])(
    'is refused in development on %s, with the reason and the remedy in one line',
    (HOST) => {
      for (const NODE_ENV of ['development', 'test'])
        expect(serve({ HOST, NODE_ENV })).toThrow(
          new RegExp(
            `^HOST must be .+ while NODE_ENV is ${NODE_ENV}, not "${HOST}": /dev/outbox .+NODE_ENV=production.+$`,
          ),
        );
    },
  );

  it('is refused in production without gateways', () => {
    expect(serve({ ...PRODUCTION, SMTP_URL: '' })).toThrow(/^SMTP_URL must be set, because in production/);
    const { TWILIO_ACCOUNT_SID: _, TWILIO_AUTH_TOKEN: __, TWILIO_FROM: ___, ...withoutSms } = PRODUCTION;
    expect(serve(withoutSms)).toThrow(/^TWILIO_ACCOUNT_SID, .+ must be set, because in production/);
  });

  it('is refused in production without a public URL', () => {
    expect(serve({ ...PRODUCTION, PUBLIC_URL: '' })).toThrow(
      /^PUBLIC_URL must be set, because in production/,
    );
  });

  it('never uses the outbox in production', () => {
    const logger = createLogger({ name: 'test', level: 'silent', console: false });
    const bare = settingsOf({ NODE_ENV: 'production' });
    expect(() => smsSender(bare, {} as pg.Pool, logger)).toThrow('TWILIO_ACCOUNT_SID');
    expect(() => mailSender(bare, {} as pg.Pool, logger)).toThrow('SMTP_URL');
  });
});

describe('the development outbox', () => {
  it.each([
    [{}, true],
    [{ PUBLIC_URL: 'http://localhost:3000' }, true],
    [{ PUBLIC_URL: 'https://nimo.example' }, false],
    [{ HOST: '0.0.0.0' }, false],
    [{ ...SMS }, true],
    [{ ...SMS, ...MAIL }, false],
    [PRODUCTION, false],
  ])('with %j is open: %s', (environment, isOpen) => {
    expect(hasOpenOutbox(settingsOf(environment))).toBe(isOpen);
  });
});
