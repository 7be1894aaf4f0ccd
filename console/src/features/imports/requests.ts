import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { type ConsentChoice, consentQuery } from './consent-choice.ts';
import type { Header } from './import-card.tsx';

export type Preview = Answer<'/v1/contact-lists/{id}/preview', 'POST'>;

/** What the service reads of a file for a preview. */
const SAMPLE_BYTES = 128 * 1024;

interface Choice {
  readonly header: Header;
  /** By column: `phone`, the number of a field, or '' for one that is left out; undefined: as the service finds by their names. */
  readonly targets: readonly string[] | undefined;
}

const queryOf = ({ header, targets }: Choice) => ({
  header,
  ...(targets && { columns: targets.join(',') }),
});

/** What an import would make of the beginning of a file. */
export async function previewFile(listId: string, file: File, choice: Choice): Promise<Preview> {
  const data = await client.POST('/v1/contact-lists/{id}/preview', {
    path: { id: listId },
    query: queryOf(choice),
    body: file.slice(0, SAMPLE_BYTES),
  });
  return data;
}

/** Sends a file to be imported into a list, with what its people agreed to; gives the id of the import. */
export async function importIntoList(
  listId: string,
  file: File,
  choice: Choice,
  consent?: ConsentChoice,
): Promise<string> {
  const data = await client.POST('/v1/contact-lists/{id}/import', {
    path: { id: listId },
    query: { ...queryOf(choice), ...consentQuery(consent, file) },
    body: file,
  });
  return data.id;
}

/** Sends a file to be imported into the blacklist; gives the id of the import. */
export async function importIntoBlacklist(file: File, header: Header): Promise<string> {
  const data = await client.POST('/v1/blacklist/import', {
    query: { header },
    body: file,
  });
  return data.id;
}
