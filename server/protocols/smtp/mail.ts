/** An email ready for a relay (RFC 5322), with CRLF at the end of each line. */
export interface OutgoingMail {
  readonly envelope: { readonly from: string; readonly to: string };
  /** Header fields, each with its name and folded, without the CRLF at its end. */
  readonly fields: readonly string[];
  readonly body: string;
}
