import type { FastifyInstance } from 'fastify';
import type { OutgoingMessage } from '../engine/carriers/carrier.ts';
import type { CarrierConfiguration } from '../engine/carriers/configuration.ts';
import type { PhoneFeed } from '../engine/live/hub.ts';

/** Behaviour of the simulated networks, and their clock. */
export interface SandboxSettings {
  /** Milliseconds from a message to its delivery. */
  readonly receiptDelayMs: number;
  /**
   * Messages per second that the simulated SMS network accepts, and the chat platform from each number; 0
   * means no limit.
   */
  readonly messagesPerSecond: number;
  readonly chatMessagesPerSecond: number;
  /** Current time, in milliseconds since the epoch. */
  readonly now: number;
}

/** Changes to the settings of the sandbox; undefined keeps the value. */
export type SandboxChanges = {
  readonly [K in Exclude<keyof SandboxSettings, 'now'>]?: SandboxSettings[K] | undefined;
};

/** Settings of the running sandbox. Only the clock is kept over a restart. */
export interface SandboxControls {
  read(): Promise<SandboxSettings>;
  change(changes: SandboxChanges): Promise<void>;
  /** Moves the clock forward. */
  advance(milliseconds: number): Promise<unknown>;
}

/** Address of the chat platform, and the secrets that verify its webhooks. */
interface ChatAccess {
  readonly url: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly verifyToken: string;
}

/** The sandbox as the service sees it; `main.ts` provides it. */
export interface SandboxHandle {
  readonly carriers: CarrierConfiguration;
  readonly chat: ChatAccess & {
    /** Sends webhooks to this address from now on. */
    subscribe(callbackUrl: string): Promise<void>;
  };
  /** Messages to its phones. */
  readonly phones: PhoneFeed;
  /** The number that landlines call for their verification. */
  readonly callNumber: string;
  readonly voice: {
    /** Called with the text of a call before it is spoken. */
    readonly spoken: (message: OutgoingMessage, text: string) => Promise<void>;
  };
  readonly mail: {
    /** Port of its mail server on this machine. */
    readonly port: number;
    /** Sends bounces and complaints to this port from now on. */
    reportTo(port: number): void;
  };
  readonly demoAccountId: number;
  readonly controls: SandboxControls;
  readonly api: (app: FastifyInstance) => Promise<void>;
  close(): Promise<void>;
}
