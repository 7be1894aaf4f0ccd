import { client } from '../../api/client.ts';
import { isProviderPath } from './provider-path.ts';

/** Key of the page to return to after the sign-in provider, kept for this tab. */
const RETURN = 'carillon-return';

/** Sends the browser to a provider. Throws CarillonError. */
export async function leaveToProvider(by: { slug: string } | { email: string }): Promise<void> {
  const data = await client.POST('/v1/session/provider', { body: by });
  leave(data.url);
}

/** Sends the browser to the provider of the person, to prove their identity there. Throws CarillonError. */
export async function leaveForProof(): Promise<void> {
  const data = await client.POST('/v1/session/proof/provider');
  leave(data.url);
}

function leave(url: string): void {
  sessionStorage.setItem(RETURN, isProviderPath() ? '/' : location.pathname + location.search);
  location.assign(url);
}

/** Goes to the page that was wanted. It is of this console: browsers refuse another origin here. */
export function returnToPage(): void {
  const wanted = sessionStorage.getItem(RETURN) ?? '/';
  sessionStorage.removeItem(RETURN);
  history.replaceState(null, '', wanted);
}
