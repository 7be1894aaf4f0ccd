// Written by `npm run console:types` from /docs/openapi.json. Not to be changed by hand.

export interface paths {
  "/v1/drafts": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "drafts": (Drafts)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The channel that it is composed for. */ "channel": "sms" | "chat" | "mail" | "voice";
            /** What it is known by in a list: the name of the campaign, or how its text begins. */ "title"?: string;
            /** The values of the composer. They are stored as they are, and checked when they are sent. */ "content": { [name: string]: unknown } } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Drafts } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/drafts/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowDraftPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Its id. */ "id": string;
              /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
              /** `title`. Without the role `sender` or a token with the scope `read`: `••••••`. */ "title": string;
              /** Grows with every save, from 1. */ "version": number;
              /** The person who saved it last; null: a token. */ "updated_by": string | null;
              /** When it was saved last, ISO 8601. */ "updated_at": string;
              /** `content`. */ "content": { [name: string]: unknown } } } } } }; put: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowDraftPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The `version` that was changed. */ "version": number;
            /** What it is known by in a list: the name of the campaign, or how its text begins. */ "title"?: string;
            /** The values of the composer. They are stored as they are, and checked when they are sent. */ "content": { [name: string]: unknown } } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Drafts } } } }; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowDraftPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/sms": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
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
            /** Stands in reports and is searched for. */ "campaign_name"?: string } } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The shipment. */ "shipment_id": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/sms/estimate": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
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
            /** Whether it is exempt from the sending policy, like a receipt or an alarm. Only where the policy allows it. */ "transactional"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** When the last message would be submitted, by the queue and the rates of the carrier connections, ISO 8601. */ "finishes_at": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/speech/preview": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The text. */ "text": string;
            /** Who says it. */ "voice"?: "ymMale" | "ymFemale";
            /** How fast, `-10` to `10`; ten steps are twice as fast. */ "rate"?: number } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "audio/wav": string } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/otp/blocks": { parameters: object; get: { parameters: { query?: ListBlockedCodesQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "blocks": ({
                  /** Kind of the sends: one-time codes, automatic replies, questions to recipients of alerts, verifications of senders. */ "kind": "code" | "automatic-reply" | "alert-contact" | "verification";
                  /** What stopped them. */ "rule": string;
                  /** The first digits of the numbers. */ "prefix": string;
                  /** How many. */ "count": number;
                  /** The last of them. */ "last_phone": string;
                  /** ISO 8601. */ "first_at": string;
                  /** ISO 8601. */ "last_at": string;
                  /** When the prefix was lifted last, ISO 8601; null: never. */ "lifted_at": string | null })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/otp/conversion": { parameters: object; get: { parameters: { query?: ListBlockedCodesQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "prefixes": ({
                  /** The first digits of the numbers. */ "prefix": string;
                  /** Codes that were sent. */ "sent": number;
                  /** Codes that were used. */ "verified": number;
                  /** Numbers that they went to. */ "phones": number;
                  /** Numbers that used one. */ "verified_phones": number;
                  /** ISO 8601. */ "last_at": string })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/otp/applications": { parameters: object; get: { parameters: { query?: ListBlockedCodesQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "applications": ({
                  /** `app_id` of the sends. */ "app_id": number;
                  /** Codes that were sent. */ "sent": number;
                  /** Codes that were used. */ "verified": number;
                  /** Numbers that they went to. */ "phones": number;
                  /** Numbers that used one. */ "verified_phones": number;
                  /** ISO 8601. */ "last_at": string })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/otp/hours": { parameters: object; get: { parameters: { query?: {
          /** ISO 8601 with an offset; a day before `to` without it. */ "from"?: string;
          /** Now without it; at most 31 days after `from`. */ "to"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "hours": ({
                  /** When the hour begins, ISO 8601. */ "at": string;
                  /** Codes that were sent. */ "sent": number;
                  /** Of them, those that were used. */ "verified": number;
                  /** Sends that were stopped. */ "stopped": number })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/otp/lift": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** A prefix of `/v1/otp/blocks`. */ "prefix": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/otp": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": SendCodeBody } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/otp/estimate": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": SendCodeBody } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The text, with 123456 for the code. */ "text": string;
              /** Parts of its text. */ "parts": number;
              /** Credits that it costs. */ "cost": string;
              /** Credits of the account. */ "balance": string;
              /** Whether these are enough. */ "enough": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/otp/check": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** A number in any spelling. */ "phone": string;
            /** What the person typed. */ "code": string;
            /** Keeps the codes of your applications apart. */ "app_id"?: number } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** False for a code that is wrong, used, expired, replaced or guessed at too often. */ "verified": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/contact-lists": { parameters: object; get: { parameters: { query?: ListContactListsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "contact_lists": (ContactLists)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What people call it. */ "name": string;
            /** The names of the dynamic fields, in their order; empty for one without a name. */ "columns"?: (string)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ContactLists } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/contact-lists/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowContactListPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ContactLists } } } }; put?: never; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowContactListPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowContactListPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** What people call it. */ "name"?: string;
            /** The names of the dynamic fields, in their order; empty for one without a name. */ "columns"?: (string)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ContactLists } } } }; trace?: never };
  "/v1/contact-lists/{id}/export": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowContactListPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/csv": string } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowContactListPath; cookie?: never }; requestBody?: never; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": StartExportAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/contact-lists/{id}/import": { parameters: object; get?: never; put?: never; post: { parameters: { query?: {
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
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path: ShowContactListPath; cookie?: never }; requestBody: { content: { "text/csv": string } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": ImportContactsAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/imports": { parameters: object; get: { parameters: { query?: {
          /** Only of this contact list; 0: of the blacklist. */ "list_id"?: string;
          /** Imports at most. */ "limit"?: number;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
                  /** Consents that were recorded. */ "consents": number })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/imports/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowImportPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ImportContactsAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/imports/{id}/stop": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowImportPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ImportContactsAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/imports/{id}/refused": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowImportPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/csv": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/exports/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowExportPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": StartExportAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/exports/{id}/stop": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowExportPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": StartExportAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/exports/{id}/file": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowExportPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/csv": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/contacts": { parameters: object; get: { parameters: { query: {
          /** A number in any spelling. */ "phone": string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "lists": ({
                  /** Its id, `cl_id` in the SMS family. */ "id": string;
                  /** Its name. */ "name": string;
                  /** The names of its dynamic fields. */ "columns": (string)[];
                  /** How many numbers it has. */ "count": number;
                  /** ISO 8601. */ "created_at": string;
                  /** Its dynamic fields, in the order of the columns of the list. */ "fields": (string | null)[] })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/contact-lists/{id}/contacts": { parameters: object; get: { parameters: { query?: ListContactsQuery; header?: never; path: ShowContactListPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "contacts": ({
                  /** The number. */ "phone": string;
                  /** Its dynamic fields, in the order of the columns of the list. */ "fields": (string | null)[] })[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowContactListPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The contacts; one that the list has already stays as it is, without `replace`. */ "contacts": ({
                /** A number in any spelling. */ "phone": string;
                /** Its dynamic fields. */ "fields"?: (string | null)[] })[];
            /** Whether contacts that the list has already get these fields. */ "replace"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** How many were added. */ "added": number;
              /** How many the list had already. */ "present": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/contact-lists/{id}/contacts/remove": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowContactListPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Numbers in any spelling. */ "phones": (string)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** How many were taken out. */ "removed": number;
              /** How many the list did not have. */ "absent": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/contact-lists/{id}/preview": { parameters: object; get?: never; put?: never; post: { parameters: { query?: {
          /** Whether the first row has the names of the columns; `auto` looks for itself. */ "header"?: "auto" | "yes" | "no";
          /** What the columns of the file are, in their order: `phone`, the number of a dynamic field, or nothing for one that is left out, as are those that are not named. Without it they are taken by their names. */ "columns"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path: ShowContactListPath; cookie?: never }; requestBody: { content: { "text/csv": string } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
                  /** Why it cannot be used. */ "problem": string | null })[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/subscribers": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** Those whose user name or name has this in it. */ "search"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "subscribers": (Subscribers)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What people call it. */ "name": string;
            /** English letters, digits and `.` `_` `@` `-`; nobody else may have it. */ "username": string;
            /** Its password. */ "password": string;
            /** Its sender. */ "source": string;
            /** Credits of the account's that it begins with. */ "amount"?: string | number;
            /** A phone for codes at sign-in. */ "otp_phone"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Subscribers } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/subscribers/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowSubscriberPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Subscribers } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/subscribers/{id}/suspend": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowSubscriberPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Subscribers } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/subscribers/{id}/lift": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowSubscriberPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Subscribers } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/links": { parameters: object; get: { parameters: { query?: ListLinkedShipmentsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "shipments": ({
                  /** Its id. */ "id": string;
                  /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
                  /** `campaign_name` of the send. */ "campaign_name": string | null;
                  /** Messages that are made. */ "messages": number;
                  /** When it was accepted, ISO 8601. */ "accepted_at": string;
                  /** How many links it has. */ "links": number;
                  /** Where the first of them leads. Without the role `sender` or a token with the scope `read`: no more than the host and `••••••`. */ "url": string })[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/shipments/{id}/clicks/hours": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ListClickHoursPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "hours": ({
                  /** When the hour begins, ISO 8601. */ "at": string;
                  /** How often links were followed in it. */ "clicks": {
                    /** By browsers. */ "person": number;
                    /** By programs that show what a link leads to. */ "preview": number;
                    /** By other programs. */ "bot": number } })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/shipments/{id}/links": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ListClickHoursPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
                    /** By other programs. */ "bot": number } })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/shipments/{id}/clicks": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path: ListClickHoursPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/messages": { parameters: object; get: { parameters: { query?: {
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
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/messages.csv": { parameters: object; get: { parameters: { query?: {
          /** A recipient: a number in any spelling, or the address of a mail as it was given. */ "phone"?: string;
          /** The id of a message. */ "id"?: string;
          /** Your own id of a message. */ "external_id"?: string;
          /** The shipment. */ "shipment_id"?: string;
          /** `campaign_name` of the send. */ "campaign_name"?: string;
          /** `waiting`: accepted and not submitted yet; `handed_over`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, where the network tells; `failed`; `cancelled`. */ "state"?: "waiting" | "handed_over" | "delivered" | "read" | "failed" | "cancelled";
          /** One of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
          /** ISO 8601 with an offset: what was then or later. */ "from"?: string;
          /** ISO 8601 with an offset: what was before. */ "to"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/csv": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/messages/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMessagePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowMessageAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/messages/{id}/retry": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMessagePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowMessageAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/messages/{id}/content": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMessagePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowMessageContentAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/shipments": { parameters: object; get: { parameters: { query?: {
          /** `campaigns`: sends to many, or with a name; `all`: also each single message. */ "kind"?: "campaigns" | "all";
          /** One of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
          /** `campaign_name` of the send. */ "name"?: string;
          /** Those whose `campaign_name` has this in it, among the latest 10,000 sends. */ "search"?: string;
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "shipments": (Shipments)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/shipments/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowShipmentPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowShipmentAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/shipments/{id}/content": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowShipmentPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowMessageContentAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/shipments/{id}/messages.csv": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowShipmentPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/csv": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/shipments/{id}/pause": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowShipmentPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Shipments } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/shipments/{id}/resume": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowShipmentPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Shipments } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/shipments/{id}/cancel": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowShipmentPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": CancelShipmentAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/campaigns": { parameters: object; get: { parameters: { query?: {
          /** One of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
          /** `campaign_name` of the send. */ "name"?: string;
          /** Those whose `campaign_name` has this in it, among the latest 10,000 sends. */ "search"?: string;
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "campaigns": (Shipments)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/campaigns/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowShipmentAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/campaigns/{id}/content": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowMessageContentAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/campaigns/{id}/messages.csv": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/csv": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/campaigns/{id}/pause": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Shipments } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/campaigns/{id}/resume": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Shipments } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/campaigns/{id}/cancel": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": CancelShipmentAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/campaigns/{id}/request": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Where it is sent to. */ "path": string;
              /** The body, as the route describes it. */ "body": { [name: string]: unknown } } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/campaigns/{id}/reschedule": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowCampaignPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** When it begins, ISO 8601 with an offset; now when that is over. */ "at": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Shipments } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/campaigns/{id}/failed-recipients": { parameters: object; get: { parameters: { query?: ListFailedRecipientsQuery; header?: never; path: ShowCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "recipients": ({
                  /** The message. */ "message_id": string;
                  /** The number or address; what was given, if it is neither. */ "recipient": string;
                  /** As in delivery reports. */ "status": number;
                  /** The network's own word, or the reason of a chat message or mail. */ "word": string | null;
                  /** Why. */ "failure": Failure;
                  /** When that was known, ISO 8601. */ "at": string })[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/overview": { parameters: object; get: { parameters: { query?: {
          /** ISO 8601 with an offset; a day before `to` without it. */ "from"?: string;
          /** ISO 8601 with an offset; now without it. */ "to"?: string;
          /** `hour`, for at most 31 days; `day`, for at most 400. */ "step"?: "hour" | "day";
          /** Whose days are counted; the zone of the account without it, by its IANA name. */ "time_zone"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The beginning of the first hour or day, ISO 8601. */ "from": string;
              /** The end of the last one, ISO 8601. */ "to": string;
              /** Messages by the time when they were accepted; hours and days without any are left out. */ "rows": (Rows)[];
              /** The same, for the whole time. */ "totals": (Totals)[];
              /** When the latest hour was counted, ISO 8601; null: never. */ "counted_at": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/overview/prefixes": { parameters: object; get: { parameters: { query?: {
          /** ISO 8601 with an offset; a day before `to` without it. */ "from"?: string;
          /** ISO 8601 with an offset; now without it. */ "to"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** How many of the latest messages were looked at. */ "sample": number;
              /** How many that are at most. */ "max_sample": number;
              /** The most frequent prefixes first, at most 100. */ "rows": ({
                  /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
                  /** The beginning of the numbers, or of mails `@` and the domain. */ "prefix": string;
                  /** Messages that were accepted. */ "accepted": number;
                  /** Delivered, and not known to be read. */ "delivered": number;
                  /** Read. */ "read": number;
                  /** Failed. */ "failed": number })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/queue": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Every lane, the most urgent first. */ "lanes": ({
                  /** The lane. */ "lane": "otp" | "single" | "bulk";
                  /** Messages that may be submitted now; a batch counts whole until it is done. */ "due": number;
                  /** How long the oldest of them has been due. */ "oldest_seconds": number;
                  /** Messages whose time is to come, or that are tried again later. */ "later": number;
                  /** Messages of shipments that are paused. */ "paused": number;
                  /** Messages that are held because the account is suspended. */ "held": number })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/live": { parameters: object; get: { parameters: { query?: {
          /** Messages, by their ids with commas between them; at most 100. */ "messages"?: string;
          /** Shipments and campaigns, by their ids with commas between them; at most 20. */ "shipments"?: string;
          /** Simulated phones of the sandbox, with commas between them; at most 10. For the demo account, with the role `sender` or a token with the scope `read`. */ "phones"?: string;
          /** `true`: every conversation of the account. */ "conversations"?: "true" | "false";
          /** The messages that were sent in this conversation, the last 30. */ "conversation"?: string;
          /** As the header `Last-Event-ID`, for clients that cannot set it. */ "last_event_id"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/event-stream": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/sources": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** Whether anything may be the sender here: the setting VERIFY_SOURCES is off. */ "any": boolean } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/sources/verify": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Mobile or landline numbers. */ "phones": (string)[];
            /** Lets numbers of other countries in. */ "includes_international"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** What happens next. */ "message": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/sources/names": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The name that recipients see: English letters, digits, blanks within, `.`, `_` and `-`. */ "source": string;
            /** For the operator: whose name it is. */ "note"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/sources/names/withdraw": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The name that recipients see: English letters, digits, blanks within, `.`, `_` and `-`. */ "source": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/blacklist": { parameters: object; get: { parameters: { query?: ListContactsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "numbers": ({
                  /** The number. */ "phone": string;
                  /** When it was put there, ISO 8601. */ "since": string })[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Numbers in any spelling. */ "phones": (string)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** How many were put there. */ "added": number;
              /** How many were there already. */ "present": number;
              /** What could not be read. */ "errors": (string)[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/blacklist/remove": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Numbers in any spelling. */ "phones": (string)[];
            /** Why; kept with the account. */ "reason": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** How many were taken off. */ "removed": number;
              /** How many were not there. */ "absent": number;
              /** What could not be read. */ "errors": (string)[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/blacklist/export": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/csv": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/blacklist/import": { parameters: object; get?: never; put?: never; post: { parameters: { query?: {
          /** Whether the first row has the names of the columns; `auto` looks for itself. */ "header"?: "auto" | "yes" | "no";
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody: { content: { "text/csv": string } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": ImportContactsAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/media": { parameters: object; get?: never; put?: never; post: { parameters: { query: {
          /** What it is sent as: `image` (JPEG, PNG; 5 MiB), `video` (MP4, 3GPP; 16 MiB), `audio` (AAC, AMR, MP3, M4A, OGG with Opus; 16 MiB), `document` (PDF, Word, Excel, PowerPoint, text; 100 MiB), `sticker` (WebP; 500 KiB). */ "kind": "image" | "video" | "audio" | "document" | "sticker";
          /** Its name. Clients see that of a document. */ "file_name"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/octet-stream": string } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": UploadMediaAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/media/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: GetMediaPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": UploadMediaAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/media/{id}/file": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: GetMediaPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/octet-stream": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/languages": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "languages": ({
                  /** Its number in the chat API. */ "number": string;
                  /** The platform's code. */ "code": string;
                  /** Its name in English. */ "name": string })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/numbers": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "portfolios": ({
                  /** Its id. */ "id": string;
                  /** Its name. */ "name": string;
                  /** How many clients may be written to first within 24 hours. */ "tier": number;
                  /** How many were in the last 24 hours. */ "reached": number;
                  /** What the platform has against the portfolio and its numbers now, the oldest first. */ "problems": (Problems)[];
                  /** Its business numbers. */ "numbers": ({
                      /** The number, international digits. */ "phone": string;
                      /** What people call it. */ "name": string;
                      /** How fast it sends at most. */ "messages_per_second": number;
                      /** The platform's rating by what recipients report: blocked, called spam. `unknown` until it has one. */ "quality": "high" | "medium" | "low" | "unknown" })[] })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/templates": { parameters: object; get: { parameters: { query?: {
          /** Only templates of this business number. */ "phone"?: string;
          /** The `template_id` of the last template of the page before. */ "after"?: string;
          /** Templates of a page. */ "limit"?: number;
          /** `false`: without those that are deleted. */ "deleted"?: "true" | "false";
          /** Those whose name has this in it, in small or capital letters. */ "search"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "templates": ({
                  /** Its id, also in the chat API. */ "template_id": string;
                  /** The business number. */ "phone": string;
                  /** Its name. */ "name": string;
                  /** The platform's code of its language. */ "language": string;
                  /** The language's number, as the chat API returns it. */ "language_number": string;
                  /** What it is for. */ "category": "marketing" | "utility" | "authentication";
                  "header": Header2;
                  /** The text. */ "body": string;
                  /** An example for each variable. */ "body_samples": (string)[];
                  /** Below the text. */ "footer": string;
                  /** As they were given; what a kind does not have is empty. */ "buttons": (Buttons2)[];
                  /** A limited-time offer; null for none. */ "offer": Offer | null;
                  /** Of an authentication template; else null. */ "authentication": Authentication | null;
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
                  /** When it was made or found here, ISO 8601. */ "created_at": string })[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": CreateTemplateBody } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": CreateTemplateAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/templates/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowTemplatePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": CreateTemplateAnswer } } } }; put: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowTemplatePath; cookie?: never }; requestBody: { content: { "application/json": CreateTemplateBody } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": CreateTemplateAnswer } } } }; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowTemplatePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": CreateTemplateAnswer } } } }; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/numbers/{id}/sync": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: {
          /** The business number. */ "id": string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Templates on the platform. */ "found": number;
              /** Of them new here, once for each business number of the portfolio. */ "added": number;
              /** Have another status now, those that are gone included. */ "changed": number;
              /** Names of those with parts that this service cannot send; they are left out. */ "unsupported": (string)[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/campaigns": { parameters: object; get: { parameters: { query?: ListChatCampaignsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "campaigns": (Campaigns)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": StartChatCampaignBody } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The campaign. */ "id": string;
              /** Different numbers that it goes to. */ "recipients": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/campaigns/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
                /** Cancelled before they were submitted. */ "cancelled": number } } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/campaigns/{id}/failures": { parameters: object; get: { parameters: { query?: ListFailedRecipientsQuery; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "failures": ({
                  /** The recipient; what was given, when that is no phone number. */ "phone": string;
                  /** Why, in a word. */ "reason": string;
                  /** When that was known, ISO 8601. */ "at": string })[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/campaigns/{id}/pause": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Campaigns } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/campaigns/{id}/resume": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Campaigns } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/campaigns/{id}/cancel": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** Messages that were submitted to the platform before. */ "handed_over": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/messages": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": SendChatTemplateBody } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": SendChatTemplateAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/messages/estimate": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": SendChatTemplateBody } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The body as the client reads it. */ "body": string;
              /** Whether it would open a conversation, which is charged. */ "opens_conversation": boolean;
              /** Credits at most: when a conversation opens with everyone. */ "cost": string;
              /** Credits of the account. */ "balance": string;
              /** Whether these are enough. */ "enough": boolean;
              /** When the last message would be submitted, by the queue and the rate of the number, ISO 8601. */ "finishes_at": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/campaigns/estimate": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": StartChatCampaignBody } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The body, with 1 in the place of every field. */ "body": string;
              /** The message as the first contact of the first list sees it; without one with 1 in the place of every field. */ "preview": Chat;
              /** Different numbers that it would go to. */ "recipients": number;
              /** Those of the recipients who have no standing consent to marketing messages on the channel: they are left out and cost nothing. Exact for single recipients and lists of up to 5,000, from the first 5,000 of longer ones. null: the sending policy asks for none. */ "without_consent": number | null;
              /** Credits at most: when a conversation opens with everyone. */ "cost": string;
              /** Credits of the account. */ "balance": string;
              /** Whether these are enough. */ "enough": boolean;
              /** When the last message would be submitted, by the queue and the rate of the number, ISO 8601. */ "finishes_at": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/window": { parameters: object; get: { parameters: { query: {
          /** A business number. */ "source": string;
          /** The recipient, in any spelling. */ "to": string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Whether messages with buttons and carousels can be sent. */ "open": boolean;
              /** Why not: the client has never written; their last message is over 24 hours old; a template since then has no answer. */ "problem": "never-written" | "window-closed" | "unanswered" | null;
              /** The client's last message, ISO 8601; null: never. */ "client_wrote_at": string | null;
              /** 24 hours after it, ISO 8601; null: never. */ "closes_at": string | null;
              /** When the conversation ends that is open; a message after it opens another one, which is charged, ISO 8601; null: never. */ "conversation_ends_at": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/buttons": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": SendChatButtonsBody } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": SendChatTemplateAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/buttons/estimate": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": SendChatButtonsBody } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": EstimateChatButtonsAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/carousels": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": SendChatCarouselBody } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": SendChatTemplateAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/chat/carousels/estimate": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": SendChatCarouselBody } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": EstimateChatButtonsAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversations": { parameters: object; get: { parameters: { query?: {
          /** Only those in this state. */ "state"?: "open" | "closed";
          /** `true`: only those with messages that nobody has read. */ "unread"?: "true" | "false";
          /** `me`: those of the person who calls; `none`: those of nobody; or the id of a person. */ "assignee"?: string;
          /** Only those with this label. */ "label"?: string;
          /** How the client's number, address or name begins. */ "search"?: string;
          /** `next` of the page before; the last message first */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "conversations": (Conversations)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Your number. */ "sender": string;
            /** The client, in any spelling. */ "client": string;
            /** The channel. */ "channel": "sms" | "chat" } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": BeginConversationAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversations/counts": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Open ones; 1000 stands for that many or more here and below. */ "open": number;
              /** Open ones of the person who calls; 0 for a token. */ "mine": number;
              /** Open ones of nobody. */ "unassigned": number;
              /** Those with messages that nobody has read. */ "unread": number } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversation-senders": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "senders": ({
                  /** The number or address. */ "sender": string;
                  /** What you call it; empty for nothing. */ "name": string;
                  /** One of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice" })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversations/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: GetConversationPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": BeginConversationAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path: GetConversationPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Opens or closes it. */ "state"?: "open" | "closed";
            /** Who answers it (`GET /v1/conversation-agents`); null: nobody. */ "assignee_id"?: string | null;
            /** All labels that it is to have. */ "label_ids"?: (string)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Conversations } } } }; trace?: never };
  "/v1/conversations/{id}/timeline": { parameters: object; get: { parameters: { query?: ListLinkedShipmentsQuery; header?: never; path: GetConversationPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversations/{id}/read": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: GetConversationPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The last message that was seen: a later one stays unread. Null marks the conversation as unread. */ "up_to"?: string | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversations/{id}/writing": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: GetConversationPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Whether you write; say it again every 10 seconds. */ "writing": boolean;
            /** Takes the conversation over from another person who writes. */ "take_over"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Conversations } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversations/{id}/notes": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: GetConversationPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The note. Clients never see it. */ "text": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The note. */ "id": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversations/{id}/replies": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path: GetConversationPath; cookie?: never }; requestBody: { content: { "application/json": ReplyToConversationBody } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The shipment of the message. */ "shipment_id": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversations/{id}/replies/estimate": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: GetConversationPath; cookie?: never }; requestBody: { content: { "application/json": ReplyToConversationBody } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Credits. */ "cost": string;
              /** Parts of an SMS; otherwise 1. */ "parts": number;
              /** Credits of the account. */ "balance": string;
              /** Whether these are enough. */ "enough": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversation-labels": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "labels": (Labels)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The name, which no other label has. */ "name": string;
            /** How it is shown. */ "color"?: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "violet" } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Labels } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversation-labels/{id}": { parameters: object; get?: never; put?: never; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: DeleteConversationLabelPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path: DeleteConversationLabelPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The name, which no other label has. */ "name"?: string;
            /** How it is shown. */ "color"?: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "violet" } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Labels } } } }; trace?: never };
  "/v1/saved-replies": { parameters: object; get: { parameters: { query?: {
          /** Those that have this in their shortcut, title or text. */ "search"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "saved_replies": (SavedReplies)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What people type after `/`: up to 30 letters, digits, `-` and `_`, which no other saved reply has. Stored in small letters. */ "shortcut": string;
            /** What it is called in lists. */ "title": string;
            /** The text. `{{client_name}}` and `{{agent_name}}` stand for the names of the client and of the person who answers, and `{{client_name|there}}` for `there` where the name is not known. */ "text": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": SavedReplies } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/saved-replies/{id}": { parameters: object; get?: never; put?: never; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: DeleteSavedReplyPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path: DeleteSavedReplyPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** What people type after `/`: up to 30 letters, digits, `-` and `_`, which no other saved reply has. Stored in small letters. */ "shortcut"?: string;
            /** What it is called in lists. */ "title"?: string;
            /** The text. `{{client_name}}` and `{{agent_name}}` stand for the names of the client and of the person who answers, and `{{client_name|there}}` for `there` where the name is not known. */ "text"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": SavedReplies } } } }; trace?: never };
  "/v1/saved-replies/{id}/use": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: DeleteSavedReplyPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The conversation to answer. */ "conversation_id": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The text with the names in the place of its variables. */ "text": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversation-rules": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "rules": (Rules)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
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
            /** Later rules do not look at the message. */ "stop"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Rules } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversation-rules/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Rules } } } }; put?: never; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody: { content: { "application/json": {
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
            /** Later rules do not look at the message. */ "stop"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Rules } } } }; trace?: never };
  "/v1/conversation-rules/order": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The rules in their order. */ "ids": (string)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversation-rules/{id}/log": { parameters: object; get: { parameters: { query?: ListLinkedShipmentsQuery; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversation-settings": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowConversationSettingsAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The hours of each day of the week in the time zone of the account, as `09:00-17:00`; several a day. Hours whose end is not later than their beginning go on after midnight. A day without hours is closed. null: always open. */ "hours"?: Hours2 | null;
            /** Days that are closed from midnight to midnight, whatever their hours are. */ "closed_dates"?: (ClosedDates2)[];
            /** Sent to a client who writes while it is closed, once until it has been open again; null: none is sent. */ "away_message"?: string | null;
            /** Whether a conversation that nobody has is assigned to the next person when it begins or is opened again. */ "assign_by_turns"?: boolean;
            /** Who takes part in the turns: people who answer conversations. Empty: all of them. */ "turn_ids"?: (string)[];
            /** Days without anything new after which an open conversation is closed; null: it stays open. */ "close_after_days"?: number | null;
            /** Countries outside the home country of the installation that automatic replies by SMS go to, as `US`. Clients elsewhere get none; people can still answer them. */ "automatic_reply_countries"?: (string)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowConversationSettingsAnswer } } } }; trace?: never };
  "/v1/mail/campaigns": { parameters: object; get: { parameters: { query?: ListChatCampaignsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "campaigns": (Campaigns2)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": CreateMailCampaignBody } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": Campaigns2 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/campaigns/estimate": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": CreateMailCampaignBody } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Active users of the lists, each once. */ "recipients": number;
              /** Those of the recipients who have no standing consent to marketing messages on the channel: they are left out and cost nothing. Exact for single recipients and lists of up to 5,000, from the first 5,000 of longer ones. null: the sending policy asks for none. */ "without_consent": number | null;
              /** Credits for a mail. */ "price": string;
              /** Credits for all of them. */ "cost": string;
              /** Credits that the account has. */ "balance": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/campaigns/preview": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The sender: an address that the account may send from, and the name that is shown. */ "from": From3;
            /** Where answers go, when not to the sender. */ "reply_to"?: string | null;
            /** One line. Fields stand as `{{FirstName}}`, or `{{FirstName|friend}}`. */ "subject": string;
            /** The mail in HTML. `{{unsubscribe}}` is where the page of removal is; without it a link is appended. */ "html"?: string | null;
            /** The mail in plain text; at least one of both. */ "text"?: string | null;
            /** Ids of mailing lists. A user of several lists gets one mail. */ "lists"?: (number)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** As the first user of the first list would get it. */ "subject": string;
              /** The same of `html`. */ "html": string | null;
              /** The same of `text`. */ "text": string | null;
              /** Names of the fields that stand in it, in lower case. */ "fields": (string)[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/campaigns/test": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The sender: an address that the account may send from, and the name that is shown. */ "from": From3;
            /** Where answers go, when not to the sender. */ "reply_to"?: string | null;
            /** One line. Fields stand as `{{FirstName}}`, or `{{FirstName|friend}}`. */ "subject": string;
            /** The mail in HTML. `{{unsubscribe}}` is where the page of removal is; without it a link is appended. */ "html"?: string | null;
            /** The mail in plain text; at least one of both. */ "text"?: string | null;
            /** Ids of mailing lists. A user of several lists gets one mail. */ "lists"?: (number)[];
            /** Addresses that the test goes to. */ "to": (string)[] } } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Mails that were accepted. */ "mails": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/campaigns/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Its id. */ "id": string;
              /** `name`. */ "name": string | null;
              /** `subject`, with its fields. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
              /** `from`. */ "from": From2;
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
                /** Recipients who unsubscribed through it. */ "removals": number } } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/campaigns/{id}/failures": { parameters: object; get: { parameters: { query?: ListFailedRecipientsQuery; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "failures": ({
                  /** The recipient. */ "address": string;
                  /** Why: what the relay said (`550 5.1.1`), `bounce` with the code of the report, `removed`, `complained`, `bounced`, `deleted`, `no-credit`, `EXPIRED`. */ "reason": string;
                  /** When that was known, ISO 8601. */ "at": string })[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/campaigns/{id}/returns": { parameters: object; get: { parameters: { query: {
          /** `next` of the page before; rows are in the order of the messages. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** Hard or soft bounces, complaints, or removals. */ "kind": "hard" | "soft" | "complaint" | "removal";
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "returns": ({
                  /** The user; null for a recipient who is in no list. */ "user_id": string | null;
                  /** The recipient. */ "address": string;
                  /** Of a bounce the code of the report, of a complaint its type, of a removal `page` or `one-click`. */ "code": string;
                  /** When it was reported, ISO 8601. */ "at": string })[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/campaigns/{id}/pause": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Campaigns2 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/campaigns/{id}/resume": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Campaigns2 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/campaigns/{id}/cancel": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowChatCampaignPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Its id. */ "id": string;
              /** `name`. */ "name": string | null;
              /** `subject`, with its fields. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
              /** `from`. */ "from": From2;
              /** `lists`. */ "lists": (string)[];
              /** `scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be submitted to the relay. */ "state": string;
              /** Active users of the lists, each once, when it was accepted. */ "total": number;
              /** When it begins, ISO 8601. */ "due_at": string;
              /** When it was accepted, ISO 8601. */ "created_at": string;
              /** When it ended, ISO 8601. */ "finished_at": string | null;
              /** Recipients that get nothing, and whose credit went back. */ "cancelled": number;
              /** Messages that were submitted to the relay before. */ "handed_over": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/lists": { parameters: object; get: { parameters: { query?: ListContactListsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "lists": (Lists)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Its name. */ "name": string;
            /** What it is for. */ "description"?: string;
            /** Whether who is added has to confirm it by a link in a mail (double opt-in). */ "confirm"?: boolean;
            /** Whether opens and clicks of mails to it are counted. */ "track"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Lists } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/lists/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMailListPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Lists } } } }; put?: never; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMailListPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMailListPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Its name. */ "name"?: string;
            /** What it is for. */ "description"?: string;
            /** Whether who is added has to confirm it by a link in a mail (double opt-in). */ "confirm"?: boolean;
            /** Whether opens and clicks of mails to it are counted. */ "track"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Lists } } } }; trace?: never };
  "/v1/mail/lists/{id}/empty": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMailListPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/lists/{id}/export": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMailListPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/csv": string } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMailListPath; cookie?: never }; requestBody?: never; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": StartExportAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/lists/{id}/import": { parameters: object; get?: never; put?: never; post: { parameters: { query?: {
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
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: SendTextHeader; path: ShowMailListPath; cookie?: never }; requestBody: { content: { "text/csv": string } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": ImportContactsAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/lists/{id}/users": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** What the address begins with, without regard to case. */ "search"?: string;
          /** Which users. */ "kind"?: "all" | "deleted" | "unsubscribed" | "wrong" | "active";
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path: ShowMailListPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path: ShowMailListPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The users to add. */ "users": ({
                /** The address. */ "email": string;
                /** First name. */ "first_name"?: string;
                /** Last name. */ "last_name"?: string;
                /** Phone. */ "cellphone"?: string;
                /** Fields by their names; others stay. */ "fields"?: { [name: string]: string };
                /** Restores the user, also after an unsubscribe, a complaint or a bounce. */ "undelete"?: boolean })[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Their ids, in the order of the request. */ "ids": (string)[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/users/{id}/status": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ChangeMailUserPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** `active` restores the user, also after an unsubscribe, a complaint or a bounce. */ "status": "active" | "deleted" | "removed" } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ChangeMailUserAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/users": { parameters: object; get: { parameters: { query: {
          /** The address. */ "email": string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** One, or none. */ "users": (ChangeMailUserAnswer)[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/users/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ChangeMailUserPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ChangeMailUserAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/templates": { parameters: object; get: { parameters: { query?: {
          /** Those whose name or subject has this in it. */ "search"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "templates": (Templates)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What it is known by. Names need not be unique. */ "name": string;
            /** The subject, with its fields. */ "subject"?: string;
            /** The mail in HTML, as that of a mail campaign. */ "html"?: string | null;
            /** The mail in plain text; at least one of both. */ "text"?: string | null;
            /** What the block editor of the console made `html` and `text` of. Stored as it is; leave it out if you write the HTML yourself. */ "blocks"?: { [name: string]: unknown } | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Templates } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/templates/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMailTemplatePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** `blocks`. Without the role `sender` or a token with the scope `read`: null. */ "blocks": { [name: string]: unknown } | null } } } } }; put: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMailTemplatePath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The `version` that was changed. */ "version": number;
            /** What it is known by. Names need not be unique. */ "name": string;
            /** The subject, with its fields. */ "subject"?: string;
            /** The mail in HTML, as that of a mail campaign. */ "html"?: string | null;
            /** The mail in plain text; at least one of both. */ "text"?: string | null;
            /** What the block editor of the console made `html` and `text` of. Stored as it is; leave it out if you write the HTML yourself. */ "blocks"?: { [name: string]: unknown } | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Templates } } } }; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMailTemplatePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/templates/{id}/duplicate": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowMailTemplatePath; cookie?: never }; requestBody: { content: { "application/json": {
            /** What it is known by. Names need not be unique. */ "name": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Templates } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/tokens": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "tokens": ({
                  /** Its id, by which it is revoked. */ "id": string;
                  /** What it is for. */ "label": string;
                  /** When it was made, ISO 8601. */ "created_at": string;
                  /** When it was used last, some seconds behind, ISO 8601; null: never. */ "last_used_at": string | null })[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What it is for. */ "label": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Its id, by which it is revoked. */ "id": string;
              /** What it is for. */ "label": string;
              /** When it was made, ISO 8601. */ "created_at": string;
              /** When it was used last, some seconds behind, ISO 8601; null: never. */ "last_used_at": string | null;
              /** The token, shown this once. */ "token": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/mail/tokens/{id}": { parameters: object; get?: never; put?: never; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: RevokeMailTokenPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/data-subjects/search": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Numbers of the person, in any spelling. */ "phones"?: (string)[];
            /** E-mail addresses of the person. */ "emails"?: (string)[];
            /** Ids of the chat platform, for clients who hide their number. */ "chat_ids"?: (string)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The numbers, with those that the chat platform told of the ids; international digits. */ "phones": (string)[];
              /** The addresses. */ "emails": (string)[];
              /** The ids of the chat platform, with those that it told of the numbers. */ "chat_ids": (string)[];
              /** What there is, by kind. */ "counts": (Counts)[];
              /** What the account itself sends from or receives at: it has to be removed there before an erasure. */ "own_uses": ({
                  /** The number or address. */ "identifier": string;
                  /** What the account uses it as. */ "use": "sender" | "inbound-number" | "business-number" })[];
              /** Earlier exports and erasures of the person, the latest first. */ "requests": (Requests)[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/data-subjects/exports": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Numbers of the person, in any spelling. */ "phones"?: (string)[];
            /** E-mail addresses of the person. */ "emails"?: (string)[];
            /** Ids of the chat platform, for clients who hide their number. */ "chat_ids"?: (string)[];
            /** What you call the request, without personal data: webhooks and the certificate have it. */ "reference"?: string } } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": Requests } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/data-subjects/erasures": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Numbers of the person, in any spelling. */ "phones"?: (string)[];
            /** E-mail addresses of the person. */ "emails"?: (string)[];
            /** Ids of the chat platform, for clients who hide their number. */ "chat_ids"?: (string)[];
            /** The first number, address or id once more: what is erased cannot be restored. */ "confirm": string;
            /** What you call the request, without personal data: webhooks and the certificate have it. */ "reference"?: string } } }; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": Requests } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/data-subjects/requests": { parameters: object; get: { parameters: { query?: ListLinkedShipmentsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "requests": (Requests)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/data-subjects/requests/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: GetDataSubjectRequestPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Requests } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/data-subjects/requests/{id}/archive": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: GetDataSubjectRequestPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/octet-stream": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/consents": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "consents": (Consents)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
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
                /** Of an import: the name of the file. */ "file"?: string })[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** How many entries were added. */ "recorded": number;
              /** The position of the last one. */ "position": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/consents/search": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The number in any spelling, or the e-mail address. */ "subject": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** What was said last, by channel and purpose; nothing of what was erased. */ "standing": ({
                  /** What it is about. */ "channel": "sms" | "voice" | "chat" | "mail" | "any";
                  /** What it is about. */ "purpose": string;
                  /** What the person said last. */ "action": "given" | "withdrawn";
                  /** When they said so, ISO 8601. */ "at": string })[];
              /** The entries, the latest first. */ "consents": (Consents)[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/consents/check": { parameters: object; get: { parameters: { query?: {
          /** `position` of the answer before. */ "after"?: number;
          /** Entries that are checked. */ "limit"?: number;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** How many entries were checked. */ "checked": number;
              /** The first entry that is not as it was written; null: none. */ "broken_at": number | null;
              /** The last entry that was checked. */ "position": number;
              /** Whether the end of the log was reached. */ "complete": boolean } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/consents/export": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/csv": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/consents/proof": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The number in any spelling, or the e-mail address. */ "subject": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** JSON, indented: the subject, when it was made, and the entries, the first first. */ "document": string;
              /** Base64. */ "signature": string;
              /** PEM. */ "public_key": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/tokens": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "tokens": ({
                  /** Its id, by which it is revoked. */ "id": string;
                  /** What it is for. */ "label": string;
                  /** When it was made, ISO 8601. */ "created_at": string;
                  /** When it was used last, some seconds behind, ISO 8601; null: never. */ "last_used_at": string | null;
                  /** Until when it is valid, ISO 8601; null: for good. */ "expires_at": string | null;
                  /** Whether that time is over. */ "expired": boolean;
                  /** What it may be used for. */ "scopes": ("send" | "read" | "contacts" | "codes" | "webhooks" | "billing")[];
                  /** The id of the token that asked for it by `getApiToken`, with which it is revoked; null: a person made it. */ "made_by": string | null })[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What it is for. */ "label": string;
            /** For how many days it is valid; for good without it. */ "days"?: number;
            /** What it may be used for; all of it without this. `send`: send, pause, resume and cancel messages and campaigns, and register senders; `read`: read messages, incoming messages, reports and statistics; `contacts`: read and change contact lists, mailing lists and the blacklist; `codes`: send and validate one-time codes; `webhooks`: register, change and remove webhook endpoints, read their secrets, and receive all events with their texts; `billing`: read balances, and move credit to and from subscribers. */ "scopes"?: ("send" | "read" | "contacts" | "codes" | "webhooks" | "billing")[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Its id, by which it is revoked. */ "id": string;
              /** What it is for. */ "label": string;
              /** When it was made, ISO 8601. */ "created_at": string;
              /** When it was used last, some seconds behind, ISO 8601; null: never. */ "last_used_at": string | null;
              /** Until when it is valid, ISO 8601; null: for good. */ "expires_at": string | null;
              /** Whether that time is over. */ "expired": boolean;
              /** What it may be used for. */ "scopes": ("send" | "read" | "contacts" | "codes" | "webhooks" | "billing")[];
              /** The id of the token that asked for it by `getApiToken`, with which it is revoked; null: a person made it. */ "made_by": string | null;
              /** The token, shown this once. */ "token": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/tokens/{id}": { parameters: object; get?: never; put?: never; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: RevokeMailTokenPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/account": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowOwnAccountAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            "time_zone": string | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowOwnAccountAnswer } } } }; trace?: never };
  "/v1/account/password": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetAccountPasswordAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The own password, again. */ "own_password": string;
            "password"?: string | null;
            /** Whether it is taken in the place of a token. */ "password_sign_in"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetAccountPasswordAnswer } } } }; trace?: never };
  "/v1/webhooks": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "webhooks": (Webhooks)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** `webhook`, or a push of the SMS family. */ "kind"?: "webhook" | "dlr" | "incoming" | "blacklist";
            /** Where to send. */ "url": string;
            /** Of a webhook: the events that it wants; all without it. */ "types"?: ("message.status" | "sms.incoming" | "blacklist.added" | "otp.blocked" | "chat.message" | "chat.button" | "chat.status" | "chat.account" | "template.status" | "template.quality" | "template.category" | "campaign.finished" | "mail.unsubscribed" | "mail.bounced" | "message.received" | "conversation.opened" | "conversation.assigned" | "conversation.closed" | "conversation.rule_matched" | "data_subject.erased" | "alert.began" | "alert.ended")[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** What signs the requests (Standard Webhooks); null for pushes, which are not signed. */ "secret": string | null } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/webhooks/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowWebhookPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Webhooks } } } }; put?: never; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowWebhookPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowWebhookPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Where to send from now on. */ "url"?: string;
            /** Of a webhook: the events that it wants; null: all. */ "types"?: ("message.status" | "sms.incoming" | "blacklist.added" | "otp.blocked" | "chat.message" | "chat.button" | "chat.status" | "chat.account" | "template.status" | "template.quality" | "template.category" | "campaign.finished" | "mail.unsubscribed" | "mail.bounced" | "message.received" | "conversation.opened" | "conversation.assigned" | "conversation.closed" | "conversation.rule_matched" | "data_subject.erased" | "alert.began" | "alert.ended")[] | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Webhooks } } } }; trace?: never };
  "/v1/webhooks/{id}/secret": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowWebhookPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** What signs the requests (Standard Webhooks); null for pushes, which are not signed. */ "secret": string | null } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowWebhookPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** What signs the requests (Standard Webhooks); null for pushes, which are not signed. */ "secret": string | null } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/webhooks/{id}/test": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowWebhookPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Of a webhook: which event; one that it wants without it. */ "type"?: "message.status" | "sms.incoming" | "blacklist.added" | "otp.blocked" | "chat.message" | "chat.button" | "chat.status" | "chat.account" | "template.status" | "template.quality" | "template.category" | "campaign.finished" | "mail.unsubscribed" | "mail.bounced" | "message.received" | "conversation.opened" | "conversation.assigned" | "conversation.closed" | "conversation.rule_matched" | "data_subject.erased" | "alert.began" | "alert.ended" } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Whether the endpoint accepted it. */ "taken": boolean;
              /** How long its answer took. */ "milliseconds": number;
              /** The id that the receiver sees, the same in each attempt. */ "event_id": string;
              /** What happened. */ "type": string;
              /** The request, a `POST`. */ "request": Request;
              /** Why it was not accepted; null when it was. */ "answer": {
                /** Its status; null when there was no answer. */ "http_status": number | null;
                /** Why it failed. */ "error": string | null;
                /** The first 1,000 characters of the answer. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string | null } | null } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/webhooks/{id}/enable": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowWebhookPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Webhooks } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/webhook-deliveries/replay": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Only of this endpoint. */ "endpoint_id"?: string;
            /** Of this time or later, ISO 8601. */ "from"?: string;
            /** Before this time, ISO 8601. */ "to"?: string;
            /** Also what was delivered, at most 30 days old; needs `from` and `to`. */ "delivered"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** How many will be sent again. */ "count": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/webhook-deliveries": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** Only deliveries to this endpoint. */ "endpoint"?: string;
          /** Those in this state; all without it. */ "state"?: "retrying" | "failed" | "done";
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "deliveries": (Deliveries)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/webhook-deliveries/{id}/replay": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: {
          /** The id of the delivery. */ "id": string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** How many will be sent again. */ "count": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/webhooks/{id}/events": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path: ShowWebhookPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "events": ({
                  /** The id that the receiver sees, the same in each attempt. */ "event_id": string;
                  /** What happened. */ "type": string;
                  /** When it happened, ISO 8601. */ "happened_at": string;
                  /** `waiting`: not sent yet; `delivered`: accepted at the first attempt; others: of its delivery. */ "state": "waiting" | "delivered" | "retrying" | "failed" | "done";
                  /** The request, a `POST`. */ "request": Request;
                  /** Of one that was not accepted at the first attempt, or was replayed; null for others. */ "delivery": Deliveries | null })[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/events/stream": { parameters: object; get: { parameters: { query?: {
          /** Types of events, with commas between them; all without it. */ "types"?: string;
          /** As the header `Last-Event-ID`, for clients that cannot set it. */ "last_event_id"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "text/event-stream": string } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/events/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: {
          /** The id of the event: `webhook-id` of the request. */ "id": string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The id that the receiver sees, the same in each attempt. */ "event_id": string;
              /** What happened. */ "type": string;
              /** What a webhook sends, as it is signed. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/request-log": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** ISO 8601 with an offset: what was then or later. */ "from"?: string;
          /** ISO 8601 with an offset: what was before. */ "to"?: string;
          /** `sms` is `POST /api`, `chat` the chat API, `mail` the mailing-list API, `v1` what is under /v1. */ "door"?: "sms" | "chat" | "mail" | "v1";
          /** Only this operation. */ "operation"?: string;
          /** Only this status. */ "status"?: string;
          /** `true`: only refused requests; `false`: only those that were done. */ "refused"?: "true" | "false";
          /** The request with this id. */ "request_id"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
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
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/budgets": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Every budget. */ "budgets": (Budgets)[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/wallet": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Credits that can be spent. */ "balance": string } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/wallet/ledger": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** ISO 8601 with an offset: what was then or later. */ "from"?: string;
          /** ISO 8601 with an offset: what was before. */ "to"?: string;
          /** Only entries of this kind. */ "kind"?: "topup" | "hold" | "release" | "charge" | "refund" | "transfer";
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "rows": ({
                  /** Its id. */ "id": string;
                  /** When, ISO 8601. */ "at": string;
                  /** `hold` and `release` frame the time that something scheduled waits; `transfer` is between an account and its subscriber. */ "kind": "topup" | "hold" | "release" | "charge" | "refund" | "transfer";
                  /** Credits; negative was taken from the wallet. */ "amount": string;
                  /** The shipment that it was for. */ "shipment_id": string | null;
                  /** The user name of the other side of a transfer. */ "peer": string | null;
                  /** What was noted. */ "note": string })[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/wallet/transfer": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The subscriber. */ "username": string;
            /** Credits that move to the subscriber; a negative amount takes them back. */ "amount": string | number;
            /** For the ledger of both. */ "note"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** What the account has now. */ "balance": string;
              /** What the subscriber has now. */ "subscriber_balance": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/sending-policy": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowSendingPolicyAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The hours of each day of the week in which messages are sent, as `08:00-20:00`; several a day. Hours whose end is not later than their beginning go on after midnight. A day without hours has none. null: at any hour. */ "hours"?: Hours2 | null;
            /** `account`: hours and dates are those of the time zone of the account. `recipient`: those of the country of the number; of a country with several zones it has to be permitted in all of them. Mails, and numbers of no country, go by the account. */ "zone"?: "account" | "recipient";
            /** Days on which nothing is sent, from midnight to midnight. */ "closed_dates"?: (ClosedDates2)[];
            /** Shabbat and Jewish holidays, on which nothing is sent to anybody: from some minutes before sunset at a place until some minutes after it. null: these days are as others. */ "rest_days"?: {
              /** Degrees north. */ "latitude": number;
              /** Degrees east. */ "longitude": number;
              /** Minutes before sunset at which they begin. */ "begins_before"?: number;
              /** Minutes after sunset at which they end. */ "ends_after"?: number;
              /** Whether the second days of holidays are kept, as outside Israel. */ "second_days"?: boolean } | null;
            /** `campaigns`: sends to many. `all`: single messages, too. One-time codes, verifications, confirmations, authentication templates, and answers to a client within 24 hours are always exempt. */ "applies_to"?: "campaigns" | "all";
            /** What is done outside the hours. `wait`: messages wait for the next permitted time. `refuse`: a send of which nothing is permitted is refused; messages of an accepted one that are not permitted fail with status 16 and cost nothing. */ "outside_hours"?: "wait" | "refuse";
            /** Whether a send may say that it is `transactional`, and is exempt then. */ "allows_transactional"?: boolean;
            /** At most so many messages to one recipient within so many hours, of one channel or, with null, of all together. */ "caps"?: ({
                /** Messages. */ "messages": number;
                /** Hours. */ "hours": number;
                /** A channel; null: all together. */ "channel"?: "sms" | "chat" | "mail" | "voice" | null })[];
            /** What is done with a message over a cap. `refuse`: it fails with status 16 and costs nothing. `wait`: it waits until it is within the cap. */ "over_cap"?: "wait" | "refuse";
            /** `marketing`: messages go only to recipients with a standing consent to marketing messages on their channel, by the consent log. A send of which no recipient has one is refused; other recipients without one get status 16 and cost nothing. A consent that is withdrawn while a message waits stops it. What is exempt is sent without one. `not_required`: the log is not asked. */ "consent"?: "not_required" | "marketing" } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowSendingPolicyAnswer } } } }; trace?: never };
  "/v1/sending-policy/check": { parameters: object; get: { parameters: { query: {
          /** A number in any spelling, or an address. */ "to": string;
          /** When it would be sent, ISO 8601 with an offset; now without it. */ "at"?: string;
          /** Whether it would be part of a send to many; `true` without it. */ "campaign"?: "true" | "false";
          /** One of `sms`, `chat`, `mail`, `voice`. Frequency caps and consents go by it. */ "channel"?: "sms" | "chat" | "mail" | "voice";
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Whether it would be sent at that time. */ "permitted": boolean;
              /** What does not permit it. */ "because": "sending-hours" | "frequency-cap" | "no-consent" | null;
              /** The first time from then on when it is permitted, ISO 8601; null: not within 60 days, or not without a consent. */ "permitted_from": string | null;
              /** The time zones in which it has to be permitted. */ "time_zones": (string)[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/alert-rules": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "rules": (Rules2)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What it is called. */ "name": string;
            /** What the rule is about (docs/alerts.md). */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
            /** What is compared with; each kind has some of these. */ "thresholds"?: Thresholds2;
            /** Whether it is evaluated. */ "enabled"?: boolean;
            /** How long the condition holds before people are told. As its kind has it. */ "for_minutes"?: number;
            /** How long it is gone before people are told that it ended. */ "clear_minutes"?: number;
            /** For so long people are not told again of the same subject; then they are told how often it began. */ "pause_minutes"?: number;
            /** Who is told. Without anybody, alerts are in the console alone. */ "recipients"?: Recipients2 } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Rules2 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/alert-rules/{id}": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Rules2 } } } }; put?: never; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody: { content: { "application/json": ChangeAlertRuleBody } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Rules2 } } } }; trace?: never };
  "/v1/alert-rules/{id}/test": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: SendTextHeader; path: ShowConversationRulePath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Only recipients that are told by these. */ "means"?: ("mail" | "sms" | "webhook")[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Messages that are sent. The rule’s `tests` tell what they come to. */ "recipients": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/alert-rules/{id}/tests": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The latest first. */ "tests": (Tests)[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/alerts": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** Only those that are open, or that have ended. */ "state"?: "open" | "ended";
          /** Only those of this rule. */ "rule_id"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ListAlertsAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/alerts/open": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Alerts that are open. */ "open": number } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/data/retention": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowRetentionAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Days; null: as long as it may. Texts of messages, sent and received: a message without its text still has its state and price. */ "texts"?: number | null;
            /** Days; null: as long as it may. Messages, sent and received, with their campaigns, clicks and bounces. */ "messages"?: number | null;
            /** Days; null: as long as it may. Conversations after their last message, with notes. */ "conversations"?: number | null;
            /** Days; null: as long as it may. Events, and their deliveries to webhooks and push addresses; never longer than texts. */ "events"?: number | null;
            /** Days; null: as long as it may. The request log. */ "requests"?: number | null;
            /** Days; null: as long as it may. The audit log. */ "audit"?: number | null;
            /** Days; null: as long as it may. Files of chat messages. */ "media"?: number | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowRetentionAnswer } } } }; trace?: never };
  "/v1/data/texts": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowTextStorageAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** `plain`: as they are; `sealed`: encrypted; `none`: encrypted until they are sent, and then removed. null: as the installation does. */ "mode": "plain" | "sealed" | "none" | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowTextStorageAnswer } } } }; trace?: never };
  "/v1/session": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetSessionAnswer } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The user name. */ "username": string;
            /** The password. */ "password": string;
            /** The six digits that the phone shows, or a recovery code. */ "code"?: string;
            /** What `navigator.credentials.get()` gave, by its `toJSON()`; other fields are ignored. */ "passkey"?: Passkey } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The password is right: call again with `code`, or with `passkey`. */ "code_wanted": boolean;
              /** For the browser, of a person with a passkey; `passkey` is what it gives. Else null. */ "passkey_options": { [name: string]: unknown } | null;
              /** The person who is signed in; null while a code is required. */ "session": GetSessionAnswer | null } } } } }; delete: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean;
              /** Where the browser goes to sign out at the provider; null without one that offers it. */ "logout_url": string | null } } } } }; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What people call you. */ "name"?: string;
            /** The language of the console; null: as the browser has it. */ "language"?: "en" | "he" | null;
            /** null: as the browser has it. */ "theme"?: "light" | "dark" | null;
            "time_zone"?: string | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetSessionAnswer } } } }; trace?: never };
  "/v1/session/passkey/options": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Options for the browser, as JSON (`parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON`). Good once, for five minutes. */ "options": { [name: string]: unknown } } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/passkey": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What `navigator.credentials.get()` gave, by its `toJSON()`; other fields are ignored. */ "passkey": Passkey } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetSessionAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/link": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What the link has behind its `#`. */ "token": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetSessionAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/password-link": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What the link has behind its `#`. */ "token": string;
            /** The new password, of 10 to 200 characters. */ "password": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Whose password it is. */ "username": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/password": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The own password, again. */ "current": string;
            /** The new password, of 10 to 200 characters. */ "password": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/sessions": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "sessions": ({
                  /** Its id, by which it is ended. */ "id": string;
                  /** Whether it is the one that asks. */ "current": boolean;
                  /** When it began, ISO 8601. */ "created_at": string;
                  /** When it was used last, a minute behind at most, ISO 8601. */ "seen_at": string;
                  /** Where it began from. */ "address": string;
                  /** What the browser calls itself. */ "agent": string })[] } } } } }; put?: never; post?: never; delete: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** How many there were. */ "ended": number } } } } }; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/sessions/{id}": { parameters: object; get?: never; put?: never; post?: never; delete: { parameters: { query?: never; header?: never; path: {
          /** The id of the session. */ "id": string }; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/second-factor": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The own password, again. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`). */ "password"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** To be typed into an authenticator. */ "secret": string;
              /** To be shown to an authenticator as a QR code. */ "uri": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/second-factor/confirm": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The six digits that the phone shows, or a recovery code. */ "code": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** To be kept somewhere else than the phone; shown this once. Empty: those from before are good. */ "recovery_codes": (string)[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/second-factor/remove": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The own password, again. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`). */ "password"?: string;
            /** The six digits that the phone shows, or a recovery code. */ "code": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/recovery-codes": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The own password, again. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`). */ "password"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** To be kept somewhere else than the phone; shown this once. Empty: those from before are good. */ "recovery_codes": (string)[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/passkeys": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "passkeys": (Passkeys)[] } } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What you call it. */ "name": string;
            /** What `navigator.credentials.create()` gave, by its `toJSON()`; other fields are ignored. */ "credential": {
              /** The id of the passkey, base64url. */ "id": string;
              "response": {
                /** As the browser has it. */ "clientDataJSON": string;
                /** As the browser has it. */ "attestationObject": string;
                /** How the authenticator is reached. */ "transports"?: (string)[] } } } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "passkey": Passkeys;
              /** To be kept somewhere else than the phone; shown this once. Empty: those from before are good. */ "recovery_codes": (string)[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/passkeys/options": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The own password, again. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`). */ "password"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Options for the browser, as JSON (`parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON`). Good once, for five minutes. */ "options": { [name: string]: unknown } } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/passkeys/{id}": { parameters: object; get?: never; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path: RenamePasskeyPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** What you call it. */ "name": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; trace?: never };
  "/v1/session/passkeys/{id}/remove": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path: RenamePasskeyPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The own password, again. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`). */ "password"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/proof": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Password of the person. */ "password"?: string;
            /** The six digits that the phone shows, or a recovery code. */ "code"?: string;
            /** What `navigator.credentials.get()` gave, by its `toJSON()`; other fields are ignored. */ "passkey"?: Passkey } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/proof/options": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "options": { [name: string]: unknown } | null } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/proof/provider": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Address to which the browser goes. */ "url": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/providers": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "providers": ({
                  /** The name in the link. */ "slug": string;
                  /** What its button says. */ "name": string })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/provider": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The name of the provider in its link `/sign-in/<slug>`. */ "slug"?: string;
            /** A mail address, of which only the domain is looked at. */ "email"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Where the browser goes now. */ "url": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/provider/callback": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The name of the provider in its link `/sign-in/<slug>`. */ "slug": string;
            /** Of the redirect URI. */ "code"?: string;
            /** Of the redirect URI. */ "state"?: string;
            /** Of the redirect URI. */ "iss"?: string;
            /** Of the redirect URI, when the provider signs nobody in. */ "error"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetSessionAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/second-factor/options": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "options": { [name: string]: unknown } | null } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/session/second-factor/prove": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The six digits that the phone shows, or a recovery code. */ "code"?: string;
            /** What `navigator.credentials.get()` gave, by its `toJSON()`; other fields are ignored. */ "passkey"?: Passkey } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetSessionAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/sign-in-providers": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "providers": (Providers)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The name of the provider in its link `/sign-in/<slug>`. */ "slug": string;
            /** What people know it by. */ "name": string;
            /** The address that it calls itself by; `/.well-known/openid-configuration` is below it. */ "issuer": string;
            /** What it calls this service. */ "client_id": string;
            /** Its secret, which nobody reads again; null: none. */ "client_secret"?: string | null;
            /** What is asked for; must have `openid`. */ "scopes"?: string;
            /** Whether people are added at their first sign-in. */ "makes_people"?: boolean;
            /** Whether somebody whose user name is the verified mail address becomes a person of the provider, at the first sign-in. Their password ends. */ "links_by_email"?: boolean;
            /** Values of `amr` or `acr` that say that a second factor was proven; with one of them none is asked for here. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. Where the operator demands a second factor of an account, the word of the account's own provider does not count. */ "second_factor_values"?: (string)[];
            /** Whether people can sign in by it. `false` ends their sessions. */ "enabled"?: boolean;
            /** Who gets which role: the first rule that matches counts. Whoever no rule matches may not sign in. */ "rules": (Rules4)[];
            /** Mail domains that lead to it from the sign-in page. Operators set them. */ "domains"?: (string)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Providers } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/sign-in-providers/{id}": { parameters: object; get?: never; put?: never; post?: never; delete: { parameters: { query?: ListDraftsQuery; header?: never; path: RemoveSignInProviderPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path: RemoveSignInProviderPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The name of the provider in its link `/sign-in/<slug>`. */ "slug"?: string;
            /** What people know it by. */ "name"?: string;
            /** The address that it calls itself by; `/.well-known/openid-configuration` is below it. */ "issuer"?: string;
            /** What it calls this service. */ "client_id"?: string;
            /** Its secret, which nobody reads again; null: none. */ "client_secret"?: string | null;
            /** What is asked for; must have `openid`. */ "scopes"?: string;
            /** Whether people are added at their first sign-in. */ "makes_people"?: boolean;
            /** Whether somebody whose user name is the verified mail address becomes a person of the provider, at the first sign-in. Their password ends. */ "links_by_email"?: boolean;
            /** Values of `amr` or `acr` that say that a second factor was proven; with one of them none is asked for here. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. Where the operator demands a second factor of an account, the word of the account's own provider does not count. */ "second_factor_values"?: (string)[];
            /** Whether people can sign in by it. `false` ends their sessions. */ "enabled"?: boolean;
            /** Who gets which role: the first rule that matches counts. Whoever no rule matches may not sign in. */ "rules"?: (Rules4)[];
            /** Mail domains that lead to it from the sign-in page. Operators set them. */ "domains"?: (string)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Providers } } } }; trace?: never };
  "/v1/operator/sign-in-providers": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "providers": (Providers2)[] } } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** The name of the provider in its link `/sign-in/<slug>`. */ "slug": string;
            /** What people know it by. */ "name": string;
            /** The address that it calls itself by; `/.well-known/openid-configuration` is below it. */ "issuer": string;
            /** What it calls this service. */ "client_id": string;
            /** Its secret, which nobody reads again; null: none. */ "client_secret"?: string | null;
            /** What is asked for; must have `openid`. */ "scopes"?: string;
            /** Whether people are added at their first sign-in. */ "makes_people"?: boolean;
            /** Whether somebody whose user name is the verified mail address becomes a person of the provider, at the first sign-in. Their password ends. */ "links_by_email"?: boolean;
            /** Values of `amr` or `acr` that say that a second factor was proven; with one of them none is asked for here. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. Where the operator demands a second factor of an account, the word of the account's own provider does not count. */ "second_factor_values"?: (string)[];
            /** Whether people can sign in by it. `false` ends their sessions. */ "enabled"?: boolean;
            /** Who gets which role: the first rule that matches counts. Whoever no rule matches may not sign in. */ "rules": (Rules6)[];
            /** Mail domains that lead to it from the sign-in page. Operators set them. */ "domains"?: (string)[];
            /** Whether the sign-in page has a button for it. */ "listed"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Providers2 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/sign-in-providers/{id}": { parameters: object; get?: never; put?: never; post?: never; delete: { parameters: { query?: never; header?: never; path: RemoveSignInProviderPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path: RemoveSignInProviderPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The name of the provider in its link `/sign-in/<slug>`. */ "slug"?: string;
            /** What people know it by. */ "name"?: string;
            /** The address that it calls itself by; `/.well-known/openid-configuration` is below it. */ "issuer"?: string;
            /** What it calls this service. */ "client_id"?: string;
            /** Its secret, which nobody reads again; null: none. */ "client_secret"?: string | null;
            /** What is asked for; must have `openid`. */ "scopes"?: string;
            /** Whether people are added at their first sign-in. */ "makes_people"?: boolean;
            /** Whether somebody whose user name is the verified mail address becomes a person of the provider, at the first sign-in. Their password ends. */ "links_by_email"?: boolean;
            /** Values of `amr` or `acr` that say that a second factor was proven; with one of them none is asked for here. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. Where the operator demands a second factor of an account, the word of the account's own provider does not count. */ "second_factor_values"?: (string)[];
            /** Whether people can sign in by it. `false` ends their sessions. */ "enabled"?: boolean;
            /** Who gets which role: the first rule that matches counts. Whoever no rule matches may not sign in. */ "rules"?: (Rules6)[];
            /** Mail domains that lead to it from the sign-in page. Operators set them. */ "domains"?: (string)[];
            /** Whether the sign-in page has a button for it. */ "listed"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Providers2 } } } }; trace?: never };
  "/v1/people": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "people": (People)[] } } } } }; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What the person signs in with; nobody else may have it. */ "username": string;
            /** What people call the person. */ "name": string;
            /** The language of the console; null: as the browser has it. */ "language"?: "en" | "he" | null;
            /** What the person may do. */ "role": "agent" | "viewer" | "sender" | "owner" } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": AddPersonAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/people/{id}": { parameters: object; get?: never; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path: ChangePersonPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** What people call the person. */ "name"?: string;
            /** `true` ends their sessions and refuses their sign-ins. */ "suspended"?: boolean;
            /** What the person may do. */ "role"?: "agent" | "viewer" | "sender" | "owner" } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": People } } } }; trace?: never };
  "/v1/people/{id}/reset": { parameters: object; get?: never; put?: never; post: { parameters: { query?: ListDraftsQuery; header?: never; path: ChangePersonPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Whether using the link takes the second factor away too, for who lost the phone. */ "second_factor"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Link } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/people": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "people": (People)[] } } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What the person signs in with; nobody else may have it. */ "username": string;
            /** What people call the person. */ "name": string;
            /** The language of the console; null: as the browser has it. */ "language"?: "en" | "he" | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": AddPersonAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/people/{id}": { parameters: object; get?: never; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path: ChangePersonPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** What people call the person. */ "name"?: string;
            /** `true` ends their sessions and refuses their sign-ins. */ "suspended"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": People } } } }; trace?: never };
  "/v1/operator/people/{id}/reset": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path: ChangePersonPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Whether using the link takes the second factor away too, for who lost the phone. */ "second_factor"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Link } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/conversation-agents": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "agents": ({
                  /** The id of the person. */ "id": string;
                  /** What people call the person. */ "name": string })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/people/rules": { parameters: object; get: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetPeopleRulesAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: ListDraftsQuery; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Whether everybody has to have a second factor. */ "second_factor_required"?: boolean;
            /** That everybody signs in by a sign-in provider, and by nothing else. Sessions that began otherwise end. */ "provider_only"?: boolean;
            /** That the operator demands it of this account, whatever its owners want. For operators alone. */ "second_factor_demanded"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetPeopleRulesAnswer } } } }; trace?: never };
  "/v1/operator/people/rules": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetOperatorRulesAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Whether everybody has to have a second factor. */ "second_factor_required"?: boolean;
            /** That the operator demands a second factor of the people of every account. */ "second_factor_of_accounts"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": GetOperatorRulesAnswer } } } }; trace?: never };
  "/v1/audit": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** ISO 8601 with an offset: what was then or later. */ "from"?: string;
          /** ISO 8601 with an offset: what was before. */ "to"?: string;
          /** What this person did: the id. */ "person"?: string;
          /** What was done to this kind of thing, as `object.kind` says it. */ "kind"?: string;
          /** What was done to the one with this id. */ "object"?: string;
          /** The account that the call acts for: a subscriber of the account of the token; without it the account itself. Operators must name an account. */ "username"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ListAuditAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/audit": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** ISO 8601 with an offset: what was then or later. */ "from"?: string;
          /** ISO 8601 with an offset: what was before. */ "to"?: string;
          /** What this person did: the id. */ "person"?: string;
          /** What was done to this kind of thing, as `object.kind` says it. */ "kind"?: string;
          /** What was done to the one with this id. */ "object"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ListAuditAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/accounts/{id}/budgets": { parameters: object; get: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Every budget. */ "budgets": (Budgets)[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** `service-mails`: Alerts by email, which the service sends in its own name. `tests`: Test alerts by recipient, test emails of campaigns, and test events of webhooks. `verifications`: Messages that ask the owner of an address or a number to confirm: users of mailing lists, recipients of alerts, senders. `automatic-replies`: Automatic replies to clients, over every channel. `files`: Stored files: uploads, files that clients sent, files of imports and exports, and archives of personal data. */ "budget": "service-mails" | "tests" | "verifications" | "automatic-replies" | "files";
            /** Largest number. null removes the limit of this account, so that the setting counts; 0: no limit. */ "count"?: number | null;
            /** Largest number of bytes. null removes the limit of this account, so that the setting counts; 0: no limit. */ "bytes"?: number | null;
            /** Largest amount of credits. null removes the limit of this account, so that the setting counts; 0: no limit. */ "credits"?: string | number | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Every budget. */ "budgets": (Budgets)[] } } } } }; trace?: never };
  "/v1/operator/overview": { parameters: object; get: { parameters: { query?: {
          /** ISO 8601 with an offset; a day before `to` without it. */ "from"?: string;
          /** ISO 8601 with an offset; now without it. */ "to"?: string;
          /** `hour`, for at most 31 days; `day`, for at most 400. */ "step"?: "hour" | "day";
          /** Whose days are counted; the zone of the account without it, by its IANA name. */ "time_zone"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The beginning of the first hour or day, ISO 8601. */ "from": string;
              /** The end of the last one, ISO 8601. */ "to": string;
              /** Messages of all accounts by the time when they were accepted. */ "rows": (Rows)[];
              /** The same, for the whole time. */ "totals": (Totals)[];
              /** The accounts with the most messages, at most 10. */ "accounts": (Accounts)[];
              /** Accounts whose balance lasts less than 7 days at what they spent in this time, the lowest first; at most 10. */ "low_balances": (Accounts)[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/accounts": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** Those whose user name or name has this in it. */ "search"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "accounts": (Accounts2)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Its user name; nobody else may have it. */ "username": string;
            /** What people call it. */ "name"?: string;
            /** Makes it a subscriber of the account with this user name. */ "parent"?: string;
            /** For `user.password` in requests and mail tokens: 10 to 200 characters, and none of the commonest. */ "password"?: string;
            "time_zone"?: string | null;
            /** Where calls may come from. */ "addresses"?: (string)[];
            /** Takes `user.password` in requests. */ "password_sign_in"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Accounts2 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/accounts/{id}": { parameters: object; get: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Accounts2 } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** What people call it. */ "name"?: string;
            "time_zone"?: string | null;
            /** Where calls may come from. */ "addresses"?: (string)[];
            /** Takes `user.password` in requests. */ "password_sign_in"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Accounts2 } } } }; trace?: never };
  "/v1/operator/accounts/{id}/top-up": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: SendTextHeader; path: ListAccountBudgetsPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Credits to add; a negative amount takes them. */ "amount": string | number;
            /** For the ledger. */ "note"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** What the account has now. */ "balance": string } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/accounts/{id}/sources": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** A number, a name, or of mails an address or `@` and a domain. */ "source": string;
            /** Messages to the number are this account's, too. */ "incoming"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/verifications": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "verifications": ({
                  /** Who asked. */ "account_id": string;
                  /** Its user name. */ "username": string;
                  /** The number. */ "phone": string;
                  /** Whether no SMS reaches it: a call from it confirms it. */ "landline": boolean;
                  /** Until when, ISO 8601. */ "expires_at": string })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/verifications/confirm": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Whose request. */ "account_id": string;
            /** The number. */ "phone": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/accounts/{id}/suspend": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Accounts2 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/accounts/{id}/lift": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Accounts2 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/accounts/{id}/held": { parameters: object; get: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowHeldWorkAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/accounts/{id}/held/cancel": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody?: never; responses: { 202: { headers: { [name: string]: unknown }; content: { "application/json": ShowHeldWorkAnswer } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/source-requests": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "requests": ({
                  /** Who asked. */ "account_id": string;
                  /** Its user name. */ "username": string;
                  /** The name. */ "source": string;
                  /** What was said of it. */ "note": string;
                  /** When it was asked for, ISO 8601. */ "asked_at": string })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/source-requests/approve": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Who asked. */ "account_id": string;
            /** The name. */ "source": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/source-requests/refuse": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Who asked. */ "account_id": string;
            /** The name. */ "source": string;
            /** Why, for the account to read. */ "reason": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/prices": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** Only prices of this account; `everyone`: those of no account. */ "account"?: string;
          /** Only prices of this channel. */ "channel"?: "sms" | "chat" | "mail" | "voice" }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "prices": (Prices)[];
              /** By channel. */ "defaults": { [name: string]: unknown };
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Whose price it is; null: everyone’s. */ "account_id"?: string | null;
            /** `sms`: of a part; `chat`: of a conversation of 24 hours; `voice`: of a call; `mail`: of a mail, only with the empty prefix. */ "channel"?: "sms" | "chat" | "mail" | "voice";
            /** What numbers begin with, international digits; empty: every number. */ "prefix": string;
            /** Credits. */ "price": string | number;
            /** Whether messages are refunded that end with status 105 because the carrier never answered. Such a message may have arrived. Without it an existing price keeps its value; that of a new price is false. */ "refund_unanswered"?: boolean } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Prices } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/prices/remove": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Whose price it is; null: everyone’s. */ "account_id"?: string | null;
            /** `sms`: of a part; `chat`: of a conversation of 24 hours; `voice`: of a call; `mail`: of a mail, only with the empty prefix. */ "channel"?: "sms" | "chat" | "mail" | "voice";
            /** What numbers begin with, international digits; empty: every number. */ "prefix": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/destinations": { parameters: object; get: { parameters: { query?: {
          /** Only rules about this account. */ "account"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "rules": (Rules7)[];
              "ranges": ({
                  /** Beginning of the numbers, international digits. */ "prefix": string;
                  /** Kind of the range. */ "kind": "premium-rate" | "personal" | "satellite" | "global-network" })[];
              /** Origin of the table. */ "source": string } } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Account that the rule is about; null: all accounts. */ "account_id"?: string | null;
            /** Beginning of the numbers, international digits. */ "prefix": string;
            /** Whether the accounts may send to these numbers and call them. */ "permitted": boolean;
            /** Reason, for other operators. */ "note"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Rules7 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/destinations/find": { parameters: object; get: { parameters: { query: {
          /** The number, in any spelling. */ "phone": string;
          /** Account that would send; without it, an account without rules. */ "account"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The number, international digits. */ "phone": string;
              /** Whether the account may send to it. */ "permitted": boolean;
              /** Prefix of the rule or range that decides; null: none names the number. */ "prefix": string | null;
              /** Kind of the range, or `rule`; null: none names the number. */ "by": "premium-rate" | "personal" | "satellite" | "global-network" | "rule" | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/destinations/remove": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Account that the rule is about; null: all accounts. */ "account_id"?: string | null;
            /** Beginning of the numbers, international digits. */ "prefix": string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/carriers": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "carriers": ({
                  /** Its name; a business number of chat is `chat/` and the number, a relay of mails `mail/` and its own. */ "name": string;
                  /** Its channel. */ "channel": "sms" | "chat" | "mail" | "voice";
                  /** `up`: accepts messages; `down`: does not answer or rejects us; `free`: no process holds it. */ "state": "up" | "down" | "free";
                  /** Messages that it accepts in a second. */ "rate": number;
                  /** Messages that it accepted since its process started. */ "taken": number;
                  /** Submitted, and the outcome not stored yet. */ "in_flight": number;
                  /** How many of those there may be. */ "window": number;
                  /** Why nothing can be submitted to it; null while it works. */ "problem": {
                    /** Cause. Up to `handshake` it is TLS: the certificate, or TLS is not offered (`not-offered`) or fails. `unknown-host` and `dns`: the name has no address, or DNS does not answer. `refused`, `unreachable`, `timeout` and `closed`: the network or the carrier. `access`: user name, password or token. `rejected`: the carrier refused the session for another reason. */ "reason": "self-signed" | "untrusted" | "expired" | "not-yet-valid" | "wrong-name" | "revoked" | "not-offered" | "handshake" | "unknown-host" | "dns" | "refused" | "unreachable" | "timeout" | "closed" | "access" | "rejected" | "other";
                    /** Error or status in the protocol. */ "detail": string;
                    /** Time since which this is the cause, ISO 8601. */ "since": string } | null;
                  /** When this was so, ISO 8601. */ "told_at": string;
                  /** Of a trunk: how it is set up. `window` is how many calls it takes at once, `in_flight` how many there are, `taken` how many were answered. */ "trunk": {
                    /** The number that its calls come from. */ "caller_id": string;
                    /** New calls that it may be given in a second; 0 is no limit. */ "calls_per_second": number;
                    /** What the numbers that it takes begin with, international digits; empty is every number. */ "prefixes": (string)[] } | null })[];
              /** Why no calls can be made now, in words: no trunk, or nothing that speaks. */ "calls_problem": string | null } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/queues": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "lanes": ({
                  /** `otp`, `single` or `bulk`, the most urgent first. */ "lane": string;
                  /** Messages that are to go out now. */ "due": number;
                  /** Of them, those that a process has leased. */ "taken": number;
                  /** The due ones by how long they have been so: under 1 s, under 10 s, under 60 s, under 600 s, and longer. */ "by_age": (number)[];
                  /** How long the oldest of them has been due. */ "oldest_seconds": number;
                  /** Messages whose time is to come. */ "later": number;
                  /** Messages of campaigns that are paused. */ "paused": number;
                  /** Messages of suspended accounts, which are held. */ "held": number })[];
              /** Those with the most messages that are due, at most 50. */ "accounts": ({
                  /** Its id. */ "account_id": string;
                  /** Its user name. */ "username": string;
                  /** The lane. */ "lane": string;
                  /** Its messages that are to go out now. */ "due": number;
                  /** How long the oldest of them has been due. */ "oldest_seconds": number })[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/sandbox": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowSandboxAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** From a message to its delivery, in milliseconds. */ "receipt_delay_ms"?: number;
            /** What the simulated SMS network takes; 0 is no limit. */ "messages_per_second"?: number;
            /** What the chat platform takes from a number; 0 is no limit. */ "chat_messages_per_second"?: number;
            /** Moves the clock on by so many seconds; it never goes back. */ "advance_seconds"?: number } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowSandboxAnswer } } } }; trace?: never };
  "/v1/operator/webhooks": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "webhooks": (Webhooks2)[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/webhooks/{id}/enable": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path: ShowWebhookPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Webhooks2 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/connectors": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "connectors": (Connectors)[] } } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Its name, in messages and metrics. */ "name": string;
            /** Whether messages go over it. */ "is_enabled"?: boolean;
            /** Messages (calls of a trunk) a second; 0 is no limit, null what its settings say. */ "per_second"?: number | null;
            /** Settings of an SMPP connection, for SMS. */ "smpp"?: Smpp2;
            /** Settings of a SIP trunk, for calls. */ "sip"?: Sip2 } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Connectors } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/connectors/{id}": { parameters: object; get?: never; put?: never; post?: never; delete: { parameters: { query?: never; header?: never; path: RemoveConnectorPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path: RemoveConnectorPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Whether messages go over it. */ "is_enabled"?: boolean;
            /** Messages (calls of a trunk) a second; 0 is no limit, null what its settings say. */ "per_second"?: number | null;
            /** Settings of an SMPP connection, for SMS. */ "smpp"?: Smpp2;
            /** Settings of a SIP trunk, for calls. */ "sip"?: Sip2 } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Connectors } } } }; trace?: never };
  "/v1/operator/connectors/{id}/try": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path: RemoveConnectorPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Whether every step was accepted. */ "is_accepted": boolean;
              /** In their order, up to the first that was not accepted. */ "steps": ({
                  /** In the words of the protocol. */ "name": string;
                  /** Whether it was accepted. */ "is_accepted": boolean;
                  /** What the other side answered, or the error. */ "answer": string;
                  /** How long it took. */ "milliseconds": number })[] } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/routes": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "routes": (Routes)[] } } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What numbers begin with, international digits; empty is every number. */ "prefix": string;
            "connectors": (Connectors3)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Routes } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/routes/find": { parameters: object; get: { parameters: { query: {
          /** The number, in any spelling. */ "phone": string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The number, international digits. */ "phone": string;
              /** The route that a message to it would take; null: no route takes it, and the first connector that is up does. */ "route": Routes | null;
              /** Connectors that would share it now; empty: it would wait. */ "up": (string)[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/routes/{id}": { parameters: object; get?: never; put?: never; post?: never; delete: { parameters: { query?: never; header?: never; path: RemoveRoutePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path: RemoveRoutePath; cookie?: never }; requestBody: { content: { "application/json": {
            "connectors": (Connectors3)[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Routes } } } }; trace?: never };
  "/v1/operator/alert-rules": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "rules": (Rules2)[] } } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** What it is called. */ "name": string;
            /** What the rule is about (docs/alerts.md). */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
            /** What is compared with; each kind has some of these. */ "thresholds"?: Thresholds2;
            /** Whether it is evaluated. */ "enabled"?: boolean;
            /** How long the condition holds before people are told. As its kind has it. */ "for_minutes"?: number;
            /** How long it is gone before people are told that it ended. */ "clear_minutes"?: number;
            /** For so long people are not told again of the same subject; then they are told how often it began. */ "pause_minutes"?: number;
            /** Who is told. Without anybody, alerts are in the console alone. */ "recipients"?: Recipients2 } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Rules2 } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/alert-rules/{id}": { parameters: object; get: { parameters: { query?: never; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Rules2 } } } }; put?: never; post?: never; delete: { parameters: { query?: never; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** True. */ "done": boolean } } } } }; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody: { content: { "application/json": ChangeAlertRuleBody } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Rules2 } } } }; trace?: never };
  "/v1/operator/alert-rules/{id}/test": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: SendTextHeader; path: ShowConversationRulePath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Only recipients that are told by these. */ "means"?: ("mail" | "sms" | "webhook")[] } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Messages that are sent. The rule’s `tests` tell what they come to. */ "recipients": number } } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/alert-rules/{id}/tests": { parameters: object; get: { parameters: { query?: never; header?: never; path: ShowConversationRulePath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** The latest first. */ "tests": (Tests)[] } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/alerts": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** Only those that are open, or that have ended. */ "state"?: "open" | "ended";
          /** Only those of this rule. */ "rule_id"?: string }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ListAlertsAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/alerts/open": { parameters: object; get: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              /** Alerts that are open. */ "open": number } } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/accounts/{id}/retention": { parameters: object; get: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowRetentionAnswer } } } }; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path: ListAccountBudgetsPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Days; null: the limit of the installation. Texts of messages, sent and received: a message without its text still has its state and price. */ "texts"?: number | null;
            /** Days; null: the limit of the installation. Messages, sent and received, with their campaigns, clicks and bounces. */ "messages"?: number | null;
            /** Days; null: the limit of the installation. Conversations after their last message, with notes. */ "conversations"?: number | null;
            /** Days; null: the limit of the installation. Events, and their deliveries to webhooks and push addresses; never longer than texts. */ "events"?: number | null;
            /** Days; null: the limit of the installation. The request log. */ "requests"?: number | null;
            /** Days; null: the limit of the installation. The audit log. */ "audit"?: number | null;
            /** Days; null: the limit of the installation. Files of chat messages. */ "media"?: number | null } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": ShowRetentionAnswer } } } }; trace?: never };
  "/v1/operator/chat-portfolios": { parameters: object; get: { parameters: { query?: {
          /** `next` of the page before. */ "after"?: string;
          /** Rows of a page. */ "limit"?: number;
          /** Only portfolios of this account. */ "account"?: string;
          /** `true`: only those that the platform has something against; `false`: only the others. */ "problems"?: "true" | "false" }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": {
              "portfolios": (Portfolios)[];
              /** `after` of the following page; null on the last one. */ "next": string | null } } } } }; put?: never; post: { parameters: { query?: never; header?: never; path?: never; cookie?: never }; requestBody: { content: { "application/json": {
            /** Whose it is. */ "account_id": string;
            /** What people call it. */ "name": string;
            /** The id on the platform. */ "platform_id": string;
            /** What the platform is called with. */ "access_token": string;
            /** Clients in 24 hours: 250, 2000, 10000, 100000, 1000000. */ "tier"?: number } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Portfolios } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
  "/v1/operator/chat-portfolios/{id}": { parameters: object; get?: never; put?: never; post?: never; delete?: never; options?: never; head?: never; patch: { parameters: { query?: never; header?: never; path: ChangeChatPortfolioPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** Clients in 24 hours: 250, 2000, 10000, 100000, 1000000. */ "tier"?: number;
            /** What the platform is called with. */ "access_token"?: string } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Portfolios } } } }; trace?: never };
  "/v1/operator/chat-portfolios/{id}/numbers": { parameters: object; get?: never; put?: never; post: { parameters: { query?: never; header?: never; path: ChangeChatPortfolioPath; cookie?: never }; requestBody: { content: { "application/json": {
            /** The number, in any spelling. */ "phone": string;
            /** What people call it. */ "name"?: string;
            /** The id on the platform. */ "platform_id": string;
            /** How fast it sends at most; 0 is no limit. */ "messages_per_second"?: number } } }; responses: { 200: { headers: { [name: string]: unknown }; content: { "application/json": Portfolios } } } }; delete?: never; options?: never; head?: never; patch?: never; trace?: never };
}

export interface components {
  schemas: {
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

type SendTextHeader = {
  /** A key of yours for this request, 1 to 255 printable ASCII characters, best a UUID. Sent again with the same key and the same body within 24 hours, it is answered as the first time, with the header `Idempotent-Replayed: true`, and done once. With another body it is refused. */ "Idempotency-Key"?: string };

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

type ShowSubscriberPath = {
  /** The id of the subscriber. */ "id": string };

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

type Rows = {
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
  /** Credits, less what was given back. */ "spent": string };

type Totals = {
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
  /** Credits, less what was given back. */ "spent": string };

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

type Problems = {
  /** What it is about: a ban of the business account, a restriction, a violation of the rules, the connection to it, its review, an alert; of a number its name or its rating. */ "topic": "ban" | "restriction" | "violation" | "connection" | "review" | "alert" | "name" | "quality";
  /** `stopped`: messages cannot be sent, or not all of them; `warning`: something has to be done. */ "severity": "stopped" | "warning";
  /** The business number, international digits; empty: the whole portfolio. */ "phone": string;
  /** The platform's word for it. */ "word": string;
  /** The platform's word for why; empty for none. */ "reason": string;
  /** Until when, ISO 8601; null: until the platform tells otherwise. Violations and alerts are shown for 30 days. */ "until": string | null;
  /** When the platform told it, ISO 8601. */ "told_at": string };

type Header2 = {
  /** What it is. */ "kind": "none" | "text" | "image" | "video" | "document";
  /** Of kind `text`. */ "text": string;
  /** The example. Without the role `sender` or a token with the scope `read` or `send`: an empty text. */ "sample": string };

type Buttons2 = {
  "kind": "reply" | "website" | "call" | "coupon" | "otp";
  "text": string;
  "url": string;
  "number": string;
  /** Without the role `sender` or a token with the scope `read` or `send`: an empty text. */ "sample": string };

type Offer = {
  "text": string;
  "expires": boolean };

type Authentication = {
  "advice": boolean;
  "minutes": number | null };

type Header3 = {
  /** What it is. */ "kind": "none" | "text" | "image" | "video" | "document";
  /** Of kind `text`; may have the variable `{{1}}`. */ "text"?: string;
  /** An example: of the variable, or a link to the image (jpg, png), video (mp4) or document (pdf). */ "sample"?: string };

type Buttons3 = {
  /** A quick reply, a website, a phone number, a coupon code to copy, a one-time code to copy. */ "kind": "reply" | "website" | "call" | "coupon" | "otp";
  /** The label, 25 characters at most; a coupon has a fixed one. */ "text"?: string;
  /** Of a website: its address; `{{1}}` at its end is given by each send. */ "url"?: string;
  /** Of a phone number: with `+` and its country code. */ "number"?: string;
  /** An example: the whole address of a website with a variable, or a coupon code. */ "sample"?: string };

type Offer2 = {
  /** What it is called, 16 characters at most. */ "text": string;
  /** Whether each send names its end. */ "expires"?: boolean };

type Authentication2 = {
  /** Adds "do not share this code". */ "advice"?: boolean;
  /** How long the code is good, as the message says; null says nothing. */ "minutes"?: number | null };

type CreateTemplateBody = {
  /** The business number. */ "phone": string;
  /** Lower-case English letters, digits and underscores; 512 characters at most. */ "name": string;
  /** The number of a language (docs/chat-api.md), or its code like `he`. */ "language": string;
  /** What it is for. */ "category": "marketing" | "utility" | "authentication";
  /** Above the text; nothing without it. */ "header"?: Header3;
  /** The text, with variables `{{1}}` to `{{5}}`; empty for an authentication template, which has that of the platform. */ "body"?: string;
  /** An example for each variable of the body. */ "body_samples"?: (string)[];
  /** Below the text, 60 characters at most. */ "footer"?: string;
  /** At most three quick replies, two websites, a phone number and a coupon; quick replies stand together. */ "buttons"?: (Buttons3)[];
  /** A limited-time offer of a marketing template. */ "offer"?: Offer2 | null;
  /** Of an authentication template: what its text says beside the code. */ "authentication"?: Authentication2 | null };

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
  "header": Header2;
  /** The text. */ "body": string;
  /** An example for each variable. */ "body_samples": (string)[];
  /** Below the text. */ "footer": string;
  /** As they were given; what a kind does not have is empty. */ "buttons": (Buttons2)[];
  /** A limited-time offer; null for none. */ "offer": Offer | null;
  /** Of an authentication template; else null. */ "authentication": Authentication | null;
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

type ShowTemplatePath = {
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

type DeleteConversationLabelPath = {
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

type DeleteSavedReplyPath = {
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

type Hours2 = {
  "sunday": (string)[];
  "monday": (string)[];
  "tuesday": (string)[];
  "wednesday": (string)[];
  "thursday": (string)[];
  "friday": (string)[];
  "saturday": (string)[] };

type ClosedDates2 = {
  "date": string;
  "name"?: string };

type From2 = {
  "name": string;
  "address": string };

type Campaigns2 = {
  /** Its id. */ "id": string;
  /** `name`. */ "name": string | null;
  /** `subject`, with its fields. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
  /** `from`. */ "from": From2;
  /** `lists`. */ "lists": (string)[];
  /** `scheduled`, `running`, `paused`, `cancelled`, or `finished`: nothing of it waits to be submitted to the relay. */ "state": string;
  /** Active users of the lists, each once, when it was accepted. */ "total": number;
  /** When it begins, ISO 8601. */ "due_at": string;
  /** When it was accepted, ISO 8601. */ "created_at": string;
  /** When it ended, ISO 8601. */ "finished_at": string | null };

type From3 = {
  "name"?: string;
  "address": string };

type CreateMailCampaignBody = {
  /** What the account calls it; 50 characters. */ "name"?: string | null;
  /** The sender: an address that the account may send from, and the name that is shown. */ "from": From3;
  /** Where answers go, when not to the sender. */ "reply_to"?: string | null;
  /** One line. Fields stand as `{{FirstName}}`, or `{{FirstName|friend}}`. */ "subject": string;
  /** The mail in HTML. `{{unsubscribe}}` is where the page of removal is; without it a link is appended. */ "html"?: string | null;
  /** The mail in plain text; at least one of both. */ "text"?: string | null;
  /** Ids of mailing lists. A user of several lists gets one mail. */ "lists": (number)[];
  /** When it begins, ISO 8601; without it, or when that is over, at once. */ "at"?: string | null;
  /** Hours of each day in which its messages are sent, as `10:00-18:00`, within those of the sending policy; outside them they wait, or fail where the policy says so. null: those of the policy. */ "sending_hours"?: string | null;
  /** Whether it is exempt from the sending policy, like a receipt or an alarm. Only where the policy allows it. */ "transactional"?: boolean };

type Lists = {
  /** Its id, `ExistingListID` in the mailing-list API. */ "id": string;
  /** Its name. */ "name": string;
  /** What it is for; may be empty. */ "description": string;
  /** Whether who is added has to confirm it. */ "confirm": boolean;
  /** Whether opens and clicks are counted. */ "track": boolean;
  /** Names of the fields that its users were given. */ "columns": (string)[];
  /** How many users it has. */ "users": number;
  /** How many of them get mails. */ "active": number;
  /** ISO 8601. */ "created_at": string };

type ShowMailListPath = {
  /** The id of the mailing list. */ "id": string };

type ChangeMailUserPath = {
  /** The id of the user. */ "id": string };

type Lists2 = {
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
  /** The lists of the user. */ "lists": (Lists2)[] };

type Templates = {
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

type RevokeMailTokenPath = {
  /** The id of the token. */ "id": string };

type Counts = {
  /** What it is. */ "kind": "messages" | "clicks" | "incoming-sms" | "incoming-chat" | "incoming-mail" | "conversations" | "conversation-entries" | "files" | "contacts" | "mailing-list-users" | "blacklist" | "one-time-codes" | "frequency-counts" | "verifications" | "chat-windows" | "bounces" | "consents" | "mentions" | "events" | "csv-files" | "exports";
  /** How many rows. */ "count": number };

type Requests = {
  /** Its id. */ "id": string;
  /** What was asked for. */ "kind": "export" | "erasure";
  /** `waiting`, `running`; `rechecking`: everything is erased, and a quarter of an hour later it is looked again for what was under way; `done`; `failed`; `deleted`: the archive is not there any more. */ "state": "waiting" | "running" | "rechecking" | "done" | "failed" | "deleted";
  /** What the caller calls it; empty for nothing. */ "reference": string;
  /** What was exported or erased so far, by kind. */ "counts": (Counts)[];
  /** Of the archive of an export. */ "bytes": number;
  /** `waits-for-imports`: imports and exports of the account are under way; `tried-again`: it could not go on; `key-lost`: the key of the installation was lost, ask again; empty: nothing. */ "problem": "" | "waits-for-imports" | "tried-again" | "key-lost";
  /** The user name of who asked. */ "requested_by": string | null;
  /** When it was asked for, ISO 8601. */ "created_at": string;
  /** Of an erasure: when everything was erased, ISO 8601; null: never. */ "erased_at": string | null;
  /** When all of it was over, ISO 8601; null: never. */ "finished_at": string | null;
  /** When the archive of an export is deleted, ISO 8601; null: never. */ "expires_at": string | null };

type GetDataSubjectRequestPath = {
  /** The id of the request. */ "id": string };

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

type ShowOwnAccountAnswer = {
  /** Its id. */ "id": string;
  /** Its user name. */ "username": string;
  /** Its name. */ "name": string;
  /** null: that of the service. */ "time_zone": string | null };

type GetAccountPasswordAnswer = {
  /** Whether the account has a password for programs. */ "has_password": boolean;
  /** Whether `user.password` of `POST /api` and `POST /api/Mailer/token` take it in the place of a token. */ "password_sign_in": boolean;
  /** Whether it would be refused as a new one; known after a sign-in with it. Change it. */ "password_weak": boolean };

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

type Budgets = {
  /** `service-mails`: Alerts by email, which the service sends in its own name. `tests`: Test alerts by recipient, test emails of campaigns, and test events of webhooks. `verifications`: Messages that ask the owner of an address or a number to confirm: users of mailing lists, recipients of alerts, senders. `automatic-replies`: Automatic replies to clients, over every channel. `files`: Stored files: uploads, files that clients sent, files of imports and exports, and archives of personal data. */ "budget": "service-mails" | "tests" | "verifications" | "automatic-replies" | "files";
  /** Number used. */ "count": number;
  /** Largest number; null: no limit. */ "count_limit": number | null;
  /** Bytes used. */ "bytes": number;
  /** Largest number of bytes; null: no limit. */ "bytes_limit": number | null;
  /** Credits used. */ "credits": string;
  /** Largest amount of credits; null: no limit. */ "credits_limit": string | null;
  /** Whether the operator set a limit for this account. */ "is_own": boolean;
  /** Time at which the used amounts return to zero, ISO 8601; null: never. */ "renews_at": string | null };

type RestDays = {
  "latitude": number;
  "longitude": number;
  "begins_before": number;
  "ends_after": number;
  "second_days": boolean };

type Caps = {
  "messages": number;
  "hours": number;
  "channel": string | null };

type ShowSendingPolicyAnswer = {
  /** The time zone of the account, or of the service. */ "time_zone": string;
  /** Whether a campaign to the zone of the account may be sent now. */ "permitted_now": boolean;
  /** When it may be sent next, ISO 8601: now, or later; null: not within 60 days. */ "permitted_from": string | null;
  /** The hours of each day of the week in which messages are sent, as `08:00-20:00`; several a day. Hours whose end is not later than their beginning go on after midnight. A day without hours has none. null: at any hour. */ "hours": Hours | null;
  /** `account`: hours and dates are those of the time zone of the account. `recipient`: those of the country of the number; of a country with several zones it has to be permitted in all of them. Mails, and numbers of no country, go by the account. */ "zone": "account" | "recipient";
  /** Days on which nothing is sent, from midnight to midnight. */ "closed_dates": (ClosedDates)[];
  /** Shabbat and Jewish holidays, on which nothing is sent to anybody: from some minutes before sunset at a place until some minutes after it. null: these days are as others. */ "rest_days": RestDays | null;
  /** `campaigns`: sends to many. `all`: single messages, too. One-time codes, verifications, confirmations, authentication templates, and answers to a client within 24 hours are always exempt. */ "applies_to": "campaigns" | "all";
  /** What is done outside the hours. `wait`: messages wait for the next permitted time. `refuse`: a send of which nothing is permitted is refused; messages of an accepted one that are not permitted fail with status 16 and cost nothing. */ "outside_hours": "wait" | "refuse";
  /** Whether a send may say that it is `transactional`, and is exempt then. */ "allows_transactional": boolean;
  /** At most so many messages to one recipient within so many hours, of one channel or, with null, of all together. */ "caps": (Caps)[];
  /** What is done with a message over a cap. `refuse`: it fails with status 16 and costs nothing. `wait`: it waits until it is within the cap. */ "over_cap": "wait" | "refuse";
  /** `marketing`: messages go only to recipients with a standing consent to marketing messages on their channel, by the consent log. A send of which no recipient has one is refused; other recipients without one get status 16 and cost nothing. A consent that is withdrawn while a message waits stops it. What is exempt is sent without one. `not_required`: the log is not asked. */ "consent": "not_required" | "marketing" };

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

type ChangeAlertRuleBody = {
  /** What it is called. */ "name"?: string;
  /** Whether it is evaluated. */ "enabled"?: boolean;
  /** How long the condition holds before people are told. */ "for_minutes"?: number;
  /** How long it is gone before people are told that it ended. */ "clear_minutes"?: number;
  /** For so long people are not told again of the same subject; then they are told how often it began. */ "pause_minutes"?: number;
  /** What is compared with; each kind has some of these. */ "thresholds"?: Thresholds2;
  /** Who is told. Without anybody, alerts are in the console alone. Given as a whole. */ "recipients"?: Recipients2 };

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

type Alerts = {
  /** Its id. */ "id": string;
  /** Its rule, which may be deleted. */ "rule_id": string;
  /** What the rule was called. */ "rule": string;
  /** What the rule is about (docs/alerts.md). */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
  /** What it is about: a prefix, a connector, a lane, the id of a webhook or subscriber; empty: the account itself. */ "subject": string;
  /** What was measured last, by its kind (docs/alerts.md). */ "measured": { [name: string]: unknown };
  /** When it began, ISO 8601; null: never. */ "began_at": string | null;
  /** When its condition held last, ISO 8601. */ "seen_at": string;
  /** When it ended, ISO 8601; null: it is open. */ "ended_at": string | null;
  /** Who was told of it, in the order of time. */ "notifications": (Tests)[] };

type ListAlertsAnswer = {
  "alerts": (Alerts)[];
  /** `after` of the following page; null on the last one. */ "next": string | null };

type Texts = {
  /** How many days it is kept. */ "days": number;
  /** What the account asked for; null: as long as it may. */ "asked": number | null;
  /** The most that the account may ask for. */ "limit": number;
  /** What the operator has set for this account; null: the limit is that of the installation. */ "own_limit": number | null;
  /** The most that the operator may allow: the setting of the installation. */ "installation": number;
  /** The least that may be asked for. */ "least": number };

type ShowRetentionAnswer = {
  /** Texts of messages, sent and received: a message without its text still has its state and price. */ "texts": Texts;
  /** Messages, sent and received, with their campaigns, clicks and bounces. */ "messages": Texts;
  /** Conversations after their last message, with notes. */ "conversations": Texts;
  /** Events, and their deliveries to webhooks and push addresses; never longer than texts. */ "events": Texts;
  /** The request log. */ "requests": Texts;
  /** The audit log. */ "audit": Texts;
  /** Files of chat messages. */ "media": Texts };

type ShowTextStorageAnswer = {
  /** How texts are stored now. `plain`: as they are; `sealed`: encrypted; `none`: encrypted until they are sent, and then removed. */ "mode": "plain" | "sealed" | "none";
  /** What the account asked for; null: as the installation does. */ "asked": "plain" | "sealed" | "none" | null;
  /** The least strict one that the installation allows. */ "installation": "plain" | "sealed" | "none" };

type Person = {
  /** The id of the person. */ "id": string;
  /** The user name. */ "username": string;
  /** What people call the person. */ "name": string };

type GetSessionAnswer = {
  "person": Person;
  /** What the person may do. */ "role": "agent" | "viewer" | "sender" | "owner" | "operator";
  /** The account of the person; null for operators. */ "account": ShowOwnAccountAnswer | null;
  /** null: as the browser has it. */ "language": "en" | "he" | null;
  /** null: as the browser has it. */ "theme": "light" | "dark" | null;
  /** In which the console shows times; null: that of the account. */ "time_zone": string | null;
  /** The zone of the service, of accounts without one. */ "default_time_zone": string;
  /** Whether this is a sandbox, whose messages reach no real phone or mailbox. */ "simulated": boolean;
  /** Whether signing in with a password asks for a second factor. */ "second_factor": boolean;
  /** Whether the second factor can be a code of an authenticator app. */ "authenticator_app": boolean;
  /** Whether there is a password. */ "has_password": boolean;
  /** Whether everybody of the account has to have a second factor, by the rules of the account or by the operator. Without one, every route but those that set it up answers `second-factor-required`. */ "second_factor_required": boolean;
  /** Whether a sign-in by a provider still lacks the second factor of the person: prove it with `POST /v1/session/second-factor/prove`. */ "second_factor_pending": boolean;
  /** Whether the provider said that a second factor was proven. */ "second_factor_by_provider": boolean;
  /** Whether the person signs in by a provider. */ "has_provider": boolean;
  /** Seconds for which routes that require a proof of identity do not ask for a new one; 0: the next one answers `proof-needed`. */ "proof_seconds": number;
  /** Ways in which the person can prove their identity with `POST /v1/session/proof`. */ "proof_methods": ("password" | "passkey" | "code" | "provider")[];
  /** When the session ends if nothing comes any more, ISO 8601. */ "expires_at": string };

type Response = {
  /** As the browser has it. */ "clientDataJSON": string;
  /** As the browser has it. */ "authenticatorData": string;
  /** As the browser has it. */ "signature": string;
  "userHandle"?: string | null };

type Passkey = {
  /** The id of the passkey, base64url. */ "id": string;
  "response": Response };

type Passkeys = {
  /** Its id. */ "id": string;
  /** What you call it. */ "name": string;
  /** When it was added, ISO 8601. */ "created_at": string;
  /** When it was used last, ISO 8601; null: never. */ "used_at": string | null;
  /** Whether it is kept on several devices, as those of a password manager are. */ "synced": boolean };

type RenamePasskeyPath = {
  /** The id of the passkey. */ "id": string };

type Rules3 = {
  /** A claim of the ID token or of UserInfo, with dots for what is inside (`realm_access.roles`), or `email_domain`, that of a verified mail address; null: everybody. */ "claim": string | null;
  /** What the claim says, or one of what it says; null for everybody. */ "value": string | null;
  /** The role. */ "role": "agent" | "viewer" | "sender" | "owner" };

type Providers = {
  /** Its id. */ "id": string;
  /** The name in its link. */ "slug": string;
  /** What people know it by. */ "name": string;
  /** The address that it calls itself by; `/.well-known/openid-configuration` is below it. */ "issuer": string;
  /** What it calls this service. */ "client_id": string;
  /** Whether it has a client secret. */ "has_client_secret": boolean;
  /** What is asked for; must have `openid`. */ "scopes": string;
  /** Whether people are added at their first sign-in. */ "makes_people": boolean;
  /** Whether somebody whose user name is the verified mail address becomes a person of the provider, at the first sign-in. Their password ends. */ "links_by_email": boolean;
  /** Values of `amr` or `acr` that say that a second factor was proven; with one of them none is asked for here. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. Where the operator demands a second factor of an account, the word of the account's own provider does not count. */ "second_factor_values": (string)[];
  /** Mail domains that lead to it from the sign-in page. Operators set them. */ "domains": (string)[];
  /** Whether people can sign in by it. `false` ends their sessions. */ "enabled": boolean;
  /** How many people sign in by it. */ "people": number;
  /** The direct link. */ "sign_in_url": string;
  /** To be set at the provider. */ "redirect_uri": string;
  /** To be set at the provider for back-channel logout. */ "logout_uri": string;
  /** Why the last sign-in failed that did; null: none did. */ "last_failure": string | null;
  /** When that was, ISO 8601; null: never. */ "last_failure_at": string | null;
  /** When it was added, ISO 8601. */ "created_at": string;
  /** Who gets which role: the first rule that matches counts. Whoever no rule matches may not sign in. */ "rules": (Rules3)[] };

type Rules4 = {
  /** A claim of the ID token or of UserInfo, with dots for what is inside (`realm_access.roles`), or `email_domain`, that of a verified mail address; null: everybody. */ "claim": string | null;
  /** What the claim says, or one of what it says; null for everybody. */ "value": string | null;
  /** The role. */ "role": "agent" | "viewer" | "sender" | "owner" };

type RemoveSignInProviderPath = {
  /** The id of the sign-in provider. */ "id": string };

type Rules5 = {
  /** A claim of the ID token or of UserInfo, with dots for what is inside (`realm_access.roles`), or `email_domain`, that of a verified mail address; null: everybody. */ "claim": string | null;
  /** What the claim says, or one of what it says; null for everybody. */ "value": string | null;
  /** The role. */ "role": "agent" | "viewer" | "sender" | "owner" | "operator";
  /** User name of the account that the people belong to. Null, the default, is for the role `operator` alone. */ "account": string | null };

type Providers2 = {
  /** Its id. */ "id": string;
  /** The name in its link. */ "slug": string;
  /** What people know it by. */ "name": string;
  /** The address that it calls itself by; `/.well-known/openid-configuration` is below it. */ "issuer": string;
  /** What it calls this service. */ "client_id": string;
  /** Whether it has a client secret. */ "has_client_secret": boolean;
  /** What is asked for; must have `openid`. */ "scopes": string;
  /** Whether people are added at their first sign-in. */ "makes_people": boolean;
  /** Whether somebody whose user name is the verified mail address becomes a person of the provider, at the first sign-in. Their password ends. */ "links_by_email": boolean;
  /** Values of `amr` or `acr` that say that a second factor was proven; with one of them none is asked for here. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. Where the operator demands a second factor of an account, the word of the account's own provider does not count. */ "second_factor_values": (string)[];
  /** Mail domains that lead to it from the sign-in page. Operators set them. */ "domains": (string)[];
  /** Whether people can sign in by it. `false` ends their sessions. */ "enabled": boolean;
  /** How many people sign in by it. */ "people": number;
  /** The direct link. */ "sign_in_url": string;
  /** To be set at the provider. */ "redirect_uri": string;
  /** To be set at the provider for back-channel logout. */ "logout_uri": string;
  /** Why the last sign-in failed that did; null: none did. */ "last_failure": string | null;
  /** When that was, ISO 8601; null: never. */ "last_failure_at": string | null;
  /** When it was added, ISO 8601. */ "created_at": string;
  /** Whether the sign-in page has a button for it. */ "listed": boolean;
  /** Who gets which role: the first rule that matches counts. Whoever no rule matches may not sign in. */ "rules": (Rules5)[] };

type Rules6 = {
  /** A claim of the ID token or of UserInfo, with dots for what is inside (`realm_access.roles`), or `email_domain`, that of a verified mail address; null: everybody. */ "claim": string | null;
  /** What the claim says, or one of what it says; null for everybody. */ "value": string | null;
  /** The role. */ "role": "agent" | "viewer" | "sender" | "owner" | "operator";
  /** User name of the account that the people belong to. Null, the default, is for the role `operator` alone. */ "account"?: string | null };

type People = {
  /** The id of the person. */ "id": string;
  /** The user name. */ "username": string;
  /** What people call the person. */ "name": string;
  /** What the person may do. */ "role": "agent" | "viewer" | "sender" | "owner" | "operator";
  /** null: as the browser has it. */ "language": "en" | "he" | null;
  /** Whether signing in asks for a code. */ "second_factor": boolean;
  /** Whether a password was chosen yet. */ "has_password": boolean;
  /** Whether the person signs in by a sign-in provider, and by nothing else. */ "has_provider": boolean;
  /** Whether the person may not sign in. */ "suspended": boolean;
  /** When the person was added, ISO 8601. */ "created_at": string };

type Link = {
  /** For the link `/password#<token>` of the console, shown this once: the person chooses a password there. */ "token": string;
  /** Until when the link can be used, once, ISO 8601. */ "expires_at": string };

