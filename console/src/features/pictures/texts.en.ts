/** Uploaded pictures. Fetched with the pages that use them. */
export const pictures = {
  choose: 'Choose picture',
  title: 'Pictures',
  upload: 'Upload picture',
  limits: 'JPEG, PNG or GIF, up to 2 MiB. Everyone who knows the address of a picture can see it.',
  none: 'No pictures yet',
  noneHint: 'Uploaded pictures appear here, for all emails of the account.',
  use: (name: string) => `Use ${name}`,
  unnamed: 'Picture',
  remove: (name: string) => `Delete ${name}`,
  removeTitle: 'Delete this picture?',
  removeText:
    'Emails that were sent with it show its description. The page of the account shows no logo if it is the logo.',
  removeAction: 'Delete picture',
  keep: 'Keep picture',
  removed: 'Picture deleted.',
};
