/** Parts of the address of a sign-in provider's page. */
interface ProviderPath {
  readonly slug: string;
  /** The provider has sent the browser back here. */
  readonly isCallback: boolean;
}

/** The provider of `/sign-in/<slug>` or `/sign-in/<slug>/callback`; undefined for another address. */
export function providerPath(): ProviderPath | undefined {
  const [, slug, callback] = /^\/sign-in\/([a-z0-9-]+)(\/callback)?\/?$/.exec(location.pathname) ?? [];
  return slug === undefined ? undefined : { slug, isCallback: callback !== undefined };
}

export const isProviderPath = (): boolean => providerPath() !== undefined;
