import { hash } from 'node:crypto';
import { join } from 'node:path';
import { ChatNumbers } from '../../../server/channels/chat/business-numbers.ts';
import { MEDIA_ORIGIN, mediaFetcher } from '../../../server/channels/chat/media-fetch.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { createGuardedAgent } from '../../../server/kit/http/ssrf-guard.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { Accounts } from '../../../server/modules/accounts/accounts.ts';
import { MediaFetches } from '../../../server/modules/media/fetches.ts';
import { FolderStore } from '../../../server/modules/media/folder-store.ts';
import { type IncomingFile, Media, type MediaDeps } from '../../../server/modules/media/media.ts';
import { heldFiles, type MediaFile } from '../../../server/modules/media/rows.ts';
import { Sniffer } from '../../../server/modules/media/sniffer.ts';
import { Spool } from '../../../server/modules/media/spool.ts';
import { ChatPlatformClient } from '../../../server/protocols/chat-platform/client.ts';
import { SandboxChatPlatform } from '../../../server/sandbox/chat-platform/platform.ts';
import { budgetsFor } from '../../support/budgets.ts';
import { atEnd, createDatabase, newFolder } from '../../support/database.ts';
import { secrets } from '../../support/secrets.ts';
import { workFor } from '../../support/work.ts';

/* The files of chat messages as the service has them, with the sandbox's chat platform at the other end. */

const [BUSINESS, NUMBER_ID, TOKEN] = ['4001', '5001', 'token'];
export const NUMBER = '972550000077';

export async function startMedia() {
  const { sql } = await createDatabase();
  const clock = new AdjustableClock();
  const log = createLogger('silent');
  const platform = new SandboxChatPlatform({
    appId: '1',
    appSecret: 'secret',
    clock,
    log,
    businesses: [
      { accountId: BUSINESS, token: TOKEN, numbers: [{ phoneNumberId: NUMBER_ID, number: NUMBER }] },
    ],
  });
  const port = await platform.listen(0);
  const ids = createIdSource(1, clock);
  const account = await new Accounts(sql, ids, clock).create({ username: 'shop', name: 'Shop' });
  const numbers = new ChatNumbers({ sql, ids, clock, secrets });
  const portfolio = await numbers.createPortfolio({
    accountId: account.id,
    name: 'Shop',
    tier: 250,
    platformId: BUSINESS,
    accessToken: TOKEN,
  });
  await numbers.addNumber({
    phone: NUMBER,
    accountId: account.id,
    portfolioId: portfolio.id,
    name: 'Shop',
    platformId: NUMBER_ID,
    messagesPerSecond: 80,
  });
  const client = new ChatPlatformClient({
    baseUrl: `http://127.0.0.1:${port}`,
    contactPage: 'https://carillon.example/contact',
  });
  const folder = newFolder();
  const deps: MediaDeps = {
    ...{ sql, ids, clock, log },
    store: new FolderStore(folder),
    spool: new Spool(join(folder, '.incoming')),
    sniffer: new Sniffer(),
    budgets: budgetsFor({ sql, clock }, {}, { files: heldFiles }),
    keepDays: 400,
    work: workFor({ sql, clock }),
  };
  const media = new Media(deps);
  const agents = [true, false].map((allowPrivate) => createGuardedAgent({ allowPrivate }));
  atEnd(async () => {
    await Promise.all([platform.close(), client.close(), ...agents.map((agent) => agent.close())]);
  });

  /** What fetches, as another process. */
  let processes = 0;
  const fetches = ({ guarded = false, ...other }: Partial<MediaDeps> & { guarded?: boolean } = {}) => {
    const made = new MediaFetches({
      ...{ ...deps, ...other, media },
      work: workFor({ sql, clock, log: other.log ?? log }, `process-${++processes}`),
    });
    made.addFetcher(MEDIA_ORIGIN, mediaFetcher({ client, numbers, agent: agents[guarded ? 1 : 0]! }));
    return made;
  };

  let files = 0;
  return {
    ...{ sql, clock, platform, media, fetches, folder, deps, ids, client, accountId: account.id },
    number: { phoneNumberId: NUMBER_ID, token: TOKEN },
    /** Puts a file on the platform; its id there. */
    onPlatform(bytes: Buffer, mimeType = 'image/jpeg'): string {
      const id = String(7_000 + ++files);
      platform.files.add({ id, accountId: BUSINESS, bytes, mimeType });
      return id;
    },
    /** Notes a file of a client; our id. */
    expect(bytes: Buffer, id: string, told: Partial<IncomingFile> = {}): Promise<number> {
      const file: IncomingFile = {
        kind: 'image',
        mimeType: 'image/jpeg',
        fileName: '',
        sha256: hash('sha256', bytes, 'base64'),
        from: { origin: MEDIA_ORIGIN, number: NUMBER, id },
        ...told,
      };
      return sql.begin((tx) => media.expect(tx, account.id, file));
    },
    async find(id: number): Promise<MediaFile> {
      return (await media.find(account.id, id))!;
    },
  };
}
