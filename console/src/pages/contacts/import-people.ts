import { client } from '../../api/client.ts';
import {
  ANY,
  type ConsentChannel,
  type ConsentChoice,
  consentQuery,
} from '../../features/imports/consent-choice.ts';
import type { ExistingRows } from '../../features/imports/existing-rows.tsx';
import { importIntoContactList, importIntoMailList } from '../../features/imports/import-requests.ts';
import type { Destination } from './import-lists.tsx';

/** A file and what is done with it. */
interface PeopleImport {
  readonly file: File;
  readonly named: boolean;
  /** Columns of the contact list and the mailing list, as their imports name them. */
  readonly contactColumns: string;
  readonly mailColumns: string;
  readonly contacts: Destination;
  readonly mail: Destination;
  readonly existing: ExistingRows;
  readonly consent: ConsentChoice | undefined;
}

/** Created lists and imports: a repeated attempt after a failure continues after them. */
export interface Progress {
  contactList?: string;
  contactImport?: string;
  mailList?: string;
  mailImport?: string;
}

/** Channels of the consents that each kind of list records. */
export const contactChannels: readonly ConsentChannel[] = ['sms', 'voice', 'chat'];
export const mailChannels: readonly ConsentChannel[] = ['mail'];

/**
 * Creates the new lists and uploads the file for each list. Records each step in `progress`.
 *
 * @returns the address of the page that shows the progress
 */
export async function importPeople(plan: PeopleImport, progress: Progress): Promise<string> {
  const { file, contacts, mail, existing, consent } = plan;
  const header = plan.named ? 'yes' : 'no';
  const consentFor = (channels: readonly ConsentChannel[]) =>
    consent && (consent.channel === ANY || channels.includes(consent.channel))
      ? consentQuery(consent, file)
      : {};
  if (contacts.kind !== 'none') {
    progress.contactList ??=
      contacts.kind === 'list' ? contacts.id : (await newContactList(contacts.name)).id;
    progress.contactImport ??= await importIntoContactList(progress.contactList, file, {
      ...{ header, existing, columns: plan.contactColumns },
      consent: consentFor(contactChannels),
    });
  }
  if (mail.kind !== 'none') {
    progress.mailList ??= mail.kind === 'list' ? mail.id : (await newMailList(mail.name)).id;
    progress.mailImport ??= await importIntoMailList(progress.mailList, file, {
      ...{ header, existing, columns: plan.mailColumns },
      consent: consentFor(mailChannels),
    });
  }
  const { contactImport, mailList, mailImport } = progress;
  if (mailImport === undefined) return `/imports/${contactImport}`;
  const ofMail = `/mailing-lists/${mailList}/imports/${mailImport}`;
  return contactImport === undefined ? ofMail : `${ofMail}?with=${contactImport}`;
}

const newContactList = (name: string) => client.POST('/v1/contact-lists', { body: { name: name.trim() } });
const newMailList = (name: string) => client.POST('/v1/mail/lists', { body: { name: name.trim() } });
