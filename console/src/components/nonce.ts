declare global {
  /** react-remove-scroll, which Mantine's dialogs use, reads the nonce of its styles here. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce of this page load, without which the Content-Security-Policy applies no style that a script makes. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
globalThis.__webpack_nonce__ = nonce;
