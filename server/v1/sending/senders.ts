import { z } from 'zod';
import { isSourceName } from '../../accounts/account-rules.ts';
import type { SourceRequests } from '../../audience/source-requests.ts';
import type { Sources } from '../../audience/sources.ts';
import type { CoreContext } from '../../core.ts';
import { Refusal } from '../../errors.ts';
import { iso, out } from '../../interfaces/openapi/out.ts';
import { because } from '../../interfaces/schema-problems.ts';
import { field, flag, listOf, notFound, text, textUpTo } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { MAX_SOURCE } from '../../messages/send-request.ts';
import { MAX_VERIFY_PHONES, readPhonesToVerify } from '../../messages/verification-request.ts';
import { displayNumber } from '../../numbers/numbers.ts';

const sourceKinds = ['number', 'name', 'mail'] as const;

function kindOf(source: string): (typeof sourceKinds)[number] {
  if (source.includes('@')) return 'mail';
  return /^\d+$/.test(source) ? 'number' : 'name';
}

const sourceAnswer = z.object({
  source: out.text(
    'The number, the name (names are compared without case), or of mails the address or `@` and a domain.',
    '0501234567',
  ),
  kind: out.oneOf(sourceKinds, 'Which of these.', 'number'),
  incoming: out.flag('Whether messages to it are the account’s.', false),
  since: out.time('When it was verified or approved'),
  updated_at: out.time('When that was last said'),
});
const waitingAnswer = z.object({
  phone: out.phone('The number.', '0501234567'),
  landline: out.flag(
    'Whether it is confirmed by a code that a call speaks, and not by the link in an SMS.',
    false,
  ),
  expires_at: out.time('Until when'),
});
const requestAnswer = z.object({
  source: out.text('The name, as it was written.', 'Shop'),
  note: out.text('What was said of it.', 'our name in the streets'),
  asked_at: out.time('When it was asked for'),
  refused: out.flag('Whether the operator has refused it; false: it waits.', false),
  reason: out.text('Why it was refused; empty for nothing.', ''),
});
const sourcesAnswer = z.object({
  sources: z.array(sourceAnswer).describe('What the account may send from.'),
  waiting: z.array(waitingAnswer).describe('Numbers whose verification was asked for and is not finished.'),
  requested: z
    .array(requestAnswer)
    .describe('Names that were asked for and are not approved, the newest first.'),
  any: out.flag('Whether anything may be the sender here: the setting VERIFY_SOURCES is off.', false),
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
  includes_international: field(flag.default(false), 'Lets numbers of other countries in.', false),
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
  'The name that recipients see: English letters, digits, blanks within, `.`, `_` and `-`.',
  'My Shop',
);
const nameRequest = z.object({
  source: sourceName,
  note: field(
    text.trim().max(MAX_NOTE, `over ${MAX_NOTE} characters`).default(''),
    'For the operator: whose name it is.',
    'our name in the streets',
  ),
});
const withdrawal = nameRequest.pick({ source: true });
const verifyAnswer = z.object({
  message: out.text(
    'What happens next.',
    'A verification link, good for 24 hours, will be sent to 0501234567.',
  ),
});

type SourcesDeps = Pick<
  CoreContext,
  'sources' | 'sourceRequests' | 'verifiedPhones' | 'phoneVerifier' | 'numbers' | 'verifySources'
>;

const route = resource<SourcesDeps>('sources');

/** Senders of an account: what it may send from, and what it asks for. */
export const sourceRoutes = [
  route('GET /v1/sources', {
    operationId: 'listSources',
    title: 'List senders',
    description:
      'The numbers, names and addresses that the account may send from, numbers that wait for their verification, and names that wait for the operator.',
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
    operationId: 'verifyNumbers',
    title: 'Verify phone numbers',
    description:
      'A mobile gets an SMS with a link, good for 24 hours, which the account pays; a landline is called back after a call from it, and hears a code that is entered on a page.',
    refusals: ['no-credit', 'not-now', 'bad-destination', 'no-phones', 'all-blocked', 'over-budget'],
    body: phonesToVerify,
    answer: verifyAnswer,
    handler: async ({ account, body: given, once }, { phoneVerifier, numbers }) =>
      once(async (use) => {
        if (account.suspended) throw new Refusal('not-now', 'the account is suspended');
        if (given.phones.length === 0) throw new Refusal('no-phones', 'missing', 'phones');
        const call = { services: { numbers } };
        const phones = readPhonesToVerify(given.phones, 'phones', call, given.includes_international);
        const answer = (message: string) => ({ message });
        return answer(await phoneVerifier.request(account, phones, use?.answering(answer)));
      }),
  }),
  route('POST /v1/sources/names', {
    operationId: 'askForName',
    title: 'Request a sender name',
    description: 'The operator approves it, or refuses it with a reason; it can be asked for anew then.',
    refusals: ['not-now'],
    body: nameRequest,
    handler: async ({ accountId: id, body: { source, note }, audit }, { sourceRequests }) => {
      await sourceRequests.ask(id, source, note);
      audit({ kind: 'accounts', id: String(id), after: { source, note } });
    },
  }),
  route('POST /v1/sources/names/withdraw', {
    operationId: 'withdrawName',
    title: 'Withdraw the request for a sender name',
    description: 'Also one that was refused: it is not listed any more.',
    refusals: ['not-found'],
    body: withdrawal,
    handler: async ({ accountId, body: { source } }, { sourceRequests }) => {
      if (!(await sourceRequests.withdraw(accountId, source))) throw notFound('request');
    },
  }),
];