type AddPersonAnswer = {
  "person": People;
  "link": Link };

type ChangePersonPath = {
  /** The id of the person. */ "id": string };

type GetPeopleRulesAnswer = {
  /** Whether everybody has to have a second factor. */ "second_factor_required": boolean;
  /** How many people may sign in and have no second factor yet: while it is required they can do nothing but set one up. */ "without_second_factor": number;
  /** Whether the operator demands it of this account. */ "second_factor_demanded": boolean;
  /** Whether everybody signs in by a sign-in provider alone. */ "provider_only": boolean;
  /** Whether the operator demands it, of this account or of every one: then it holds whatever `second_factor_required` says. */ "by_operator": boolean };

type GetOperatorRulesAnswer = {
  /** Whether everybody has to have a second factor. */ "second_factor_required": boolean;
  /** How many people may sign in and have no second factor yet: while it is required they can do nothing but set one up. */ "without_second_factor": number;
  /** Whether it is demanded of the people of every account. */ "second_factor_of_accounts": boolean };

type Person2 = {
  /** The id of the person. */ "id": string;
  /** The user name at that time. */ "username": string };

type Object = {
  /** What kind of thing. */ "kind": string | null;
  /** Which one. */ "id": string | null };

type Entries = {
  /** Its id. */ "id": string;
  /** When, ISO 8601. */ "at": string;
  /** Who; null: a program with a token, or the command line. */ "person": Person2 | null;
  /** Who used the command line: the user of the machine; null: nobody did. */ "system_user": string | null;
  /** The token of the program. */ "token_id": string | null;
  /** From where; null: the command line. */ "address": string | null;
  /** The method and the path, a command, `export ended` or `signed out by provider`. */ "action": string;
  /** What was changed. */ "object": Object;
  /** The HTTP status of the answer: 400 and more were refused. */ "status": number;
  /** What it was like, as far as that is kept. */ "before": { [name: string]: unknown } | null;
  /** What it is like. */ "after": { [name: string]: unknown } | null };

