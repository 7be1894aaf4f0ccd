import { join } from 'node:path';
import { startEmbedded } from '../../server/database/embedded.ts';
import type { ChatFloorSettings, ChatStored } from '../children/chat-floor.ts';
import type { PlatformAccess } from '../children/chat-platform.ts';
import { type Child, startChild } from '../support/child.ts';
import { atTheEnd } from '../support/cleanup.ts';
import { childrenOf, cpuOf, cpuOfFamily } from '../support/proc.ts';
import { flags } from './carillon.ts';
import type { ChatSends } from './requests.ts';
import type { Surroundings, System } from './system.ts';

export interface ChatFloor extends System {
  readonly target: ChatSends;
  /** Returns the body of the request to the platform; `destination` is E.164 digits. */
  submitOf(destination: string): Promise<string>;
  stored(): Promise<ChatStored>;
}

/** A platform of the sandbox in a separate process, and its port. */
export interface Platform {
  readonly child: Child;
  readonly port: number;
}

export async function startPlatform(access: PlatformAccess): Promise<Platform> {
  const child = await startChild('chat-platform.ts');
  return { child, port: await child.ask<number>('listen', access) };
}

/** Lets a platform send its webhooks to a service. */
export const subscribe = ({ child }: Platform, port: number, { verifyToken }: PlatformAccess) =>
  child.ask('subscribe', { url: `http://127.0.0.1:${port}/chat-webhooks`, verifyToken });

/**
 * Starts the floor of chat (children/chat-floor.ts) with a platform and an embedded PostgreSQL that has the settings of
 * Carillon's.
 */
export async function startChatFloor(
  { folder, callbackPort }: Pick<Surroundings, 'folder' | 'callbackPort'>,
  access: PlatformAccess,
): Promise<ChatFloor> {
  const known = new Set(childrenOf(process.pid, 'postgres'));
  const postgres = await startEmbedded(join(folder, 'floor'));
  const stop = atTheEnd(() => postgres.stop());
  const pid = childrenOf(process.pid, 'postgres').find((child) => !known.has(child))!;
  const platform = await startPlatform(access);
  const child = await startChild('chat-floor.ts', flags);
  const port = await child.ask<number>('start', {
    database: postgres.target as ChatFloorSettings['database'],
    platformPort: platform.port,
    callbackPort,
    access,
  } satisfies ChatFloorSettings);
  await subscribe(platform, port, access);
  return {
    name: 'the floor',
    target: {
      kind: 'chat',
      port,
      token: `carillon_${'x'.repeat(43)}`,
      source: access.number,
      template: `1_${access.number}_${'x'.repeat(9)}`,
    },
    cpu: () => ({
      server: cpuOf(child.pid),
      postgres: cpuOfFamily(pid),
      platform: cpuOf(platform.child.pid),
    }),
    submitOf: (destination) => child.ask('submitOf', destination),
    stored: () => child.ask('stored'),
    async stop() {
      await child.ask('stop');
      await stop();
    },
  };
}
