import assert from 'node:assert/strict';
import twilio from 'twilio';

/** Returns a client of Twilio's library with another address; `user` is an account sid or the sid of an API key. */
export function twilioClient(
  url: string,
  user: string,
  token: string,
  options: { accountSid?: string } = {},
) {
  const client = twilio(user, token, options);
  client.api.baseUrl = url;
  client.verify.baseUrl = url;
  return client;
}

/** Returns the status and code of the error that the library throws. */
export async function failure(
  work: Promise<unknown>,
): Promise<{ status: number; code: number | null | undefined }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof twilio.RestException, String(error));
  return { status: error.status, code: error.code };
}
