import { z } from 'zod';
import { changes, dailyWork, reads, sends, withoutProof } from '../../../api/access/rules.ts';
import { iso, out } from '../../../api/openapi/out.ts';
import { because } from '../../../api/schema-problems.ts';
import { field, flag, listOf, notFound, text, textUpTo } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { MAX_SOURCE } from '../../../engine/messages/send-request.ts';
import { MAX_VERIFY_PHONES, readPhonesToVerify } from '../../../engine/messages/verification-request.ts';
import { accountSuspended, Refusal } from '../../../kit/errors.ts';
import { displayNumber } from '../../../kit/numbers/phone-numbers.ts';
import type { CoreContext } from '../../../run/services.ts';
import { isSourceName } from '../../accounts/account-rules.ts';
import type { SourceRequests } from '../source-requests.ts';
import type { Sources } from '../sources.ts';

const sourceKinds = ['number', 'name', 'mail'] as const;

function kindOf(source: string): (typeof sourceKinds)[number] {
  if (source.includes('@')) return 'mail';
  return /^\d+$/.test(source) ? 'number' : 'name';
}

const sourceAnswer = z.object({
  source: out.text(
    'Number, name (compared regardless of case), or for email the address or `@` and a domain.',
    '0501234567',
  ),
  kind: out.oneOf(sourceKinds, 'Kind of the sender.', 'number'),
  incoming: out.flag('Whether incoming messages to it belong to the account.', false),
  since: out.time('Time of the verification or approval'),
  updated_at: out.time('Time of the last confirmation'),
});
const waitingAnswer = z.object({
  phone: out.phone('Number.', '0501234567'),
  landline: out.flag('Whether it is confirmed by a code in a call, instead of a link in an SMS.', false),
  expires_at: out.time('Time of expiry'),
});
const requestAnswer = z.object({
  source: out.text('Name as requested.', 'Shop'),
  note: out.text('Note of the account for the operator.', 'our name in the streets'),
  asked_at: out.time('Time of the request'),
  refused: out.flag('Whether the operator has rejected it; false: it is pending.', false),
  reason: out.text('Reason of the rejection; empty without one.', ''),
});
const sourcesAnswer = z.object({
  sources: z.array(sourceAnswer).describe('Senders that the account may use.'),
  waiting: z.array(waitingAnswer).describe('Numbers with a pending verification.'),
  requested: z.array(requestAnswer).describe('Names that are not approved yet, newest request first.'),
  any: out.flag('Whether every sender is allowed: the setting VERIFY_SOURCES is off.', false),
});
type Source = Awaited<ReturnType<Sources['list']>>[number];
type SourceRequest = Awaited<ReturnType<SourceRequests['ofAccount']>>[number];

const showSource = serializer(sourceAnswer, ({ source, assignedAt }: Source) => {
  const kind = kindOf(source);
  return { source: kind === 'number' ? displayNumber(source) : source, kind, since: iso(assignedAt) };
});
const showWaiting = serializer(waitingAnswer);
const showRequested = serializer(requestAnswer, ({ name, refusedAt }: SourceRequest) => ({
  source: name,
  refused: refusedAt !== null,
}));
const phonesToVerify = z.object({
  phones: field(listOf(text, MAX_VERIFY_PHONES), 'Mobile or landline numbers.', ['0501234567']),
  includes_international: field(
    flag.default(false),
    'Whether numbers of other countries are allowed.',
    false,
  ),
});
const MAX_NOTE = 500;
const sourceName = field(
  textUpTo(MAX_SOURCE).refine(
    isSourceName,
    because(
      'must have English letters, digits, blanks within, or . _ -, and one letter at least',
      'not-a-sender',
    ),
  ),
  'Name shown to recipients: English letters, digits, inner spaces, `.`, `_` and `-`.',
  'My Shop',
);
const nameRequest = z.object({
  source: sourceName,
  note: field(
    text.trim().max(MAX_NOTE, `over ${MAX_NOTE} characters`).default(''),
    'Note for the operator: owner of the name.',
    'our name in the streets',
  ),
});
const withdrawal = nameRequest.pick({ source: true });
const verifyAnswer = z.object({
  message: out.text(
    'Next steps of the verification.',
    'A verification link, good for 24 hours, will be sent to 0501234567.',
  ),
});

type SourcesDeps = Pick<
  CoreContext,
  'sources' | 'sourceRequests' | 'verifiedPhones' | 'phoneVerifier' | 'numbers' | 'verifySources'
>;

const route = resource<SourcesDeps>('sources');

/** Approved senders of an account, and its requests for senders. */
export const sourceRoutes = [
  route('GET /v1/sources', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'listSources',
    title: 'List senders',
    description:
      'Returns the numbers, names and addresses from which the account may send, numbers with a pending verification, and names that wait for the operator.',
    answer: sourcesAnswer,
    handler: async ({ accountId: id }, { sources, sourceRequests, verifiedPhones, verifySources }) => {
      const [approved, waiting, requested] = await Promise.all([
        sources.list(id),
        verifiedPhones.waitingOf(id),
        sourceRequests.ofAccount(id),
      ]);
      return {
        sources: approved.map(showSource),
        waiting: waiting.map(showWaiting),
        requested: requested.map(showRequested),
        any: !verifySources,
      };
    },
  }),
  route('POST /v1/sources/verify', {
    access: withoutProof(sends(changes('owner', 'send'))),
    operationId: 'verifyNumbers',
    title: 'Verify phone numbers',
    description:
      'Starts the verification of numbers. A mobile phone receives an SMS with a link that is valid for 24 hours, which the account pays for. A landline is called back after a call from it, and hears a code to enter on a page.',
    refusals: ['no-credit', 'not-now', 'bad-destination', 'no-phones', 'all-blocked', 'over-budget'],
    body: phonesToVerify,
    answer: verifyAnswer,
    handler: async ({ account, body: given, once }, { phoneVerifier, numbers }) =>
      once(async (use) => {
        if (account.suspended) throw accountSuspended();
        if (given.phones.length === 0) throw new Refusal('no-phones', 'missing', 'phones');
        const call = { services: { numbers } };
        const phones = readPhonesToVerify(given.phones, 'phones', call, given.includes_international);
        const answer = (message: string) => ({ message });
        return answer(await phoneVerifier.request(account, phones, use?.answering(answer)));
      }),
  }),
  route('POST /v1/sources/names', {
    access: dailyWork(changes('owner', 'send')),
    operationId: 'askForName',
    title: 'Request a sender name',
    description:
      'Requests the name. The operator approves it, or rejects it with a reason; it can be requested again then.',
    refusals: ['not-now'],
    body: nameRequest,
    handler: async ({ accountId: id, body: { source, note }, audit }, { sourceRequests }) => {
      await sourceRequests.ask(id, source, note);
      audit({ kind: 'accounts', id: String(id), after: { source, note } });
    },
  }),
  route('POST /v1/sources/names/withdraw', {
    access: dailyWork(changes('owner', 'send')),
    operationId: 'withdrawName',
    title: 'Withdraw the request for a sender name',
    description: 'Withdraws a pending request, or removes a rejected one from the list.',
    refusals: ['not-found'],
    body: withdrawal,
    handler: async ({ accountId, body: { source } }, { sourceRequests }) => {
      if (!(await sourceRequests.withdraw(accountId, source))) throw notFound('request');
    },
  }),
];
