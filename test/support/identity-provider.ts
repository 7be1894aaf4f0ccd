import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type ClientMetadata } from 'oidc-provider';
import { atEnd } from './database.ts';
import { once } from './once.ts';

/** Claims of the provider about a person, in addition to the subject. */
export type Said = Readonly<Record<string, unknown>>;

/** A real provider (npm `oidc-provider`) on a loopback port, with its own pages for signing in and out. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Accounts of the provider by subject; tests may change them at any time. */
  readonly people: Map<string, Said>;
  /** Registers a client; its secret is `secret-of-<id>`. */
  addClient(id: string, more: Partial<ClientMetadata>): void;
  /**
   * Follows the redirect to the provider, signs in as `subject`, and returns the address that the provider redirects back
   * to.
   */
  signIn(url: string, subject: string): Promise<URL>;
  /** As `signIn`, and updates the cookies of the browser at the provider. */
  signInWith(cookies: Map<string, string>, url: string, subject: string): Promise<URL>;
}

const keys = () =>
  once(
    'keys of identity providers',
    async () => {
      const { privateKey } = await generateKeyPair('RS256', { extractable: true });
      return { keys: [{ ...(await exportJWK(privateKey)), kid: 'test', use: 'sig', alg: 'RS256' }] };
    },
    () => {},
  );

/** Starts a provider, which ends with the file. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const people = new Map<string, Said>();
  const clients: ClientMetadata[] = [];
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => {};
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const jwks = await keys();

  /** Anew with each client: its clients do not change while it runs. */
  function build(): void {
    const provider = new Provider(issuer, {
      clients,
      jwks: jwks as never,
      cookies: { keys: ['a key of tests'] },
      // Without the default dispatcher, which blocks loopback addresses: the service listens there.
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
      conformIdTokenClaims: false,
      claims: {
        openid: ['sub', 'groups', 'amr', 'realm_access'],
        email: ['email', 'email_verified'],
        profile: ['name'],
      },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource(ctx, form) {
            ctx.body = `<!doctype html><html lang="en"><title>Sign out</title><h1>Sign out?</h1>${form}
              <button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button></html>`;
          },
        },
      },
      findAccount: (_ctx, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...people.get(id) }),
      }),
      async loadExistingGrant(ctx) {
        const { oidc } = ctx;
        const grant = new oidc.provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      // Logs nothing; the responses contain the errors.
      renderError(ctx, out) {
        ctx.body = `<!doctype html><html lang="en"><title>Error</title><p>${out.error}</p></html>`;
      },
    });
    const callback = provider.callback();
    handle = async (request, response) => {
      if (!request.url!.startsWith('/interaction/')) return callback(request, response);
      if (request.method === 'POST') {
        let body = '';
        for await (const chunk of request) body += chunk;
        const accountId = new URLSearchParams(body).get('subject')!;
        const result =
          accountId === '' ? { error: 'access_denied' } : { login: { accountId, remember: true } };
        return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      }
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(`<!doctype html><html lang="en"><title>Test provider</title><h1>Test provider</h1>
        <form method="post"><label>Subject <input name="subject"></label><button>Continue</button></form></html>`);
    };
  }
  build();

  async function signInWith(cookies: Map<string, string>, url: string, subject: string): Promise<URL> {
    let next = new URL(url);
    let body: URLSearchParams | undefined;
    for (let hops = 0; hops < 10; hops++) {
      const answer: Response = await fetch(next, {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body && { body }),
      });
      for (const set of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        if (value === '') cookies.delete(name!);
        else cookies.set(name!, value!);
      }
      const location = answer.headers.get('location');
      if (location === null) {
        if (!next.pathname.startsWith('/interaction/')) throw new Error(await answer.text());
        body = new URLSearchParams({ subject });
        continue;
      }
      body = undefined;
      next = new URL(location, next);
      if (next.origin !== issuer) return next;
    }
    throw new Error('the provider sends the browser around in a circle');
  }

  return {
    issuer,
    people,
    addClient(id, more) {
      clients.push({ client_id: id, client_secret: `secret-of-${id}`, ...more });
      build();
    },
    signIn: (url, subject) => signInWith(new Map(), url, subject),
    signInWith,
  };
}
