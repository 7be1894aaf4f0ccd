import type { ContactWork } from './audience/contact-work.ts';
import type { CsvJobs } from './audience/csv-jobs.ts';
import type { CampaignEngine } from './campaigns/engine.ts';
import { cleanUpCampaigns } from './campaigns/rows.ts';
import type { ChatModule } from './channels/chat/module.ts';
import type { ChannelJob } from './channels/contract.ts';
import type { MailConfirmations } from './channels/mail/confirmation.ts';
import type { Contents } from './channels/mail/contents.ts';
import type { MailListWork } from './channels/mail/list-work.ts';
import type { MailTokens } from './channels/mail/tokens.ts';
import type { Clock } from './clock.ts';
import type { Sql } from './database/connection.ts';
import { type KeepingTimes, maintainPartitions } from './database/partitions.ts';
import type { Inbound } from './dispatch/inbound.ts';
import { queueAge, queueMessages } from './dispatch/metrics.ts';
import { queuesByLane } from './dispatch/queues.ts';
import type { Recorder } from './dispatch/recorder.ts';
import { Loop } from './loop.ts';
import type { HourlyStatistics } from './messages/hourly-statistics.ts';
import { laneNames } from './messages/lanes.ts';
import type { ShipmentProgress } from './messages/shipment-progress.ts';
import type { Logger } from './observability/log.ts';
import { cleanBlocks } from './otp/upkeep.ts';
import type { Owner } from './owners.ts';
import type { PeopleModule } from './people/module.ts';
import type { SendKeys } from './send-keys/send-keys.ts';

const EXPANSION_MS = 200;
const CAMPAIGNS_MS = 1_000;
const CHAT_WORK_MS = 1_000;
const HOURS_MS = 1_000;
const CONTACT_WORK_MS = 300;
const MAIL_WORK_MS = 500;
const QUARANTINE_MS = 2_000;
const GAUGES_MS = 5_000;
const LOGIN_THROTTLE_MS = 60_000;
const SEND_KEYS_MS = 60_000;
const UPKEEP_MS = 3_600_000;
/** So long a template may wait for the chat platform: longer than its lease (channels/chat/template-submissions.ts). */
const PLATFORM_MS = 330_000;
/** Longer than the deadline of dropping a partition (database/partitions.ts). */
const PARTITIONS_MS = 900_000;

export interface JobsDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Logger;
  readonly keep: KeepingTimes;
  readonly inbound: Inbound;
  readonly recorder: Pick<Recorder, 'retryQuarantined'>;
  readonly contactWork: ContactWork;
  readonly csvJobs: CsvJobs;
  readonly campaigns: CampaignEngine;
  readonly hourlyStatistics: HourlyStatistics;
  readonly progress: ShipmentProgress;
  readonly channelJobs: readonly ChannelJob[];
  readonly chat: Pick<ChatModule, 'templates' | 'inbound'>;
  readonly people: Pick<PeopleModule, 'cleanUp' | 'throttle'>;
  readonly sendKeys: Pick<SendKeys, 'cleanUp' | 'stop'>;
  readonly mail: {
    readonly listWork: MailListWork;
    readonly confirmations: MailConfirmations;
    readonly tokens: MailTokens;
    readonly contents: Pick<Contents, 'cleanUp'>;
  };
}

/** What has to be done now and then: sends to lists, work on contact lists, partitions, abandoned parts of incoming messages, gauges of the queues. */
export class Jobs {
  readonly #deps: JobsDeps;
  readonly #loops: Loop[] = [];

  constructor(deps: JobsDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { sql, clock, keep, inbound, contactWork, csvJobs, campaigns, chat, mail, people } = this.#deps;
    for (const expander of campaigns.expanders) {
      this.#every(EXPANSION_MS, expander.loop, () => expander.run());
    }
    this.#every(CAMPAIGNS_MS, 'paused campaigns', () => campaigns.control.align());
    this.#every(CAMPAIGNS_MS, 'ends of campaigns', () => campaigns.finisher.run());
    this.#every(CHAT_WORK_MS, 'template submissions', () => chat.templates.submitDue(), PLATFORM_MS);
    this.#every(CHAT_WORK_MS, 'template fetches', () => chat.templates.fetchDue(), PLATFORM_MS);
    this.#every(CONTACT_WORK_MS, 'contact lists', () => contactWork.run());
    this.#every(CHAT_WORK_MS, 'early chat statuses', () => chat.inbound.retryEarly());
    this.#every(HOURS_MS, 'messages by hour', () => this.#deps.hourlyStatistics.run());
    this.#every(MAIL_WORK_MS, 'emptied mailing lists', () => mail.listWork.run());
    this.#every(MAIL_WORK_MS, 'confirmations', () => mail.confirmations.run());
    this.#every(QUARANTINE_MS, 'quarantine', () => this.#deps.recorder.retryQuarantined());
    this.#every(LOGIN_THROTTLE_MS, 'login throttle', () => people.throttle.cleanUp());
    this.#every(SEND_KEYS_MS, 'send keys', () => this.#deps.sendKeys.cleanUp());
    for (const { owner, everyMs, step } of this.#deps.channelJobs) this.#every(everyMs, owner, step);
    this.#every(GAUGES_MS, 'gauges', () => measureQueues(sql, clock.now()));
    this.#every(
      UPKEEP_MS,
      'upkeep',
      async () => {
        await maintainPartitions(sql, clock.now(), keep);
        await inbound.giveUpWaiting();
        await csvJobs.cleanUp();
        await chat.inbound.cleanUp();
        await cleanUpCampaigns(sql, clock.now(), keep.KEEP_DAYS);
        await mail.contents.cleanUp(clock.now(), keep.KEEP_DAYS);
        await mail.confirmations.cleanUp();
        await mail.tokens.cleanUp();
        await people.cleanUp();
        await this.#deps.progress.cleanUp(keep.KEEP_DAYS);
        await cleanBlocks(sql, clock.now(), keep.KEEP_DAYS);
      },
      PARTITIONS_MS,
    );
  }

  async stop(): Promise<void> {
    const stopped = this.#loops.map((loop) => loop.stop());
    this.#deps.contactWork.stop();
    for (const expander of this.#deps.campaigns.expanders) expander.stop();
    this.#deps.mail.listWork.stop();
    this.#deps.mail.confirmations.stop();
    this.#deps.sendKeys.stop();
    await Promise.all([...stopped, this.#deps.chat.templates.stop()]);
  }

  #every(everyMs: number, owner: Owner, step: () => Promise<void>, limitMs?: number): void {
    const { log } = this.#deps;
    const loop = new Loop({
      owner,
      everyMs,
      step,
      log,
      failed: 'a job failed and will be tried again',
      ...(limitMs !== undefined && { limitMs }),
    });
    this.#loops.push(loop);
    loop.start();
  }
}

async function measureQueues(sql: Sql, now: number): Promise<void> {
  const queues = await queuesByLane(sql, now);
  for (const [lane, name] of laneNames.entries()) {
    const queue = queues.find((candidate) => candidate.lane === lane);
    queueAge.set({ lane: name }, (queue?.oldestMs ?? 0) / 1_000);
    queueMessages.set({ lane: name }, queue?.due ?? 0);
  }
}
