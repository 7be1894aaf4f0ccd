import assert from 'node:assert/strict';
import { type Code, type PlannedLink, ShortLinks } from '../../../server/engine/links/short-links.ts';
import type { Language } from '../../../server/kit/text/language.ts';
import { newPhone, stored } from '../../support/phones.ts';
import type { TestService } from '../../support/service.ts';

export const phoneBrowser =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

/** A message of an account with links of its own, as a send would store them. */
export interface LinkedMessage {
  readonly phone: string;
  readonly shipmentId: number;
  readonly messageId: number;
  readonly links: readonly PlannedLink[];
  /** One for each link. */
  readonly codes: readonly Code[];
  readonly removal: Code;
}

/** The module of links on the database of a running service. */
export function openLinks(service: TestService): Promise<ShortLinks> {
  const { ids, clock } = service.appContext;
  return ShortLinks.open({
    sql: service.sql,
    ids,
    clock,
    secrets: service.appContext.secrets,
    base: () => service.url,
  });
}

/** Sends a message and gives it links and a removal link. */
export async function sendWithLinks(
  service: TestService,
  links: ShortLinks,
  urls: readonly string[],
  options: { username?: string; token?: string; language?: Language } = {},
): Promise<LinkedMessage> {
  const phone = newPhone();
  const content = {
    user: { username: options.username ?? 'demo' },
    source: 'Shop',
    destinations: { phone: { $: { id: `ref-${phone}` }, _: phone } },
    message: 'hello',
  };
  const answer = await service.call('json', 'sms', content, { token: options.token });
  assert.equal(answer.status, 0, answer.message);
  const shipmentId = Number(answer.fields.shipment_id);
  const [message] = await service.sql<{ id: number; account_id: number }[]>`
    SELECT id, account_id FROM messages WHERE shipment_id = ${shipmentId} AND recipient = ${stored(phone)}`;
  const { id: messageId, account_id: accountId } = message!;
  const planned = links.plan(
    shipmentId,
    urls.map((url, index) => ({ key: `key${index}`, url })),
  );
  const codes = await links.codesFor(urls.length + 1);
  const removal = codes.at(-1)!;
  const of = { shipmentId, messageId, language: options.language ?? 'en' };
  await service.sql.begin((tx) =>
    links.store(tx, accountId, planned, [
      ...planned.map((link, index) => ({ ...of, code: codes[index]!, linkId: link.id })),
      { ...of, code: removal, linkId: null },
    ]),
  );
  return { phone, shipmentId, messageId, links: planned, codes: codes.slice(0, -1), removal };
}

/** Follows an address as a telephone's browser does, without going on to where it is sent. */
export function follow(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, {
    redirect: 'manual',
    ...init,
    headers: { 'user-agent': phoneBrowser, ...init.headers },
  });
}
