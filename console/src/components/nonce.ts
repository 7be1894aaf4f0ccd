declare global {
  /** Where react-remove-scroll, which is below Mantine's dialogs, looks for the nonce of its styles. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce of this page load, without which the Content-Security-Policy applies no style that a script makes. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
globalThis.__webpack_nonce__ = nonce;
