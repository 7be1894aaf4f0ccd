import type { FastifyInstance } from 'fastify';
import type { OutgoingMessage } from './carriers/carrier.ts';
import type { CarrierConfiguration } from './carriers/configuration.ts';
import type { SandboxControls } from './interfaces/v1/operator-network.ts';
import type { PhoneFeed } from './live/hub.ts';

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
    readonly spoken: (message: OutgoingMessage, text: string) => void;
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