type ListAuditAnswer = {
  "entries": (Entries)[];
  /** `after` of the following page; null on the last one. */ "next": string | null };

type ListAccountBudgetsPath = {
  /** The id of the account. */ "id": string };

type Accounts = {
  /** Its id. */ "account_id": string;
  /** Its user name. */ "username": string;
  /** Credits that it can spend. */ "balance": string;
  /** Messages that were accepted. */ "accepted": number;
  /** Delivered, and not known to be read. */ "delivered": number;
  /** Read. */ "read": number;
  /** Failed. */ "failed": number;
  /** Credits, less what was given back. */ "spent": string };

type Accounts2 = {
  /** Its id. */ "id": string;
  /** Its user name. */ "username": string;
  /** What people call it. */ "name": string;
  /** The user name of the account that it is a subscriber of. */ "parent": string | null;
  /** Credits. */ "balance": string;
  /** Whether the operator has stopped it, or the account that it is under. */ "suspended": boolean;
  /** Whether the account that it is under has stopped it. */ "suspended_by_parent": boolean;
  /** Its time zone; null: the one of the settings. */ "time_zone": string | null;
  /** Where calls may come from; empty: anywhere. */ "addresses": (string)[];
  /** Whether it signs in with a password that would be refused as a new one; known after a sign-in with it. */ "password_weak": boolean;
  /** Whether `user.password` is taken in requests in the place of a token. */ "password_sign_in": boolean;
  /** When it was made, ISO 8601. */ "created_at": string };

