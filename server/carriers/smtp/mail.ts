/** A mail as it goes to a relay: written (RFC 5322), with CRLF at the end of each line. */
export interface OutgoingMail {
  readonly envelope: { readonly from: string; readonly to: string };
  /** Fields of the header, each with its name and folded, without the CRLF at its end. */
  readonly fields: readonly string[];
  readonly body: string;
}
