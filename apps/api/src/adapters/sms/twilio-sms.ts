import type { SmsSender } from './sms-sender.js';

const PATIENCE_MS = 10_000;

export interface TwilioAccount {
  readonly accountSid: string;
  readonly authToken: string;
  readonly from: string;
}

/** One form post a message; the job that calls it tries again when this throws. */
export class TwilioSms implements SmsSender {
  constructor(
    private readonly account: TwilioAccount,
    private readonly origin = 'https://api.twilio.com',
  ) {}

  async send(phone: string, text: string): Promise<void> {
    const { accountSid, authToken, from } = this.account;
    const response = await fetch(`${this.origin}/2010-04-01/Accounts/${accountSid}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
      body: new URLSearchParams({ To: `+${phone}`, From: from, Body: text }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    // Not the answer's text: it repeats the number.
    if (!response.ok) throw new Error(`the SMS gateway answered ${response.status}`);
  }
}
