import { client } from '../../api/client.ts';
import type { Answer, Input } from '../../api/operations.ts';
import type { ExistingRows } from './existing-rows.tsx';
import type { Header } from './import-card.tsx';

export type Preview = Answer<'/v1/recipients/preview', 'POST'>;
/** How a file is read, and the lists that it goes to. */
type PreviewQuery = NonNullable<Input<'/v1/recipients/preview', 'POST'>['query']>;

/** Bytes at the beginning of a file that are uploaded for a preview. */
const SAMPLE_BYTES = 128 * 1024;

/** How a file is imported into one list. */
interface ImportOptions {
  readonly header: Header;
  /** Columns, as the import of the list names them; without it, the names in the file decide. */
  readonly columns?: string;
  readonly existing?: ExistingRows;
  /** Parameters of the consent of its people. */
  readonly consent?: object;
}

/** Preview of an import, from the beginning of a file. */
export const previewFile = (file: File, query: PreviewQuery): Promise<Preview> =>
  client.POST('/v1/recipients/preview', { query, body: file.slice(0, SAMPLE_BYTES) });

/** Uploads a file for import into a contact list. Returns the id of the import. */
export async function importIntoContactList(
  id: string,
  file: File,
  { consent, ...options }: ImportOptions,
): Promise<string> {
  const query = { ...options, ...consent };
  const job = await client.POST('/v1/contact-lists/{id}/import', { path: { id }, query, body: file });
  return job.id;
}

/** Uploads a file for import into a mailing list. Returns the id of the import. */
export async function importIntoMailList(
  id: string,
  file: File,
  { consent, ...options }: ImportOptions,
): Promise<string> {
  const query = { ...options, ...consent };
  const job = await client.POST('/v1/mail/lists/{id}/import', { path: { id }, query, body: file });
  return job.id;
}

/** Uploads a file for import into the blacklist. Returns the id of the import. */
export async function importIntoBlacklist(file: File, header: Header): Promise<string> {
  const data = await client.POST('/v1/blacklist/import', {
    query: { header },
    body: file,
  });
  return data.id;
}
