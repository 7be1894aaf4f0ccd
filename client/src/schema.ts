// Written by `npm run console:types` from /docs/openapi.json. Not to be changed by hand.

/** A file that is sent. */
export type FileBody = string | Uint8Array<ArrayBuffer> | Blob;

export interface Operations {
  /** Send an SMS */ "POST /api#sms": { body: {
      "sms": components['schemas']["sms"] }; answer: components['schemas']["smsAnswer"] };
  /** Send many SMS */ "POST /api#bulk": { body: {
      "bulk": components['schemas']["bulk"] }; answer: components['schemas']["bulkAnswer"] };
  /** List drafts */ "GET /v1/drafts": { query?: ListDraftsQuery; answer: {
      "drafts": (Drafts)[] } };
  /** Create a draft */ "POST /v1/drafts": { query?: ListDraftsQuery; body: {
      /** The channel that it is composed for. */ "channel": "sms" | "chat" | "mail" | "voice";
      /** What it is known by in a list: the name of the campaign, or how its text begins. */ "title"?: string;
      /** The values of the composer. They are stored as they are, and checked when they are sent. */ "content": { [name: string]: unknown } }; answer: Drafts };
  /** Show a draft */ "GET /v1/drafts/{id}": { path: ShowDraftPath; query?: ListDraftsQuery; answer: {
      /** Its id. */ "id": string;
      /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
      /** `title`. Without the role `sender` or a token with the scope `read`: `••••••`. */ "title": string;
      /** Grows with every save, from 1. */ "version": number;
      /** The person who saved it last; null: a token. */ "updated_by": string | null;
      /** When it was saved last, ISO 8601. */ "updated_at": string;
      /** `content`. */ "content": { [name: string]: unknown } } };
  /** Save a draft */ "PUT /v1/drafts/{id}": { path: ShowDraftPath; query?: ListDraftsQuery; body: {
      /** The `version` that was changed. */ "version": number;
      /** What it is known by in a list: the name of the campaign, or how its text begins. */ "title"?: string;
      /** The values of the composer. They are stored as they are, and checked when they are sent. */ "content": { [name: string]: unknown } }; answer: Drafts };
  /** Delete a draft */ "DELETE /v1/drafts/{id}": { path: ShowDraftPath; query?: ListDraftsQuery; answer: {
      /** True. */ "done": boolean } };
  /** Send a text by SMS or call */ "POST /v1/sms": { query?: ListDraftsQuery; body: {
      /** The sender: a verified number of the account in any spelling, or an approved name of at most 11 characters. */ "source": string;
      /** The text. */ "message": string;
      /** Links that are shortened, and whose clicks are counted. */ "links"?: (Links)[];
      /** Goes in front for programs that read codes: `#` makes `<#>` and a space. */ "tag"?: string;
      /** Whether `[DYNAMIC_FIELD1]` to `[DYNAMIC_FIELD6]` become the fields of the contact. Takes one contact list and no phones. */ "dynamic"?: boolean;
      /** The removal text that is added: a link, or the word to reply. */ "removal"?: "link" | "reply" | null;
      /** Reads the text aloud on the telephone: each call is a message of its own, with its own price and status. Links, the tag and how to be removed are not read; codes, phone numbers and dates are said digit by digit. */ "tts"?: Tts | null;
      /** Numbers in any spelling, each sent to once; or objects with `phone` and your own `id`, to find the message by. */ "phones"?: (string | Phones)[];
      /** Contact lists, by their ids. */ "lists"?: (string)[];
      /** Whether numbers of other countries may be among them. */ "includes_international"?: boolean;
      /** 1 to 14: leaves out who got a message of the account in the last that many days. */ "recent_days"?: number | null;
      /** When to send; now when it is absent or past, ISO 8601 with an offset. */ "at"?: string | null;
      /** Hours of each day in which its messages are sent, as `10:00-18:00`, within those of the sending policy; outside them they wait, or fail where the policy says so. null: those of the policy. */ "sending_hours"?: string | null;
      /** Whether it is exempt from the sending policy, like a receipt or an alarm. Only where the policy allows it. */ "transactional"?: boolean;
      /** Stands in reports and is searched for. */ "campaign_name"?: string }; answer: {
      /** The shipment. */ "shipment_id": string } };
  /** Estimate a send */ "POST /v1/sms/estimate": { query?: ListDraftsQuery; body: {
      /** The text. */ "message": string;
      /** Links that are shortened, and whose clicks are counted. */ "links"?: (Links)[];
      /** Goes in front for programs that read codes: `#` makes `<#>` and a space. */ "tag"?: string;
      /** Whether `[DYNAMIC_FIELD1]` to `[DYNAMIC_FIELD6]` become the fields of the contact. Takes one contact list and no phones. */ "dynamic"?: boolean;
      /** The removal text that is added: a link, or the word to reply. */ "removal"?: "link" | "reply" | null;
      /** Reads the text aloud on the telephone: each call is a message of its own, with its own price and status. Links, the tag and how to be removed are not read; codes, phone numbers and dates are said digit by digit. */ "tts"?: Tts | null;
      /** Numbers in any spelling, each sent to once; or objects with `phone` and your own `id`, to find the message by. */ "phones"?: (string | Phones)[];
      /** Contact lists, by their ids. */ "lists"?: (string)[];
      /** Whether numbers of other countries may be among them. */ "includes_international"?: boolean;
      /** 1 to 14: leaves out who got a message of the account in the last that many days. */ "recent_days"?: number | null;
      /** When to send; now when it is absent or past, ISO 8601 with an offset. */ "at"?: string | null;
      /** Hours of each day in which its messages are sent, as `10:00-18:00`, within those of the sending policy; outside them they wait, or fail where the policy says so. null: those of the policy. */ "sending_hours"?: string | null;
      /** Whether it is exempt from the sending policy, like a receipt or an alarm. Only where the policy allows it. */ "transactional"?: boolean }; answer: {
      /** As a recipient without dynamic fields gets it, with links as long as they will be. */ "text": string;
      /** The text with the fields of the first contact of the first list; null without one. */ "preview": string | null;
      /** The alphabet: `ucs2` for all but Latin letters. */ "encoding": "gsm7" | "ucs2";
      /** Parts of that text. */ "parts": number;
      /** How much of the alphabet it takes: letters, some count twice. */ "units": number;
      /** How many more fit into as many parts. */ "units_left": number;
      /** Credits of one part to the first of the phones. */ "part_price": string;
      /** Who gets it, contacts of lists as far as known. */ "recipients": number;
      /** Phones that are on the blacklist. */ "blocked": number;
      /** Phones that are left out by `recent_days`. */ "recent": number;
      /** Those of the recipients who have no standing consent to marketing messages on the channel: they are left out and cost nothing. Exact for single recipients and lists of up to 5,000, from the first 5,000 of longer ones. null: the sending policy asks for none. */ "without_consent": number | null;
      /** Credits; for lists of over 500 contacts by their first. */ "cost": string;
      /** Credits of the account. */ "balance": string;
      /** Whether these are enough. */ "enough": boolean;
      /** With `tts`: what would be said, and what calls cost. */ "voice": {
        /** The spoken text; empty when nothing of it can be read aloud. */ "text": string;
        /** Calls that would be made; null for lists of which only the kosher phones are called. */ "calls": number | null;
        /** Credits of a call to the first of the phones. */ "call_price": string;
        /** Why this service can make no calls now, in words; it would be refused then. */ "problem": string | null;
        /** Why `/v1/speech/preview` can say nothing now, in words. */ "speech_problem": string | null } | null;
      /** When its first message would be submitted: by `at`, and by the sending policy, ISO 8601. */ "starts_at": string;
      /** When the last message would be submitted, by the queue and the rates of the carrier connections, ISO 8601. */ "finishes_at": string } };
  /** Preview speech */ "POST /v1/speech/preview": { query?: ListDraftsQuery; body: {
      /** The text. */ "text": string;
      /** Who says it. */ "voice"?: "ymMale" | "ymFemale";
      /** How fast, `-10` to `10`; ten steps are twice as fast. */ "rate"?: number }; answer: Response };
  /** Send a one-time code */ "POST /api#send_otp": { body: {
      "send_otp": components['schemas']["send_otp"] }; answer: components['schemas']["send_otpAnswer"] };
  /** Check a one-time code */ "POST /api#validate_otp": { body: {
      "validate_otp": components['schemas']["validate_otp"] }; answer: components['schemas']["validate_otpAnswer"] };
  /** List blocked sends */ "GET /v1/otp/blocks": { query?: ListBlockedCodesQuery; answer: {
      "blocks": ({
          /** Kind of the sends: one-time codes, automatic replies, questions to recipients of alerts, verifications of senders. */ "kind": "code" | "automatic-reply" | "alert-contact" | "verification";
          /** What stopped them. */ "rule": string;
          /** The first digits of the numbers. */ "prefix": string;
          /** How many. */ "count": number;
          /** The last of them. */ "last_phone": string;
          /** ISO 8601. */ "first_at": string;
          /** ISO 8601. */ "last_at": string;
          /** When the prefix was lifted last, ISO 8601; null: never. */ "lifted_at": string | null })[] } };
  /** Show the conversion of one-time codes */ "GET /v1/otp/conversion": { query?: ListBlockedCodesQuery; answer: {
      "prefixes": ({
          /** The first digits of the numbers. */ "prefix": string;
          /** Codes that were sent. */ "sent": number;
          /** Codes that were used. */ "verified": number;
          /** Numbers that they went to. */ "phones": number;
          /** Numbers that used one. */ "verified_phones": number;
          /** ISO 8601. */ "last_at": string })[] } };
  /** Count one-time codes by application */ "GET /v1/otp/applications": { query?: ListBlockedCodesQuery; answer: {
      "applications": ({
          /** `app_id` of the sends. */ "app_id": number;
          /** Codes that were sent. */ "sent": number;
          /** Codes that were used. */ "verified": number;
          /** Numbers that they went to. */ "phones": number;
          /** Numbers that used one. */ "verified_phones": number;
          /** ISO 8601. */ "last_at": string })[] } };
  /** Count one-time codes by hour */ "GET /v1/otp/hours": { query?: {
      /** ISO 8601 with an offset; a day before `to` without it. */ "from"?: string;
      /** Now without it; at most 31 days after `from`. */ "to"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "hours": ({
          /** When the hour begins, ISO 8601. */ "at": string;
          /** Codes that were sent. */ "sent": number;
          /** Of them, those that were used. */ "verified": number;
          /** Sends that were stopped. */ "stopped": number })[] } };
  /** Send a one-time code */ "POST /v1/otp": { query?: ListDraftsQuery; body: SendCodeBody; answer: {
      /** True. */ "done": boolean } };
  /** Estimate a one-time code */ "POST /v1/otp/estimate": { query?: ListDraftsQuery; body: SendCodeBody; answer: {
      /** The text, with 123456 for the code. */ "text": string;
      /** Parts of its text. */ "parts": number;
      /** Credits that it costs. */ "cost": string;
      /** Credits of the account. */ "balance": string;
      /** Whether these are enough. */ "enough": boolean } };
  /** Check a one-time code */ "POST /v1/otp/check": { query?: ListDraftsQuery; body: {
      /** A number in any spelling. */ "phone": string;
      /** What the person typed. */ "code": string;
      /** Keeps the codes of your applications apart. */ "app_id"?: number }; answer: {
      /** False for a code that is wrong, used, expired, replaced or guessed at too often. */ "verified": boolean } };
  /** Create contact lists */ "POST /api#newCL": { body: {
      "newCL": components['schemas']["newCL"] }; answer: components['schemas']["newCLAnswer"] };
  /** Delete contact lists */ "POST /api#removeCL": { body: {
      "removeCL": components['schemas']["removeCL"] }; answer: components['schemas']["removeCLAnswer"] };
  /** Add numbers to contact lists */ "POST /api#addNumCL": { body: {
      "addNumCL": components['schemas']["addNumCL"] }; answer: components['schemas']["addNumCLAnswer"] };
  /** Remove numbers from contact lists */ "POST /api#rmNumCL": { body: {
      "rmNumCL": components['schemas']["rmNumCL"] }; answer: components['schemas']["rmNumCLAnswer"] };
  /** List all contact lists */ "POST /api#getCL": { body: {
      "getCL": components['schemas']["getCL"] }; answer: components['schemas']["getCLAnswer"] };
  /** Get one contact list */ "POST /api#getCLbyID": { body: {
      "getCLbyID": components['schemas']["getCLbyID"] }; answer: components['schemas']["getCLbyIDAnswer"] };
  /** List contact lists */ "GET /v1/contact-lists": { query?: ListContactListsQuery; answer: {
      "contact_lists": (ContactLists)[] } };
  /** Create a contact list */ "POST /v1/contact-lists": { query?: ListDraftsQuery; body: {
      /** What people call it. */ "name": string;
      /** The names of the dynamic fields, in their order; empty for one without a name. */ "columns"?: (string)[] }; answer: ContactLists };
  /** Show a contact list */ "GET /v1/contact-lists/{id}": { path: ShowContactListPath; query?: ListDraftsQuery; answer: ContactLists };
  /** Rename a contact list or its fields */ "PATCH /v1/contact-lists/{id}": { path: ShowContactListPath; query?: ListDraftsQuery; body: {
      /** What people call it. */ "name"?: string;
      /** The names of the dynamic fields, in their order; empty for one without a name. */ "columns"?: (string)[] }; answer: ContactLists };
  /** Delete a contact list */ "DELETE /v1/contact-lists/{id}": { path: ShowContactListPath; query?: ListDraftsQuery; answer: {
      /** True. */ "done": boolean } };
  /** Export a contact list */ "GET /v1/contact-lists/{id}/export": { path: ShowContactListPath; query?: ListDraftsQuery; answer: Response };
  /** Start an export of a contact list */ "POST /v1/contact-lists/{id}/export": { path: ShowContactListPath; query?: ListDraftsQuery; answer: StartExportAnswer };
  /** Import a CSV file into a contact list */ "POST /v1/contact-lists/{id}/import": { path: ShowContactListPath; query?: {
      /** Whether the first row has the names of the columns; `auto` looks for itself. */ "header"?: "auto" | "yes" | "no";
      /** What the columns of the file are, in their order: `phone`, the number of a dynamic field, or nothing for one that is left out, as are those that are not named. Without it they are taken by their names. */ "columns"?: string;
      /** With it the people of the file are recorded in the consent log as having agreed: to messages on this channel, or on `any`. `consent_form` or `consent_text`, and `consent_at` or `consent_column`, are needed, too. */ "consent_channel"?: "sms" | "voice" | "chat" | "any";
      /** What they agreed to, in a word of yours; `marketing` without it. */ "consent_purpose"?: string;
      /** The name of the form by which they agreed. */ "consent_form"?: string;
      /** Its version. */ "consent_version"?: string;
      /** The text that they agreed to, as they saw it. */ "consent_text"?: string;
      /** Its language. */ "consent_language"?: string;
      /** When all of them agreed, ISO 8601 with an offset. */ "consent_at"?: string;
      /** The column that says when each agreed, from 1: a date or a time, as `2026-02-01`, `2026-02-01T08:00:00+02:00` or `01/02/2026 08:00`; without an offset in the zone of the account. Who has an empty cell is imported without a consent. It is a field, too, unless `columns` leaves it out. */ "consent_column"?: number;
      /** The name of the file, as evidence. */ "consent_file"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; body: FileBody; answer: ImportContactsAnswer };
  /** List imports */ "GET /v1/imports": { query?: {
      /** Only of this contact list; 0: of the blacklist. */ "list_id"?: string;
      /** Imports at most. */ "limit"?: number;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "imports": ({
          /** Its id. */ "id": string;
          /** The contact list, or the mailing list; null: the blacklist. */ "list_id": string | null;
          /** Its state. */ "state": "receiving" | "waiting" | "running" | "done" | "stopped" | "failed";
          /** Why it failed. */ "problem": string | null;
          /** Size of the file. */ "bytes": number;
          /** Rows until now. */ "rows": number;
          /** ISO 8601. */ "created_at": string;
          /** ISO 8601; null until then. */ "finished_at": string | null;
          /** How much of the file has been read. */ "bytes_done": number;
          /** Numbers, or users, that were added. */ "added": number;
          /** Those that were in the list already. */ "present": number;
          /** Rows that could not be used. */ "refused": number;
          /** Consents that were recorded. */ "consents": number })[] } };
  /** Show the progress of an import */ "GET /v1/imports/{id}": { path: ShowImportPath; query?: ListDraftsQuery; answer: ImportContactsAnswer };
  /** Cancel an import */ "POST /v1/imports/{id}/stop": { path: ShowImportPath; query?: ListDraftsQuery; answer: ImportContactsAnswer };
  /** List rejected rows of an import */ "GET /v1/imports/{id}/refused": { path: ShowImportPath; query?: ListDraftsQuery; answer: Response };
  /** Show the progress of an export */ "GET /v1/exports/{id}": { path: ShowExportPath; query?: ListDraftsQuery; answer: StartExportAnswer };
  /** Cancel an export */ "POST /v1/exports/{id}/stop": { path: ShowExportPath; query?: ListDraftsQuery; answer: StartExportAnswer };
  /** Download an export */ "GET /v1/exports/{id}/file": { path: ShowExportPath; query?: ListDraftsQuery; answer: Response };
  /** Find a number in contact lists */ "GET /v1/contacts": { query: {
      /** A number in any spelling. */ "phone": string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "lists": ({
          /** Its id, `cl_id` in the SMS family. */ "id": string;
          /** Its name. */ "name": string;
          /** The names of its dynamic fields. */ "columns": (string)[];
          /** How many numbers it has. */ "count": number;
          /** ISO 8601. */ "created_at": string;
          /** Its dynamic fields, in the order of the columns of the list. */ "fields": (string | null)[] })[] } };
  /** List contacts */ "GET /v1/contact-lists/{id}/contacts": { path: ShowContactListPath; query?: ListContactsQuery; answer: {
      "contacts": ({
          /** The number. */ "phone": string;
          /** Its dynamic fields, in the order of the columns of the list. */ "fields": (string | null)[] })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Add contacts to a list, or change them */ "POST /v1/contact-lists/{id}/contacts": { path: ShowContactListPath; query?: ListDraftsQuery; body: {
      /** The contacts; one that the list has already stays as it is, without `replace`. */ "contacts": ({
          /** A number in any spelling. */ "phone": string;
          /** Its dynamic fields. */ "fields"?: (string | null)[] })[];
      /** Whether contacts that the list has already get these fields. */ "replace"?: boolean }; answer: {
      /** How many were added. */ "added": number;
      /** How many the list had already. */ "present": number } };
  /** Remove contacts from a list */ "POST /v1/contact-lists/{id}/contacts/remove": { path: ShowContactListPath; query?: ListDraftsQuery; body: {
      /** Numbers in any spelling. */ "phones": (string)[] }; answer: {
      /** How many were taken out. */ "removed": number;
      /** How many the list did not have. */ "absent": number } };
  /** Preview an import */ "POST /v1/contact-lists/{id}/preview": { path: ShowContactListPath; query?: {
      /** Whether the first row has the names of the columns; `auto` looks for itself. */ "header"?: "auto" | "yes" | "no";
      /** What the columns of the file are, in their order: `phone`, the number of a dynamic field, or nothing for one that is left out, as are those that are not named. Without it they are taken by their names. */ "columns"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; body: FileBody; answer: {
      /** Comma, semicolon or tab. */ "separator": string;
      /** Whether the first row has the names of the columns. */ "named": boolean;
      /** The columns of the file. */ "columns": ({
          /** Its name in the file. */ "name": string | null;
          /** `phone`, the number of the dynamic field that it is, or null: it is left out. */ "target": string | null })[];
      /** It has more columns than a contact has fields: without `columns` it cannot be imported. */ "too_many_columns": boolean;
      /** The first rows with data. */ "rows": ({
          /** Line of the file, the first is 1. */ "line": number;
          /** As they stand in the file. */ "fields": (string)[];
          /** The number; null when the row cannot be used. */ "phone": string | null;
          /** Why it cannot be used. */ "problem": string | null })[] } };
  /** Add a subscriber */ "POST /api#addSub": { body: {
      "addSub": components['schemas']["addSub"] }; answer: components['schemas']["addSubAnswer"] };
  /** Change a subscriber's credit */ "POST /api#updateAmountSub": { body: {
      "updateAmountSub": components['schemas']["updateAmountSub"] }; answer: components['schemas']["updateAmountSubAnswer"] };
  /** List balances of subscribers */ "POST /api#getBlanceSubs": { body: {
      "getBlanceSubs": components['schemas']["getBlanceSubs"] }; answer: components['schemas']["getBlanceSubsAnswer"] };
  /** List subscribers */ "GET /v1/subscribers": { query?: {
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** Those whose user name or name has this in it. */ "search"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "subscribers": (Subscribers)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Add a subscriber */ "POST /v1/subscribers": { query?: ListDraftsQuery; body: {
      /** What people call it. */ "name": string;
      /** English letters, digits and `.` `_` `@` `-`; nobody else may have it. */ "username": string;
      /** Its password. */ "password": string;
      /** Its sender. */ "source": string;
      /** Credits of the account's that it begins with. */ "amount"?: string | number;
      /** A phone for codes at sign-in. */ "otp_phone"?: string }; answer: Subscribers };
  /** Show a subscriber */ "GET /v1/subscribers/{id}": { path: {
      /** The id of the subscriber. */ "id": string }; query?: ListDraftsQuery; answer: Subscribers };
  /** Get delivery reports by your ids */ "POST /api#dlr": { body: {
      "dlr": components['schemas']["dlr"] }; answer: components['schemas']["dlrAnswer"] };
  /** Get delivery reports of a week */ "POST /api#dlrByDate": { body: {
      "dlrByDate": components['schemas']["dlrByDate"] }; answer: components['schemas']["dlrByDateAnswer"] };
  /** Get delivery reports of calls */ "POST /api#ttsDlr": { body: {
      "ttsDlr": components['schemas']["ttsDlr"] }; answer: components['schemas']["ttsDlrAnswer"] };
  /** Get incoming SMS */ "POST /api#incoming": { body: {
      "incoming": components['schemas']["incoming"] }; answer: components['schemas']["incomingAnswer"] };
  /** List shipments with links */ "GET /v1/links": { query?: ListLinkedShipmentsQuery; answer: {
      "shipments": ({
          /** Its id. */ "id": string;
          /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
          /** `campaign_name` of the send. */ "campaign_name": string | null;
          /** Messages that are made. */ "messages": number;
          /** When it was accepted, ISO 8601. */ "accepted_at": string;
          /** How many links it has. */ "links": number;
          /** Where the first of them leads. Without the role `sender` or a token with the scope `read`: no more than the host and `••••••`. */ "url": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Count clicks of a shipment by hour */ "GET /v1/shipments/{id}/clicks/hours": { path: ListClickHoursPath; query?: ListDraftsQuery; answer: {
      "hours": ({
          /** When the hour begins, ISO 8601. */ "at": string;
          /** How often links were followed in it. */ "clicks": {
            /** By browsers. */ "person": number;
            /** By programs that show what a link leads to. */ "preview": number;
            /** By other programs. */ "bot": number } })[] } };
  /** List links of a shipment */ "GET /v1/shipments/{id}/links": { path: ListClickHoursPath; query?: ListDraftsQuery; answer: {
      "links": ({
          /** Its id. */ "id": string;
          /** Its `id` in the request: `[link-<id>]`. */ "key": string;
          /** Where it leads. Without the role `sender` or a token with the scope `read`: no more than the host and `••••••`. */ "url": string;
          /** How often it was followed. */ "clicks": {
            /** By browsers. */ "person": number;
            /** By programs that show what a link leads to. */ "preview": number;
            /** By other programs. */ "bot": number };
          /** By how many recipients. */ "recipients": {
            /** By browsers. */ "person": number;
            /** By programs that show what a link leads to. */ "preview": number;
            /** By other programs. */ "bot": number } })[] } };
  /** List recipients who clicked */ "GET /v1/shipments/{id}/clicks": { path: ListClickHoursPath; query?: {
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "clicks": ({
          /** The recipient. */ "phone": string | null;
          /** The `id` of the phone in the request. */ "external_id": string | null;
          /** The link. */ "link_id": string;
          /** Its `id` in the request. */ "key": string | null;
          /** How often the recipient followed it. */ "clicks": {
            /** By browsers. */ "person": number;
            /** By programs that show what a link leads to. */ "preview": number;
            /** By other programs. */ "bot": number };
          /** ISO 8601. */ "first_at": string;
          /** ISO 8601. */ "last_at": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Search messages */ "GET /v1/messages": { query?: {
      /** A recipient: a number in any spelling, or the address of a mail as it was given. */ "phone"?: string;
      /** The id of a message. */ "id"?: string;
      /** Your own id of a message. */ "external_id"?: string;
      /** The shipment. */ "shipment_id"?: string;
      /** `campaign_name` of the send. */ "campaign_name"?: string;
      /** `waiting`: accepted and not submitted yet; `handed_over`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, where the network tells; `failed`; `cancelled`. */ "state"?: "waiting" | "handed_over" | "delivered" | "read" | "failed" | "cancelled";
      /** One of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** ISO 8601 with an offset: what was then or later. */ "from"?: string;
      /** ISO 8601 with an offset: what was before. */ "to"?: string;
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "messages": ({
          /** Its id. */ "id": string;
          /** The shipment that it is part of. */ "shipment_id": string;
          /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
          /** The recipient; of a mail the address. */ "phone": string;
          /** The sender, the business number, or of a mail the address that it comes from. */ "source": string;
          /** Your own id of it. */ "external_id": string | null;
          /** How many parts it has. */ "parts": number;
          /** What it costs, in credits. */ "price": string;
          /** `waiting`: accepted and not submitted yet; `handed_over`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, where the network tells; `failed`; `cancelled`. */ "state": "waiting" | "handed_over" | "delivered" | "read" | "failed" | "cancelled";
          /** As in delivery reports. */ "status": number;
          /** The status in words. */ "status_text": string;
          /** The network's own word for what happened last, the carrier's answer, or the reason of a chat message. */ "word": string | null;
          /** The carrier connection that it went over. */ "link": string | null;
          /** When it was accepted, ISO 8601. */ "accepted_at": string;
          /** When it was submitted, ISO 8601; null: never. */ "handed_over_at": string | null;
          /** When it was delivered, failed or was cancelled, ISO 8601; null: never. */ "ended_at": string | null;
          /** When it was read, ISO 8601; null: never. */ "read_at": string | null;
          /** Of one that failed: why. */ "failure": Failure | null;
          /** What it says; of a template the values, of a one-time code or the link of a verification the text with `••••••` in its place. Null for a mail, which says what its campaign does, and for a message that never had a text. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
          /** Whether it had a text that is kept no longer. */ "text_removed": boolean })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Export messages */ "GET /v1/messages.csv": { query?: {
      /** A recipient: a number in any spelling, or the address of a mail as it was given. */ "phone"?: string;
      /** The id of a message. */ "id"?: string;
      /** Your own id of a message. */ "external_id"?: string;
      /** The shipment. */ "shipment_id"?: string;
      /** `campaign_name` of the send. */ "campaign_name"?: string;
      /** `waiting`: accepted and not submitted yet; `handed_over`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, where the network tells; `failed`; `cancelled`. */ "state"?: "waiting" | "handed_over" | "delivered" | "read" | "failed" | "cancelled";
      /** One of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** ISO 8601 with an offset: what was then or later. */ "from"?: string;
      /** ISO 8601 with an offset: what was before. */ "to"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: Response };
  /** Show the timeline of a message */ "GET /v1/messages/{id}": { path: ShowMessagePath; query?: ListDraftsQuery; answer: ShowMessageAnswer };
  /** Retry a message now */ "POST /v1/messages/{id}/retry": { path: ShowMessagePath; query?: ListDraftsQuery; answer: ShowMessageAnswer };
  /** Show the content of a message */ "GET /v1/messages/{id}/content": { path: ShowMessagePath; query?: ListDraftsQuery; answer: ShowMessageContentAnswer };
  /** List shipments */ "GET /v1/shipments": { query?: {
      /** `campaigns`: sends to many, or with a name; `all`: also each single message. */ "kind"?: "campaigns" | "all";
      /** One of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** `campaign_name` of the send. */ "name"?: string;
      /** Those whose `campaign_name` has this in it, among the latest 10,000 sends. */ "search"?: string;
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "shipments": (Shipments)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Show the progress of a shipment */ "GET /v1/shipments/{id}": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: ShowShipmentAnswer };
  /** Show the content of a shipment */ "GET /v1/shipments/{id}/content": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: ShowMessageContentAnswer };
  /** Export the messages of a shipment */ "GET /v1/shipments/{id}/messages.csv": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: Response };
  /** Pause a shipment */ "POST /v1/shipments/{id}/pause": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: Shipments };
  /** Resume a shipment */ "POST /v1/shipments/{id}/resume": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: Shipments };
  /** Cancel a shipment */ "POST /v1/shipments/{id}/cancel": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: CancelShipmentAnswer };
  /** List campaigns */ "GET /v1/campaigns": { query?: {
      /** One of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** `campaign_name` of the send. */ "name"?: string;
      /** Those whose `campaign_name` has this in it, among the latest 10,000 sends. */ "search"?: string;
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "campaigns": (Shipments)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Show the progress of a campaign */ "GET /v1/campaigns/{id}": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: ShowShipmentAnswer };
  /** Show the content of a campaign */ "GET /v1/campaigns/{id}/content": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: ShowMessageContentAnswer };
  /** Export the messages of a campaign */ "GET /v1/campaigns/{id}/messages.csv": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: Response };
  /** Pause a campaign */ "POST /v1/campaigns/{id}/pause": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: Shipments };
  /** Resume a campaign */ "POST /v1/campaigns/{id}/resume": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: Shipments };
  /** Cancel a campaign */ "POST /v1/campaigns/{id}/cancel": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: CancelShipmentAnswer };
  /** Show the request of a campaign */ "GET /v1/campaigns/{id}/request": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: {
      /** Where it is sent to. */ "path": string;
      /** The body, as the route describes it. */ "body": { [name: string]: unknown } } };
  /** Reschedule a campaign */ "POST /v1/campaigns/{id}/reschedule": { path: ShowCampaignPath; query?: ListDraftsQuery; body: {
      /** When it begins, ISO 8601 with an offset; now when that is over. */ "at": string }; answer: Shipments };
  /** List failed recipients */ "GET /v1/campaigns/{id}/failed-recipients": { path: ShowCampaignPath; query?: ListFailedRecipientsQuery; answer: {
      "recipients": ({
          /** The message. */ "message_id": string;
          /** The number or address; what was given, if it is neither. */ "recipient": string;
          /** As in delivery reports. */ "status": number;
          /** The network's own word, or the reason of a chat message or mail. */ "word": string | null;
          /** Why. */ "failure": Failure;
          /** When that was known, ISO 8601. */ "at": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Show the statistics */ "GET /v1/overview": { query?: {
      /** ISO 8601 with an offset; a day before `to` without it. */ "from"?: string;
      /** ISO 8601 with an offset; now without it. */ "to"?: string;
      /** `hour`, for at most 31 days; `day`, for at most 400. */ "step"?: "hour" | "day";
      /** Whose days are counted; the zone of the account without it, by its IANA name. */ "time_zone"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      /** The beginning of the first hour or day, ISO 8601. */ "from": string;
      /** The end of the last one, ISO 8601. */ "to": string;
      /** Messages by the time when they were accepted; hours and days without any are left out. */ "rows": ({
          /** When the hour or day begins, ISO 8601. */ "at": string;
          /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
          /** Messages that were accepted. */ "accepted": number;
          /** Of them, those that were submitted. */ "sent": number;
          /** Not submitted yet. */ "waiting": number;
          /** Submitted, without a delivery status yet. */ "handed_over": number;
          /** Delivered, and not known to be read. */ "delivered": number;
          /** Read. */ "read": number;
          /** Failed. */ "failed": number;
          /** Cancelled. */ "cancelled": number;
          /** Parts of SMS. */ "parts": number;
          /** Credits, less what was given back. */ "spent": string })[];
      /** The same, for the whole time. */ "totals": ({
          /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
          /** Messages that were accepted. */ "accepted": number;
          /** Of them, those that were submitted. */ "sent": number;
          /** Not submitted yet. */ "waiting": number;
          /** Submitted, without a delivery status yet. */ "handed_over": number;
          /** Delivered, and not known to be read. */ "delivered": number;
          /** Read. */ "read": number;
          /** Failed. */ "failed": number;
          /** Cancelled. */ "cancelled": number;
          /** Parts of SMS. */ "parts": number;
          /** Credits, less what was given back. */ "spent": string })[];
      /** When the latest hour was counted, ISO 8601; null: never. */ "counted_at": string | null } };
  /** Show delivery by prefix */ "GET /v1/overview/prefixes": { query?: {
      /** ISO 8601 with an offset; a day before `to` without it. */ "from"?: string;
      /** ISO 8601 with an offset; now without it. */ "to"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      /** How many of the latest messages were looked at. */ "sample": number;
      /** How many that are at most. */ "max_sample": number;
      /** The most frequent prefixes first, at most 100. */ "rows": ({
          /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
          /** The beginning of the numbers, or of mails `@` and the domain. */ "prefix": string;
          /** Messages that were accepted. */ "accepted": number;
          /** Delivered, and not known to be read. */ "delivered": number;
          /** Read. */ "read": number;
          /** Failed. */ "failed": number })[] } };
  /** Show the queue */ "GET /v1/queue": { query?: ListDraftsQuery; answer: {
      /** Every lane, the most urgent first. */ "lanes": ({
          /** The lane. */ "lane": "otp" | "single" | "bulk";
          /** Messages that may be submitted now; a batch counts whole until it is done. */ "due": number;
          /** How long the oldest of them has been due. */ "oldest_seconds": number;
          /** Messages whose time is to come, or that are tried again later. */ "later": number;
          /** Messages of shipments that are paused. */ "paused": number;
          /** Messages that are held because the account is suspended. */ "held": number })[] } };
  /** Stream live updates */ "GET /v1/live": { query?: {
      /** Messages, by their ids with commas between them; at most 100. */ "messages"?: string;
      /** Shipments and campaigns, by their ids with commas between them; at most 20. */ "shipments"?: string;
      /** Simulated phones of the sandbox, with commas between them; at most 10. For the demo account, with the role `sender` or a token with the scope `read`. */ "phones"?: string;
      /** `true`: every conversation of the account. */ "conversations"?: "true" | "false";
      /** The messages that were sent in this conversation, the last 30. */ "conversation"?: string;
      /** As the header `Last-Event-ID`, for clients that cannot set it. */ "last_event_id"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: Response };
  /** Verify numbers to send from */ "POST /api#verify_phone": { body: {
      "verify_phone": components['schemas']["verify_phone"] }; answer: components['schemas']["verify_phoneAnswer"] };
  /** List verified numbers */ "POST /api#getVerifiedPhones": { body: {
      "getVerifiedPhones": components['schemas']["getVerifiedPhones"] }; answer: components['schemas']["getVerifiedPhonesAnswer"] };
  /** List senders */ "GET /v1/sources": { query?: ListDraftsQuery; answer: {
      /** What the account may send from. */ "sources": ({
          /** The number, the name (names are compared without case), or of mails the address or `@` and a domain. */ "source": string;
          /** Which of these. */ "kind": "number" | "name" | "mail";
          /** Whether messages to it are the account’s. */ "incoming": boolean;
          /** When it was verified or approved, ISO 8601. */ "since": string;
          /** When that was last said, ISO 8601. */ "updated_at": string })[];
      /** Numbers whose verification was asked for and is not finished. */ "waiting": ({
          /** The number. */ "phone": string;
          /** Whether it is confirmed by a code that a call speaks, and not by the link in an SMS. */ "landline": boolean;
          /** Until when, ISO 8601. */ "expires_at": string })[];
      /** Names that were asked for and are not approved, the newest first. */ "requested": ({
          /** The name, as it was written. */ "source": string;
          /** What was said of it. */ "note": string;
          /** When it was asked for, ISO 8601. */ "asked_at": string;
          /** Whether the operator has refused it; false: it waits. */ "refused": boolean;
          /** Why it was refused; empty for nothing. */ "reason": string })[];
      /** Whether anything may be the sender here: the setting VERIFY_SOURCES is off. */ "any": boolean } };
  /** Verify phone numbers */ "POST /v1/sources/verify": { query?: ListDraftsQuery; body: {
      /** Mobile or landline numbers. */ "phones": (string)[];
      /** Lets numbers of other countries in. */ "includes_international"?: boolean }; answer: {
      /** What happens next. */ "message": string } };
  /** Request a sender name */ "POST /v1/sources/names": { query?: ListDraftsQuery; body: {
      /** The name that recipients see: English letters, digits, blanks within, `.`, `_` and `-`. */ "source": string;
      /** For the operator: whose name it is. */ "note"?: string }; answer: {
      /** True. */ "done": boolean } };
  /** Withdraw the request for a sender name */ "POST /v1/sources/names/withdraw": { query?: ListDraftsQuery; body: {
      /** The name that recipients see: English letters, digits, blanks within, `.`, `_` and `-`. */ "source": string }; answer: {
      /** True. */ "done": boolean } };
  /** Get the blacklist */ "POST /api#blacklist": { body: {
      "blacklist": components['schemas']["blacklist"] }; answer: components['schemas']["blacklistAnswer"] };
  /** Block numbers */ "POST /api#addNumBL": { body: {
      "addNumBL": components['schemas']["addNumBL"] }; answer: components['schemas']["addNumBLAnswer"] };
  /** Unblock numbers */ "POST /api#rmNumBL": { body: {
      "rmNumBL": components['schemas']["rmNumBL"] }; answer: components['schemas']["rmNumBLAnswer"] };
  /** List the blacklist */ "GET /v1/blacklist": { query?: ListContactsQuery; answer: {
      "numbers": ({
          /** The number. */ "phone": string;
          /** When it was put there, ISO 8601. */ "since": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Add numbers to the blacklist */ "POST /v1/blacklist": { query?: ListDraftsQuery; body: {
      /** Numbers in any spelling. */ "phones": (string)[] }; answer: {
      /** How many were put there. */ "added": number;
      /** How many were there already. */ "present": number;
      /** What could not be read. */ "errors": (string)[] } };
  /** Remove numbers from the blacklist */ "POST /v1/blacklist/remove": { query?: ListDraftsQuery; body: {
      /** Numbers in any spelling. */ "phones": (string)[];
      /** Why; kept with the account. */ "reason": string }; answer: {
      /** How many were taken off. */ "removed": number;
      /** How many were not there. */ "absent": number;
      /** What could not be read. */ "errors": (string)[] } };
  /** Export the blacklist */ "GET /v1/blacklist/export": { query?: ListDraftsQuery; answer: Response };
  /** Import a CSV file into the blacklist */ "POST /v1/blacklist/import": { query?: {
      /** Whether the first row has the names of the columns; `auto` looks for itself. */ "header"?: "auto" | "yes" | "no";
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; body: FileBody; answer: ImportContactsAnswer };
  /** Cancel a campaign */ "POST /api#cancel": { body: {
      "cancel": components['schemas']["cancel"] }; answer: components['schemas']["cancelAnswer"] };
  /** Send a template message */ "POST /chat-api/send-template-message": { body: {
      /** A business number of the account or of one of its subscribers. */ "source": string;
      /** The recipient. */ "destination": string;
      /** The id of an approved template of the business number. */ "templateId": string;
      /** The variables of the body under `1` to `5`, all that the template has. Without line breaks and without four spaces in a row. */ "dynamicFieldsObject"?: DynamicFieldsObject;
      /** For a template with a coupon: its code, digits. */ "couponCode"?: string;
      /** For a coupon that ends: when, `dd/mm/yyyy hh:mm` in the time zone of the account. */ "couponExpiration"?: string;
      /** For a template with a media header: the link. Images png, jpg, gif, jpeg to 5 MB; documents pdf, doc, docx, xls, xlsx, ppt, ppts, pptx, zip, txt, rar to 100 MB; videos mp4, avi, 3gpp to 16 MB. For a text header with a variable: its value. */ "headerLink"?: string;
      /** For a website button with a variable: what goes to its end. */ "websiteVariable"?: string;
      /** The same for a second website button. */ "websiteVariable2"?: string;
      /** For an authentication template: the code. */ "otp"?: string;
      /** Need not be given: a template has one language. When it is, it must be that one, as the list of templates has it. */ "language"?: string;
      /** A key of yours for this request, as the header `Idempotency-Key`: sent again with the same key within 24 hours, it is answered as the first time and done once. */ "send_key"?: string }; answer: {
      /** Whether the message was accepted. */ "success": boolean;
      "ans": {
        /** Whether the message was accepted. */ "status": "OK" | "FAIL";
        /** The message's id; empty when it was refused. */ "unique": string;
        /** When, in seconds since 1970. */ "timestamp": number;
        /** The business number. */ "from": string;
        /** The recipient. */ "to": string;
        /** The text, that of a template with its variables. */ "body": string;
        /** Minutes that are left of the 24 hours since the client's last message. */ "templateTimeLeft": number;
        /** Minutes that are left of the conversation. */ "conversationTimeLeft": number;
        /** 1, or why it was refused. */ "reason": number };
      /** `true`: the answer of an earlier request with the same send key, and nothing was sent now. Absent otherwise. */ "repeated"?: boolean } };
  /** Send a template campaign */ "POST /chat-api/create-campaign-wa": { body: {
      /** A business number of the account or of one of its subscribers. */ "source": string;
      /** The recipients: numbers, contact lists, or both; each number once. */ "destinations"?: {
        /** Numbers. */ "phones"?: (string)[];
        /** Contact lists, by their ids. */ "cl"?: (string)[] };
      /** The id of an approved template of the business number. */ "campaign_message": string;
      /** Stands in reports. */ "campaign_name"?: string;
      /** The variables of the template under `1` to `5`: for each the dynamic field of the contact that fills it, by its column's name or as `df1` to `df6` (also `שדה דינמי 1` to `6`). Those that the template does not have are ignored. */ "dynamicHeaders"?: DynamicFieldsObject;
      /** For a template with a media header: the link, as `headerLink` of a single message. */ "header_link"?: string;
      /** `instant`: now; `future`: at `from_date`. */ "future_campaign": "instant" | "future";
      /** With `future`: when, `dd/mm/yyyy hh:mm` in the time zone of the account; at once when it is past. */ "from_date"?: string;
      /** For a template with a coupon: its code, up to 15 digits, or with `couponType` 2 the number of the dynamic field that has it. */ "couponCode"?: string;
      /** For a coupon that ends: when, `dd/mm/yyyy hh:mm`. */ "couponExpiration"?: string;
      /** `1`: one code for all, as without it; `2`: a code for each contact. */ "couponType"?: "1" | "2";
      /** For a website button with a variable: the number of the dynamic field that fills it. */ "websiteVariable"?: string;
      /** The same for a second website button. */ "websiteVariable2"?: string;
      /** A key of yours for this request, as the header `Idempotency-Key`: sent again with the same key within 24 hours, it is answered as the first time and done once. */ "send_key"?: string }; answer: {
      /** `true`: the answer of an earlier request with the same send key, and nothing was sent now. Absent otherwise. */ "repeated"?: boolean;
      "data": {
        /** Whether the campaign was accepted. */ "success": boolean;
        /** How many different numbers were asked for: an estimate of its credits too. */ "sum": number;
        /** Of one that is refused: why, in words. */ "message"?: string } } };
  /** Send buttons */ "POST /chat-api/send-buttons": { body: {
      /** A business number of the account or of one of its subscribers. */ "source": string;
      /** The recipient. */ "destination": string;
      /** `1` none, `2` an image, `3` a video, `4` a document. */ "header": "1" | "2" | "3" | "4";
      /** With `header` 2, 3 or 4: its https address. Images jpg, png to 5 MB; videos mp4 to 16 MB; documents pdf to 100 MB. */ "headerURL"?: string;
      /** The text. */ "body": string;
      /** Stands in small letters below. */ "footer"?: string;
      /** The text of the first button. */ "button1": string;
      /** The text of a second button. */ "button2"?: string;
      /** The text of a third button. */ "button3"?: string;
      /** An https address, a phone number or an e-mail address: `button1`, without emoji, opens it then, and there are no other buttons. */ "buttonExternal"?: string;
      /** The id of a message of the client to quote. */ "replyTo"?: string;
      /** A key of yours for this request, as the header `Idempotency-Key`: sent again with the same key within 24 hours, it is answered as the first time and done once. */ "send_key"?: string }; answer: {
      /** Whether the message was accepted. */ "success": boolean;
      "ans": {
        /** Whether the message was accepted. */ "status": "OK" | "FAIL";
        /** The message's id; empty when it was refused. */ "unique": string;
        /** When, in seconds since 1970. */ "timestamp": number;
        /** The business number. */ "from": string;
        /** The recipient. */ "to": string;
        /** The text, that of a template with its variables. */ "body": string;
        /** As in the request, like the others. */ "header": string;
        /** The footer. */ "footer": string;
        /** The first button. */ "button1": string;
        /** The second button. */ "button2": string;
        /** The third button. */ "button3": string;
        /** Minutes that are left of the 24 hours since the client's last message. */ "templateTimeLeft": number;
        /** Minutes that are left of the conversation. */ "conversationTimeLeft": number;
        /** 1, or why it was refused. */ "reason": number };
      /** `true`: the answer of an earlier request with the same send key, and nothing was sent now. Absent otherwise. */ "repeated"?: boolean } };
  /** Send a carousel */ "POST /chat-api/send-carousel": { body: {
      /** A business number of the account or of one of its subscribers. */ "source": string;
      /** The recipient. */ "destination": string;
      /** The text above the cards. */ "message": string;
      /** What every card has: `1` a button that opens something, `2` one reply button, `3` two. */ "buttons": number;
      /** The id of a message of the client to quote. */ "replyTo"?: string;
      /** `1`: the answer has the request in `request`, without this field. */ "showRequest"?: string;
      /** A key of yours for this request, as the header `Idempotency-Key`: sent again with the same key within 24 hours, it is answered as the first time and done once. */ "send_key"?: string;
      /** Image (jpg, png to 5 MB) or video (mp4, 3gpp to 16 MB); on all cards the same kind. */ "card1_headerLink": string;
      /** A text with at most two line breaks; on all cards or on none. */ "card1_body"?: string;
      /** With `buttons` 1: the https address, phone number or e-mail address that the button opens. */ "card1_buttonExternal"?: string;
      /** With `buttons` 1: the text of the button. */ "card1_buttonExternalText"?: string;
      /** With `buttons` 2 or 3: the text of the first button. */ "card1_button1"?: string;
      /** What the event of a press has as `button_id`; `1` without it. */ "card1_button1ID"?: string;
      /** With `buttons` 3: the text of the second button. */ "card1_button2"?: string;
      /** As `card1_button1ID`; `2` without it. */ "card1_button2ID"?: string;
      /** As of card 1; cards 3 to 10 have the same fields. */ "card2_headerLink": string;
      /** As of card 1; cards 3 to 10 have the same fields. */ "card2_body"?: string;
      /** As of card 1; cards 3 to 10 have the same fields. */ "card2_buttonExternal"?: string;
      /** As of card 1; cards 3 to 10 have the same fields. */ "card2_buttonExternalText"?: string;
      /** As of card 1; cards 3 to 10 have the same fields. */ "card2_button1"?: string;
      /** As of card 1; cards 3 to 10 have the same fields. */ "card2_button1ID"?: string;
      /** As of card 1; cards 3 to 10 have the same fields. */ "card2_button2"?: string;
      /** As of card 1; cards 3 to 10 have the same fields. */ "card2_button2ID"?: string }; answer: {
      /** Whether the message was accepted. */ "success": boolean;
      "ans": {
        /** Whether the message was accepted. */ "status": "OK" | "FAIL";
        /** The message's id; empty when it was refused. */ "unique": string;
        /** When, in seconds since 1970. */ "timestamp": number;
        /** The business number. */ "from": string;
        /** The recipient. */ "to": string;
        /** The text, that of a template with its variables. */ "body": string;
        /** As in the request, of each card. */ "card1_headerLink": string;
        /** As in the request, of each card that has one. */ "card1_body"?: string;
        /** Of card 2, and so on. */ "card2_headerLink": string;
        /** Of card 2, and so on. */ "card2_body"?: string;
        /** Minutes that are left of the 24 hours since the client's last message. */ "templateTimeLeft": number;
        /** Minutes that are left of the conversation. */ "conversationTimeLeft": number;
        /** 1, or why it was refused. */ "reason": number };
      /** `true`: the answer of an earlier request with the same send key, and nothing was sent now. Absent otherwise. */ "repeated"?: boolean } };
  /** List templates */ "GET /chat-api/get-phone-templates/{phone}": { path: {
      /** The business number. */ "phone": string }; answer: ListChatTemplatesAnswer };
  /** Get one template */ "GET /chat-api/get-phone-templates/{phone}/{templateId}": { path: {
      /** The business number. */ "phone": string;
      /** The id of the template. */ "templateId": string }; answer: ListChatTemplatesAnswer };
  /** Upload a file */ "POST /v1/media": { query: {
      /** What it is sent as: `image` (JPEG, PNG; 5 MiB), `video` (MP4, 3GPP; 16 MiB), `audio` (AAC, AMR, MP3, M4A, OGG with Opus; 16 MiB), `document` (PDF, Word, Excel, PowerPoint, text; 100 MiB), `sticker` (WebP; 500 KiB). */ "kind": "image" | "video" | "audio" | "document" | "sticker";
      /** Its name. Clients see that of a document. */ "file_name"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; body: FileBody; answer: UploadMediaAnswer };
  /** Get a file’s details */ "GET /v1/media/{id}": { path: GetMediaPath; query?: ListDraftsQuery; answer: UploadMediaAnswer };
  /** Download a file */ "GET /v1/media/{id}/file": { path: GetMediaPath; query?: ListDraftsQuery; answer: Response };
  /** List template languages */ "GET /v1/chat/languages": { query?: ListDraftsQuery; answer: {
      "languages": ({
          /** Its number in the chat API. */ "number": string;
          /** The platform's code. */ "code": string;
          /** Its name in English. */ "name": string })[] } };
  /** List business numbers */ "GET /v1/chat/numbers": { query?: ListDraftsQuery; answer: {
      "portfolios": ({
          /** Its id. */ "id": string;
          /** Its name. */ "name": string;
          /** How many clients may be written to first within 24 hours. */ "tier": number;
          /** How many were in the last 24 hours. */ "reached": number;
          /** What the platform has against the portfolio and its numbers now, the oldest first. */ "problems": ({
              /** What it is about: a ban of the business account, a restriction, a violation of the rules, the connection to it, its review, an alert; of a number its name or its rating. */ "topic": "ban" | "restriction" | "violation" | "connection" | "review" | "alert" | "name" | "quality";
              /** `stopped`: messages cannot be sent, or not all of them; `warning`: something has to be done. */ "severity": "stopped" | "warning";
              /** The business number, international digits; empty: the whole portfolio. */ "phone": string;
              /** The platform's word for it. */ "word": string;
              /** The platform's word for why; empty for none. */ "reason": string;
              /** Until when, ISO 8601; null: until the platform tells otherwise. Violations and alerts are shown for 30 days. */ "until": string | null;
              /** When the platform told it, ISO 8601. */ "told_at": string })[];
          /** Its business numbers. */ "numbers": ({
              /** The number, international digits. */ "phone": string;
              /** What people call it. */ "name": string;
              /** How fast it sends at most. */ "messages_per_second": number;
              /** The platform's rating by what recipients report: blocked, called spam. `unknown` until it has one. */ "quality": "high" | "medium" | "low" | "unknown" })[] })[] } };
  /** Create a template */ "POST /v1/chat/templates": { query?: ListDraftsQuery; body: CreateTemplateBody; answer: CreateTemplateAnswer };
  /** List chat templates */ "GET /v1/chat/templates": { query?: {
      /** Only templates of this business number. */ "phone"?: string;
      /** The `template_id` of the last template of the page before. */ "after"?: string;
      /** Templates of a page. */ "limit"?: number;
      /** `false`: without those that are deleted. */ "deleted"?: "true" | "false";
      /** Those whose name has this in it, in small or capital letters. */ "search"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "templates": ({
          /** Its id, also in the chat API. */ "template_id": string;
          /** The business number. */ "phone": string;
          /** Its name. */ "name": string;
          /** The platform's code of its language. */ "language": string;
          /** The language's number, as the chat API returns it. */ "language_number": string;
          /** What it is for. */ "category": "marketing" | "utility" | "authentication";
          "header": Header3;
          /** The text. */ "body": string;
          /** An example for each variable. */ "body_samples": (string)[];
          /** Below the text. */ "footer": string;
          /** As they were given; what a kind does not have is empty. */ "buttons": (Buttons3)[];
          /** A limited-time offer; null for none. */ "offer": Offer2 | null;
          /** Of an authentication template; else null. */ "authentication": Authentication2 | null;
          /** 0 to 11 (interface, "Template status"). */ "status": number;
          /** The platform's word for why; empty for none. */ "status_reason": string;
          /** Since when, ISO 8601. */ "status_at": string;
          /** The platform's rating by what recipients report: blocked, called spam. `unknown` until it has one. */ "quality": "high" | "medium" | "low" | "unknown";
          /** The category that the platform is to give it, because its content does not fit its own; null for none. */ "next_category": "marketing" | "utility" | "authentication" | null;
          /** From when, ISO 8601; null where the platform does not say. */ "category_changes_at": string | null;
          /** Whether it can be sent now. */ "usable": boolean;
          /** Whether it can be changed now. */ "editable": boolean;
          /** Whether the platform has it. */ "submitted": boolean;
          /** Why the platform does not have it yet; empty for nothing. */ "problem": string;
          /** When it was made or found here, ISO 8601. */ "created_at": string })[] } };
  /** Change a template */ "PUT /v1/chat/templates/{id}": { path: EditTemplatePath; query?: ListDraftsQuery; body: CreateTemplateBody; answer: CreateTemplateAnswer };
  /** Show a template */ "GET /v1/chat/templates/{id}": { path: EditTemplatePath; query?: ListDraftsQuery; answer: CreateTemplateAnswer };
  /** Delete a template */ "DELETE /v1/chat/templates/{id}": { path: EditTemplatePath; query?: ListDraftsQuery; answer: CreateTemplateAnswer };
  /** Synchronize templates with the platform */ "POST /v1/chat/numbers/{id}/sync": { path: {
      /** The business number. */ "id": string }; query?: ListDraftsQuery; answer: {
      /** Templates on the platform. */ "found": number;
      /** Of them new here, once for each business number of the portfolio. */ "added": number;
      /** Have another status now, those that are gone included. */ "changed": number;
      /** Names of those with parts that this service cannot send; they are left out. */ "unsupported": (string)[] } };
  /** List chat campaigns */ "GET /v1/chat/campaigns": { query?: ListChatCampaignsQuery; answer: {
      "campaigns": (Campaigns)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Create a chat campaign */ "POST /v1/chat/campaigns": { query?: ListDraftsQuery; body: StartChatCampaignBody; answer: {
      /** The campaign. */ "id": string;
      /** Different numbers that it goes to. */ "recipients": number } };
  /** Show the progress of a chat campaign */ "GET /v1/chat/campaigns/{id}": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: {
      /** Its id, by which it is cancelled in the SMS family, too. */ "id": string;
      /** `campaign_name`. */ "name": string | null;
      /** The business number. */ "source": string;
      /** The template; null when it was removed. */ "template_id": string | null;
      /** `scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be submitted to the platform. */ "state": string;
      /** Different numbers that were asked for, `sum` of the answer. */ "total": number;
      /** When it begins, ISO 8601. */ "due_at": string;
      /** When it was accepted, ISO 8601. */ "created_at": string;
      /** When it ended, ISO 8601. */ "finished_at": string | null;
      /** Messages by their outcome until now. */ "progress": {
        /** Recipients that are done or on their way; the others have no message yet. */ "made": number;
        /** Not submitted to the platform yet. */ "waiting": number;
        /** Submitted, without a delivery status yet. */ "sent": number;
        /** Delivered, and not known to be read. */ "delivered": number;
        /** Read. */ "read": number;
        /** Not sent or not delivered, by reason. */ "failed": { [name: string]: unknown };
        /** Cancelled before they were submitted. */ "cancelled": number } } };
  /** List the failed recipients of a chat campaign */ "GET /v1/chat/campaigns/{id}/failures": { path: ShowChatCampaignPath; query?: ListFailedRecipientsQuery; answer: {
      "failures": ({
          /** The recipient; what was given, when that is no phone number. */ "phone": string;
          /** Why, in a word. */ "reason": string;
          /** When that was known, ISO 8601. */ "at": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Pause a chat campaign */ "POST /v1/chat/campaigns/{id}/pause": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: Campaigns };
  /** Resume a chat campaign */ "POST /v1/chat/campaigns/{id}/resume": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: Campaigns };
  /** Cancel a chat campaign */ "POST /v1/chat/campaigns/{id}/cancel": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: {
      /** Its id, by which it is cancelled in the SMS family, too. */ "id": string;
      /** `campaign_name`. */ "name": string | null;
      /** The business number. */ "source": string;
      /** The template; null when it was removed. */ "template_id": string | null;
      /** `scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be submitted to the platform. */ "state": string;
      /** Different numbers that were asked for, `sum` of the answer. */ "total": number;
      /** When it begins, ISO 8601. */ "due_at": string;
      /** When it was accepted, ISO 8601. */ "created_at": string;
      /** When it ended, ISO 8601. */ "finished_at": string | null;
      /** Recipients that get nothing, and whose credit went back. */ "cancelled": number;
      /** Messages that were submitted to the platform before. */ "handed_over": number } };
  /** Send a template to one recipient */ "POST /v1/chat/messages": { query?: ListDraftsQuery; body: SendChatTemplateBody; answer: SendChatTemplateAnswer };
  /** Estimate a template message */ "POST /v1/chat/messages/estimate": { query?: ListDraftsQuery; body: SendChatTemplateBody; answer: {
      /** The body as the client reads it. */ "body": string;
      /** Whether it would open a conversation, which is charged. */ "opens_conversation": boolean;
      /** Credits at most: when a conversation opens with everyone. */ "cost": string;
      /** Credits of the account. */ "balance": string;
      /** Whether these are enough. */ "enough": boolean;
      /** When the last message would be submitted, by the queue and the rate of the number, ISO 8601. */ "finishes_at": string } };
  /** Estimate a chat campaign */ "POST /v1/chat/campaigns/estimate": { query?: ListDraftsQuery; body: StartChatCampaignBody; answer: {
      /** The body, with 1 in the place of every field. */ "body": string;
      /** The message as the first contact of the first list sees it; without one with 1 in the place of every field. */ "preview": Chat;
      /** Different numbers that it would go to. */ "recipients": number;
      /** Those of the recipients who have no standing consent to marketing messages on the channel: they are left out and cost nothing. Exact for single recipients and lists of up to 5,000, from the first 5,000 of longer ones. null: the sending policy asks for none. */ "without_consent": number | null;
      /** Credits at most: when a conversation opens with everyone. */ "cost": string;
      /** Credits of the account. */ "balance": string;
      /** Whether these are enough. */ "enough": boolean;
      /** When the last message would be submitted, by the queue and the rate of the number, ISO 8601. */ "finishes_at": string } };
  /** Show the window of a recipient */ "GET /v1/chat/window": { query: {
      /** A business number. */ "source": string;
      /** The recipient, in any spelling. */ "to": string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      /** Whether messages with buttons and carousels can be sent. */ "open": boolean;
      /** Why not: the client has never written; their last message is over 24 hours old; a template since then has no answer. */ "problem": "never-written" | "window-closed" | "unanswered" | null;
      /** The client's last message, ISO 8601; null: never. */ "client_wrote_at": string | null;
      /** 24 hours after it, ISO 8601; null: never. */ "closes_at": string | null;
      /** When the conversation ends that is open; a message after it opens another one, which is charged, ISO 8601; null: never. */ "conversation_ends_at": string | null } };
  /** Send a message with buttons */ "POST /v1/chat/buttons": { query?: ListDraftsQuery; body: SendChatButtonsBody; answer: SendChatTemplateAnswer };
  /** Estimate a message with buttons */ "POST /v1/chat/buttons/estimate": { query?: ListDraftsQuery; body: SendChatButtonsBody; answer: EstimateChatButtonsAnswer };
  /** Send a carousel */ "POST /v1/chat/carousels": { query?: ListDraftsQuery; body: SendChatCarouselBody; answer: SendChatTemplateAnswer };
  /** Estimate a carousel */ "POST /v1/chat/carousels/estimate": { query?: ListDraftsQuery; body: SendChatCarouselBody; answer: EstimateChatButtonsAnswer };
  /** List conversations */ "GET /v1/conversations": { query?: {
      /** Only those in this state. */ "state"?: "open" | "closed";
      /** `true`: only those with messages that nobody has read. */ "unread"?: "true" | "false";
      /** `me`: those of the person who calls; `none`: those of nobody; or the id of a person. */ "assignee"?: string;
      /** Only those with this label. */ "label"?: string;
      /** How the client's number, address or name begins. */ "search"?: string;
      /** `next` of the page before; the last message first */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "conversations": (Conversations)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Begin a conversation */ "POST /v1/conversations": { query?: ListDraftsQuery; body: {
      /** Your number. */ "sender": string;
      /** The client, in any spelling. */ "client": string;
      /** The channel. */ "channel": "sms" | "chat" }; answer: BeginConversationAnswer };
  /** Count conversations */ "GET /v1/conversations/counts": { query?: ListDraftsQuery; answer: {
      /** Open ones; 1000 stands for that many or more here and below. */ "open": number;
      /** Open ones of the person who calls; 0 for a token. */ "mine": number;
      /** Open ones of nobody. */ "unassigned": number;
      /** Those with messages that nobody has read. */ "unread": number } };
  /** List senders of conversations */ "GET /v1/conversation-senders": { query?: ListDraftsQuery; answer: {
      "senders": ({
          /** The number or address. */ "sender": string;
          /** What you call it; empty for nothing. */ "name": string;
          /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice" })[] } };
  /** Show a conversation */ "GET /v1/conversations/{id}": { path: GetConversationPath; query?: ListDraftsQuery; answer: BeginConversationAnswer };
  /** Change a conversation */ "PATCH /v1/conversations/{id}": { path: GetConversationPath; query?: ListDraftsQuery; body: {
      /** Opens or closes it. */ "state"?: "open" | "closed";
      /** Who answers it (`GET /v1/conversation-agents`); null: nobody. */ "assignee_id"?: string | null;
      /** All labels that it is to have. */ "label_ids"?: (string)[] }; answer: Conversations };
  /** Show the timeline of a conversation */ "GET /v1/conversations/{id}/timeline": { path: GetConversationPath; query?: ListLinkedShipmentsQuery; answer: {
      "items": ({
          /** Its id; of a message that of the message. */ "id": string;
          /** When it happened, ISO 8601. */ "at": string;
          /** `received` from the client; `sent`; `echo`: written on the phone of the business number; the others are what people and rules did. */ "kind": "received" | "echo" | "sent" | "note" | "opened" | "closed" | "assigned" | "unassigned" | "labels" | "rule";
          /** The person who did it; null for the client, a program and rules. */ "by": string | null;
          /** Whether a rule or the away message wrote it. */ "automatic": boolean;
          /** The rule that did it. */ "rule_id": string | null;
          /** The channel of a message. */ "channel": "sms" | "chat" | "mail" | "voice" | null;
          /** Of a message: `text`, or what it is, as events say it. */ "type": string | null;
          /** Of a message or note. Without the role `agent` or a token with the scope `read`: null. */ "text": string | null;
          /** Whether it had a text that is kept no longer. */ "text_removed": boolean;
          /** The bytes of an SMS or mail that cannot be read, in hexadecimal. Without the role `agent` or a token with the scope `read`: null. */ "unreadable": string | null;
          /** What the text of a received message does not say: of chat as `chat.message` has it; of a mail `subject`, `from` (whom it says that it is from), `html`, `whole_text` (with what it quotes), names of `attachments`, and why it is taken for `automatic` (null: a person wrote it). Without the role `agent` or a token with the scope `read`: null. */ "content": { [name: string]: unknown } | null;
          /** A sent chat message as the phone shows it. Without the role `agent` or a token with the scope `read`: null. */ "chat": Chat | null;
          /** The message that it answers or quotes. */ "reply_to": string | null;
          /** The message that it reacts to, edits or deletes. */ "about_id": string | null;
          /** Of one that was sent: its state, price and why it failed. */ "message": {
            /** Its id. */ "id": string;
            /** The shipment that it is part of. */ "shipment_id": string;
            /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
            /** The recipient; of a mail the address. */ "phone": string;
            /** The sender, the business number, or of a mail the address that it comes from. */ "source": string;
            /** Your own id of it. */ "external_id": string | null;
            /** How many parts it has. */ "parts": number;
            /** What it costs, in credits. */ "price": string;
            /** `waiting`: accepted and not submitted yet; `handed_over`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, where the network tells; `failed`; `cancelled`. */ "state": "waiting" | "handed_over" | "delivered" | "read" | "failed" | "cancelled";
            /** As in delivery reports. */ "status": number;
            /** The status in words. */ "status_text": string;
            /** The network's own word for what happened last, the carrier's answer, or the reason of a chat message. */ "word": string | null;
            /** The carrier connection that it went over. */ "link": string | null;
            /** When it was accepted, ISO 8601. */ "accepted_at": string;
            /** When it was submitted, ISO 8601; null: never. */ "handed_over_at": string | null;
            /** When it was delivered, failed or was cancelled, ISO 8601; null: never. */ "ended_at": string | null;
            /** When it was read, ISO 8601; null: never. */ "read_at": string | null;
            /** Of one that failed: why. */ "failure": Failure | null } | null;
          /** Who was assigned. */ "assignee": string | null;
          /** Ids of labels that were added. */ "labels_added": (string)[];
          /** Ids of labels that were removed. */ "labels_removed": (string)[];
          /** Why an automatic reply was not sent, in a word. */ "failed": string | null })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Mark a conversation as read */ "POST /v1/conversations/{id}/read": { path: GetConversationPath; query?: ListDraftsQuery; body: {
      /** The last message that was seen: a later one stays unread. Null marks the conversation as unread. */ "up_to"?: string | null }; answer: {
      /** True. */ "done": boolean } };
  /** Add a note to a conversation */ "POST /v1/conversations/{id}/notes": { path: GetConversationPath; query?: ListDraftsQuery; body: {
      /** The note. Clients never see it. */ "text": string }; answer: {
      /** The note. */ "id": string } };
  /** Reply to a client */ "POST /v1/conversations/{id}/replies": { path: GetConversationPath; query?: ListDraftsQuery; body: ReplyToConversationBody; answer: {
      /** The shipment of the message. */ "shipment_id": string } };
  /** Estimate a reply */ "POST /v1/conversations/{id}/replies/estimate": { path: GetConversationPath; query?: ListDraftsQuery; body: ReplyToConversationBody; answer: {
      /** Credits. */ "cost": string;
      /** Parts of an SMS; otherwise 1. */ "parts": number;
      /** Credits of the account. */ "balance": string;
      /** Whether these are enough. */ "enough": boolean } };
  /** List labels */ "GET /v1/conversation-labels": { query?: ListDraftsQuery; answer: {
      "labels": (Labels)[] } };
  /** Create a label */ "POST /v1/conversation-labels": { query?: ListDraftsQuery; body: {
      /** The name, which no other label has. */ "name": string;
      /** How it is shown. */ "color"?: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "violet" }; answer: Labels };
  /** Change a label */ "PATCH /v1/conversation-labels/{id}": { path: ChangeConversationLabelPath; query?: ListDraftsQuery; body: {
      /** The name, which no other label has. */ "name"?: string;
      /** How it is shown. */ "color"?: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "violet" }; answer: Labels };
  /** Delete a label */ "DELETE /v1/conversation-labels/{id}": { path: ChangeConversationLabelPath; query?: ListDraftsQuery; answer: {
      /** True. */ "done": boolean } };
  /** List saved replies */ "GET /v1/saved-replies": { query?: {
      /** Those that have this in their shortcut, title or text. */ "search"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "saved_replies": (SavedReplies)[] } };
  /** Create a saved reply */ "POST /v1/saved-replies": { query?: ListDraftsQuery; body: {
      /** What people type after `/`: up to 30 letters, digits, `-` and `_`, which no other saved reply has. Stored in small letters. */ "shortcut": string;
      /** What it is called in lists. */ "title": string;
      /** The text. `{{client_name}}` and `{{agent_name}}` stand for the names of the client and of the person who answers, and `{{client_name|there}}` for `there` where the name is not known. */ "text": string }; answer: SavedReplies };
  /** Change a saved reply */ "PATCH /v1/saved-replies/{id}": { path: ChangeSavedReplyPath; query?: ListDraftsQuery; body: {
      /** What people type after `/`: up to 30 letters, digits, `-` and `_`, which no other saved reply has. Stored in small letters. */ "shortcut"?: string;
      /** What it is called in lists. */ "title"?: string;
      /** The text. `{{client_name}}` and `{{agent_name}}` stand for the names of the client and of the person who answers, and `{{client_name|there}}` for `there` where the name is not known. */ "text"?: string }; answer: SavedReplies };
  /** Delete a saved reply */ "DELETE /v1/saved-replies/{id}": { path: ChangeSavedReplyPath; query?: ListDraftsQuery; answer: {
      /** True. */ "done": boolean } };
  /** Take a saved reply */ "POST /v1/saved-replies/{id}/use": { path: ChangeSavedReplyPath; query?: ListDraftsQuery; body: {
      /** The conversation to answer. */ "conversation_id": string }; answer: {
      /** The text with the names in the place of its variables. */ "text": string } };
  /** List conversation rules */ "GET /v1/conversation-rules": { query?: ListDraftsQuery; answer: {
      "rules": (Rules)[] } };
  /** Create a conversation rule */ "POST /v1/conversation-rules": { query?: ListDraftsQuery; body: {
      /** What it is called. */ "name": string;
      /** Whether it looks at messages. */ "enabled"?: boolean;
      /** Only messages over one of these channels; empty: all. */ "channels"?: ("sms" | "chat" | "mail" | "voice")[];
      /** Only messages to one of these numbers or addresses of yours; empty: all. */ "senders"?: (string)[];
      /** Only messages that have one of these words, compared without case, vowel signs and punctuation around; empty: all. */ "keywords"?: (string)[];
      /** `exact`: the whole message is a keyword; `contains`: it is in the message; `starts`: the message begins with it. */ "match"?: "exact" | "contains" | "starts";
      /** `open-hours` or `closed-hours`: only then, by the opening hours of the settings. */ "when"?: "always" | "open-hours" | "closed-hours";
      /** Only the message that began the conversation, or opened it again. */ "first_only"?: boolean;
      /** A saved reply that is sent as an automatic reply, in place of `reply_text`; null: none. */ "saved_reply_id"?: string | null;
      /** Sent as an automatic reply; null: none. At most five automatic replies go to one client within an hour. */ "reply_text"?: string | null;
      /** Labels that the conversation gets. */ "label_ids"?: (string)[];
      /** Whom the conversation is assigned to when nobody has it; null: nobody. */ "assignee_id"?: string | null;
      /** Assigns it to the next person by turns, when nobody has it. */ "assign_by_turns"?: boolean;
      /** Tells webhooks that want the event `conversation.rule_matched`. */ "webhook"?: boolean;
      /** Later rules do not look at the message. */ "stop"?: boolean }; answer: Rules };
  /** Show a conversation rule */ "GET /v1/conversation-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; answer: Rules };
  /** Change a conversation rule */ "PATCH /v1/conversation-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; body: {
      /** What it is called. */ "name"?: string;
      /** Whether it looks at messages. */ "enabled"?: boolean;
      /** Only messages over one of these channels; empty: all. */ "channels"?: ("sms" | "chat" | "mail" | "voice")[];
      /** Only messages to one of these numbers or addresses of yours; empty: all. */ "senders"?: (string)[];
      /** Only messages that have one of these words, compared without case, vowel signs and punctuation around; empty: all. */ "keywords"?: (string)[];
      /** `exact`: the whole message is a keyword; `contains`: it is in the message; `starts`: the message begins with it. */ "match"?: "exact" | "contains" | "starts";
      /** `open-hours` or `closed-hours`: only then, by the opening hours of the settings. */ "when"?: "always" | "open-hours" | "closed-hours";
      /** Only the message that began the conversation, or opened it again. */ "first_only"?: boolean;
      /** A saved reply that is sent as an automatic reply, in place of `reply_text`; null: none. */ "saved_reply_id"?: string | null;
      /** Sent as an automatic reply; null: none. At most five automatic replies go to one client within an hour. */ "reply_text"?: string | null;
      /** Labels that the conversation gets. */ "label_ids"?: (string)[];
      /** Whom the conversation is assigned to when nobody has it; null: nobody. */ "assignee_id"?: string | null;
      /** Assigns it to the next person by turns, when nobody has it. */ "assign_by_turns"?: boolean;
      /** Tells webhooks that want the event `conversation.rule_matched`. */ "webhook"?: boolean;
      /** Later rules do not look at the message. */ "stop"?: boolean }; answer: Rules };
  /** Delete a conversation rule */ "DELETE /v1/conversation-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; answer: {
      /** True. */ "done": boolean } };
  /** Order conversation rules */ "POST /v1/conversation-rules/order": { query?: ListDraftsQuery; body: {
      /** The rules in their order. */ "ids": (string)[] }; answer: {
      /** True. */ "done": boolean } };
  /** List what a conversation rule did */ "GET /v1/conversation-rules/{id}/log": { path: ShowConversationRulePath; query?: ListLinkedShipmentsQuery; answer: {
      "entries": ({
          /** The id of the entry. */ "id": string;
          /** When it matched, ISO 8601. */ "at": string;
          /** The conversation. */ "conversation_id": string;
          /** The client: a number, a mail address, or an id of the chat platform. */ "client": string;
          /** The name of their profile; empty where it is not known. Without the role `agent` or a token with the scope `read`: `••••••`. */ "client_name": string;
          /** The message; null for a reply that could not be sent. */ "message_id": string | null;
          /** `sent`: a reply was sent; `limited`: the client had five within the hour; `failed`: it could not be sent. null: the rule has none. */ "reply": "sent" | "limited" | "failed" | null;
          /** Whether it assigned the conversation. */ "assigned": boolean;
          /** Whether it has labels to set. */ "labelled": boolean;
          /** Whether it told webhooks. */ "webhook": boolean })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Show the settings of conversations */ "GET /v1/conversation-settings": { query?: ListDraftsQuery; answer: ShowConversationSettingsAnswer };
  /** Change the settings of conversations */ "PATCH /v1/conversation-settings": { query?: ListDraftsQuery; body: {
      /** The hours of each day of the week in the time zone of the account, as `09:00-17:00`; several a day. Hours whose end is not later than their beginning go on after midnight. A day without hours is closed. null: always open. */ "hours"?: {
        "sunday": (string)[];
        "monday": (string)[];
        "tuesday": (string)[];
        "wednesday": (string)[];
        "thursday": (string)[];
        "friday": (string)[];
        "saturday": (string)[] } | null;
      /** Days that are closed from midnight to midnight, whatever their hours are. */ "closed_dates"?: ({
          "date": string;
          "name"?: string })[];
      /** Sent to a client who writes while it is closed, once until it has been open again; null: none is sent. */ "away_message"?: string | null;
      /** Whether a conversation that nobody has is assigned to the next person when it begins or is opened again. */ "assign_by_turns"?: boolean;
      /** Who takes part in the turns: people who answer conversations. Empty: all of them. */ "turn_ids"?: (string)[];
      /** Days without anything new after which an open conversation is closed; null: it stays open. */ "close_after_days"?: number | null;
      /** Countries outside the home country of the installation that automatic replies by SMS go to, as `US`. Clients elsewhere get none; people can still answer them. */ "automatic_reply_countries"?: (string)[] }; answer: ShowConversationSettingsAnswer };
  /** Create a mailing list */ "POST /api/Mailer/CreateMalingList": { body: {
      /** Always true. */ "IsNewList": true;
      /** Its name. */ "NewListName": string;
      /** What it is for. */ "NewListDescription"?: string }; answer: CreateMailingListAnswer };
  /** Add users to lists */ "POST /api/Mailer/AddUsersToLists": { body: {
      /** The users to add. */ "users": ({
          /** The address, which is what a user is known by. */ "EmailAddress"?: string;
          /** The id of a known user, in the place of the address; beside an address it is not read. */ "UserID"?: number;
          /** First name. */ "FirstName"?: string;
          /** Last name. */ "LastName"?: string;
          /** Phone, as a text. */ "Cellphone"?: string;
          /** Values for the fields of mails; those that are not named stay. */ "UserSendFields"?: (UserSendFields)[];
          /** Further fields, of the programs of the account. */ "UserSystemFields"?: (UserSendFields)[];
          /** Deletes the user. */ "DeleteUser"?: boolean;
          /** He asked for removal elsewhere. */ "IsUserSelfRemoved"?: boolean;
          /** Restores a user who was deleted or removed, or whose address was wrong. */ "UndeleteUserIfExists"?: boolean })[];
      /** The lists to add them to. */ "mailingLists": ({
          /** The id of the list. */ "ExistingListID": number })[] }; answer: CreateMailingListAnswer };
  /** List users of a list */ "GET /api/Mailer/GetMailingListByID": { query: {
      /** The id of the list. */ "listID": string;
      /** Which users: `0` all, `1` deleted, `2` unsubscribed, `3` wrong e-mails, `4` active. */ "type": "0" | "1" | "2" | "3" | "4" }; answer: {
      /** Whether it was done. */ "success": boolean;
      /** The same. */ "res": boolean;
      /** The result. */ "result": Result;
      /** The users. */ "users": ({
          /** Phone; may be empty. */ "Cellphone": string;
          /** Whether the account deleted the user. */ "DeleteUser": boolean;
          /** The address, as it was given first. */ "EmailAddress": string;
          /** First name; may be empty. */ "FirstName": string;
          /** Whether the user unsubscribed, or complained. */ "IsUserSelfRemoved": boolean;
          /** Last name; may be empty. */ "LastName": string;
          /** `Active`, `Inactive` (deleted, or has not confirmed yet), `AskedRemoval`, `BadEmail`; null until the first delivery or choice of the user. */ "StatusEmail": string | null;
          /** Always false. */ "UndeleteUserIfExists": boolean;
          /** His id. */ "UserID": number;
          /** Values for the fields of mails. */ "UserSendFields": (UserSendFields2)[];
          /** Further fields. */ "UserSystemFields": (UserSendFields2)[] })[] } };
  /** List all lists */ "POST /api/Mailer/GetMailingListNames": { answer: {
      /** Whether it was done. */ "success": boolean;
      /** The same. */ "res": boolean;
      /** The result. */ "result": Result;
      /** The lists. */ "listNames": ({
          /** How many of its users get mails. */ "ActiveUserCount": number;
          /** Its id. */ "ExistingListID": number;
          /** Always false. */ "IsNewList": boolean;
          /** What it is for; may be empty. */ "NewListDescription": string;
          /** Its name. */ "NewListName": string;
          /** How many users it has. */ "UserCount": number })[] } };
  /** Empty lists */ "POST /api/Mailer/TruncateMailingLists": { body: (number)[]; answer: {
      /** Whether it was done. */ "success": boolean;
      /** The same. */ "res": boolean;
      /** The result. */ "result": Result;
      /** Always null. */ "data": null } };
  /** Get a mail token */ "POST /api/Mailer/token": { body: {
      /** The user name of the account, or its id. */ "siteID": string;
      /** Its password. */ "password": string }; answer: {
      /** Whether it was done. */ "success": boolean;
      /** The same. */ "res": boolean;
      /** The result. */ "result": Result;
      /** The token; empty when there is none. */ "Token": string } };
  /** Create a mail campaign */ "POST /v1/mail/campaigns": { query?: ListDraftsQuery; body: CreateMailCampaignBody; answer: CreateMailCampaignAnswer };
  /** List mail campaigns */ "GET /v1/mail/campaigns": { query?: ListChatCampaignsQuery; answer: {
      "campaigns": (CreateMailCampaignAnswer)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Estimate a mail campaign */ "POST /v1/mail/campaigns/estimate": { query?: ListDraftsQuery; body: CreateMailCampaignBody; answer: {
      /** Active users of the lists, each once. */ "recipients": number;
      /** Those of the recipients who have no standing consent to marketing messages on the channel: they are left out and cost nothing. Exact for single recipients and lists of up to 5,000, from the first 5,000 of longer ones. null: the sending policy asks for none. */ "without_consent": number | null;
      /** Credits for a mail. */ "price": string;
      /** Credits for all of them. */ "cost": string;
      /** Credits that the account has. */ "balance": string } };
  /** Preview a mail */ "POST /v1/mail/campaigns/preview": { query?: ListDraftsQuery; body: {
      /** The sender: an address that the account may send from, and the name that is shown. */ "from": From2;
      /** Where answers go, when not to the sender. */ "reply_to"?: string | null;
      /** One line. Fields stand as `{{FirstName}}`, or `{{FirstName|friend}}`. */ "subject": string;
      /** The mail in HTML. `{{unsubscribe}}` is where the page of removal is; without it a link is appended. */ "html"?: string | null;
      /** The mail in plain text; at least one of both. */ "text"?: string | null;
      /** Ids of mailing lists. A user of several lists gets one mail. */ "lists"?: (number)[] }; answer: {
      /** As the first user of the first list would get it. */ "subject": string;
      /** The same of `html`. */ "html": string | null;
      /** The same of `text`. */ "text": string | null;
      /** Names of the fields that stand in it, in lower case. */ "fields": (string)[] } };
  /** Send a test mail */ "POST /v1/mail/campaigns/test": { query?: ListDraftsQuery; body: {
      /** The sender: an address that the account may send from, and the name that is shown. */ "from": From2;
      /** Where answers go, when not to the sender. */ "reply_to"?: string | null;
      /** One line. Fields stand as `{{FirstName}}`, or `{{FirstName|friend}}`. */ "subject": string;
      /** The mail in HTML. `{{unsubscribe}}` is where the page of removal is; without it a link is appended. */ "html"?: string | null;
      /** The mail in plain text; at least one of both. */ "text"?: string | null;
      /** Ids of mailing lists. A user of several lists gets one mail. */ "lists"?: (number)[];
      /** Addresses that the test goes to. */ "to": (string)[] }; answer: {
      /** Mails that were accepted. */ "mails": number } };
  /** Show the progress of a mail campaign */ "GET /v1/mail/campaigns/{id}": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: {
      /** Its id. */ "id": string;
      /** `name`. */ "name": string | null;
      /** `subject`, with its fields. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
      /** `from`. */ "from": From3;
      /** `lists`. */ "lists": (string)[];
      /** `scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be submitted to the relay. */ "state": string;
      /** Active users of the lists, each once, when it was accepted. */ "total": number;
      /** When it begins, ISO 8601. */ "due_at": string;
      /** When it was accepted, ISO 8601. */ "created_at": string;
      /** When it ended, ISO 8601. */ "finished_at": string | null;
      /** `reply_to`. */ "reply_to": string | null;
      /** `html`. Without the role `sender` or a token with the scope `read`: null. */ "html": string | null;
      /** `text`. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
      /** Mails by their outcome until now. */ "progress": {
        /** Recipients that are done or on their way; the others have no mail yet. */ "made": number;
        /** Not submitted to the relay yet. */ "waiting": number;
        /** Submitted to the relay, and not bounced. */ "sent": number;
        /** Of these opened, if the list counts opens. */ "opened": number;
        /** Recipients who clicked a link, if the list counts clicks. */ "clicked": number;
        /** Not submitted, or bounced, by reason. */ "failed": { [name: string]: unknown };
        /** Cancelled before they were submitted. */ "cancelled": number;
        /** Hard bounces. */ "hard_bounces": number;
        /** Soft bounces. */ "soft_bounces": number;
        /** Marked as spam by the recipient. */ "complaints": number;
        /** Recipients who unsubscribed through it. */ "removals": number } } };
  /** List the failed recipients of a mail campaign */ "GET /v1/mail/campaigns/{id}/failures": { path: ShowChatCampaignPath; query?: ListFailedRecipientsQuery; answer: {
      "failures": ({
          /** The recipient. */ "address": string;
          /** Why: what the relay said (`550 5.1.1`), `bounce` with the code of the report, `removed`, `complained`, `bounced`, `deleted`, `no-credit`, `EXPIRED`. */ "reason": string;
          /** When that was known, ISO 8601. */ "at": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** List bounces and complaints of a mail campaign */ "GET /v1/mail/campaigns/{id}/returns": { path: ShowChatCampaignPath; query: {
      /** `next` of the page before; rows are in the order of the messages. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** Hard or soft bounces, complaints, or removals. */ "kind": "hard" | "soft" | "complaint" | "removal";
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "returns": ({
          /** The user; null for a recipient who is in no list. */ "user_id": string | null;
          /** The recipient. */ "address": string;
          /** Of a bounce the code of the report, of a complaint its type, of a removal `page` or `one-click`. */ "code": string;
          /** When it was reported, ISO 8601. */ "at": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Pause a mail campaign */ "POST /v1/mail/campaigns/{id}/pause": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: CreateMailCampaignAnswer };
  /** Resume a mail campaign */ "POST /v1/mail/campaigns/{id}/resume": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: CreateMailCampaignAnswer };
  /** Cancel a mail campaign */ "POST /v1/mail/campaigns/{id}/cancel": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: {
      /** Its id. */ "id": string;
      /** `name`. */ "name": string | null;
      /** `subject`, with its fields. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
      /** `from`. */ "from": From3;
      /** `lists`. */ "lists": (string)[];
      /** `scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be submitted to the relay. */ "state": string;
      /** Active users of the lists, each once, when it was accepted. */ "total": number;
      /** When it begins, ISO 8601. */ "due_at": string;
      /** When it was accepted, ISO 8601. */ "created_at": string;
      /** When it ended, ISO 8601. */ "finished_at": string | null;
      /** Recipients that get nothing, and whose credit went back. */ "cancelled": number;
      /** Messages that were submitted to the relay before. */ "handed_over": number } };
  /** Create a mailing list with settings */ "POST /v1/mail/lists": { query?: ListDraftsQuery; body: {
      /** Its name. */ "name": string;
      /** What it is for. */ "description"?: string;
      /** Whether who is added has to confirm it by a link in a mail (double opt-in). */ "confirm"?: boolean;
      /** Whether opens and clicks of mails to it are counted. */ "track"?: boolean }; answer: NewMailListAnswer };
  /** List mailing lists */ "GET /v1/mail/lists": { query?: ListContactListsQuery; answer: {
      "lists": (NewMailListAnswer)[] } };
  /** Change a mailing list */ "PATCH /v1/mail/lists/{id}": { path: ChangeMailListPath; query?: ListDraftsQuery; body: {
      /** Its name. */ "name"?: string;
      /** What it is for. */ "description"?: string;
      /** Whether who is added has to confirm it by a link in a mail (double opt-in). */ "confirm"?: boolean;
      /** Whether opens and clicks of mails to it are counted. */ "track"?: boolean }; answer: NewMailListAnswer };
  /** Show a mailing list */ "GET /v1/mail/lists/{id}": { path: ChangeMailListPath; query?: ListDraftsQuery; answer: NewMailListAnswer };
  /** Delete a mailing list */ "DELETE /v1/mail/lists/{id}": { path: ChangeMailListPath; query?: ListDraftsQuery; answer: {
      /** True. */ "done": boolean } };
  /** Empty a mailing list */ "POST /v1/mail/lists/{id}/empty": { path: ChangeMailListPath; query?: ListDraftsQuery; answer: {
      /** True. */ "done": boolean } };
  /** Export a mailing list */ "GET /v1/mail/lists/{id}/export": { path: ChangeMailListPath; query?: ListDraftsQuery; answer: Response };
  /** Start an export of a mailing list */ "POST /v1/mail/lists/{id}/export": { path: ChangeMailListPath; query?: ListDraftsQuery; answer: StartExportAnswer };
  /** Import a CSV file into a mailing list */ "POST /v1/mail/lists/{id}/import": { path: ChangeMailListPath; query?: {
      /** Whether the first row has the names of the columns; `auto` looks for itself. */ "header"?: "auto" | "yes" | "no";
      /** What the columns of the file are, in their order: `email`, `first_name`, `last_name`, `cellphone`, `field:` and a name, or nothing for one that is left out, as are those that are not named. Without it they are taken by their names. */ "columns"?: string;
      /** With it the people of the file are recorded in the consent log as having agreed: to messages on this channel, or on `any`. `consent_form` or `consent_text`, and `consent_at` or `consent_column`, are needed, too. */ "consent_channel"?: "mail" | "any";
      /** What they agreed to, in a word of yours; `marketing` without it. */ "consent_purpose"?: string;
      /** The name of the form by which they agreed. */ "consent_form"?: string;
      /** Its version. */ "consent_version"?: string;
      /** The text that they agreed to, as they saw it. */ "consent_text"?: string;
      /** Its language. */ "consent_language"?: string;
      /** When all of them agreed, ISO 8601 with an offset. */ "consent_at"?: string;
      /** The column that says when each agreed, from 1: a date or a time, as `2026-02-01`, `2026-02-01T08:00:00+02:00` or `01/02/2026 08:00`; without an offset in the zone of the account. Who has an empty cell is imported without a consent. It is a field, too, unless `columns` leaves it out. */ "consent_column"?: number;
      /** The name of the file, as evidence. */ "consent_file"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; body: FileBody; answer: ImportContactsAnswer };
  /** Add users to a mailing list */ "POST /v1/mail/lists/{id}/users": { path: ChangeMailListPath; query?: ListDraftsQuery; body: {
      /** The users to add. */ "users": ({
          /** The address. */ "email": string;
          /** First name. */ "first_name"?: string;
          /** Last name. */ "last_name"?: string;
          /** Phone. */ "cellphone"?: string;
          /** Fields by their names; others stay. */ "fields"?: { [name: string]: string };
          /** Restores the user, also after an unsubscribe, a complaint or a bounce. */ "undelete"?: boolean })[] }; answer: {
      /** Their ids, in the order of the request. */ "ids": (string)[] } };
  /** List users of a mailing list */ "GET /v1/mail/lists/{id}/users": { path: ChangeMailListPath; query?: {
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** What the address begins with, without regard to case. */ "search"?: string;
      /** Which users. */ "kind"?: "all" | "deleted" | "unsubscribed" | "wrong" | "active";
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "users": ({
          /** The id, `UserID` in the mailing-list API. */ "id": string;
          /** The address, as it was given first. */ "email": string;
          /** May be empty. */ "first_name": string;
          /** May be empty. */ "last_name": string;
          /** May be empty. */ "cellphone": string;
          /** Values for the fields of mails. */ "fields": { [name: string]: unknown };
          /** Further fields. */ "system_fields": { [name: string]: unknown };
          /** Only `active` users get mails. */ "status": "active" | "removed" | "complained" | "bounced" | "deleted";
          /** What changed the status last: `page`, `one-click`, `confirmation`, `complaint`, `bounce`, `account`; empty: nothing has. */ "status_by": string;
          /** What the mail server said, or the like; may be empty. */ "status_reason": string;
          /** When, ISO 8601. */ "status_at": string | null;
          /** Whether a mail is known to have reached the user, or the user made a choice. */ "heard": boolean;
          /** ISO 8601. */ "created_at": string;
          /** Whether the user has not confirmed the subscription yet. */ "waiting": boolean })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Change the status of a user */ "POST /v1/mail/users/{id}/status": { path: ChangeMailUserPath; query?: ListDraftsQuery; body: {
      /** `active` restores the user, also after an unsubscribe, a complaint or a bounce. */ "status": "active" | "deleted" | "removed" }; answer: ChangeMailUserAnswer };
  /** Find a user by address */ "GET /v1/mail/users": { query: {
      /** The address. */ "email": string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      /** One, or none. */ "users": (ChangeMailUserAnswer)[] } };
  /** Show a user of mailing lists */ "GET /v1/mail/users/{id}": { path: ChangeMailUserPath; query?: ListDraftsQuery; answer: ChangeMailUserAnswer };
  /** List mail templates */ "GET /v1/mail/templates": { query?: {
      /** Those whose name or subject has this in it. */ "search"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "templates": (Templates2)[] } };
  /** Create a mail template */ "POST /v1/mail/templates": { query?: ListDraftsQuery; body: {
      /** What it is known by. Names need not be unique. */ "name": string;
      /** The subject, with its fields. */ "subject"?: string;
      /** The mail in HTML, as that of a mail campaign. */ "html"?: string | null;
      /** The mail in plain text; at least one of both. */ "text"?: string | null;
      /** What the block editor of the console made `html` and `text` of. Stored as it is; leave it out if you write the HTML yourself. */ "blocks"?: { [name: string]: unknown } | null }; answer: Templates2 };
  /** Show a mail template */ "GET /v1/mail/templates/{id}": { path: ShowMailTemplatePath; query?: ListDraftsQuery; answer: {
      /** Its id. */ "id": string;
      /** `name`. */ "name": string;
      /** `subject`. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
      /** Whether it can be opened in the block editor. */ "has_blocks": boolean;
      /** Grows with every save, from 1. */ "version": number;
      /** The person who saved it last; null: a token. */ "updated_by": string | null;
      /** When it was created, ISO 8601. */ "created_at": string;
      /** When it was saved last, ISO 8601. */ "updated_at": string;
      /** `html`. Without the role `sender` or a token with the scope `read`: null. */ "html": string | null;
      /** `text`. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
      /** `blocks`. Without the role `sender` or a token with the scope `read`: null. */ "blocks": { [name: string]: unknown } | null } };
  /** Save a mail template */ "PUT /v1/mail/templates/{id}": { path: ShowMailTemplatePath; query?: ListDraftsQuery; body: {
      /** The `version` that was changed. */ "version": number;
      /** What it is known by. Names need not be unique. */ "name": string;
      /** The subject, with its fields. */ "subject"?: string;
      /** The mail in HTML, as that of a mail campaign. */ "html"?: string | null;
      /** The mail in plain text; at least one of both. */ "text"?: string | null;
      /** What the block editor of the console made `html` and `text` of. Stored as it is; leave it out if you write the HTML yourself. */ "blocks"?: { [name: string]: unknown } | null }; answer: Templates2 };
  /** Delete a mail template */ "DELETE /v1/mail/templates/{id}": { path: ShowMailTemplatePath; query?: ListDraftsQuery; answer: {
      /** True. */ "done": boolean } };
  /** Duplicate a mail template */ "POST /v1/mail/templates/{id}/duplicate": { path: ShowMailTemplatePath; query?: ListDraftsQuery; body: {
      /** What it is known by. Names need not be unique. */ "name": string }; answer: Templates2 };
  /** Record consents */ "POST /v1/consents": { query?: ListDraftsQuery; body: {
      /** Entries, all or none are written. */ "consents": ({
          /** The number in any spelling, or the e-mail address. */ "subject": string;
          /** What it is about: `any` is every channel. */ "channel": "sms" | "voice" | "chat" | "mail" | "any";
          /** What it is about, in a word of yours. */ "purpose"?: string;
          /** What the person said. */ "action": "given" | "withdrawn";
          /** When they said so, ISO 8601 with an offset; now without it. */ "at"?: string;
          /** How they said so. The others of the log are written by the service. */ "source": "api" | "import" | "form" | "agent";
          /** The name of the form. */ "form"?: string;
          /** Its version. */ "version"?: string;
          /** The text that they agreed to, as they saw it. */ "text"?: string;
          /** Its language. */ "language"?: string;
          /** The address of the network that the form came from. */ "ip"?: string;
          /** The page of the form. What follows `?` and `#` is not kept. */ "url"?: string;
          /** Of an import: the name of the file. */ "file"?: string })[] }; answer: {
      /** How many entries were added. */ "recorded": number;
      /** The position of the last one. */ "position": number } };
  /** List the consent log */ "GET /v1/consents": { query?: {
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "consents": (Consents)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Find the consents of a person */ "POST /v1/consents/search": { query?: ListDraftsQuery; body: {
      /** The number in any spelling, or the e-mail address. */ "subject": string }; answer: {
      /** What was said last, by channel and purpose; nothing of what was erased. */ "standing": ({
          /** What it is about. */ "channel": "sms" | "voice" | "chat" | "mail" | "any";
          /** What it is about. */ "purpose": string;
          /** What the person said last. */ "action": "given" | "withdrawn";
          /** When they said so, ISO 8601. */ "at": string })[];
      /** The entries, the latest first. */ "consents": (Consents)[] } };
  /** Check the consent log */ "GET /v1/consents/check": { query?: {
      /** `position` of the answer before. */ "after"?: number;
      /** Entries that are checked. */ "limit"?: number;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      /** How many entries were checked. */ "checked": number;
      /** The first entry that is not as it was written; null: none. */ "broken_at": number | null;
      /** The last entry that was checked. */ "position": number;
      /** Whether the end of the log was reached. */ "complete": boolean } };
  /** Export the consent log */ "GET /v1/consents/export": { query?: ListDraftsQuery; answer: Response };
  /** Get the balance */ "POST /api#balance": { body: {
      "balance": components['schemas']["balance"] }; answer: components['schemas']["balanceAnswer"] };
  /** Get an API token */ "POST /api#getApiToken": { body: {
      "getApiToken": components['schemas']["getApiToken"] }; answer: components['schemas']["getApiTokenAnswer"] };
  /** Set a push URL */ "POST /api#push_url": { body: {
      "push_url": components['schemas']["push_url"] }; answer: components['schemas']["push_urlAnswer"] };
  /** Show the account */ "GET /v1/account": { query?: ListDraftsQuery; answer: {
      /** Its id. */ "id": string;
      /** Its user name. */ "username": string;
      /** Its name. */ "name": string;
      /** null: that of the service. */ "time_zone": string | null } };
  /** List webhook endpoints */ "GET /v1/webhooks": { query?: ListDraftsQuery; answer: {
      "webhooks": (Webhooks)[] } };
  /** Create a webhook endpoint */ "POST /v1/webhooks": { query?: ListDraftsQuery; body: {
      /** `webhook`, or a push of the SMS family. */ "kind"?: "webhook" | "dlr" | "incoming" | "blacklist";
      /** Where to send. */ "url": string;
      /** Of a webhook: the events that it wants; all without it. */ "types"?: ("message.status" | "sms.incoming" | "blacklist.added" | "otp.blocked" | "chat.message" | "chat.button" | "chat.status" | "chat.account" | "template.status" | "template.quality" | "template.category" | "campaign.finished" | "mail.unsubscribed" | "mail.bounced" | "message.received" | "conversation.opened" | "conversation.assigned" | "conversation.closed" | "conversation.rule_matched" | "data_subject.erased" | "alert.began" | "alert.ended")[] }; answer: {
      /** Its id. */ "id": string;
      /** `webhook`, or the push of one event of the SMS family: `dlr`, `incoming`, `blacklist`. */ "kind": "webhook" | "dlr" | "incoming" | "blacklist";
      /** Where it is sent. Without the role `owner` or a token with the scope `webhooks`: no more than the host and `••••••`. */ "url": string;
      /** The events that a webhook wants; null: all. */ "types": (string)[] | null;
      /** `off`: nothing is sent there until it is enabled. */ "state": "active" | "off";
      /** Why it was switched off. */ "off_reason": string | null;
      /** When it was switched off, ISO 8601; null: never. */ "off_at": string | null;
      /** Events that it took. */ "delivered": number;
      /** Attempts that failed. */ "failed": number;
      /** When it took one last, ISO 8601; null: never. */ "last_success_at": string | null;
      /** When an attempt failed last, ISO 8601; null: never. */ "last_failure_at": string | null;
      /** The first failure after which nothing succeeded, ISO 8601; null: never. */ "failing_since": string | null;
      /** When it was registered, ISO 8601. */ "created_at": string;
      /** What signs the requests (Standard Webhooks); null for pushes, which are not signed. */ "secret": string | null } };
  /** Show a webhook endpoint */ "GET /v1/webhooks/{id}": { path: ShowWebhookPath; query?: ListDraftsQuery; answer: Webhooks };
  /** Change a webhook endpoint */ "PATCH /v1/webhooks/{id}": { path: ShowWebhookPath; query?: ListDraftsQuery; body: {
      /** Where to send from now on. */ "url"?: string;
      /** Of a webhook: the events that it wants; null: all. */ "types"?: ("message.status" | "sms.incoming" | "blacklist.added" | "otp.blocked" | "chat.message" | "chat.button" | "chat.status" | "chat.account" | "template.status" | "template.quality" | "template.category" | "campaign.finished" | "mail.unsubscribed" | "mail.bounced" | "message.received" | "conversation.opened" | "conversation.assigned" | "conversation.closed" | "conversation.rule_matched" | "data_subject.erased" | "alert.began" | "alert.ended")[] | null }; answer: Webhooks };
  /** Delete a webhook endpoint */ "DELETE /v1/webhooks/{id}": { path: ShowWebhookPath; query?: ListDraftsQuery; answer: {
      /** True. */ "done": boolean } };
  /** Show the secret of a webhook endpoint */ "GET /v1/webhooks/{id}/secret": { path: ShowWebhookPath; query?: ListDraftsQuery; answer: {
      /** What signs the requests (Standard Webhooks); null for pushes, which are not signed. */ "secret": string | null } };
  /** Rotate the secret of a webhook endpoint */ "POST /v1/webhooks/{id}/secret": { path: ShowWebhookPath; query?: ListDraftsQuery; answer: {
      /** What signs the requests (Standard Webhooks); null for pushes, which are not signed. */ "secret": string | null } };
  /** Send a test event */ "POST /v1/webhooks/{id}/test": { path: ShowWebhookPath; query?: ListDraftsQuery; body: {
      /** Of a webhook: which event; one that it wants without it. */ "type"?: "message.status" | "sms.incoming" | "blacklist.added" | "otp.blocked" | "chat.message" | "chat.button" | "chat.status" | "chat.account" | "template.status" | "template.quality" | "template.category" | "campaign.finished" | "mail.unsubscribed" | "mail.bounced" | "message.received" | "conversation.opened" | "conversation.assigned" | "conversation.closed" | "conversation.rule_matched" | "data_subject.erased" | "alert.began" | "alert.ended" }; answer: {
      /** Whether the endpoint accepted it. */ "taken": boolean;
      /** How long its answer took. */ "milliseconds": number;
      /** The id that the receiver sees, the same in each attempt. */ "event_id": string;
      /** What happened. */ "type": string;
      /** The request, a `POST`. */ "request": Request;
      /** Why it was not accepted; null when it was. */ "answer": {
        /** Its status; null when there was no answer. */ "http_status": number | null;
        /** Why it failed. */ "error": string | null;
        /** The first 1,000 characters of the answer. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string | null } | null } };
  /** Enable a webhook endpoint */ "POST /v1/webhooks/{id}/enable": { path: ShowWebhookPath; query?: ListDraftsQuery; answer: Webhooks };
  /** Replay events */ "POST /v1/webhook-deliveries/replay": { query?: ListDraftsQuery; body: {
      /** Only of this endpoint. */ "endpoint_id"?: string;
      /** Of this time or later, ISO 8601. */ "from"?: string;
      /** Before this time, ISO 8601. */ "to"?: string;
      /** Also what was delivered, at most 30 days old; needs `from` and `to`. */ "delivered"?: boolean }; answer: {
      /** How many will be sent again. */ "count": number } };
  /** List deliveries of a webhook endpoint */ "GET /v1/webhook-deliveries": { query?: {
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** Only deliveries to this endpoint. */ "endpoint"?: string;
      /** Those in this state; all without it. */ "state"?: "retrying" | "failed" | "done";
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "deliveries": (Deliveries)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Replay one event */ "POST /v1/webhook-deliveries/{id}/replay": { path: {
      /** The id of the delivery. */ "id": string }; query?: ListDraftsQuery; answer: {
      /** How many will be sent again. */ "count": number } };
  /** List events of a webhook endpoint */ "GET /v1/webhooks/{id}/events": { path: ShowWebhookPath; query?: {
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "events": ({
          /** The id that the receiver sees, the same in each attempt. */ "event_id": string;
          /** What happened. */ "type": string;
          /** When it happened, ISO 8601. */ "happened_at": string;
          /** `waiting`: not sent yet; `delivered`: accepted at the first attempt; others: of its delivery. */ "state": "waiting" | "delivered" | "retrying" | "failed" | "done";
          /** The request, a `POST`. */ "request": Request;
          /** Of one that was not accepted at the first attempt, or was replayed; null for others. */ "delivery": Deliveries | null })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Stream events */ "GET /v1/events/stream": { query?: {
      /** Types of events, with commas between them; all without it. */ "types"?: string;
      /** As the header `Last-Event-ID`, for clients that cannot set it. */ "last_event_id"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: Response };
  /** Show an event */ "GET /v1/events/{id}": { path: {
      /** The id of the event: `webhook-id` of the request. */ "id": string }; query?: ListDraftsQuery; answer: {
      /** The id that the receiver sees, the same in each attempt. */ "event_id": string;
      /** What happened. */ "type": string;
      /** What a webhook sends, as it is signed. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string } };
  /** List the request log */ "GET /v1/request-log": { query?: {
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** ISO 8601 with an offset: what was then or later. */ "from"?: string;
      /** ISO 8601 with an offset: what was before. */ "to"?: string;
      /** `sms` is `POST /api`, `chat` the chat API, `mail` the mailing-list API, `v1` what is under /v1. */ "door"?: "sms" | "chat" | "mail" | "v1";
      /** Only this operation. */ "operation"?: string;
      /** Only this status. */ "status"?: string;
      /** `true`: only refused requests; `false`: only those that were done. */ "refused"?: "true" | "false";
      /** The request with this id. */ "request_id"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "requests": ({
          /** Its id. */ "id": string;
          /** When it was answered, ISO 8601. */ "at": string;
          /** Where it came to. */ "door": "sms" | "chat" | "mail" | "v1";
          /** The root of the SMS family (`test/` before it for `/api/test`), the last segment of the path of the chat API and of the mailing-list API, the name of the operation of /v1. */ "operation": string;
          /** What the answer says: the status of the SMS family, otherwise `ok` or why it was refused, in a word. */ "status": string;
          /** Whether it was refused. */ "refused": boolean;
          /** Whether it got the answer of an earlier request with the same send key, and nothing was done. */ "repeated": boolean;
          /** The status of HTTP. */ "http_status": number;
          /** How long it took, in milliseconds, the answer included. */ "duration_ms": number;
          /** The client's address. */ "address": string;
          /** What to quote when something went wrong. */ "request_id": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** List budgets */ "GET /v1/budgets": { query?: ListDraftsQuery; answer: {
      /** Every budget. */ "budgets": ({
          /** `service-mails`: Alerts by email, which the service sends in its own name. `tests`: Test alerts by recipient, test emails of campaigns, and test events of webhooks. `verifications`: Messages that ask the owner of an address or a number to confirm: users of mailing lists, recipients of alerts, senders. `automatic-replies`: Automatic replies to clients, over every channel. `files`: Stored files: uploads, files that clients sent, files of imports and exports, and archives of personal data. */ "budget": "service-mails" | "tests" | "verifications" | "automatic-replies" | "files";
          /** Number used. */ "count": number;
          /** Largest number; null: no limit. */ "count_limit": number | null;
          /** Bytes used. */ "bytes": number;
          /** Largest number of bytes; null: no limit. */ "bytes_limit": number | null;
          /** Credits used. */ "credits": string;
          /** Largest amount of credits; null: no limit. */ "credits_limit": string | null;
          /** Whether the operator set a limit for this account. */ "is_own": boolean;
          /** Time at which the used amounts return to zero, ISO 8601; null: never. */ "renews_at": string | null })[] } };
  /** Show the balance */ "GET /v1/wallet": { query?: ListDraftsQuery; answer: {
      /** Credits that can be spent. */ "balance": string } };
  /** List ledger entries */ "GET /v1/wallet/ledger": { query?: {
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** ISO 8601 with an offset: what was then or later. */ "from"?: string;
      /** ISO 8601 with an offset: what was before. */ "to"?: string;
      /** Only entries of this kind. */ "kind"?: "topup" | "hold" | "release" | "charge" | "refund" | "transfer";
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "rows": ({
          /** Its id. */ "id": string;
          /** When, ISO 8601. */ "at": string;
          /** `hold` and `release` frame the time that something scheduled waits; `transfer` is between an account and its subscriber. */ "kind": "topup" | "hold" | "release" | "charge" | "refund" | "transfer";
          /** Credits; negative was taken from the wallet. */ "amount": string;
          /** The shipment that it was for. */ "shipment_id": string | null;
          /** The user name of the other side of a transfer. */ "peer": string | null;
          /** What was noted. */ "note": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Transfer credit */ "POST /v1/wallet/transfer": { query?: ListDraftsQuery; body: {
      /** The subscriber. */ "username": string;
      /** Credits that move to the subscriber; a negative amount takes them back. */ "amount": string | number;
      /** For the ledger of both. */ "note"?: string }; answer: {
      /** What the account has now. */ "balance": string;
      /** What the subscriber has now. */ "subscriber_balance": string } };
  /** Show the sending policy */ "GET /v1/sending-policy": { query?: ListDraftsQuery; answer: {
      /** The time zone of the account, or of the service. */ "time_zone": string;
      /** Whether a campaign to the zone of the account may be sent now. */ "permitted_now": boolean;
      /** When it may be sent next, ISO 8601: now, or later; null: not within 60 days. */ "permitted_from": string | null;
      /** The hours of each day of the week in which messages are sent, as `08:00-20:00`; several a day. Hours whose end is not later than their beginning go on after midnight. A day without hours has none. null: at any hour. */ "hours": Hours | null;
      /** `account`: hours and dates are those of the time zone of the account. `recipient`: those of the country of the number; of a country with several zones it has to be permitted in all of them. Mails, and numbers of no country, go by the account. */ "zone": "account" | "recipient";
      /** Days on which nothing is sent, from midnight to midnight. */ "closed_dates": (ClosedDates)[];
      /** Shabbat and Jewish holidays, on which nothing is sent to anybody: from some minutes before sunset at a place until some minutes after it. null: these days are as others. */ "rest_days": {
        "latitude": number;
        "longitude": number;
        "begins_before": number;
        "ends_after": number;
        "second_days": boolean } | null;
      /** `campaigns`: sends to many. `all`: single messages, too. One-time codes, verifications, confirmations, authentication templates, and answers to a client within 24 hours are always exempt. */ "applies_to": "campaigns" | "all";
      /** What is done outside the hours. `wait`: messages wait for the next permitted time. `refuse`: a send of which nothing is permitted is refused; messages of an accepted one that are not permitted fail with status 16 and cost nothing. */ "outside_hours": "wait" | "refuse";
      /** Whether a send may say that it is `transactional`, and is exempt then. */ "allows_transactional": boolean;
      /** At most so many messages to one recipient within so many hours, of one channel or, with null, of all together. */ "caps": ({
          "messages": number;
          "hours": number;
          "channel": string | null })[];
      /** What is done with a message over a cap. `refuse`: it fails with status 16 and costs nothing. `wait`: it waits until it is within the cap. */ "over_cap": "wait" | "refuse";
      /** `marketing`: messages go only to recipients with a standing consent to marketing messages on their channel, by the consent log. A send of which no recipient has one is refused; other recipients without one get status 16 and cost nothing. A consent that is withdrawn while a message waits stops it. What is exempt is sent without one. `not_required`: the log is not asked. */ "consent": "not_required" | "marketing" } };
  /** Check whether a message is permitted */ "GET /v1/sending-policy/check": { query: {
      /** A number in any spelling, or an address. */ "to": string;
      /** When it would be sent, ISO 8601 with an offset; now without it. */ "at"?: string;
      /** Whether it would be part of a send to many; `true` without it. */ "campaign"?: "true" | "false";
      /** One of `sms`, `chat`, `mail`, `voice`. Frequency caps and consents go by it. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      /** Whether it would be sent at that time. */ "permitted": boolean;
      /** What does not permit it. */ "because": "sending-hours" | "frequency-cap" | "no-consent" | null;
      /** The first time from then on when it is permitted, ISO 8601; null: not within 60 days, or not without a consent. */ "permitted_from": string | null;
      /** The time zones in which it has to be permitted. */ "time_zones": (string)[] } };
  /** List alert rules */ "GET /v1/alert-rules": { query?: ListDraftsQuery; answer: {
      "rules": (Rules2)[] } };
  /** Create an alert rule */ "POST /v1/alert-rules": { query?: ListDraftsQuery; body: {
      /** What it is called. */ "name": string;
      /** What the rule is about (docs/alerts.md). */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
      /** What is compared with; each kind has some of these. */ "thresholds"?: Thresholds2;
      /** Whether it is evaluated. */ "enabled"?: boolean;
      /** How long the condition holds before people are told. As its kind has it. */ "for_minutes"?: number;
      /** How long it is gone before people are told that it ended. */ "clear_minutes"?: number;
      /** For so long people are not told again of the same subject; then they are told how often it began. */ "pause_minutes"?: number;
      /** Who is told. Without anybody, alerts are in the console alone. */ "recipients"?: Recipients2 }; answer: Rules2 };
  /** Show an alert rule */ "GET /v1/alert-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; answer: Rules2 };
  /** Change an alert rule */ "PATCH /v1/alert-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; body: {
      /** What it is called. */ "name"?: string;
      /** Whether it is evaluated. */ "enabled"?: boolean;
      /** How long the condition holds before people are told. */ "for_minutes"?: number;
      /** How long it is gone before people are told that it ended. */ "clear_minutes"?: number;
      /** For so long people are not told again of the same subject; then they are told how often it began. */ "pause_minutes"?: number;
      /** What is compared with; each kind has some of these. */ "thresholds"?: Thresholds2;
      /** Who is told. Without anybody, alerts are in the console alone. Given as a whole. */ "recipients"?: Recipients2 }; answer: Rules2 };
  /** Delete an alert rule */ "DELETE /v1/alert-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; answer: {
      /** True. */ "done": boolean } };
  /** Send a test alert */ "POST /v1/alert-rules/{id}/test": { path: ShowConversationRulePath; query?: ListDraftsQuery; body: {
      /** Only recipients that are told by these. */ "means"?: ("mail" | "sms" | "webhook")[] }; answer: {
      /** Messages that are sent. The rule’s `tests` tell what they come to. */ "recipients": number } };
  /** List tests of an alert rule */ "GET /v1/alert-rules/{id}/tests": { path: ShowConversationRulePath; query?: ListDraftsQuery; answer: {
      /** The latest first. */ "tests": (Tests)[] } };
  /** List alerts */ "GET /v1/alerts": { query?: {
      /** `next` of the page before. */ "after"?: string;
      /** Rows of a page. */ "limit"?: number;
      /** Only those that are open, or that have ended. */ "state"?: "open" | "ended";
      /** Only those of this rule. */ "rule_id"?: string;
      /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; answer: {
      "alerts": ({
          /** Its id. */ "id": string;
          /** Its rule, which may be deleted. */ "rule_id": string;
          /** What the rule was called. */ "rule": string;
          /** What the rule is about (docs/alerts.md). */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
          /** What it is about: a prefix, a connector, a lane, the id of a webhook or subscriber; empty: the account itself. */ "subject": string;
          /** What was measured last, by its kind (docs/alerts.md). */ "measured": { [name: string]: unknown };
          /** When it began, ISO 8601; null: never. */ "began_at": string | null;
          /** When its condition held last, ISO 8601. */ "seen_at": string;
          /** When it ended, ISO 8601; null: it is open. */ "ended_at": string | null;
          /** Who was told of it, in the order of time. */ "notifications": (Tests)[] })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Count open alerts */ "GET /v1/alerts/open": { query?: ListDraftsQuery; answer: {
      /** Alerts that are open. */ "open": number } };
  /** List the people who answer conversations */ "GET /v1/conversation-agents": { query?: ListDraftsQuery; answer: {
      "agents": ({
          /** The id of the person. */ "id": string;
          /** What people call the person. */ "name": string })[] } };
}

export interface components {
  schemas: {
    "sms": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** A key of yours for this request, as the header `Idempotency-Key`: sent again with the same key within 24 hours, it is answered as the first time and done once. */ "send_key"?: string;
      /** The sender: digits and English letters. A number must be a verified one of the account, a name an approved one. */ "source": string;
      /** The text. */ "message": string;
      /** Where to: phones, contact lists, or both. */ "destinations": Destinations;
      /** Goes in front for programs that read codes: `#` makes `<#>` and a space. */ "tag"?: string;
      /** `1`: `[DYNAMIC_FIELD1]` to `[DYNAMIC_FIELD6]` become `df1` to `df6` of the contact. Takes one contact list and no phones. */ "add_dynamic"?: string;
      /** Links that are shortened, and whose clicks are counted. */ "links"?: {
        /** An address; its `id` is what the message has in `[link-<id>]`. */ "link"?: (string | Phone)[] };
      /** Reads the message aloud on the telephone. Links, the tag and how to be removed are not read; codes, phone numbers and dates are said digit by digit. */ "tts"?: {
        /** `2`: a call to kosher phones, an SMS to all others; `3`: an SMS and a call to everyone; `4`: a call to everyone. */ "type": number;
        /** How fast, `-10` to `10`; ten steps are twice as fast. */ "rate"?: number;
        /** How often it is said. */ "repeat"?: number;
        /** Who says it. */ "voice"?: "ymMale" | "ymFemale" };
      /** When to send, `dd/mm/yy hh:mm` in the time zone of the account; now when it is absent or past. */ "timing"?: string;
      /** `3` adds a link to be removed by, `2` the words to reply for it; anything else adds nothing. */ "add_unsubscribe"?: string;
      /** `1` to `14`: leaves out who got a message of the account in the last that many days. */ "temp_bl"?: string;
      /** `1` lets numbers of other countries in, else they are refused with 9. */ "includes_international"?: number;
      /** Stands in reports; `cancel` takes it. */ "campaign_name"?: string };
    "smsAnswer": SmsAnswer;
    "bulk": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** A key of yours for this request, as the header `Idempotency-Key`: sent again with the same key within 24 hours, it is answered as the first time and done once. */ "send_key"?: string;
      "messages": {
        /** The texts. */ "sms": ({
            /** The sender: digits and English letters. A number must be a verified one of the account, a name an approved one. */ "source": string;
            /** The text. */ "message": string;
            /** Where to: phones, contact lists, or both. */ "destinations"?: Destinations;
            /** Links that are shortened, and whose clicks are counted. */ "links"?: {
              /** An address; its `id` is what the message has in `[link-<id>]`. */ "link"?: (string | Phone)[] } })[] };
      /** Contact lists that get every one of them. */ "cl_id"?: (string)[];
      /** When to send, `dd/mm/yy hh:mm` in the time zone of the account; now when it is absent or past. */ "timing"?: string;
      /** `3` adds a link to be removed by, `2` the words to reply for it; anything else adds nothing. */ "add_unsubscribe"?: string;
      /** `1` to `14`: leaves out who got a message of the account in the last that many days. */ "temp_bl"?: string;
      /** `1` lets numbers of other countries in, else they are refused with 9. */ "includes_international"?: number;
      /** Stands in reports; `cancel` takes it. */ "campaign_name"?: string };
    "bulkAnswer": SmsAnswer;
    "dlr": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      "transactions": {
        /** The ids. */ "external_id": (string)[] };
      /** `dd/mm/yy hh:mm`, in the time zone of the account. */ "from": string;
      /** As `from`; its minute is in it. At most one week after it. */ "to": string };
    "dlrAnswer": DlrAnswer;
    "dlrByDate": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** Not looked at; `external_id` in it is the word null by custom. */ "transactions"?: unknown;
      /** `dd/mm/yy hh:mm`, in the time zone of the account. */ "from": string;
      /** As `from`; its minute is in it. At most one week after it. */ "to": string };
    "dlrByDateAnswer": DlrAnswer;
    "ttsDlr": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** Only the calls of this shipment. Digits. */ "shipment_id"?: string;
      /** `dd/mm/yy hh:mm`, in the time zone of the account. */ "from": string;
      /** As `from`; its minute is in it. At most one week after it. */ "to": string };
    "ttsDlrAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      "transactions"?: ({
          /** What the send answered. */ "shipment_id": string;
          /** Delivery status: 102 heard, -1 not final yet. */ "status": number;
          /** The number that the call came from. */ "source": string;
          /** The number called, `05xxxxxxxx` or international digits. */ "phone": string;
          /** The status in Hebrew. */ "he_message": string;
          /** The status in English. */ "en_message": string;
          /** When it got this status, `dd/mm/yy hh:mm`. */ "date": string })[] };
    "incoming": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** `dd/mm/yy hh:mm`, in the time zone of the account. */ "from": string;
      /** As `from`; its minute is in it. At most one week after it. */ "to": string };
    "incomingAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      "transactions"?: ({
          /** The phone. */ "source": string;
          /** The number of the account. */ "destination": string;
          /** The text, its parts put together. */ "message": string;
          /** When it came, `dd/mm/yy hh:mm`. */ "date": string })[] };
    "balance": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string } };
    "balanceAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** Credits, to four places. */ "balance"?: number };
    "getApiToken": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** Whose token: the account, or one of its subscribers. */ "username": string;
      /** What to do. */ "action": "new" | "current" };
    "getApiTokenAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** The token; empty when it cannot be shown. */ "token"?: string;
      /** When it expires, `dd/mm/yyyy hh:mm:ss` in the time zone of the account; `31/12/9999 23:59:59` for one without an end. */ "expiration_date"?: string };
    "cancel": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** The `shipment_id` of the send. */ "campaign_id"?: number;
      /** As given with the send. */ "campaign_name"?: string };
    "cancelAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** Campaigns that were cancelled; by name only. */ "count"?: number };
    "blacklist": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** `dd/mm/yy hh:mm`, in the time zone of the account. */ "from": string;
      /** As `from`; its minute is in it. */ "to": string };
    "blacklistAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      "transactions"?: ({
          /** The number. */ "phone": string;
          /** When it was put there, `dd/mm/yy hh:mm`. */ "date": string })[] };
    "addNumBL": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      "phones": {
        /** Numbers; those that cannot be read are listed in `errors`. */ "phone": (string)[] } };
    "addNumBLAnswer": {
      /** 946, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** A line for each row that could not be used. */ "errors"?: (string)[] };
    "rmNumBL": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      "phones": {
        /** Numbers; those that cannot be read are listed in `errors`. */ "phone": (string)[] };
      /** Why. */ "reason": string };
    "rmNumBLAnswer": {
      /** 944, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** A line for each row that could not be used. */ "errors"?: (string)[] };
    "newCL": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** The lists. */ "cl": ({
          /** What people call it. */ "name": string;
          "destinations"?: {
            /** The numbers. */ "destination"?: (Destination)[];
            /** Not taken here; alone it is refused with 2. */ "phone"?: unknown } })[] };
    "newCLAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** A line for each row that could not be used. */ "errors"?: (string)[];
      /** The ids of the lists, in their order. */ "identifiers"?: (string)[] };
    "removeCL": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** May be repeated. */ "cl": ({
          /** The ids of the lists. */ "id": (string)[] })[] };
    "removeCLAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** A line for each row that could not be used. */ "errors"?: (string)[] };
    "addNumCL": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** The lists. */ "cl": ({
          /** The `cl_id` of the list. */ "id": string;
          "destinations": {
            /** The numbers. */ "destination": (Destination)[] } })[] };
    "addNumCLAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** A line for each row that could not be used. */ "errors"?: (string)[] };
    "rmNumCL": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** The lists. */ "cl": ({
          /** The `cl_id` of the list. */ "id": string;
          "destinations": {
            /** The numbers. */ "phone": (string)[];
            /** The numbers, as `addNumCL` takes them. */ "destination"?: ({
                /** The number, in any spelling. */ "phone": string })[] } })[] };
    "rmNumCLAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** A line for each row that could not be used. */ "errors"?: (string)[] };
    "getCL": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string } };
    "getCLAnswer": GetCLAnswer;
    "getCLbyID": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      "cl": {
        /** The `cl_id` of the list. */ "id": string } };
    "getCLbyIDAnswer": GetCLAnswer;
    "send_otp": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** A key of yours for this request, as the header `Idempotency-Key`: sent again with the same key within 24 hours, it is answered as the first time and done once. */ "send_key"?: string;
      /** Where to: `05xxxxxxxx`, `5xxxxxxxx` or international. */ "phone": string;
      /** The sender: digits and English letters. A number must be a verified one of the account, a name an approved one. */ "source": string;
      /** Keeps the codes of your applications apart. */ "app_id"?: number;
      /** How often it may be guessed at. */ "max_tries"?: number;
      /** Minutes that it is good for. */ "valid_time"?: number;
      /** The text, with `[code]` where the code goes; a text of the service without it. */ "text"?: string;
      /** `1` lets numbers of other countries in, else they are refused with 9. */ "includes_international"?: number };
    "send_otpAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** `1`: the answer of an earlier request with the same send key, and nothing was done now. Absent otherwise. */ "repeated"?: number };
    "validate_otp": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** As it was given to `send_otp`, in any spelling. */ "phone": string;
      /** Keeps the codes of your applications apart. */ "app_id"?: number;
      /** What the person typed. */ "code": string };
    "validate_otpAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string };
    "addSub": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** A key of yours for this request, as the header `Idempotency-Key`: sent again with the same key within 24 hours, it is answered as the first time and done once. */ "send_key"?: string;
      "userDetails": {
        /** What people call it. */ "name": string;
        /** English letters, digits and `.` `_` `@` `-`; nobody else may have it. */ "username": string;
        /** Its password. */ "password": string;
        /** Its sender. */ "source": string;
        /** Credits that move from the account's wallet to its own; not negative. */ "amount": number;
        /** A phone for codes at sign-in. */ "otpPhone"?: string } };
    "addSubAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** `1`: the answer of an earlier request with the same send key, and nothing was done now. Absent otherwise. */ "repeated"?: number };
    "updateAmountSub": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** A key of yours for this request, as the header `Idempotency-Key`: sent again with the same key within 24 hours, it is answered as the first time and done once. */ "send_key"?: string;
      "userDetails": {
        /** The subscriber. */ "username": string;
        /** Credits to add; a negative amount takes them back. */ "amount": number;
        /** Money that was paid for them; kept beside the movement. */ "amount_int"?: number } };
    "updateAmountSubAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      /** `1`: the answer of an earlier request with the same send key, and nothing was done now. Absent otherwise. */ "repeated"?: number };
    "getBlanceSubs": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string } };
    "getBlanceSubsAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      "balances"?: ({
          /** Credits, to four places. */ "amount": number;
          /** The id of its account. */ "sms_user_id": string;
          /** Its name. */ "name": string })[] };
    "verify_phone": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** A key of yours for this request, as the header `Idempotency-Key`: sent again with the same key within 24 hours, it is answered as the first time and done once. */ "send_key"?: string;
      /** Mobile or landline numbers. */ "phone": (string)[];
      /** `1` lets numbers of other countries in, else they are refused with 9. */ "includes_international"?: number };
    "verify_phoneAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happens next. A refusal has `message` in its place. */ "verify_message"?: string;
      /** `1`: the answer of an earlier request with the same send key, and nothing was done now. Absent otherwise. */ "repeated"?: number };
    "getVerifiedPhones": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** `1`: those of the subscribers too. */ "is_subs"?: number };
    "getVerifiedPhonesAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string;
      "verified_phones"?: ({
          /** The number. */ "PHONE": string;
          /** The id of the account that has it. */ "USER_ID": string;
          /** Since when, `dd/mm/yy hh:mm`. */ "ASSIGNMENT_DATE": string;
          /** Its last change. */ "LAST_UPDATE": string })[] };
    "push_url": {
      "user": {
        /** The account that the call acts for: that of the token, or one of its subscribers. */ "username": string };
      /** Which events. */ "type": "dlr" | "incoming" | "blacklist";
      /** An `http` or `https` address, a public one unless the operator allows others. */ "url": string };
    "push_urlAnswer": {
      /** 0, or why it was refused. */ "status": number;
      /** What happened, in words; of a refusal it names the field. */ "message": string };
    "Error": {
      "error": {
        /** A word for programs. */ "code": string;
        /** Words for people. */ "message": string;
        /** The field that is meant, where there is one. */ "field"?: string;
        /** What is wrong with the field, in a word for programs, where it is known: `too-long`. */ "reason"?: string;
        /** What the reason speaks of, as `{"max": 50}`. */ "params"?: { [name: string]: unknown } } };
  };
}

type ListDraftsQuery = {
  /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string };

type Drafts = {
  /** Its id. */ "id": string;
  /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** `title`. Without the role `sender` or a token with the scope `read`: `••••••`. */ "title": string;
  /** Grows with every save, from 1. */ "version": number;
  /** The person who saved it last; null: a token. */ "updated_by": string | null;
  /** When it was saved last, ISO 8601. */ "updated_at": string };

type ShowDraftPath = {
  /** The id of the draft. */ "id": string };

type Links = {
  /** What the message has in `[link-<id>]`. */ "id": string;
  /** Where it leads. */ "url": string };

type Tts = {
  /** `2`: a call to kosher phones, an SMS to all others; `3`: an SMS and a call to everyone; `4`: a call to everyone. */ "type": 2 | 3 | 4;
  /** Who says it. */ "voice"?: "ymMale" | "ymFemale";
  /** How fast, `-10` to `10`; ten steps are twice as fast. */ "rate"?: number;
  /** How often it is said. */ "repeat"?: number };

type Phones = {
  "phone": string;
  "id"?: string };

type ListBlockedCodesQuery = {
  /** ISO 8601 with an offset; a day before `to` without it. */ "from"?: string;
  /** Now without it; at most 31 days after `from`. */ "to"?: string;
  /** Rows at most. */ "limit"?: number;
  /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string };

type SendCodeBody = {
  /** A number in any spelling. */ "phone": string;
  /** The sender, as in `POST /v1/sms`. */ "source": string;
  /** The text, with `[code]` where the code goes; a text of the service without it. */ "text"?: string | null;
  /** How long it is valid. */ "minutes"?: number;
  /** How often it may be guessed at. */ "tries"?: number;
  /** Keeps the codes of your applications apart. */ "app_id"?: number;
  /** Whether the number may be of another country. */ "includes_international"?: boolean };

type ListContactListsQuery = {
  /** The `id` of the last list of the page before. */ "after"?: string;
  /** Rows of a page. */ "limit"?: number;
  /** Those whose name has this in it, in small or capital letters. */ "search"?: string;
  /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string };

type ContactLists = {
  /** Its id, `cl_id` in the SMS family. */ "id": string;
  /** Its name. */ "name": string;
  /** The names of its dynamic fields. */ "columns": (string)[];
  /** How many numbers it has. */ "count": number;
  /** ISO 8601. */ "created_at": string };

type ShowContactListPath = {
  /** The id of the contact list. */ "id": string };

type StartExportAnswer = {
  /** Its id. */ "id": string;
  /** The contact list, or the mailing list; null: the blacklist. */ "list_id": string | null;
  /** Its state. */ "state": "receiving" | "waiting" | "running" | "done" | "stopped" | "failed";
  /** Why it failed. */ "problem": string | null;
  /** Size of the file. */ "bytes": number;
  /** Rows until now. */ "rows": number;
  /** ISO 8601. */ "created_at": string;
  /** ISO 8601; null until then. */ "finished_at": string | null };

type RefusedRows = {
  /** Line of the file, the first is 1. */ "line": number;
  /** What is wrong with it. */ "reason": string };

type ImportContactsAnswer = {
  /** Its id. */ "id": string;
  /** The contact list, or the mailing list; null: the blacklist. */ "list_id": string | null;
  /** Its state. */ "state": "receiving" | "waiting" | "running" | "done" | "stopped" | "failed";
  /** Why it failed. */ "problem": string | null;
  /** Size of the file. */ "bytes": number;
  /** Rows until now. */ "rows": number;
  /** ISO 8601. */ "created_at": string;
  /** ISO 8601; null until then. */ "finished_at": string | null;
  /** How much of the file has been read. */ "bytes_done": number;
  /** Numbers, or users, that were added. */ "added": number;
  /** Those that were in the list already. */ "present": number;
  /** Rows that could not be used. */ "refused": number;
  /** Consents that were recorded. */ "consents": number;
  /** The first of them; `/v1/imports/{id}/refused` has all. */ "refused_rows": (RefusedRows)[] };

type ShowImportPath = {
  /** The id of the import. */ "id": string };

type ShowExportPath = {
  /** The id of the export. */ "id": string };

type ListContactsQuery = {
  /** `next` of the page before. */ "after"?: string;
  /** Rows of a page. */ "limit"?: number;
  /** A number, in any spelling, or its first digits: what begins with it. */ "phone"?: string;
  /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string };

type Subscribers = {
  /** The id of its account. */ "id": string;
  /** Its user name, which `?username=` names. */ "username": string;
  /** Its name. */ "name": string;
  /** Credits. */ "balance": string;
  /** Whether the account has stopped it. */ "suspended": boolean;
  /** Whether the operator has stopped it, or the account. */ "suspended_by_operator": boolean;
  /** When it was made, ISO 8601. */ "created_at": string };

type ListLinkedShipmentsQuery = {
  /** `next` of the page before. */ "after"?: string;
  /** Rows of a page. */ "limit"?: number;
  /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string };

type ListClickHoursPath = {
  /** The `shipment_id` that the send answered. */ "id": string };

type Failure = {
  /** A word for programs. */ "key": "no-credit" | "blacklisted" | "cancelled" | "bad-number" | "bad-source" | "text-too-long" | "composed" | "content" | "refused-hour" | "sending-hours" | "frequency-cap" | "no-consent" | "refused-advertising" | "kosher" | "no-permission" | "denied-range" | "abroad" | "unreachable" | "out-of-coverage" | "undelivered" | "network-fault" | "network-unknown" | "carrier-refused" | "waited-too-long" | "text-lost" | "unknown" | "two-unanswered" | "tier-reached" | "window-closed" | "no-chat" | "declined" | "held-back" | "template" | "variables" | "media" | "chat-limits" | "chat-account" | "chat-access" | "chat-request" | "chat-platform" | "suspended" | "bad-mailbox" | "no-more-mails" | "busy" | "no-answer" | "hung-up" | "call-declined" | "no-such-number" | "no-trunk" | "trunk-refused" | "no-speech";
  /** Who is responsible: the `customer` who sends, the `recipient`, their `network`, the `carrier`, or `us`. */ "fault": "customer" | "recipient" | "network" | "carrier" | "us";
  /** Why, in words. */ "why": string;
  /** What to do about it. */ "todo": string };

type ShowMessagePath = {
  /** The id of the message. */ "id": string };

type Steps = {
  /** What happened. */ "step": "accepted" | "scheduled" | "waiting" | "handed_over" | "delivered" | "failed" | "cancelled" | "given_back" | "read" | "clicked" | "complained" | "unsubscribed" | "pushed";
  /** When; of `waiting`, when it may be submitted, ISO 8601. */ "at": string };

type Waiting = {
  /** The lane. */ "lane": "otp" | "single" | "bulk";
  /** The route; empty is the default one. */ "route": string;
  /** When it may be submitted, ISO 8601. */ "due_at": string;
  /** Attempts that did not succeed. */ "attempts": number;
  /** Whether it is about to be submitted. */ "in_hand": boolean;
  /** Why it waits until `due_at`: `sending-hours` and `frequency-cap` are limits of the sending policy; `unanswered`: answers of the carrier were lost, and another copy is submitted after a pause. Null for other reasons. */ "because": "sending-hours" | "frequency-cap" | "unanswered" | null;
  /** Whether its shipment is paused; `due_at` says nothing then. */ "paused": boolean;
  /** Whether it is held because the account is suspended. */ "held": boolean };

type Call = {
  /** How the call, or the last of them, ended. */ "outcome": "heard" | "ended_early" | "busy" | "no_answer" | "declined" | "no_such_number" | "other";
  /** How much of the message was played. */ "seconds": number | null };

type CarrierIds = {
  /** The part, from 1; 0 is the whole message. */ "part": number;
  /** The carrier's id. */ "id": string };

type Clicks = {
  /** The `id` of the link in the request. */ "key": string | null;
  /** Where it leads. Without the role `sender` or a token with the scope `read`: no more than the host and `••••••`. */ "url": string | null;
  /** Who followed it. */ "visitor": "person" | "preview" | "bot";
  /** When, ISO 8601. */ "at": string };

type Pushes = {
  /** As the receiver sees it. */ "event_id": string;
  /** What it told. */ "type": string;
  /** When that happened, ISO 8601. */ "at": string;
  /** The push address or webhook. */ "endpoint_id": string;
  /** `webhook`, or a push of the SMS family. */ "kind": string;
  /** Where it went. Without the role `owner` or a token with the scope `webhooks`: no more than the host and `••••••`. */ "url": string;
  /** `done`, `waiting`, `retrying` or `failed`. */ "state": string;
  /** Of one that was not taken at once. */ "attempts": number | null;
  /** The HTTP status of the last answer. */ "last_status": number | null;
  /** Why the last attempt failed. */ "last_error": string | null };

type ShowMessageAnswer = {
  /** Its id. */ "id": string;
  /** The shipment that it is part of. */ "shipment_id": string;
  /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** The recipient; of a mail the address. */ "phone": string;
  /** The sender, the business number, or of a mail the address that it comes from. */ "source": string;
  /** Your own id of it. */ "external_id": string | null;
  /** How many parts it has. */ "parts": number;
  /** What it costs, in credits. */ "price": string;
  /** `waiting`: accepted and not submitted yet; `handed_over`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, where the network tells; `failed`; `cancelled`. */ "state": "waiting" | "handed_over" | "delivered" | "read" | "failed" | "cancelled";
  /** As in delivery reports. */ "status": number;
  /** The status in words. */ "status_text": string;
  /** The network's own word for what happened last, the carrier's answer, or the reason of a chat message. */ "word": string | null;
  /** The carrier connection that it went over. */ "link": string | null;
  /** When it was accepted, ISO 8601. */ "accepted_at": string;
  /** When it was submitted, ISO 8601; null: never. */ "handed_over_at": string | null;
  /** When it was delivered, failed or was cancelled, ISO 8601; null: never. */ "ended_at": string | null;
  /** When it was read, ISO 8601; null: never. */ "read_at": string | null;
  /** Of one that failed: why. */ "failure": Failure | null;
  /** What it says; of a template the values, of a one-time code or the link of a verification the text with `••••••` in its place. Null for a mail, which says what its campaign does, and for a message that never had a text. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
  /** Whether it had a text that is kept no longer. */ "text_removed": boolean;
  /** Of its shipment. */ "campaign_name": string | null;
  /** When its shipment begins, if that was asked for, ISO 8601; null: never. */ "due_at": string | null;
  /** How long delivery is tried, ISO 8601; null: never. */ "valid_until": string | null;
  /** What was refunded of the price, in credits. */ "given_back": string | null;
  /** Its timeline until now, in the order of time. */ "steps": (Steps)[];
  /** Where it waits; null when it does not. */ "waiting": Waiting | null;
  /** Of a call that was tried. */ "call": Call | null;
  /** Kept for three weeks. */ "carrier_ids": (CarrierIds)[];
  /** The first hundred. */ "clicks": (Clicks)[];
  /** Events of it that went to the addresses that are registered now; kept for 30 days. */ "pushes": (Pushes)[] };

type Media = {
  /** Its id, for `GET /v1/media/{id}`. */ "media_id": string;
  /** What it is. */ "kind": "image" | "video" | "audio" | "document" | "sticker";
  /** Its name; empty for none. */ "file_name": string;
  /** Whether it was recorded in the chat. */ "voice": boolean };

type Header = {
  /** What it is. */ "kind": "text" | "image" | "video" | "document";
  /** The text, or the link to the media. */ "value": string };

type Buttons = {
  /** What it does. */ "kind": "reply" | "url" | "call" | "copy";
  /** Its label. */ "text": string;
  /** The address, number or code. Of a reply its id; empty in a template. */ "value": string };

type Cards = {
  "header": Header;
  /** The text; empty for none. */ "body": string;
  /** In their order. */ "buttons": (Buttons)[] };

type Chat = {
  /** What it was sent as. */ "kind": "text" | "template" | "buttons" | "carousel" | "media";
  /** The file. */ "media": Media | null;
  /** Above the text. */ "header": Header | null;
  /** The text. */ "body": string;
  /** Below the text; empty for none. */ "footer": string;
  /** The name of a limited-time offer; empty for none. */ "offer": string;
  /** In their order. */ "buttons": (Buttons)[];
  /** Of a carousel. */ "cards": (Cards)[] };

type From = {
  /** The name that is shown. */ "name": string;
  /** The address. */ "address": string };

type Mail = {
  "from": From;
  /** The subject. */ "subject": string;
  /** The HTML, with the link to unsubscribe, which leads nowhere here. */ "html": string | null;
  /** The plain text. */ "text": string | null };

type Call2 = {
  /** What is read aloud. */ "text": string;
  /** Who says it. */ "voice": "ymMale" | "ymFemale";
  /** How fast, -10 to 10. */ "rate": number;
  /** How often it is said. */ "repeat": number };

type ShowMessageContentAnswer = {
  /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** The message; null for a campaign without messages yet. */ "message_id": string | null;
  /** Its recipient. */ "recipient": string | null;
  /** The text; of a chat message the body. Null for a mail. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
  /** A chat message as the phone shows it; of a template with its values. Without the role `sender` or a token with the scope `read`: null. */ "chat": Chat | null;
  /** A mail with the fields of its recipient. Without the role `sender` or a token with the scope `read`: null. */ "mail": Mail | null;
  /** A text that is read aloud; `POST /v1/speech/preview` makes the sound. Without the role `sender` or a token with the scope `read`: null. */ "call": Call2 | null;
  /** Whether it had a text that is kept no longer. */ "text_removed": boolean };

type Failures = {
  /** A word for programs. */ "key": "no-credit" | "blacklisted" | "cancelled" | "bad-number" | "bad-source" | "text-too-long" | "composed" | "content" | "refused-hour" | "sending-hours" | "frequency-cap" | "no-consent" | "refused-advertising" | "kosher" | "no-permission" | "denied-range" | "abroad" | "unreachable" | "out-of-coverage" | "undelivered" | "network-fault" | "network-unknown" | "carrier-refused" | "waited-too-long" | "text-lost" | "unknown" | "two-unanswered" | "tier-reached" | "window-closed" | "no-chat" | "declined" | "held-back" | "template" | "variables" | "media" | "chat-limits" | "chat-account" | "chat-access" | "chat-request" | "chat-platform" | "suspended" | "bad-mailbox" | "no-more-mails" | "busy" | "no-answer" | "hung-up" | "call-declined" | "no-such-number" | "no-trunk" | "trunk-refused" | "no-speech";
  /** Who is responsible: the `customer` who sends, the `recipient`, their `network`, the `carrier`, or `us`. */ "fault": "customer" | "recipient" | "network" | "carrier" | "us";
  /** Why, in words. */ "why": string;
  /** What to do about it. */ "todo": string;
  /** As in delivery reports. */ "status": number;
  /** The network's own word, or the reason of a chat message. */ "word": string | null;
  /** How many messages. */ "count": number };

type Progress = {
  /** Not submitted yet. */ "waiting": number;
  /** Submitted, without a delivery status yet. */ "handed_over": number;
  /** Delivered, and not known to be read. */ "delivered": number;
  /** Read. */ "read": number;
  /** Failed. */ "failed": number;
  /** Cancelled before they were submitted. */ "cancelled": number;
  /** Messages that failed, by status and word, the most frequent first. */ "failures": (Failures)[];
  /** When they were counted, ISO 8601. */ "counted_at": string };

type Shipments = {
  /** Its id. */ "id": string;
  /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** `campaign_name` of the send. */ "campaign_name": string | null;
  /** The sender of its first message, the business number, or the address of mails. */ "source": string | null;
  /** `scheduled`, `running`, `paused`, `cancelled`, or `finished`: none of its messages waits. */ "state": "scheduled" | "running" | "paused" | "cancelled" | "finished";
  /** Messages that are created. */ "messages": number;
  /** Contacts of its lists that have no message yet, as far as known; of a cancelled one those that get none. */ "unmade": number;
  /** Credits that it costs, with those held for `unmade`. */ "cost": string;
  /** `cost` without what was refunded of it. */ "net_cost": string;
  /** Credits that went back: for messages that were cancelled or not delivered, and what was held for `unmade` when it was cancelled. */ "refunded": string;
  /** When it was accepted, ISO 8601. */ "accepted_at": string;
  /** When it begins, ISO 8601. */ "due_at": string;
  /** How long delivery is tried, ISO 8601. */ "valid_until": string;
  /** Null for a large one that is just being counted for the first time: ask again. */ "progress": Progress | null };

type ShowShipmentPath = {
  /** The `shipment_id` that the send answered; the id of a campaign of chat or mail. */ "id": string };

type ShowShipmentAnswer = {
  /** Its id. */ "id": string;
  /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** `campaign_name` of the send. */ "campaign_name": string | null;
  /** The sender of its first message, the business number, or the address of mails. */ "source": string | null;
  /** `scheduled`, `running`, `paused`, `cancelled`, or `finished`: none of its messages waits. */ "state": "scheduled" | "running" | "paused" | "cancelled" | "finished";
  /** Messages that are created. */ "messages": number;
  /** Contacts of its lists that have no message yet, as far as known; of a cancelled one those that get none. */ "unmade": number;
  /** Credits that it costs, with those held for `unmade`. */ "cost": string;
  /** `cost` without what was refunded of it. */ "net_cost": string;
  /** Credits that went back: for messages that were cancelled or not delivered, and what was held for `unmade` when it was cancelled. */ "refunded": string;
  /** When it was accepted, ISO 8601. */ "accepted_at": string;
  /** When it begins, ISO 8601. */ "due_at": string;
  /** How long delivery is tried, ISO 8601. */ "valid_until": string;
  /** Null for a large one that is just being counted for the first time: ask again. */ "progress": Progress | null;
  /** Whether it had a text that is kept no longer. */ "text_removed": boolean;
  /** What its messages have in common; null when each has its own. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
  /** Whether what is left of it is held because the account is suspended. */ "held": boolean;
  /** When it goes on, ISO 8601, while the sending policy of the account holds all that is left of it; null: it does not wait for that. */ "waits_until": string | null };

type CancelShipmentAnswer = {
  /** Its id. */ "id": string;
  /** Recipients that get nothing, and whose credit went back. */ "cancelled": number;
  /** Messages that were submitted before. */ "handed_over": number;
  /** Credits that went back. */ "refunded": string };

type ShowCampaignPath = {
  /** The id of the campaign, which is the `shipment_id` that the send answered. */ "id": string };

type ListFailedRecipientsQuery = {
  /** `next` of the page before; rows are in the order of the messages. */ "after"?: string;
  /** Rows of a page. */ "limit"?: number;
  /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string };

type DynamicFieldsObject = {
  "1"?: string;
  "2"?: string;
  "3"?: string;
  "4"?: string;
  "5"?: string };

type Templates = {
  /** Its name. */ "name": string;
  /** Its id, to send it with. */ "templateId": string;
  /** The language's number. */ "language": string;
  /** A link to the example of a media header; else empty. */ "headerSample": string;
  /** The text, its variables as `{{1}}`. */ "body": string;
  /** The footer, may be empty. */ "footer": string;
  /** `1` none, `2` that open something, `3` quick replies, `4` both. */ "buttons": string;
  /** `0` none, `1` a website button, `2` a call button, `3` both. */ "callToAction": string;
  /** The text of the website button. */ "callToActionWebsiteText": string;
  /** `1`: its address is fixed; `2`: a variable goes to its end. */ "callToActionWebsiteType": string;
  /** The address. */ "callToActionWebsiteURL": string;
  /** The text of the call button. */ "callToActionCallText": string;
  /** The number that it calls. */ "callToActionCallNumber": string;
  /** The text of the first quick reply. */ "quickReply1": string;
  /** The text of the second. */ "quickReply2": string;
  /** The text of the third. */ "quickReply3": string;
  /** The header: `1` no media, `2` an image, `3` a video, `4` a document. */ "headers": string;
  /** 0 to 11; 1, 10 and 11 can be sent. */ "status": number };

type ListChatTemplatesAnswer = {
  /** Whether the number is one of the account. */ "success": boolean;
  /** The templates. */ "templates": (Templates)[] };

type UploadMediaAnswer = {
  /** Its id, which messages have as `media_id`. */ "id": string;
  /** What it is sent as. */ "kind": "image" | "video" | "audio" | "document" | "sticker";
  /** `pending`: it is being fetched from the platform; `stored`; `failed`: it could not be fetched. */ "state": "pending" | "stored" | "failed";
  /** Its type: by its content when it is stored, before as the platform told. */ "mime_type": string;
  /** Its name; empty for none. Without the role `agent` or a token with the scope `read`: `••••••`. */ "file_name": string;
  /** Bytes; null while that is not known. */ "size": number | null;
  /** SHA-256 in hexadecimal; null while it is not known. Without the role `agent` or a token with the scope `read`: null. */ "sha256": string | null;
  /** Whether a browser can show or play it; everything else is saved. */ "shown": boolean;
  /** Why it failed; of a pending one what the last attempt met: `too-large`, `wrong-type` (its content is of another kind), `damaged`, `gone` (the platform has it no more), `not-fetched`, `over-budget` (the budget `files` has no room; it is fetched when there is room again, up to 7 days). */ "problem": "too-large" | "wrong-type" | "damaged" | "gone" | "not-fetched" | "over-budget" | null;
  /** When it came, or was uploaded, ISO 8601. */ "created_at": string;
  /** When it is deleted, ISO 8601. */ "expires_at": string };

type GetMediaPath = {
  /** The id of the file. */ "id": string };

type Header2 = {
  /** What it is. */ "kind": "none" | "text" | "image" | "video" | "document";
  /** Of kind `text`; may have the variable `{{1}}`. */ "text"?: string;
  /** An example: of the variable, or a link to the image (jpg, png), video (mp4) or document (pdf). */ "sample"?: string };

type Buttons2 = {
  /** A quick reply, a website, a phone number, a coupon code to copy, a one-time code to copy. */ "kind": "reply" | "website" | "call" | "coupon" | "otp";
  /** The label, 25 characters at most; a coupon has a fixed one. */ "text"?: string;
  /** Of a website: its address; `{{1}}` at its end is given by each send. */ "url"?: string;
  /** Of a phone number: with `+` and its country code. */ "number"?: string;
  /** An example: the whole address of a website with a variable, or a coupon code. */ "sample"?: string };

type Offer = {
  /** What it is called, 16 characters at most. */ "text": string;
  /** Whether each send names its end. */ "expires"?: boolean };

type Authentication = {
  /** Adds "do not share this code". */ "advice"?: boolean;
  /** How long the code is good, as the message says; null says nothing. */ "minutes"?: number | null };

type CreateTemplateBody = {
  /** The business number. */ "phone": string;
  /** Lower-case English letters, digits and underscores; 512 characters at most. */ "name": string;
  /** The number of a language (docs/chat-api.md), or its code like `he`. */ "language": string;
  /** What it is for. */ "category": "marketing" | "utility" | "authentication";
  /** Above the text; nothing without it. */ "header"?: Header2;
  /** The text, with variables `{{1}}` to `{{5}}`; empty for an authentication template, which has that of the platform. */ "body"?: string;
  /** An example for each variable of the body. */ "body_samples"?: (string)[];
  /** Below the text, 60 characters at most. */ "footer"?: string;
  /** At most three quick replies, two websites, a phone number and a coupon; quick replies stand together. */ "buttons"?: (Buttons2)[];
  /** A limited-time offer of a marketing template. */ "offer"?: Offer | null;
  /** Of an authentication template: what its text says beside the code. */ "authentication"?: Authentication | null };

type Header3 = {
  /** What it is. */ "kind": "none" | "text" | "image" | "video" | "document";
  /** Of kind `text`. */ "text": string;
  /** The example. Without the role `sender` or a token with the scope `read` or `send`: an empty text. */ "sample": string };

type Buttons3 = {
  "kind": "reply" | "website" | "call" | "coupon" | "otp";
  "text": string;
  "url": string;
  "number": string;
  /** Without the role `sender` or a token with the scope `read` or `send`: an empty text. */ "sample": string };

type Offer2 = {
  "text": string;
  "expires": boolean };

type Authentication2 = {
  "advice": boolean;
  "minutes": number | null };

type History = {
  /** 0 to 11. */ "status": number;
  /** The platform's word for why. */ "reason": string;
  /** Since when, ISO 8601. */ "at": string };

type CreateTemplateAnswer = {
  /** Its id, also in the chat API. */ "template_id": string;
  /** The business number. */ "phone": string;
  /** Its name. */ "name": string;
  /** The platform's code of its language. */ "language": string;
  /** The language's number, as the chat API returns it. */ "language_number": string;
  /** What it is for. */ "category": "marketing" | "utility" | "authentication";
  "header": Header3;
  /** The text. */ "body": string;
  /** An example for each variable. */ "body_samples": (string)[];
  /** Below the text. */ "footer": string;
  /** As they were given; what a kind does not have is empty. */ "buttons": (Buttons3)[];
  /** A limited-time offer; null for none. */ "offer": Offer2 | null;
  /** Of an authentication template; else null. */ "authentication": Authentication2 | null;
  /** 0 to 11 (interface, "Template status"). */ "status": number;
  /** The platform's word for why; empty for none. */ "status_reason": string;
  /** Since when, ISO 8601. */ "status_at": string;
  /** The platform's rating by what recipients report: blocked, called spam. `unknown` until it has one. */ "quality": "high" | "medium" | "low" | "unknown";
  /** The category that the platform is to give it, because its content does not fit its own; null for none. */ "next_category": "marketing" | "utility" | "authentication" | null;
  /** From when, ISO 8601; null where the platform does not say. */ "category_changes_at": string | null;
  /** Whether it can be sent now. */ "usable": boolean;
  /** Whether it can be changed now. */ "editable": boolean;
  /** Whether the platform has it. */ "submitted": boolean;
  /** Why the platform does not have it yet; empty for nothing. */ "problem": string;
  /** When it was made or found here, ISO 8601. */ "created_at": string;
  /** Every status that it had, in the order of time. */ "history": (History)[] };

type EditTemplatePath = {
  /** The `template_id` of the template. */ "id": string };

type ListChatCampaignsQuery = {
  /** `next` of the page before; the newest come first. */ "after"?: string;
  /** Rows of a page. */ "limit"?: number;
  /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string };

type Campaigns = {
  /** Its id, by which it is cancelled in the SMS family, too. */ "id": string;
  /** `campaign_name`. */ "name": string | null;
  /** The business number. */ "source": string;
  /** The template; null when it was removed. */ "template_id": string | null;
  /** `scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be submitted to the platform. */ "state": string;
  /** Different numbers that were asked for, `sum` of the answer. */ "total": number;
  /** When it begins, ISO 8601. */ "due_at": string;
  /** When it was accepted, ISO 8601. */ "created_at": string;
  /** When it ended, ISO 8601. */ "finished_at": string | null };

type StartChatCampaignBody = {
  /** A business number. */ "source": string;
  /** The `template_id` of an approved template of the number. */ "template_id": string;
  /** Numbers in any spelling, each sent to once. */ "phones"?: (string)[];
  /** Contact lists, by their ids. */ "lists"?: (string)[];
  /** Stands in reports and is searched for. */ "name"?: string;
  /** For each variable of the body the dynamic field that fills it, by its column's name or as `df1` to `df6`. */ "fields"?: { [name: string]: string };
  /** For a template with a media header: the link. For a text header with a variable: its value. */ "header_link"?: string;
  /** For a template with a coupon: one code for all. */ "coupon_code"?: string;
  /** For a template with a coupon, with a code for each contact: the number of the dynamic field that has it, 1 to 6. */ "coupon_field"?: number;
  /** For an offer that ends: when, ISO 8601 with an offset. */ "coupon_expires_at"?: string | null;
  /** For a website button with a variable: the number of the dynamic field that has it, 1 to 6. */ "website_field"?: number;
  /** For a second website button with a variable: the number of the dynamic field that has it, 1 to 6. */ "website_field2"?: number;
  /** When to begin; now when it is absent or past, ISO 8601 with an offset. */ "at"?: string | null;
  /** Hours of each day in which its messages are sent, as `10:00-18:00`, within those of the sending policy; outside them they wait, or fail where the policy says so. null: those of the policy. */ "sending_hours"?: string | null;
  /** Whether it is exempt from the sending policy, like a receipt or an alarm. Only where the policy allows it. */ "transactional"?: boolean };

type ShowChatCampaignPath = {
  /** The id of the campaign. */ "id": string };

type SendChatTemplateBody = {
  /** A business number. */ "source": string;
  /** The recipient, in any spelling; of a client who hides their number the id that events have in `from`. */ "to": string;
  /** The `template_id` of an approved template of the number. */ "template_id": string;
  /** The variables of the body, by number. */ "variables"?: { [name: string]: string };
  /** For a template with a media header: the link. For a text header with a variable: its value. */ "header_link"?: string;
  /** For a template with a coupon: its code, digits. */ "coupon_code"?: string;
  /** For an offer that ends: when, ISO 8601 with an offset. */ "coupon_expires_at"?: string | null;
  /** For a website button with a variable: what goes to its end. */ "website_variable"?: string;
  /** The same for a second website button. */ "website_variable2"?: string;
  /** For an authentication template: the code. */ "otp"?: string };

type SendChatTemplateAnswer = {
  /** The message. */ "id": string;
  /** The body as the client reads it. */ "body": string;
  /** Minutes that are left of the 24 hours since the client's last message. */ "template_time_left": number;
  /** Minutes that are left of the conversation. */ "conversation_time_left": number };

type Header4 = {
  /** What it is. */ "kind": "image" | "video" | "document";
  /** Its https address. Images jpg, png to 5 MB; videos mp4 to 16 MB; documents pdf to 100 MB. */ "link": string };

type Replies = {
  /** The text of the button. */ "text": string;
  /** What the event of a press has as `button_id`; its place, from 1, without it. */ "id"?: string };

type Opens = {
  /** The text of the button, without emoji. */ "text": string;
  /** What it opens: an https address, a phone number or an e-mail address. */ "target": string };

type SendChatButtonsBody = {
  /** A business number. */ "source": string;
  /** The recipient, in any spelling; of a client who hides their number the id that events have in `from`. */ "to": string;
  /** Above the text. */ "header"?: Header4 | null;
  /** The text. */ "body": string;
  /** In small letters below the text. */ "footer"?: string;
  /** Buttons that the client answers with, each with another text. */ "replies"?: (Replies)[];
  /** One button that opens something, in place of `replies`. */ "opens"?: Opens | null;
  /** The id of a message of the client to quote, as the event `chat.message` has it. */ "reply_to"?: string };

type EstimateChatButtonsAnswer = {
  /** Whether it would open a conversation, which is charged. */ "opens_conversation": boolean;
  /** Messages with buttons and carousels of the calendar month that cost nothing beside their conversation. */ "free_left": number;
  /** Credits at most: when a conversation opens with everyone. */ "cost": string;
  /** Credits of the account. */ "balance": string;
  /** Whether these are enough. */ "enough": boolean;
  /** When the last message would be submitted, by the queue and the rate of the number, ISO 8601. */ "finishes_at": string };

type Opens2 = {
  /** The text of the button, without emoji. */ "text": string;
  /** What it opens: an https address, a phone number or an e-mail address. */ "target": string };

type Cards2 = {
  /** The address of an image (jpg, png to 5 MB) or a video (mp4, 3gpp to 16 MB); on all cards the same kind. */ "media": string;
  /** A text with at most two line breaks; on all cards or on none. */ "body"?: string;
  /** Buttons that the client answers with, each with another text. */ "replies"?: (Replies)[];
  /** One button that opens something, in place of `replies`. */ "opens"?: Opens2 | null };

type SendChatCarouselBody = {
  /** A business number. */ "source": string;
  /** The recipient, in any spelling; of a client who hides their number the id that events have in `from`. */ "to": string;
  /** The text above the cards. */ "body": string;
  /** On all cards as many replies, or a button that opens something. */ "cards": (Cards2)[];
  /** The id of a message of the client to quote, as the event `chat.message` has it. */ "reply_to"?: string };

type Writer = {
  /** The person. */ "id": string;
  /** Their name. */ "name": string;
  /** Until when that holds without another word, ISO 8601. */ "until": string };

type Conversations = {
  /** Its id. */ "id": string;
  /** Your number or address that the client wrote to. */ "sender": string;
  /** The client: a number, a mail address, or the id that the chat platform gives one who hides the number. */ "client": string;
  /** The name of their profile; empty where it is not known. Without the role `agent` or a token with the scope `read`: `••••••`. */ "client_name": string;
  /** The channel that the client wrote over last; replies go over it. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** A message of the client opens a closed one. */ "state": "open" | "closed";
  /** The person who answers it; null: nobody. */ "assignee_id": string | null;
  /** Messages of the client that nobody has read. */ "unread": number;
  /** Its labels. */ "label_ids": (string)[];
  /** When the last message was sent or received, ISO 8601. */ "last_at": string;
  /** What the last message is, as events say it. */ "last_type": string;
  /** How the last message begins. Without the role `agent` or a token with the scope `read`: `••••••`. */ "last_text": string;
  /** Whether the client wrote it. */ "last_from_client": boolean;
  /** When the client wrote last, ISO 8601; null: never. */ "client_wrote_at": string | null;
  /** Who is writing an answer now; null: nobody. */ "writer": Writer | null };

type Replies2 = {
  /** What can be sent. */ "kinds": ("text" | "media" | "buttons" | "carousel" | "template")[];
  /** Why not everything can be sent: the client has never written; wrote over 24 hours ago; has not answered a template; or you do not have the sender any more. */ "problem": "never-written" | "window-closed" | "unanswered" | "no-sender" | null;
  /** Until when more than templates can be sent, ISO 8601; null: that does not end. */ "closes_at": string | null };

type BeginConversationAnswer = {
  /** Its id. */ "id": string;
  /** Your number or address that the client wrote to. */ "sender": string;
  /** The client: a number, a mail address, or the id that the chat platform gives one who hides the number. */ "client": string;
  /** The name of their profile; empty where it is not known. Without the role `agent` or a token with the scope `read`: `••••••`. */ "client_name": string;
  /** The channel that the client wrote over last; replies go over it. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** A message of the client opens a closed one. */ "state": "open" | "closed";
  /** The person who answers it; null: nobody. */ "assignee_id": string | null;
  /** Messages of the client that nobody has read. */ "unread": number;
  /** Its labels. */ "label_ids": (string)[];
  /** When the last message was sent or received, ISO 8601. */ "last_at": string;
  /** What the last message is, as events say it. */ "last_type": string;
  /** How the last message begins. Without the role `agent` or a token with the scope `read`: `••••••`. */ "last_text": string;
  /** Whether the client wrote it. */ "last_from_client": boolean;
  /** When the client wrote last, ISO 8601; null: never. */ "client_wrote_at": string | null;
  /** Who is writing an answer now; null: nobody. */ "writer": Writer | null;
  /** How the client can be answered now. */ "replies": Replies2 };

type GetConversationPath = {
  /** The id of the conversation. */ "id": string };

type Media2 = {
  /** A file: of `POST /v1/media`, or one that a client sent. */ "media_id": string;
  /** A text below it; sounds and stickers have none. */ "caption"?: string };

type Buttons4 = {
  /** Above the text. */ "header"?: Header4 | null;
  /** The text. */ "body": string;
  /** In small letters below the text. */ "footer"?: string;
  /** Buttons that the client answers with, each with another text. */ "replies"?: (Replies)[];
  /** One button that opens something, in place of `replies`. */ "opens"?: Opens | null };

type Carousel = {
  /** The text above the cards. */ "body": string;
  /** On all cards as many replies, or a button that opens something. */ "cards": (Cards2)[] };

type Template = {
  /** The `template_id` of an approved template of the number. */ "template_id": string;
  /** The variables of the body, by number. */ "variables"?: { [name: string]: string };
  /** For a template with a media header: the link. For a text header with a variable: its value. */ "header_link"?: string;
  /** For a template with a coupon: its code, digits. */ "coupon_code"?: string;
  /** For an offer that ends: when, ISO 8601 with an offset. */ "coupon_expires_at"?: string | null;
  /** For a website button with a variable: what goes to its end. */ "website_variable"?: string;
  /** The same for a second website button. */ "website_variable2"?: string;
  /** For an authentication template: the code. */ "otp"?: string };

type ReplyToConversationBody = {
  /** A text; of an SMS 1,005 characters at most. */ "text"?: string;
  /** A picture, sound, film, document or sticker; of chat. */ "media"?: Media2;
  /** A message with buttons, as `POST /v1/chat/buttons` has it. */ "buttons"?: Buttons4;
  /** A carousel, as `POST /v1/chat/carousels` has it. */ "carousel"?: Carousel;
  /** A template message, as `POST /v1/chat/messages` has it. */ "template"?: Template;
  /** The message of the client to quote; of chat. */ "reply_to"?: string;
  /** Whether an SMS may go to a number of another country whose owner has not written in the last 24 hours. */ "includes_international"?: boolean };

type Labels = {
  /** Its id. */ "id": string;
  /** The name. */ "name": string;
  /** How it is shown. */ "color": "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "violet" };

type ChangeConversationLabelPath = {
  /** The id of the label. */ "id": string };

type SavedReplies = {
  /** Its id. */ "id": string;
  /** `shortcut`. */ "shortcut": string;
  /** `title`. */ "title": string;
  /** `text`, with its variables. */ "text": string;
  /** The person who created it; null: a token. */ "created_by": string | null;
  /** How often people took it. */ "uses": number;
  /** When it was created, ISO 8601. */ "created_at": string;
  /** When it was changed last, ISO 8601. */ "updated_at": string };

type ChangeSavedReplyPath = {
  /** The id of the saved reply. */ "id": string };

type Rules = {
  /** Its id. */ "id": string;
  /** `name`. */ "name": string;
  /** Whether it looks at messages. */ "enabled": boolean;
  /** Why the service switched the rule off. `author`: the token or person that made it was removed or lost the right. Enable the rule to become its author. */ "stopped": "author" | null;
  /** Only messages over one of these channels; empty: all. */ "channels": (string)[];
  /** Only messages to one of these numbers or addresses of yours; empty: all. */ "senders": (string)[];
  /** Only messages that have one of these words, compared without case, vowel signs and punctuation around; empty: all. */ "keywords": (string)[];
  /** `exact`: the whole message is a keyword; `contains`: it is in the message; `starts`: the message begins with it. */ "match": "exact" | "contains" | "starts";
  /** `open-hours` or `closed-hours`: only then, by the opening hours of the settings. */ "when": "always" | "open-hours" | "closed-hours";
  /** Only the message that began the conversation, or opened it again. */ "first_only": boolean;
  /** A saved reply that is sent as an automatic reply, in place of `reply_text`; null: none. */ "saved_reply_id": string | null;
  /** Sent as an automatic reply; null: none. At most five automatic replies go to one client within an hour. */ "reply_text": string | null;
  /** Labels that the conversation gets. */ "label_ids": (string)[];
  /** Whom the conversation is assigned to when nobody has it; null: nobody. */ "assignee_id": string | null;
  /** Assigns it to the next person by turns, when nobody has it. */ "assign_by_turns": boolean;
  /** Tells webhooks that want the event `conversation.rule_matched`. */ "webhook": boolean;
  /** Later rules do not look at the message. */ "stop": boolean;
  /** How often it has matched, as far as conversations are kept; 10,000 at most. */ "matches": number;
  /** When it matched last, ISO 8601; null: never. */ "last_match_at": string | null };

type ShowConversationRulePath = {
  /** The id of the rule. */ "id": string };

type Hours = {
  "sunday": (string)[];
  "monday": (string)[];
  "tuesday": (string)[];
  "wednesday": (string)[];
  "thursday": (string)[];
  "friday": (string)[];
  "saturday": (string)[] };

type ClosedDates = {
  "date": string;
  "name": string };

type ShowConversationSettingsAnswer = {
  /** The time zone of the hours: that of the account, or of the service. */ "time_zone": string;
  /** Whether it is open now. */ "is_open": boolean;
  /** The hours of each day of the week in the time zone of the account, as `09:00-17:00`; several a day. Hours whose end is not later than their beginning go on after midnight. A day without hours is closed. null: always open. */ "hours": Hours | null;
  /** Days that are closed from midnight to midnight, whatever their hours are. */ "closed_dates": (ClosedDates)[];
  /** Sent to a client who writes while it is closed; null: none is sent. */ "away_message": string | null;
  /** Why the away message is not sent: `author`, because the token or person that set it lost the right to; set it again to take it over. null: it is not stopped. */ "away_stopped": "author" | null;
  /** Whether conversations are assigned by turns. */ "assign_by_turns": boolean;
  /** Who takes part in the turns: people who answer conversations. Empty: all of them. */ "turn_ids": (string)[];
  /** Days without anything new after which an open conversation is closed; null: it stays open. */ "close_after_days": number | null;
  /** Countries outside the home country of the installation that automatic replies by SMS go to, as `US`. Clients elsewhere get none; people can still answer them. */ "automatic_reply_countries": (string)[] };

type Result = {
  /** The result: 200 when it was done. */ "ResultID": number;
  /** The same in words. */ "ResultMessage": string;
  /** Always empty. */ "Tin": string };

type Data = {
  /** Ids of the users, in the order of the request. */ "users": (number)[];
  /** Ids of the lists. */ "mailingLists": (number)[] };

type CreateMailingListAnswer = {
  /** Whether it was done. */ "success": boolean;
  /** The same. */ "res": boolean;
  /** The result. */ "result": Result;
  /** What it was about. */ "data": Data };

type UserSendFields = {
  /** Its name. */ "Key": string;
  /** What the user has in it. */ "Value"?: string };

type UserSendFields2 = {
  /** Its name. */ "Key": string;
  /** Its value for the user. */ "Value": string };

type From2 = {
  "name"?: string;
  "address": string };

type CreateMailCampaignBody = {
  /** What the account calls it; 50 characters. */ "name"?: string | null;
  /** The sender: an address that the account may send from, and the name that is shown. */ "from": From2;
  /** Where answers go, when not to the sender. */ "reply_to"?: string | null;
  /** One line. Fields stand as `{{FirstName}}`, or `{{FirstName|friend}}`. */ "subject": string;
  /** The mail in HTML. `{{unsubscribe}}` is where the page of removal is; without it a link is appended. */ "html"?: string | null;
  /** The mail in plain text; at least one of both. */ "text"?: string | null;
  /** Ids of mailing lists. A user of several lists gets one mail. */ "lists": (number)[];
  /** When it begins, ISO 8601; without it, or when that is over, at once. */ "at"?: string | null;
  /** Hours of each day in which its messages are sent, as `10:00-18:00`, within those of the sending policy; outside them they wait, or fail where the policy says so. null: those of the policy. */ "sending_hours"?: string | null;
  /** Whether it is exempt from the sending policy, like a receipt or an alarm. Only where the policy allows it. */ "transactional"?: boolean };

type From3 = {
  "name": string;
  "address": string };

type CreateMailCampaignAnswer = {
  /** Its id. */ "id": string;
  /** `name`. */ "name": string | null;
  /** `subject`, with its fields. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
  /** `from`. */ "from": From3;
  /** `lists`. */ "lists": (string)[];
  /** `scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be submitted to the relay. */ "state": string;
  /** Active users of the lists, each once, when it was accepted. */ "total": number;
  /** When it begins, ISO 8601. */ "due_at": string;
  /** When it was accepted, ISO 8601. */ "created_at": string;
  /** When it ended, ISO 8601. */ "finished_at": string | null };

type NewMailListAnswer = {
  /** Its id, `ExistingListID` in the mailing-list API. */ "id": string;
  /** Its name. */ "name": string;
  /** What it is for; may be empty. */ "description": string;
  /** Whether who is added has to confirm it. */ "confirm": boolean;
  /** Whether opens and clicks are counted. */ "track": boolean;
  /** Names of the fields that its users were given. */ "columns": (string)[];
  /** How many users it has. */ "users": number;
  /** How many of them get mails. */ "active": number;
  /** ISO 8601. */ "created_at": string };

type ChangeMailListPath = {
  /** The id of the mailing list. */ "id": string };

type ChangeMailUserPath = {
  /** The id of the user. */ "id": string };

type Lists = {
  /** The id of the list. */ "id": string;
  /** The user has not confirmed it yet. */ "waiting": boolean };

type ChangeMailUserAnswer = {
  /** The id, `UserID` in the mailing-list API. */ "id": string;
  /** The address, as it was given first. */ "email": string;
  /** May be empty. */ "first_name": string;
  /** May be empty. */ "last_name": string;
  /** May be empty. */ "cellphone": string;
  /** Values for the fields of mails. */ "fields": { [name: string]: unknown };
  /** Further fields. */ "system_fields": { [name: string]: unknown };
  /** Only `active` users get mails. */ "status": "active" | "removed" | "complained" | "bounced" | "deleted";
  /** What changed the status last: `page`, `one-click`, `confirmation`, `complaint`, `bounce`, `account`; empty: nothing has. */ "status_by": string;
  /** What the mail server said, or the like; may be empty. */ "status_reason": string;
  /** When, ISO 8601. */ "status_at": string | null;
  /** Whether a mail is known to have reached the user, or the user made a choice. */ "heard": boolean;
  /** ISO 8601. */ "created_at": string;
  /** The lists of the user. */ "lists": (Lists)[] };

type Templates2 = {
  /** Its id. */ "id": string;
  /** `name`. */ "name": string;
  /** `subject`. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
  /** Whether it can be opened in the block editor. */ "has_blocks": boolean;
  /** Grows with every save, from 1. */ "version": number;
  /** The person who saved it last; null: a token. */ "updated_by": string | null;
  /** When it was created, ISO 8601. */ "created_at": string;
  /** When it was saved last, ISO 8601. */ "updated_at": string };

type ShowMailTemplatePath = {
  /** The id of the mail template. */ "id": string };

type Consents = {
  /** 1, 2, 3, … within the account. */ "position": number;
  /** The number or address; null: it was erased. */ "subject": string | null;
  /** A keyed digest of it, which stays after an erasure. */ "subject_digest": string;
  /** What it is about. */ "channel": "sms" | "voice" | "chat" | "mail" | "any";
  /** What it is about. */ "purpose": string;
  /** What the person said. */ "action": "given" | "withdrawn";
  /** When they said so, ISO 8601. */ "at": string;
  /** When it was written down, ISO 8601. */ "recorded_at": string;
  /** How they said so. */ "source": "api" | "import" | "form" | "keyword" | "removal-link" | "unsubscribe-link" | "confirmation-link" | "complaint" | "chat-platform" | "agent";
  /** What shows it. */ "evidence": { [name: string]: unknown };
  /** The digest of the entry before, hexadecimal. */ "previous": string;
  /** SHA-256 of the digest before and of the entry, hexadecimal. */ "digest": string };

type Webhooks = {
  /** Its id. */ "id": string;
  /** `webhook`, or the push of one event of the SMS family: `dlr`, `incoming`, `blacklist`. */ "kind": "webhook" | "dlr" | "incoming" | "blacklist";
  /** Where it is sent. Without the role `owner` or a token with the scope `webhooks`: no more than the host and `••••••`. */ "url": string;
  /** The events that a webhook wants; null: all. */ "types": (string)[] | null;
  /** `off`: nothing is sent there until it is enabled. */ "state": "active" | "off";
  /** Why it was switched off. */ "off_reason": string | null;
  /** When it was switched off, ISO 8601; null: never. */ "off_at": string | null;
  /** Events that it took. */ "delivered": number;
  /** Attempts that failed. */ "failed": number;
  /** When it took one last, ISO 8601; null: never. */ "last_success_at": string | null;
  /** When an attempt failed last, ISO 8601; null: never. */ "last_failure_at": string | null;
  /** The first failure after which nothing succeeded, ISO 8601; null: never. */ "failing_since": string | null;
  /** When it was registered, ISO 8601. */ "created_at": string };

type ShowWebhookPath = {
  /** The id of the address. */ "id": string };

type Request = {
  /** Where to. Without the role `owner` or a token with the scope `webhooks`: no more than the host and `••••••`. */ "url": string;
  /** Its type. */ "content_type": string;
  /** The body, without the signature headers. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string };

type Answer = {
  /** When the last attempt was, ISO 8601; null: never. */ "at": string | null;
  /** Its status; null when there was no answer. */ "http_status": number | null;
  /** Why it failed. */ "error": string | null;
  /** The first 1,000 characters of the answer. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string | null };

type Deliveries = {
  /** Its id. */ "id": string;
  /** Where it goes. */ "endpoint_id": string;
  /** The id that the receiver sees, the same in each attempt. */ "event_id": string;
  /** What happened. */ "type": string;
  /** When it happened, ISO 8601. */ "happened_at": string;
  /** `retrying`: tried again at `next_at`; `failed`: given up; `done`: taken after all. */ "state": "retrying" | "failed" | "done";
  /** Attempts until now. */ "attempts": number;
  /** The next attempt, ISO 8601; null: never. */ "next_at": string | null;
  /** When it is given up, ISO 8601. */ "give_up_at": string;
  /** The request, a `POST`. */ "request": Request;
  /** What the last attempt came to. */ "answer": Answer };

type Thresholds = {
  /** Of `low-balance`: credits. */ "below"?: string;
  /** Of `low-balance`: whether the balances of subscribers are looked at too. */ "subscribers"?: boolean;
  /** Of `low-balance`: whether accounts are left out that have sent nothing for a week. */ "active_only"?: boolean;
  /** Of `delivery-rate` and `connector-delivery-rate`: percentage points below the rate of the week before. */ "drop_percent"?: number;
  /** Of the same: messages of this hour and the one before that there must be at least. */ "min_messages"?: number;
  /** Of `delivery-rate`: only numbers that begin with this, international digits; empty: all. */ "prefix"?: string;
  /** Of `queue-age` and `event-backlog`: how long something waits; of `webhook`: how long an endpoint fails. */ "minutes"?: number;
  /** Of `code-fraud`: sends to a range of numbers that were stopped within the hour. */ "count"?: number;
  /** Of `disk`: percent of the disk. */ "free_percent"?: number;
  /** Of `backup-age`: hours since the last backup. */ "hours"?: number };

type Recipients = {
  /** By mail: the owners of the account, or all people of the operator, whose user name is a mail address. */ "owners": boolean;
  /** By mail, free of charge. */ "mails": (string)[];
  /** By SMS, which the account pays. International digits. */ "phones": (string)[];
  /** By the events `alert.began` and `alert.ended`. */ "webhook": boolean;
  /** Of SMS, and of mails to addresses that are nobody’s user name. */ "language": "en" | "he";
  /** Of the operator’s rules: the account whose SMS and webhooks are used; null: none. Null for accounts. */ "account_id": string | null;
  /** Addresses and numbers among them that get no alerts before their owners confirm, by a link that they are sent. People of the account and its verified numbers need not confirm. */ "unconfirmed": (string)[] };

type Rules2 = {
  /** Its id. */ "id": string;
  /** What it is called. */ "name": string;
  /** What the rule is about (docs/alerts.md). */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
  /** What is compared with; each kind has some of these. */ "thresholds": Thresholds;
  /** Whether it is evaluated. */ "enabled": boolean;
  /** Why the service switched the rule off. `author`: the token or person that made it was removed or lost the right. Enable the rule to become its author. */ "stopped": "author" | null;
  /** How long the condition holds before people are told. */ "for_minutes": number;
  /** How long it is gone before people are told that it ended. */ "clear_minutes": number;
  /** For so long people are not told again of the same subject; then they are told how often it began. */ "pause_minutes": number;
  "recipients": Recipients };

type Thresholds2 = {
  /** Of `low-balance`: credits. */ "below"?: string | number;
  /** Of `low-balance`: whether the balances of subscribers are looked at too. */ "subscribers"?: boolean;
  /** Of `low-balance`: whether accounts are left out that have sent nothing for a week. */ "active_only"?: boolean;
  /** Of `delivery-rate` and `connector-delivery-rate`: percentage points below the rate of the week before. */ "drop_percent"?: number;
  /** Of the same: messages of this hour and the one before that there must be at least. */ "min_messages"?: number;
  /** Of `delivery-rate`: only numbers that begin with this, international digits; empty: all. */ "prefix"?: string;
  /** Of `queue-age` and `event-backlog`: how long something waits; of `webhook`: how long an endpoint fails. */ "minutes"?: number;
  /** Of `code-fraud`: sends to a range of numbers that were stopped within the hour. */ "count"?: number;
  /** Of `disk`: percent of the disk. */ "free_percent"?: number;
  /** Of `backup-age`: hours since the last backup. */ "hours"?: number };

type Recipients2 = {
  /** By mail: the owners of the account, or all people of the operator, whose user name is a mail address. */ "owners"?: boolean;
  /** By mail, free of charge. */ "mails"?: (string)[];
  /** By SMS, which the account pays. */ "phones"?: (string)[];
  /** By the events `alert.began` and `alert.ended`. */ "webhook"?: boolean;
  /** Of SMS, and of mails to addresses that are nobody’s user name. */ "language"?: "en" | "he";
  /** Of the operator’s rules: the account whose SMS and webhooks are used; null: none. Null for accounts. */ "account_id"?: string | null };

type Tests = {
  /** What it tells: that the alert began, that it ended, or a test. */ "phase": "began" | "ended" | "test";
  /** By what. */ "means": "mail" | "sms" | "webhook";
  /** To whom: an address, a number; empty for webhooks. */ "recipient": string;
  /** `waiting`: it is tried again, for a day; `sent`: the relay, the carrier’s queue or the webhook queue has it; `failed`: it is not tried any more. */ "state": "waiting" | "sent" | "failed";
  /** How often it was tried. */ "attempts": number;
  /** Why it was not sent yet; null when it was. */ "problem": "not-set-up" | "connector-down" | "no-credit" | "refused" | "unreachable" | "rejected" | "no-webhook" | "rule-off" | "not-confirmed" | "over-budget" | "fault" | null;
  /** Of an SMS: the message. */ "message_id": string | null;
  /** When it was to be told, ISO 8601. */ "created_at": string;
  /** When it was sent or given up, ISO 8601; null: it waits. */ "settled_at": string | null };

type Phone = {
  "$"?: {
    "id"?: string };
  "_": string };

type Destinations = {
  /** `05xxxxxxxx`, `5xxxxxxxx` or international, each sent to once. `id` is yours, to ask for the delivery report with. */ "phone"?: (string | Phone)[];
  /** Contact lists, by their ids. */ "cl_id"?: (string)[];
  /** Not used; the `message` of the answer says so. Contact lists are named in `cl_id`. */ "cl"?: unknown };

type SmsAnswer = {
  /** 0, or why it was refused. */ "status": number;
  /** What happened, in words; of a refusal it names the field. */ "message": string;
  /** The shipment: in reports, and as `campaign_id` of `cancel`. */ "shipment_id"?: string;
  /** `1`: the answer of an earlier request with the same send key, and nothing was done now. Absent otherwise. */ "repeated"?: number };

type Transactions = {
  /** The `id` of the phone in the request; may be empty. */ "external_id": string;
  /** Delivery status: 102 delivered, -1 not final yet. */ "status": number;
  /** The status in Hebrew. */ "he_message": string;
  /** The status in English. */ "en_message": string;
  /** When it got this status, `dd/mm/yy hh:mm`. */ "date": string;
  /** What the send answered. */ "shipment_id": string;
  /** The number, `05xxxxxxxx` or international digits. */ "phone": string };

type DlrAnswer = {
  /** 0, or why it was refused. */ "status": number;
  /** What happened, in words; of a refusal it names the field. */ "message": string;
  "transactions"?: (Transactions)[] };

type Destination = {
  /** The number, in any spelling. */ "phone": string;
  /** What `[DYNAMIC_FIELD1]` becomes. */ "df1"?: string;
  /** What `[DYNAMIC_FIELD2]` becomes. */ "df2"?: string;
  /** What `[DYNAMIC_FIELD3]` becomes. */ "df3"?: string;
  /** What `[DYNAMIC_FIELD4]` becomes. */ "df4"?: string;
  /** What `[DYNAMIC_FIELD5]` becomes. */ "df5"?: string;
  /** What `[DYNAMIC_FIELD6]` becomes. */ "df6"?: string };

type ContactLists2 = {
  /** The list. */ "cl_id": string;
  /** The number; empty for a list without any. */ "phone": string;
  /** The name of the list. */ "name": string };

type GetCLAnswer = {
  /** 0, or why it was refused. */ "status": number;
  /** What happened, in words; of a refusal it names the field. */ "message": string;
  "contact_lists"?: (ContactLists2)[] };

/** Operations that send or pay: they take a send key. */
export const keyed: ReadonlySet<string> = new Set([
  "POST /api#sms",
  "POST /api#bulk",
  "POST /v1/sms",
  "POST /api#send_otp",
  "POST /v1/otp",
  "POST /api#addSub",
  "POST /api#updateAmountSub",
  "POST /v1/subscribers",
  "POST /api#verify_phone",
  "POST /v1/sources/verify",
  "POST /chat-api/send-template-message",
  "POST /chat-api/create-campaign-wa",
  "POST /chat-api/send-buttons",
  "POST /chat-api/send-carousel",
  "POST /v1/chat/campaigns",
  "POST /v1/chat/messages",
  "POST /v1/chat/buttons",
  "POST /v1/chat/carousels",
  "POST /v1/conversations/{id}/replies",
  "POST /api/Mailer/AddUsersToLists",
  "POST /v1/mail/campaigns",
  "POST /v1/mail/campaigns/test",
  "POST /v1/mail/lists/{id}/import",
  "POST /v1/mail/lists/{id}/users",
  "POST /v1/wallet/transfer",
  "POST /v1/alert-rules/{id}/test",
]);

/** Operations that take a body, with its media type. */
export const bodied: Readonly<Record<string, string>> = {
  "POST /api#sms": "application/json",
  "POST /api#bulk": "application/json",
  "POST /v1/drafts": "application/json",
  "PUT /v1/drafts/{id}": "application/json",
  "POST /v1/sms": "application/json",
  "POST /v1/sms/estimate": "application/json",
  "POST /v1/speech/preview": "application/json",
  "POST /api#send_otp": "application/json",
  "POST /api#validate_otp": "application/json",
  "POST /v1/otp": "application/json",
  "POST /v1/otp/estimate": "application/json",
  "POST /v1/otp/check": "application/json",
  "POST /api#newCL": "application/json",
  "POST /api#removeCL": "application/json",
  "POST /api#addNumCL": "application/json",
  "POST /api#rmNumCL": "application/json",
  "POST /api#getCL": "application/json",
  "POST /api#getCLbyID": "application/json",
  "POST /v1/contact-lists": "application/json",
  "PATCH /v1/contact-lists/{id}": "application/json",
  "POST /v1/contact-lists/{id}/import": "text/csv",
  "POST /v1/contact-lists/{id}/contacts": "application/json",
  "POST /v1/contact-lists/{id}/contacts/remove": "application/json",
  "POST /v1/contact-lists/{id}/preview": "text/csv",
  "POST /api#addSub": "application/json",
  "POST /api#updateAmountSub": "application/json",
  "POST /api#getBlanceSubs": "application/json",
  "POST /v1/subscribers": "application/json",
  "POST /api#dlr": "application/json",
  "POST /api#dlrByDate": "application/json",
  "POST /api#ttsDlr": "application/json",
  "POST /api#incoming": "application/json",
  "POST /v1/campaigns/{id}/reschedule": "application/json",
  "POST /api#verify_phone": "application/json",
  "POST /api#getVerifiedPhones": "application/json",
  "POST /v1/sources/verify": "application/json",
  "POST /v1/sources/names": "application/json",
  "POST /v1/sources/names/withdraw": "application/json",
  "POST /api#blacklist": "application/json",
  "POST /api#addNumBL": "application/json",
  "POST /api#rmNumBL": "application/json",
  "POST /v1/blacklist": "application/json",
  "POST /v1/blacklist/remove": "application/json",
  "POST /v1/blacklist/import": "text/csv",
  "POST /api#cancel": "application/json",
  "POST /chat-api/send-template-message": "application/json",
  "POST /chat-api/create-campaign-wa": "application/json",
  "POST /chat-api/send-buttons": "application/json",
  "POST /chat-api/send-carousel": "application/json",
  "POST /v1/media": "application/octet-stream",
  "POST /v1/chat/templates": "application/json",
  "PUT /v1/chat/templates/{id}": "application/json",
  "POST /v1/chat/campaigns": "application/json",
  "POST /v1/chat/messages": "application/json",
  "POST /v1/chat/messages/estimate": "application/json",
  "POST /v1/chat/campaigns/estimate": "application/json",
  "POST /v1/chat/buttons": "application/json",
  "POST /v1/chat/buttons/estimate": "application/json",
  "POST /v1/chat/carousels": "application/json",
  "POST /v1/chat/carousels/estimate": "application/json",
  "POST /v1/conversations": "application/json",
  "PATCH /v1/conversations/{id}": "application/json",
  "POST /v1/conversations/{id}/read": "application/json",
  "POST /v1/conversations/{id}/notes": "application/json",
  "POST /v1/conversations/{id}/replies": "application/json",
  "POST /v1/conversations/{id}/replies/estimate": "application/json",
  "POST /v1/conversation-labels": "application/json",
  "PATCH /v1/conversation-labels/{id}": "application/json",
  "POST /v1/saved-replies": "application/json",
  "PATCH /v1/saved-replies/{id}": "application/json",
  "POST /v1/saved-replies/{id}/use": "application/json",
  "POST /v1/conversation-rules": "application/json",
  "PATCH /v1/conversation-rules/{id}": "application/json",
  "POST /v1/conversation-rules/order": "application/json",
  "PATCH /v1/conversation-settings": "application/json",
  "POST /api/Mailer/CreateMalingList": "application/json",
  "POST /api/Mailer/AddUsersToLists": "application/json",
  "POST /api/Mailer/TruncateMailingLists": "application/json",
  "POST /api/Mailer/token": "application/json",
  "POST /v1/mail/campaigns": "application/json",
  "POST /v1/mail/campaigns/estimate": "application/json",
  "POST /v1/mail/campaigns/preview": "application/json",
  "POST /v1/mail/campaigns/test": "application/json",
  "POST /v1/mail/lists": "application/json",
  "PATCH /v1/mail/lists/{id}": "application/json",
  "POST /v1/mail/lists/{id}/import": "text/csv",
  "POST /v1/mail/lists/{id}/users": "application/json",
  "POST /v1/mail/users/{id}/status": "application/json",
  "POST /v1/mail/templates": "application/json",
  "PUT /v1/mail/templates/{id}": "application/json",
  "POST /v1/mail/templates/{id}/duplicate": "application/json",
  "POST /v1/consents": "application/json",
  "POST /v1/consents/search": "application/json",
  "POST /api#balance": "application/json",
  "POST /api#getApiToken": "application/json",
  "POST /api#push_url": "application/json",
  "POST /v1/webhooks": "application/json",
  "PATCH /v1/webhooks/{id}": "application/json",
  "POST /v1/webhooks/{id}/test": "application/json",
  "POST /v1/webhook-deliveries/replay": "application/json",
  "POST /v1/wallet/transfer": "application/json",
  "POST /v1/alert-rules": "application/json",
  "PATCH /v1/alert-rules/{id}": "application/json",
  "POST /v1/alert-rules/{id}/test": "application/json",
};

/** Operations that answer page by page, with the field of their rows. */
export const paged = {
  "GET /v1/contact-lists/{id}/contacts": "contacts",
  "GET /v1/subscribers": "subscribers",
  "GET /v1/links": "shipments",
  "GET /v1/shipments/{id}/clicks": "clicks",
  "GET /v1/messages": "messages",
  "GET /v1/shipments": "shipments",
  "GET /v1/campaigns": "campaigns",
  "GET /v1/campaigns/{id}/failed-recipients": "recipients",
  "GET /v1/blacklist": "numbers",
  "GET /v1/chat/campaigns": "campaigns",
  "GET /v1/chat/campaigns/{id}/failures": "failures",
  "GET /v1/conversations": "conversations",
  "GET /v1/conversations/{id}/timeline": "items",
  "GET /v1/conversation-rules/{id}/log": "entries",
  "GET /v1/mail/campaigns": "campaigns",
  "GET /v1/mail/campaigns/{id}/failures": "failures",
  "GET /v1/mail/campaigns/{id}/returns": "returns",
  "GET /v1/mail/lists/{id}/users": "users",
  "GET /v1/consents": "consents",
  "GET /v1/webhook-deliveries": "deliveries",
  "GET /v1/webhooks/{id}/events": "events",
  "GET /v1/request-log": "requests",
  "GET /v1/wallet/ledger": "rows",
  "GET /v1/alerts": "alerts",
} as const;
