import { expect } from '@playwright/test';

interface Mail {
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string | null;
  readonly text: string;
}

/** The link in the latest mail to an address with a subject, from the development outbox. */
export async function mailedLink(url: string, recipient: string, subject: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const { messages } = (await (await fetch(`${url}/dev/outbox.json`)).json()) as { messages: Mail[] };
      const mail = messages.find((message) => message.recipient === recipient && message.subject === subject);
      link = /https?:\S+#[\w-]+/.exec(mail?.text ?? '')?.[0];
      return link;
    })
    .toBeDefined();
  return link ?? '';
}