type ShowHeldWorkAnswer = {
  /** Since when they are held; null for an account that is not suspended, ISO 8601; null: never. */ "since": string | null;
  /** Messages that are held. A batch counts whole until all its messages have a result. */ "messages": number;
  /** Campaigns that are held before all their messages were created. */ "campaigns": number;
  /** When their cancellation was requested, while it is under way, ISO 8601; null: never. */ "cancelling_since": string | null;
  /** When the last cancellation was completed, ISO 8601; null: never. */ "cancelled_at": string | null };

type Prices = {
  /** Whose it is; null: everyone’s. */ "account_id": string | null;
  /** The user name of that account. */ "username": string | null;
  /** `sms`: of a part; `chat`: of a conversation of 24 hours; `voice`: of a call; `mail`: of a mail, only with the empty prefix. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** First digits of the numbers. Empty: every number. */ "prefix": string;
  /** Credits. */ "price": string;
  /** Whether messages are refunded that end with status 105 because the carrier never answered. Such a message may have arrived. */ "refund_unanswered": boolean };

type Rules7 = {
  /** Account that the rule is about; null: all accounts. */ "account_id": string | null;
  /** User name of that account. */ "username": string | null;
  /** Beginning of the numbers, international digits. */ "prefix": string;
  /** Whether the accounts may send to these numbers and call them. */ "permitted": boolean;
  /** Reason, for other operators. */ "note": string;
  /** Time of the last change, ISO 8601. */ "changed_at": string };

