import type { AskedCallback, CallbackFormat, StatusReport } from '../../engine/callbacks/format.ts';
import { signatureOf } from '../../protocols/http-carrier/twilio-signature.ts';
import type { CoreContext } from '../../run/services.ts';
import { accountSid, addressOf, errorCodeOf, finalStatusOf, messageSid, VERSION } from './resource.ts';

/** Returns the status of a report. */
const statusOf = (report: StatusReport) => (report.kind === 'submitted' ? 'sent' : finalStatusOf(report));

/**
 * Returns the callback that a send asks for, and registers its host.
 *
 * @param secret the token with which the program checks signatures; null for none
 */
export async function askedCallback(
  { events, numbers }: Pick<CoreContext, 'events' | 'numbers'>,
  accountId: number,
  { url, source, secret }: { readonly url: string; readonly source: string; readonly secret: string | null },
): Promise<AskedCallback> {
  const endpointId = await events.callbackEndpoints.of(accountId, url);
  const terms = { account: accountSid(accountId), from: addressOf(source, numbers) };
  return { format: 'twilio', endpointId, url, terms, secret, needsCarrierId: false };
}

/** Reports to a `StatusCallback`: a signed form. */
export const twilioReports: CallbackFormat = (report, { url, terms, secret }) => {
  const sid = messageSid(report.messageId);
  const state = statusOf(report);
  const error = report.kind === 'final' ? errorCodeOf(report) : null;
  const form: Record<string, string> = {
    AccountSid: terms.account ?? '',
    ApiVersion: VERSION,
    From: terms.from ?? '',
    MessageSid: sid,
    MessageStatus: state,
    SmsSid: sid,
    SmsStatus: state,
    To: `+${report.phone}`,
    ...(error !== null && { ErrorCode: String(error) }),
  };
  const address = new URL(url).href;
  const headers = secret === null ? [] : ['x-twilio-signature', signatureOf(secret, address, form)];
  return { method: 'POST', url: address, body: new URLSearchParams(form).toString(), headers, expects: null };
};
