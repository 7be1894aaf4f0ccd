import { chapter, row } from '../row.ts';

/** Kannel's interface (docs/migrating.md). */
export const kannel = chapter({
  key: 'kannel',
  title: 'Interfaces of other gateways: Kannel',
  bothForms: false,
  rows: [
    row('accepted', '`GET /cgi-bin/sendsms` answers 202, `0: Accepted for delivery`'),
    row('several', '`user` and `pass`; several numbers in one `to`'),
    row('post', 'a `POST` with a form, or with a text and `X-Kannel-…` headers'),
    row('charset', '`charset` and `coding` say how to read `text`'),
    row('dlr', '`dlr-url` with its codes, for the statuses of `dlr-mask`'),
    row('dlr.failed', 'reports of messages that are not delivered, or not sent'),
    row('dlr.again', 'a report that is not accepted is sent again'),
    row('times', '`deferred` and `validity`'),
    row('dlt', 'ids of DLT in the group `smpp` of `meta-data`'),
    row('key', 'a repeated request with `Idempotency-Key` sends once'),
    row('refusals', 'statuses and texts of refusals'),
    row('secret', 'tokens, texts and numbers are in no log'),
  ],
});