type ShowSandboxAnswer = {
  /** From a message to its delivery, in milliseconds. */ "receipt_delay_ms": number;
  /** What the simulated SMS network takes; 0 is no limit. */ "messages_per_second": number;
  /** What the chat platform takes from a business number; 0 is no limit. */ "chat_messages_per_second": number;
  /** The time in the sandbox, ISO 8601. */ "now": string };

type Webhooks2 = {
  /** Id of the endpoint. */ "id": string;
  /** Account that registered it. */ "account_id": string;
  /** User name of that account. */ "username": string;
  /** `webhook`, or the push of one event of the SMS family: `dlr`, `incoming`, `blacklist`. */ "kind": "webhook" | "dlr" | "incoming" | "blacklist";
  /** Host and port of its address. The whole address is shown to its account only. */ "host": string;
  /** `failing`: every attempt has failed since `since`. `off`: disabled since then; nothing is sent until it is enabled. */ "state": "active" | "failing" | "off";
  /** Time since which it is failing or disabled, ISO 8601; null: never. */ "since": string | null;
  /** Why it was disabled. */ "off_reason": string | null;
  /** Events that wait to be sent again. */ "waiting": number;
  /** HTTP status of the last failed attempt; null: no answer. */ "last_status": number | null;
  /** Error of the last failed attempt. */ "last_error": string | null;
  /** Time of the last failed attempt, ISO 8601; null: never. */ "last_failure_at": string | null;
  /** Time of the last successful attempt, ISO 8601; null: never. */ "last_success_at": string | null };

