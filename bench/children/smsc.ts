/* The network: the sandbox's SMSC in a separate process, without storing texts. */

import { systemClock } from '../../server/kit/clock.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { errorCode } from '../../server/protocols/smpp/errors.ts';
import type { SandboxBehaviour, SandboxSubmit } from '../../server/sandbox/smsc/options.ts';
import { SandboxSmsc } from '../../server/sandbox/smsc/smsc.ts';
import { answer, sharedNow } from '../support/child.ts';
import { watch } from '../support/series.ts';

/** System ids that may bind, with one shared password. */
const accounts = { carillon: 'bench', kannel: 'bench', first: 'bench', second: 'bench', third: 'bench' };

const smsc = new SandboxSmsc({ accounts, log: createLogger('warn'), clock: systemClock, keepTexts: false });
const accepted = watch(() => smsc.counts.accepted);
let port = 0;
let arrivals: [to: string, at: number][] = [];

answer({
  async listen(behaviour: Partial<SandboxBehaviour>): Promise<number> {
    smsc.change(behaviour);
    port = await smsc.listen(port);
    return port;
  },
  close: () => smsc.close(),
  change: (behaviour: Partial<SandboxBehaviour>) => smsc.change(behaviour),
  /** Refuses this share of messages at random, and answers each after `answerDelayMs`. */
  refuse: ({ share, answerDelayMs }: { share: number; answerDelayMs: number }) =>
    smsc.change({
      answerDelayMs,
      answerStatus: () => (Math.random() < share ? errorCode.ESME_RTHROTTLED : undefined),
    }),
  counts: () => smsc.counts,
  restartSeries: () => accepted.restart(),
  series: () => accepted.series(),
  /** Starts recording arrivals of submit_sm to numbers with this prefix; null stops it. */
  note(prefix: string | null) {
    arrivals = [];
    const onSubmit = ({ to }: SandboxSubmit) => {
      if (to.startsWith(prefix!)) arrivals.push([to, sharedNow()]);
    };
    smsc.change({ onSubmit: prefix === null ? null : onSubmit });
  },
  /** Returns the recorded numbers and times (`sharedNow`). */
  noted: () => arrivals,
});
