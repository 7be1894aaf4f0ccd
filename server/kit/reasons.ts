/** Reasons of problems, for programs. The console has a text for each in its languages. */
export type Reason =
  | 'missing'
  | 'wrong-type'
  | 'wrong-format'
  | 'not-one-of'
  | 'too-long'
  | 'too-short'
  | 'too-many'
  | 'too-few'
  | 'too-large'
  | 'too-small'
  | 'out-of-range'
  | 'not-a-phone'
  | 'not-a-phone-or-address'
  | 'not-an-address'
  | 'not-a-web-address'
  | 'not-a-time'
  | 'not-a-time-zone'
  | 'not-a-network'
  | 'not-an-amount'
  | 'not-a-prefix'
  | 'not-a-user-name'
  | 'not-a-sender'
  | 'not-one-line'
  | 'not-readable'
  | 'wrong-length'
  | 'name-with-link'
  | 'name-with-phone'
  | 'before-from'
  | 'span-too-long'
  | 'too-long-ago'
  | 'repeated'
  | 'unknown'
  | 'taken'
  | 'fixed'
  | 'nobody'
  | 'international'
  | 'denied-range'
  | 'is-subscriber'
  | 'other-event'
  | 'lacks-code'
  | 'campaign-finished'
  | 'campaign-cancelled'
  | 'campaign-begun'
  | 'nothing-waits'
  | 'one-message'
  | 'account-suspended'
  | 'person-suspended'
  | 'last-of-role'
  | 'own-texts'
  | 'text-removed'
  | 'too-many-drafts'
  | 'changed-meanwhile'
  | 'somebody-writes'
  | 'sent-by-rule'
  | 'rule-does-nothing'
  | 'one-of-both'
  | 'not-opening-hours'
  | 'not-a-date'
  | 'not-a-shortcut'
  | 'not-a-keyword'
  | 'outside-hours'
  | 'no-consent'
  | 'consent-form'
  | 'consent-time'
  | 'no-hours'
  | 'no-provider'
  | 'not-confirmed'
  | 'no-identifier'
  | 'over-budget'
  | 'no-mail-relay'
  | 'not-a-chat-id'
  | StateReason
  | CodeReason
  | WebhookReason
  | ConnectorReason
  | FileReason
  | MailReason
  | TemplateReason
  | FreeFormReason;

/** Why something is not possible now. */
type StateReason =
  | 'limit-reached'
  | 'too-many-waiting'
  | 'asked-too-often'
  | 'token-revoked'
  | 'templates-fetched'
  | 'platform-refuses'
  | 'template-state'
  | 'no-chat-app'
  | 'being-submitted'
  | 'secrets-missing'
  | 'no-look-up'
  | 'look-ups-used-up'
  | 'no-attempt-waits'
  | 'not-suspended'
  | 'not-an-sms-connector'
  | 'connector-disabled'
  | 'work-not-repeatable'
  | 'work-not-discardable'
  | 'work-in-progress'
  | 'import-stopped'
  | 'sender-approved'
  | 'export-not-done'
  | 'no-replies'
  | 'used-by-account'
  | 'archive-not-ready'
  | 'upload-too-slow'
  | 'file-not-ready'
  | 'file-not-fetched'
  | 'no-authenticator'
  | 'has-authenticator'
  | 'no-second-factor'
  | 'second-factor-kept'
  | 'own-factor-first'
  | 'nothing-to-confirm'
  | 'no-host-name'
  | 'provider-disabled'
  | 'not-by-provider'
  | 'provider-first'
  | 'never-within-hours';

/** Rules of the fraud guard that stop a one-time code. */
export type CodeReason = 'phone-limit' | 'account-limit' | 'spending-cap' | 'neighbours' | 'conversion';

/** Problems of addresses that the service calls. */
type WebhookReason =
  | 'not-signed'
  | 'unknown-event'
  | 'only-webhooks'
  | 'no-events'
  | 'forbidden-address'
  | 'endpoint-off'
  | 'needs-span';

/** Problems of connectors to carriers and routes. */
type ConnectorReason =
  | 'connector-taken'
  | 'connector-configured'
  | 'connector-in-use'
  | 'connector-twice'
  | 'no-such-connector'
  | 'other-protocol'
  | 'route-taken'
  | 'too-many-routes';

/** Problems of uploaded files, and of the columns of CSV files. */
type FileReason =
  | 'not-utf8'
  | 'first-row'
  | 'column-name-too-long'
  | 'columns-differ'
  | 'unnamed-columns'
  | 'no-phone-column'
  | 'no-email-column'
  | 'same-columns'
  | 'too-many-fields'
  | 'file-type'
  | 'picture-type';

type MailReason = 'no-content' | 'too-many-links' | 'too-many-mail-templates';

/** Problems of chat templates before their submission. */
type TemplateReason =
  | 'template-name'
  | 'given-by-platform'
  | 'code-button'
  | 'only-authentication'
  | 'only-marketing'
  | 'not-with-offer'
  | 'offer-header'
  | 'variable-form'
  | 'variable-gaps'
  | 'variable-not-here'
  | 'variable-at-end'
  | 'too-many-variables'
  | 'too-long-filled'
  | 'sample-missing'
  | 'samples-differ'
  | 'sample-line'
  | 'sample-type'
  | 'sample-fetched'
  | 'sample-address'
  | 'too-many-buttons'
  | 'replies-apart'
  | 'same-buttons'
  | 'coupon-code'
  | 'international-form';

/** Problems of chat messages with buttons and carousels. */
type FreeFormReason =
  | 'replies-or-opens'
  | 'same-button'
  | 'no-emoji'
  | 'no-target'
  | 'buttons-alike'
  | 'media-alike'
  | 'text-of-all-cards'
  | 'too-many-lines'
  | MediaReason;

/** Problems of media links. */
type MediaReason = 'media-address' | 'media-type' | 'media-size' | 'media-missing';

/** A reason with its values, such as `too-long` with `{ max: 50 }`. */
export interface ProblemDetail {
  readonly reason: Reason;
  readonly params?: Readonly<Record<string, string | number>>;
}