type Smpp = {
  /** Name or address of the SMSC. */ "host": string;
  /** Its port. */ "port": number;
  /** Whether the connection uses TLS. */ "tls": boolean;
  /** PEM of the authorities that are trusted in place of the machine’s. */ "tls_ca": string | null;
  /** The name on the certificate, if it is not the host. */ "tls_server_name": string | null;
  /** Whether its certificate must be trusted. */ "tls_verify": boolean;
  /** Of the bind. */ "system_id": string;
  /** Of the bind. */ "system_type": string;
  /** Of the bind. */ "bind_mode": "transceiver" | "pair";
  /** Concurrent sessions, or pairs. */ "binds": number;
  /** Submits without a stored outcome. */ "window": number;
  /** How long messages are sent. */ "long_messages": "udh" | "payload";
  /** Type of number of senders; null: by their form. */ "source_ton": number | null;
  /** Numbering plan of senders; null: by their form. */ "source_npi": number | null;
  /** Type of number of recipients. */ "destination_ton": number;
  /** Numbering plan of recipients. */ "destination_npi": number;
  /** Which receipts it asks for. */ "registered_delivery": number;
  /** How the SMSC reads data coding 0. */ "default_alphabet": "gsm" | "latin1";
  /** Data coding of texts in the default alphabet. */ "default_data_coding": number;
  /** How `validity_period` is written. */ "validity": "relative" | "absolute" | "none";
  /** Silence before `enquire_link`. */ "enquire_link_ms": number;
  /** An answer later than this is overdue. */ "response_timeout_ms": number };

