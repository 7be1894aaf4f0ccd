import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { type ConsentChoice, consentQuery } from './consent-choice.ts';
import type { ExistingRows } from './existing-rows.tsx';
import type { Header } from './import-card.tsx';

export type Preview = Answer<'/v1/contact-lists/{id}/preview', 'POST'>;

/** Bytes at the beginning of a file that are uploaded for a preview. */
const SAMPLE_BYTES = 128 * 1024;

interface Choice {
  readonly header: Header;
  /**
   * Target of each column: `phone`, the number of a field, or '' to leave it out; undefined lets the service choose by the
   * column names.
   */
  readonly targets: readonly string[] | undefined;
}

const queryOf = ({ header, targets }: Choice) => ({
  header,
  ...(targets && { columns: targets.join(',') }),
});

/** Preview of an import, from the beginning of a file. */
export async function previewFile(listId: string, file: File, choice: Choice): Promise<Preview> {
  const data = await client.POST('/v1/contact-lists/{id}/preview', {
    path: { id: listId },
    query: queryOf(choice),
    body: file.slice(0, SAMPLE_BYTES),
  });
  return data;
}

/** Uploads a file for import into a list, with the consent of its people. Returns the id of the import. */
export async function importIntoList(
  listId: string,
  file: File,
  { existing, ...choice }: Choice & { readonly existing?: ExistingRows },
  consent?: ConsentChoice,
): Promise<string> {
  const data = await client.POST('/v1/contact-lists/{id}/import', {
    path: { id: listId },
    query: { ...queryOf(choice), ...(existing && { existing }), ...consentQuery(consent, file) },
    body: file,
  });
  return data.id;
}

/** Uploads a file for import into the blacklist. Returns the id of the import. */
export async function importIntoBlacklist(file: File, header: Header): Promise<string> {
  const data = await client.POST('/v1/blacklist/import', {
    query: { header },
    body: file,
  });
  return data.id;
}
