import { CarillonError } from '../../api/errors.ts';

/** Passkeys are bound to a host name; browsers do not offer them for IP addresses. */
export function mayUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname);
}

type Options = Readonly<Record<string, unknown>>;

/** Lets the browser make a passkey by the options of the service. Throws CarillonError `no-passkey`. */
export async function newCredential(options: Options) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return orCancelled(startRegistration({ optionsJSON: options as never }));
}

/** Lets the browser prove a passkey by the options of the service. Throws CarillonError `no-passkey`. */
export async function proofOf(options: Options) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return orCancelled(startAuthentication({ optionsJSON: options as never }));
}

async function orCancelled<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    // The person closed the dialog, or the browser has no passkey.
    const { message } = error as Error;
    throw new CarillonError({ code: 'no-passkey', message }, { operation: 'passkey', cause: error });
  }
}