type Sip = {
  /** Where the trunk is. */ "uri": string;
  /** PEM of the authorities that are trusted in place of the machine’s. */ "tls_ca": string | null;
  /** The name on the certificate, if it is not the host. */ "tls_server_name": string | null;
  /** Whether its certificate must be trusted. */ "tls_verify": boolean;
  /** Of the answers to challenges. */ "username": string | null;
  /** Only challenges for this realm are answered. */ "realm": string | null;
  /** The number that calls come from. */ "caller_id": string;
  /** The name behind `@`, if it is not the host. */ "domain": string | null;
  /** Whether we register with the trunk. */ "register": boolean;
  /** Calls at once. */ "calls_at_once": number;
  /** What the numbers that it takes begin with; empty is every number. */ "prefixes": (string)[];
  /** In front of numbers. */ "number_prefix": string;
  /** How often the trunk is asked with OPTIONS; 0 never. */ "keep_alive_seconds": number };

type Connectors = {
  /** Its name. */ "name": string;
  /** `smpp` for SMS, `sip` for calls, `smtp` for mails. */ "protocol": "smpp" | "sip" | "smtp";
  /** Whether it is of the configuration, where its settings are changed. */ "is_configured": boolean;
  /** Whether messages go over it. */ "is_enabled": boolean;
  /** Messages (calls of a trunk) that it is given in a second; 0 is no limit. */ "per_second": number;
  /** Whether an operator set `per_second`; else its settings say it. */ "is_limit_set": boolean;
  /** Whether it has a password. */ "has_password": boolean;
  /** Names of the routes that use it. */ "routes": (string)[];
  /** Its settings, if it is an SMPP connection; else null. */ "smpp": Smpp | null;
  /** Its settings, if it is a SIP trunk; else null. */ "sip": Sip | null };

