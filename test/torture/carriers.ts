import { errorCode } from '../../server/protocols/smpp/errors.ts';
import {
  defaultBehaviour,
  type SandboxBehaviour,
  type SandboxSubmit,
} from '../../server/sandbox/smsc/options.ts';
import type { Network } from '../faults/support.ts';
import { phone } from '../faults/support.ts';
import { waitFor } from '../support/wait-for.ts';

/* Carriers that misbehave in thirty ways. Each lasts until `behave` is called. */

/** Input of a misbehaviour: the network, and a random generator of numbers from 0 to 1. */
export interface Misbehaving {
  readonly network: Network;
  readonly chance: () => number;
}

/** How a carrier misbehaves; `cuts` is how many windows it may have left without an answer that was stored. */
export interface Misbehaviour {
  readonly name: string;
  readonly cuts: number;
  readonly begin: (carrier: Misbehaving) => void | Promise<void>;
}

const change = (name: string, behaviour: Partial<SandboxBehaviour>): Misbehaviour => ({
  name,
  cuts: 0,
  begin: ({ network }) => network.smsc.change(behaviour),
});
/** Answers this share of messages with a status, at random. */
const answers = (name: string, status: number, share: number): Misbehaviour => ({
  name,
  cuts: 0,
  begin: ({ network, chance }) =>
    network.smsc.change({ answerStatus: () => (chance() < share ? status : undefined) }),
});
const delays = (
  name: string,
  delay: (submit: SandboxSubmit, chance: () => number) => number,
  cuts = 0,
): Misbehaviour => ({
  name,
  cuts,
  begin: ({ network, chance }) => network.smsc.change({ answerDelayMs: (submit) => delay(submit, chance) }),
});

export const misbehaviours: readonly Misbehaviour[] = [
  answers('throttles a tenth', errorCode.ESME_RTHROTTLED, 0.1),
  answers('throttles most', errorCode.ESME_RTHROTTLED, 0.7),
  answers('its queue is full now and then', errorCode.ESME_RMSGQFUL, 0.2),
  answers('has system errors', errorCode.ESME_RSYSERR, 0.05),
  answers('fails to submit', errorCode.ESME_RSUBMITFAIL, 0.05),
  answers('refuses addresses', errorCode.ESME_RINVDSTADR, 0.1),
  answers('refuses senders', errorCode.ESME_RINVSRCADR, 0.05),
  answers('answers with a code of its own', 0x0455, 0.05),
  answers('answers with a code that nobody has', 0x7fffffff, 0.02),
  change('takes fifty a second', { messagesPerSecond: 50 }),
  delays('answers late', () => 400),
  delays('answers in no order', (_submit, chance) => chance() * 300),
  delays('answers some just before the time-out', (submit) => (submit.id % 10 === 0 ? 1_200 : 0)),
  delays('answers some after the time-out', (submit) => (submit.id % 40 === 0 ? 2_500 : 0), 1),
  delays('never answers some', (submit) => (submit.id % 100 === 0 ? Number.POSITIVE_INFINITY : 0), 1),
  { name: 'cuts the connection', cuts: 1, begin: ({ network }) => network.smsc.disconnect() },
  { name: 'unbinds', cuts: 0, begin: ({ network }) => network.smsc.unbindAll() },
  {
    name: 'cuts the connection three times',
    cuts: 3,
    async begin({ network }) {
      for (let times = 0; times < 3; times++) {
        network.smsc.disconnect();
        await waitFor('it is bound again', () => network.smsc.boundSessions > 0, 60_000);
      }
    },
  },
  {
    name: 'is gone for a while',
    cuts: 1,
    async begin({ network }) {
      await network.smsc.close();
      await network.smsc.listen(network.port);
    },
  },
  change('brings receipts before answers', { earlyReceipts: true, answerDelayMs: 50 }),
  change('brings receipts three times', { receiptCopies: 3 }),
  change('brings receipts in the opposite order', { reversedReceipts: true }),
  change('brings receipts at once', { receiptDelayMs: 0 }),
  change('brings receipts seconds later', { receiptDelayMs: 2_000 }),
  change('brings receipts in parameters', { receiptForm: 'tlv' }),
  change('brings receipts in both forms', { receiptForm: 'both' }),
  change('spells ids in hexadecimal in receipts alone', { receiptIds: 'upper-hex' }),
  change('pads ids in answers', { answerIds: 'padded-decimal' }),
  change('waits for each delivery', { deliverWindow: 1, redeliverMs: 10 }),
  {
    name: 'brings many incoming messages',
    cuts: 0,
    begin({ network }) {
      for (let n = 0; n < 100; n++)
        network.smsc.sendFromPhone({ from: phone(90_000_000 + n), to: '972550000001', text: `Hello ${n}` });
    },
  },
];

/** Restores normal behaviour. The callback for submitted messages stays set. */
export function behave({ smsc }: Network): void {
  const { onSubmit: _onSubmit, keepTexts: _keepTexts, ...usual } = defaultBehaviour;
  smsc.change({ ...usual, receiptDelayMs: 20, redeliverMs: 50 });
}
