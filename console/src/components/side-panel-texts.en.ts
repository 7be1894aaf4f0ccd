/** Texts of the side panel. */
export const sidePanel = {
  previous: 'Previous (K)',
  next: 'Next (J)',
  close: 'Close (Esc)',
  raw: 'Raw JSON',
  copyId: 'Copy ID',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  openPage: 'Open page',
};
