import { exampleSpan } from '../../server/api/sms/fields.ts';
import { formatLocal } from '../../server/kit/time-zones.ts';
import { withToken } from '../api/v1/calls.ts';
import { newClient, SOURCE } from '../channels/chat-api/support.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_PASSWORD, DEMO_TOKEN, type TestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** Ids that examples name. */
const EXAMPLE_LIST = '1774337460000002';
const EXAMPLE_SHIPMENT = '1774337460000001';

/** What the examples of the operations outside /v1 name, made in a service. */
export async function openApiCases(service: TestService) {
  const calls = withToken(service.url, DEMO_TOKEN);
  let made = 0;
  const accepted = async (root: string, content: Record<string, unknown>) => {
    const { status, message, fields } = await service.call('json', root, content);
    if (status !== 0) throw new Error(`${root}: ${message}`);
    return fields;
  };
  await accepted('addSub', {
    userDetails: { name: 'Carmel', username: 'carmel', password: 'correct horse', source: 'Shop', amount: 1 },
  });
  await calls.post('/blacklist', { phones: [newPhone()] });

  const newList = async () =>
    ((await accepted('newCL', { cl: { name: 'Customers' } })).identifiers as string[])[0]!;
  const newMailList = async () => {
    const { id } = await calls.post<{ id: string }>('/mail/lists', { name: 'documented' });
    await calls.post(`/mail/lists/${id}/users`, { users: [{ email: 'dana@example.com' }] });
    return id;
  };
  const send = (content: object) =>
    accepted('sms', { source: 'Shop', destinations: { phone: newPhone() }, message: 'Hello', ...content });

  /** A code, and the phone that it was sent to. */
  async function newCode() {
    const phone = newPhone();
    await accepted('send_otp', { phone, source: 'Shop', text: '[code]' });
    const [sms] = await waitFor('the code', async () => {
      const received = await service.phone(phone);
      return received.length > 0 && received;
    });
    return { phone, code: sms!.text };
  }

  /** A client who may be answered with a text. */
  async function newWriter(): Promise<string> {
    const client = newClient();
    await calls.post(`/sandbox/phones/${client}/chat`, { to: SOURCE, body: 'Hello' });
    await waitFor('the window to open', async () => {
      const { open } = await calls.get<{ open: boolean }>(`/chat/window?source=${SOURCE}&to=${client}`);
      return open;
    });
    return client;
  }

  /** What stands in a request instead of what its example says, by operation. */
  const instead: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
    validate_otp: async () => {
      const { phone, code } = await newCode();
      return { '0501234567': phone, 482913: code };
    },
    addSub: async () => ({ '"haifa"': `"branch-${++made}"` }),
    ttsDlr: async () => ({ [EXAMPLE_SHIPMENT]: String((await send({ tts: { type: 4 } })).shipment_id) }),
    cancel: async () => {
      await send({ timing: '01/01/40 00:00', campaign_name: `Spring ${++made}` });
      return { '"Spring"': `"Spring ${made}"` };
    },
    push_url: async () => ({ 'example.com/delivered': `example.com/delivered-${++made}` }),
    sendButtons: async () => ({ '972501234567': await newWriter() }),
    sendCarousel: async () => ({ '972501234567': await newWriter() }),
    addUsersToLists: async () => ({ 17: await newMailList() }),
    getMailingListById: async () => ({ 'listID=1774337460000002': `listID=${await newMailList()}` }),
    truncateMailingLists: async () => ({ 17: await newMailList(), 18: await newMailList() }),
    makeMailToken: async () => ({ 'the password': DEMO_PASSWORD }),
  };

  return {
    /** A request as it is sent here: its address and its body name what there is, and a span that has just been. */
    async present(operationId: string, address: string, body: string): Promise<[string, string]> {
      const now = Date.now();
      const replaced: Record<string, string> = {
        [exampleSpan.from]: formatLocal(now - 86_400_000, 'Asia/Jerusalem'),
        [exampleSpan.to]: formatLocal(now, 'Asia/Jerusalem'),
        ...(await instead[operationId]?.()),
      };
      if (body.includes(EXAMPLE_LIST)) replaced[EXAMPLE_LIST] = await newList();
      const put = (text: string) =>
        Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), text);
      return [put(address), put(body)];
    },
  };
}
