import { z } from 'zod';
import { isSourceName } from '../../accounts/account-rules.ts';
import type { SourceRequests } from '../../audience/source-requests.ts';
import type { Sources } from '../../audience/sources.ts';
import type { VerifiedPhones } from '../../audience/verified-phones.ts';
import { Refusal } from '../../errors.ts';
import type { PhoneVerifier } from '../../messages/phone-verifier.ts';
import { SOURCE_MOST } from '../../messages/send-request.ts';
import { readPhonesToVerify, VERIFY_PHONES_MOST } from '../../messages/verification-request.ts';
import { displayNumber, type NumberReader } from '../../numbers/numbers.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { addDetails } from './audited.ts';
import { read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { done, doneAnswer, iso, isoTime } from './fields.ts';
import { withBody } from './json-body.ts';

const sourceKinds = ['number', 'name', 'mail'] as const;

function kindOf(source: string): (typeof sourceKinds)[number] {
  if (source.includes('@')) return 'mail';
  return /^\d+$/.test(source) ? 'number' : 'name';
}

const sourceAnswer = z.object({
  source: answered(
    z.string(),
    'The number, the name (names are compared without case), or of mails the address or `@` and a domain.',
    '0501234567',
  ),
  kind: answered(z.enum(sourceKinds), 'Which of these.', 'number'),
  incoming: answered(z.boolean(), 'Whether messages to it are the account’s.', false),
  since: isoTime('When it was verified or approved'),
  updated_at: isoTime('When that was last said'),
});
const waitingAnswer = z.object({
  phone: answered(z.string(), 'The number.', '0501234567'),
  landline: answered(
    z.boolean(),
    'Whether it is confirmed by a code that a call speaks, and not by the link in an SMS.',
    false,
  ),
  expires_at: isoTime('Until when'),
});
const requestAnswer = z.object({
  source: answered(z.string(), 'The name, as it was written.', 'Shop'),
  note: answered(z.string(), 'What was said of it.', 'our name in the streets'),
  asked_at: isoTime('When it was asked for'),
  refused: answered(z.boolean(), 'Whether the operator has refused it; false: it waits.', false),
  reason: answered(z.string(), 'Why it was refused; empty for nothing.', ''),
});
const sourcesAnswer = z.object({
  sources: z.array(sourceAnswer).describe('What the account may send from.'),
  waiting: z.array(waitingAnswer).describe('Numbers whose verification was asked for and is not finished.'),
  requested: z
    .array(requestAnswer)
    .describe('Names that were asked for and are not approved, the newest first.'),
  any: answered(
    z.boolean(),
    'Whether anything may be the sender here: the setting VERIFY_SOURCES is off.',
    false,
  ),
});
const phonesToVerify = z.object({
  phones: z
    .array(z.string('must be a text'), 'must be a list')
    .max(VERIFY_PHONES_MOST, `more than ${VERIFY_PHONES_MOST} entries`)
    .meta({ description: 'Mobile or landline numbers.', examples: [['0501234567']] }),
  includes_international: z
    .boolean('must be true or false')
    .default(false)
    .meta({ description: 'Lets numbers of other countries in.', examples: [false] }),
});
const NOTE_MOST = 500;
const sourceName = z
  .string('must be a text')
  .max(SOURCE_MOST, `over ${SOURCE_MOST} characters`)
  .refine(isSourceName, 'must have English letters, digits, blanks within, or . _ -, and one letter at least')
  .meta({
    description: 'The name that recipients see: English letters, digits, blanks within, `.`, `_` and `-`.',
    examples: ['My Shop'],
  });
const nameRequest = z.object({
  source: sourceName,
  note: z
    .string('must be a text')
    .trim()
    .max(NOTE_MOST, `over ${NOTE_MOST} characters`)
    .default('')
    .meta({ description: 'For the operator: whose name it is.', examples: ['our name in the streets'] }),
});
const withdrawal = nameRequest.pick({ source: true });
const verifyAnswer = z.object({
  message: answered(
    z.string(),
    'What happens next.',
    'A verification link, good for 24 hours, will be sent to 0501234567.',
  ),
});

export interface SourcesPartParts {
  readonly sources: Sources;
  readonly sourceRequests: SourceRequests;
  readonly verifiedPhones: VerifiedPhones;
  readonly phoneVerifier: PhoneVerifier;
  readonly numbers: NumberReader;
  /** Whether a source must be verified or approved. */
  readonly verifySources: boolean;
}

/**
 * Senders under /v1, a part of the door:
 * - `GET /sources`: what the account may send from, and what waits for its verification
 * - `POST /sources/verify`: asks for numbers to be verified
 * - `POST /sources/names`, `/sources/names/withdraw`: asks the operator for a name, and takes that back
 */
export function sourcesPart(parts: SourcesPartParts): V1Part {
  const { sources, sourceRequests, verifiedPhones, phoneVerifier, numbers, verifySources } = parts;
  return (app, accountOf, _callerOf, once) => {
    app.get(
      '/sources',
      described({
        chapter: 'sources',
        id: 'listSources',
        title: 'Senders',
        description:
          'The numbers, names and addresses that the account may send from, numbers that wait for their verification, and names that wait for the operator.',
        answer: sourcesAnswer,
      }),
      async (request) => {
        const { id } = accountOf(request);
        const [approved, waiting, requested] = await Promise.all([
          sources.list(id),
          verifiedPhones.waitingOf(id),
          sourceRequests.ofAccount(id),
        ]);
        return {
          sources: approved.map(({ source, incoming, assignedAt, updatedAt }) => {
            const kind = kindOf(source);
            return {
              source: kind === 'number' ? displayNumber(source) : source,
              kind,
              incoming,
              since: iso(assignedAt),
              updated_at: iso(updatedAt),
            };
          }),
          waiting: waiting.map(({ phone, landline, expiresAt }) => ({
            phone: displayNumber(phone),
            landline,
            expires_at: iso(expiresAt),
          })),
          requested: requested.map(({ name, note, askedAt, refusedAt, reason }) => ({
            source: name,
            note,
            asked_at: iso(askedAt),
            refused: refusedAt !== null,
            reason,
          })),
          any: !verifySources,
        };
      },
    );

    app.post(
      '/sources/verify',
      withBody(
        described({
          chapter: 'sources',
          id: 'verifyNumbers',
          title: 'Verify numbers to send from',
          description:
            'A mobile gets an SMS with a link, good for 24 hours, which the account pays; a landline is called back after a call from it, and hears a code that is entered on a page.',
          answer: verifyAnswer,
          refusals: ['no-credit', 'not-now', 'bad-destination', 'no-phones'],
        }),
        phonesToVerify,
      ),
      async (request, reply) => {
        const given = read(phonesToVerify, request.body);
        const account = accountOf(request);
        return once(request, reply, { accountId: account.id, content: given }, async (use) => {
          if (account.suspended) throw new Refusal('not-now', 'the account is suspended');
          if (given.phones.length === 0) throw new Refusal('no-phones', 'missing', 'phones');
          const call = { services: { numbers } };
          const phones = readPhonesToVerify(given.phones, 'phones', call, given.includes_international);
          const answer = (message: string) => ({ message });
          return answer(await phoneVerifier.request(account, phones, use?.answering(answer)));
        });
      },
    );

    app.post(
      '/sources/names',
      withBody(
        described({
          chapter: 'sources',
          id: 'askForName',
          title: 'Ask for a sender name',
          description:
            'The operator approves it, or refuses it with a reason; it can be asked for anew then.',
          answer: doneAnswer,
          refusals: ['not-now'],
        }),
        nameRequest,
      ),
      async (request) => {
        const { source, note } = read(nameRequest, request.body);
        const { id } = accountOf(request);
        await sourceRequests.ask(id, source, note);
        addDetails(request, { kind: 'accounts', id: String(id), after: { source, note } });
        return done;
      },
    );

    app.post(
      '/sources/names/withdraw',
      withBody(
        described({
          chapter: 'sources',
          id: 'withdrawName',
          title: 'Take back a request for a sender name',
          description: 'Also one that was refused: it is not listed any more.',
          answer: doneAnswer,
          refusals: ['not-found'],
        }),
        withdrawal,
      ),
      async (request) => {
        const { source } = read(withdrawal, request.body);
        if (!(await sourceRequests.withdraw(accountOf(request).id, source))) {
          throw new NotFound('no such request');
        }
        return done;
      },
    );
  };
}
