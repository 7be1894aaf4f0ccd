import { sidOf } from '../../server/api/http-interfaces/ids.ts';
import { sendRequest } from '../support/send-request.ts';
import { DEMO_TOKEN, type TestService } from '../support/service.ts';

/* Sends over the interfaces of other gateways, for the walks along the gate. */

/** The settings that switch the interfaces on. */
export const interfaceSettings = { KANNEL_API: 'on', JASMIN_API: 'on', TWILIO_API: 'on' };

export const ways = ['kannel', 'jasmin', 'twilio'] as const;
export type Way = (typeof ways)[number];

interface Send {
  readonly to: string;
  readonly from: string;
}

/** Sends a text of the demo account over an interface. */
export function sendByInterface(
  { url, demo }: Pick<TestService, 'url' | 'demo'>,
  way: Way,
  { to, from }: Send,
) {
  if (way === 'twilio') {
    const sid = sidOf('AC', demo.id);
    return sendRequest(`${url}/2010-04-01/Accounts/${sid}/Messages.json`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${sid}:${DEMO_TOKEN}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ To: to, From: from, Body: 'hello' }).toString(),
    });
  }
  const path = way === 'kannel' ? 'cgi-bin/sendsms' : 'jasmin/send';
  const text = way === 'kannel' ? 'text' : 'content';
  const query = new URLSearchParams({ username: 'demo', password: DEMO_TOKEN, to, from, [text]: 'hello' });
  return sendRequest(`${url}/${path}?${query}`, { method: 'GET', headers: {} });
}
