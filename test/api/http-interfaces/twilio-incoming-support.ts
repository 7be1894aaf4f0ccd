import { sidOf } from '../../../server/api/http-interfaces/ids.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { sendRequest } from '../../support/send-request.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type ReceivedRequest, startReceiver } from './receiver.ts';
import { twilioClient } from './twilio-support.ts';

/* An application behind an incoming number, for the tests of TwiML. */

export type Reply = readonly [status: number, body: string, type?: string];

/** Returns an answer with TwiML. */
export const xml = (body: string): Reply => [200, body, 'text/xml'];

/** Starts a service, and an application that answers by path. */
export async function startApplication(settings: Record<string, string> = {}) {
  const service = await startTestService({
    settings: { TWILIO_API: 'on', VERIFY_SOURCES: 'on', ...settings },
  });
  const receiver = await startReceiver();
  const answers = new Map<string, (request: ReceivedRequest, count: number) => Reply>();
  const pathOf = (request: ReceivedRequest) => request.path.split('?')[0]!;
  const requestsTo = (path: string) => receiver.received.filter((one) => pathOf(one) === path);
  receiver.answer = (request) => {
    const path = pathOf(request);
    return answers.get(path)?.(request, requestsTo(path).length) ?? [404, ''];
  };
  const sid = sidOf('AC', service.demo.id);
  const client = twilioClient(service.url, sid, DEMO_TOKEN);

  /** Gives the account a number, and returns its digits. */
  async function newNumber(accountId = service.demo.id): Promise<string> {
    const number = stored(newPhone());
    await service.appContext.sources.approve(accountId, number, { incoming: true });
    return number;
  }

  return {
    service,
    receiver,
    client,
    sid,
    newNumber,
    resourceOf: (number: string) => client.incomingPhoneNumbers(sidOf('PN', Number(number))),
    /** Lets the application answer requests to a path. */
    on(path: string, answer: (request: ReceivedRequest, count: number) => Reply): string {
      answers.set(path, answer);
      return `${receiver.url}${path}`;
    },
    /** Waits for requests to a path. */
    requests: (path: string, count = 1) =>
      waitFor(`${count} requests to ${path}`, () => {
        const mine = requestsTo(path);
        return mine.length >= count && mine;
      }),
    requestsTo,
    /** Waits for texts at a phone. */
    texts: (phone: string, count = 1) =>
      waitFor(`${count} texts at ${phone}`, async () => {
        const texts = (await service.phone(phone)).map(({ text }) => text);
        return texts.length >= count && texts;
      }),
    /** Waits for a delivery in a state whose request is to a path of the application. */
    delivery: (path: string, state: 'failed' | 'retrying') =>
      waitFor(`a ${state} delivery to ${path}`, async () => {
        const { text } = await sendRequest(`${service.url}/v1/webhook-deliveries?state=${state}&limit=200`, {
          method: 'GET',
          headers: { authorization: `Bearer ${DEMO_TOKEN}` },
        });
        const { deliveries } = JSON.parse(text) as { deliveries: Delivery[] };
        return deliveries.find(({ request }) => new URL(request.url).pathname === path);
      }),
  };
}

interface Delivery {
  readonly id: string;
  readonly attempts: number;
  readonly request: { readonly method: string; readonly url: string; readonly body: string };
  readonly answer: { readonly error: string | null; readonly body: string | null };
}
