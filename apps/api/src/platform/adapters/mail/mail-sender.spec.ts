import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { SMTPServer } from 'smtp-server';
import type { Settings } from '../../config/load-settings.js';
import { createLogger } from '../../logging/logger.js';
import { mailSender, type MailSender } from './mail-sender.js';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: unknown;
  readonly content: string;
}

const servers: SMTPServer[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close(() => undefined)));

/** A mail server that requires authentication and optionally rejects recipients. */
async function listening(refusal?: string): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    // There is no certificate for STARTTLS.
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'hush' ? done(null, { user: username }) : done(new Error('wrong')),
    onRcptTo: (_address, _session, done) => done(refusal === undefined ? null : new Error(refusal)),
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user,
          content: Buffer.concat(parts).toString(),
        });
        done();
      });
    },
  });
  servers.push(server);
  server.on('error', () => undefined);
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return { port: (listener.address() as AddressInfo).port, received };
}

const senderTo = (port: number, password = 'hush'): MailSender =>
  mailSender(
    {
      smtpUrl: `smtp://nimo:${password}@127.0.0.1:${port}`,
      mailFrom: 'Nimo <hello@nimo.example>',
    } as Settings,
    {} as pg.Pool,
    createLogger({ name: 'test', level: 'silent', console: false }),
  );

const mail = { to: 'ada@example.org', subject: 'Grüße', text: 'First line\n\nhttps://nimo.example/#token' };

describe('mail over SMTP', () => {
  it('is sent with sender, subject and text', async () => {
    const { port, received } = await listening();
    await senderTo(port).send(mail);
    expect(received).toMatchObject([{ from: 'hello@nimo.example', to: ['ada@example.org'], user: 'nimo' }]);
    expect(received[0]?.content).toContain('From: Nimo <hello@nimo.example>');
    expect(received[0]?.content).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(received[0]?.content).toContain('https://nimo.example/#token');
  });

  it('is safe from header and recipient injection', async () => {
    const { port, received } = await listening();
    await senderTo(port)
      .send({ ...mail, subject: 'Hello\r\nBcc: eve@example.org' })
      .catch(() => undefined);
    expect(received.flatMap(({ to }) => to)).not.toContain('eve@example.org');
    expect(received[0]?.content ?? '').not.toMatch(/^Bcc:/m);
  });

  it('fails when the server rejects it, so that the job is retried', async () => {
    const { port } = await listening('no such mailbox');
    await expect(senderTo(port).send(mail)).rejects.toThrow('no such mailbox');
    await expect(senderTo(port, 'wrong').send(mail)).rejects.toThrow('Invalid login');
  });
});
