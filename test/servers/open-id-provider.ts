import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  /** Returned by the user info endpoint for the scope `groups`. */
  readonly groups?: unknown;
  /** Always included in the id token. */
  readonly classes?: unknown;
}

export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Adds an account, with `sub` as its login name. */
  addAccount(person: Person): void;
  stop(): Promise<void>;
}

/** Starts a real OpenID provider on the loopback interface, with its development login pages. */
export async function startOpenIdProvider(
  redirectUris: readonly string[],
  port = 0,
): Promise<OpenIdProvider> {
  const people = new Map<string, Person>();
  const [clientId, clientSecret] = ['nimo', randomBytes(24).toString('hex')];
  // The issuer contains the port, so the server starts first.
  const server: Server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: {
      openid: ['sub', 'classes'],
      groups: ['groups'],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    pkce: { required: () => true },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ ...(people.get(sub) ?? { sub }) }),
    }),
  };
  const provider = new Provider(issuer, configuration);
  server.on('request', provider.callback() as (request: unknown, response: unknown) => void);
  return {
    issuer,
    clientId,
    clientSecret,
    addAccount: (person) => void people.set(person.sub, person),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A minimal browser that keeps cookies and follows redirects within the provider. */
export class HeadlessBrowser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly issuer: string) {}

  /** Logs in and consents at the provider. @returns the URL it redirects to afterwards */
  async logInAs(sub: string, start: string): Promise<string> {
    let page = await this.visit(start);
    while (page.url.startsWith(this.issuer)) {
      const prompt = /name="prompt" value="(\w+)"/.exec(page.html)?.[1];
      const action = /action="([^"]+)"/.exec(page.html)?.[1];
      if (prompt === undefined || action === undefined)
        throw new Error(`no form at ${page.url}: ${page.html}`);
      const login = prompt === 'login' ? { login: sub, password: 'any' } : {};
      page = await this.visit(new URL(action, page.url).href, { prompt, ...login });
    }
    return page.url;
  }

  private async visit(url: string, form?: Record<string, string>): Promise<{ url: string; html: string }> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const [name = '', ...value] = pair.split('=');
      this.cookies.set(name, value.join('='));
    }
    const location = response.headers.get('location');
    if (location === null) return { url, html: await response.text() };
    const next = new URL(location, url).href;
    return next.startsWith(this.issuer) ? this.visit(next) : { url: next, html: '' };
  }
}