type Smpp2 = {
  /** Name or address of the SMSC. Required to add one. */ "host"?: string;
  /** 2775 by default. */ "port"?: number;
  /** Whether the connection uses TLS; false by default. */ "tls"?: boolean;
  /** PEM of the authorities to trust in place of the machine’s. Null: none. */ "tls_ca"?: string | null;
  /** The name on the certificate, if it is not the host. Null: none. */ "tls_server_name"?: string | null;
  /** False accepts any certificate: only for a network that is private in itself. */ "tls_verify"?: boolean;
  /** Of the bind. Required to add one. */ "system_id"?: string;
  /** Stored encrypted; no answer shows it. Null: none. */ "password"?: string | null;
  /** Of the bind; empty by default. */ "system_type"?: string;
  /** `transceiver`, or `pair`: a transmitter and a receiver. */ "bind_mode"?: "transceiver" | "pair";
  /** Concurrent sessions, or pairs; 1 by default. */ "binds"?: number;
  /** Submits without a stored outcome; 500 by default. */ "window"?: number;
  /** Parts with a header, or whole in `message_payload`. */ "long_messages"?: "udh" | "payload";
  /** Type of number of senders, if not by their form. Null: none. */ "source_ton"?: number | null;
  /** Numbering plan of senders, if not by their form. Null: none. */ "source_npi"?: number | null;
  /** Type of number of recipients; 1 by default. */ "destination_ton"?: number;
  /** Numbering plan of recipients; 1 by default. */ "destination_npi"?: number;
  /** 1 asks for all receipts, 2 for failures, 0 for none. */ "registered_delivery"?: number;
  /** How the SMSC reads data coding 0. */ "default_alphabet"?: "gsm" | "latin1";
  /** Data coding of texts in the default alphabet. */ "default_data_coding"?: number;
  /** How `validity_period` is written. */ "validity"?: "relative" | "absolute" | "none";
  /** Silence before `enquire_link`. */ "enquire_link_ms"?: number;
  /** An answer later than this is overdue. */ "response_timeout_ms"?: number };

type Sip2 = {
  /** Where the trunk is. Required to add one. */ "uri"?: string;
  /** PEM of the authorities to trust in place of the machine’s. Null: none. */ "tls_ca"?: string | null;
  /** The name on the certificate, if it is not the host. Null: none. */ "tls_server_name"?: string | null;
  /** False accepts any certificate: only for a network that is private in itself. */ "tls_verify"?: boolean;
  /** Of the answers to challenges. Null: none. */ "username"?: string | null;
  /** Stored encrypted; no answer shows it. Null: none. */ "password"?: string | null;
  /** Only challenges for this realm are answered. Null: none. */ "realm"?: string | null;
  /** The number that calls come from. Required to add one. */ "caller_id"?: string;
  /** The name behind `@`, if it is not the host. Null: none. */ "domain"?: string | null;
  /** Whether we register with the trunk; false by default. */ "register"?: boolean;
  /** 10 by default. */ "calls_at_once"?: number;
  /** What the numbers that it takes begin with; an empty one is every number. */ "prefixes"?: (string)[];
  /** In front of numbers. */ "number_prefix"?: string;
  /** How often the trunk is asked with OPTIONS; 0 never. */ "keep_alive_seconds"?: number };

type RemoveConnectorPath = {
  /** The name of the connector; `%2F` for the slash of a relay’s. */ "id": string };

type Connectors2 = {
  /** Its name. */ "connector": string;
  /** Those with the lowest that are up are used. */ "priority": number;
  /** Its part of what they share. */ "weight": number };

type Routes = {
  /** Its id; null: of the configuration, where it is changed. */ "id": string | null;
  /** Its name, under which messages wait. */ "name": string;
  /** What numbers begin with, international digits; an empty one is every number. */ "prefixes": (string)[];
  /** By priority. */ "connectors": (Connectors2)[] };

type Connectors3 = {
  /** The name of an SMPP connector. */ "connector": string;
  /** Of the connectors that are up, those with the lowest priority share the messages. */ "priority"?: number;
  /** Twice the weight is twice as many messages. */ "weight"?: number };

type RemoveRoutePath = {
  /** The id of the route. */ "id": string };

type Numbers = {
  /** The number, international digits. */ "phone": string;
  /** What people call it. */ "name": string;
  /** Its id on the platform. */ "platform_id": string;
  /** How fast it sends at most; 0 is no limit. */ "messages_per_second": number;
  /** The platform's rating by what recipients report: blocked, called spam. `unknown` until it has one. */ "quality": "high" | "medium" | "low" | "unknown" };

type Portfolios = {
  /** Its id. */ "id": string;
  /** Whose it is. */ "account_id": string;
  /** The user name of that account. */ "username": string;
  /** Its name. */ "name": string;
  /** The id of the business account on the platform. */ "platform_id": string;
  /** How many clients may be written to first within 24 hours. */ "tier": number;
  /** How many were in the last 24 hours. */ "reached": number;
  /** Why its numbers are paused; null when they are not. */ "problem": string | null;
  /** What the platform has against the portfolio and its numbers now, the oldest first. */ "problems": (Problems)[];
  /** Its business numbers. */ "numbers": (Numbers)[] };

type ChangeChatPortfolioPath = {
  /** The id of the portfolio. */ "id": string };
