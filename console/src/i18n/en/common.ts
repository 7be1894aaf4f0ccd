import { errors } from './errors.ts';

/** Words that many pages use. */
export const common = {
  save: 'Save',
  back: 'Back',
  close: 'Close',
  add: 'Add',
  delete: 'Delete',
  copy: 'Copy',
  copied: 'Copied',
  search: 'Search',
  retry: 'Try again',
  showCharacters: 'Show characters',
  loading: 'Loading',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  rowsOfPage: (page: number) => `Page ${page}`,
  nothingHere: 'Nothing here yet',
  zone: (zone: string) => `Time zone: ${zone}`,
  hidden: {
    note: (what: string, role: string) => `${what} are hidden. The role “${role}” and higher roles see them.`,
    kinds: {
      'message-text': 'Message texts',
      'template-sample': 'Example values',
      'link-target': 'Full link addresses',
      'simulated-phone': 'Simulated phones',
      'webhook-url': 'Full webhook addresses',
      'delivery-content': 'Webhook requests and answers',
    },
  },
  errors,
};
