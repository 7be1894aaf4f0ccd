import { join, resolve } from 'node:path';
import { type Config, ConfigError } from '../../kit/config.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { TlsPeer } from '../../kit/tls-faults.ts';
import { MediaFetches } from './fetches.ts';
import { FolderStore } from './folder-store.ts';
import { Media, type MediaDeps, type MediaFiles } from './media.ts';
import { S3Store } from './s3-store.ts';
import { Sniffer } from './sniffer.ts';
import { Spool } from './spool.ts';
import type { MediaStore } from './store.ts';

/** Inside the folder of the store and therefore on its file system. No account has this name. */
const SPOOL = '.incoming';

type Settings = Pick<
  Config,
  | 'DATA_DIR'
  | 'MEDIA_DIR'
  | 'MEDIA_KEEP_DAYS'
  | 'MEDIA_S3_URL'
  | 'MEDIA_S3_REGION'
  | 'MEDIA_S3_ACCESS_KEY_ID'
  | 'MEDIA_S3_SECRET_ACCESS_KEY'
>;

/** Opens the configured media store. Throws ConfigError for an S3-compatible store without its keys. */
export function openMedia(
  deps: Pick<MediaDeps, 'sql' | 'ids' | 'clock' | 'log' | 'budgets' | 'work'> & { readonly config: Settings },
): {
  readonly media: Media;
  readonly mediaFetches: MediaFetches;
  readonly mediaFiles: MediaFiles;
  closeMedia(): Promise<void>;
} {
  const { config, log } = deps;
  const folder = folderOf(config);
  const store = storeOf(config, folder, log);
  const mediaFiles = { store, spool: new Spool(join(folder, SPOOL)), sniffer: new Sniffer() };
  const withStore = { ...deps, ...mediaFiles, keepDays: config.MEDIA_KEEP_DAYS };
  const media = new Media(withStore);
  return {
    media,
    mediaFetches: new MediaFetches({ ...withStore, media }),
    mediaFiles,
    closeMedia: () => store.close(),
  };
}

const folderOf = ({ MEDIA_DIR, DATA_DIR }: Pick<Settings, 'MEDIA_DIR' | 'DATA_DIR'>): string =>
  MEDIA_DIR === undefined ? join(DATA_DIR, 'media') : resolve(MEDIA_DIR);

/** Folder in which the configured media store keeps its files; undefined for a store outside of this machine. */
export const mediaFolderOf = (
  config: Pick<Settings, 'MEDIA_DIR' | 'DATA_DIR' | 'MEDIA_S3_URL'>,
): string | undefined => (config.MEDIA_S3_URL === undefined ? folderOf(config) : undefined);

function storeOf(config: Settings, folder: string, log: Logger): MediaStore {
  const { MEDIA_S3_URL: url, MEDIA_S3_REGION: region } = config;
  if (url === undefined) return new FolderStore(folder);
  const { MEDIA_S3_ACCESS_KEY_ID: accessKeyId, MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError('MEDIA_S3_URL needs MEDIA_S3_ACCESS_KEY_ID and MEDIA_S3_SECRET_ACCESS_KEY');
  }
  return new S3Store({ url, region, accessKeyId, secretAccessKey }, new TlsPeer('media store', log));
}
