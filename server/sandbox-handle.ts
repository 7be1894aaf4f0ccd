import type { FastifyInstance } from 'fastify';
import type { OutgoingMessage } from './carriers/carrier.ts';
import type { CarrierConfiguration } from './carriers/configuration.ts';
import type { PhoneFeed } from './live/hub.ts';

/** How the simulated networks behave, and their clock. */
export interface SandboxSettings {
  /** From a message to its delivery, in milliseconds. */
  readonly receiptDelayMs: number;
  /** What the simulated SMS network takes in a second, and the chat platform from a number; 0 is no limit. */
  readonly messagesPerSecond: number;
  readonly chatMessagesPerSecond: number;
  /** Its time, milliseconds since the epoch. */
  readonly now: number;
}

/** Settings of the sandbox that are changed; others stay. */
export type SandboxChanges = {
  readonly [K in Exclude<keyof SandboxSettings, 'now'>]?: SandboxSettings[K] | undefined;
};

/** The sandbox's settings while it runs; they are not kept over a restart, but for the clock. */
export interface SandboxControls {
  read(): Promise<SandboxSettings>;
  change(changes: SandboxChanges): Promise<void>;
  /** Moves the clock on. */
  advance(milliseconds: number): Promise<unknown>;
}

/** How to reach the chat platform, and how its webhooks are known. */
interface ChatAccess {
  readonly url: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly verifyToken: string;
}

/** The sandbox, as far as the service knows it; `main.ts` brings it. */
export interface SandboxHandle {
  readonly carriers: CarrierConfiguration;
  readonly chat: ChatAccess & {
    /** Brings webhooks to this address from now on. */
    subscribe(callbackUrl: string): Promise<void>;
  };
  /** What comes to its phones. */
  readonly phones: PhoneFeed;
  /** The number that landlines call to be verified. */
  readonly callNumber: string;
  readonly voice: {
    /** Told what a call is about to say. */
    readonly spoken: (message: OutgoingMessage, text: string) => Promise<void>;
  };
  readonly mail: {
    /** The port of its mail server on this machine. */
    readonly port: number;
    /** Brings bounces and complaints to this port from now on. */
    reportTo(port: number): void;
  };
  readonly demoAccountId: number;
  readonly controls: SandboxControls;
  readonly api: (app: FastifyInstance) => Promise<void>;
  close(): Promise<void>;
}
