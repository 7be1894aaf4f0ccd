// Written by `npm run client:types` from /docs/openapi.json. Not to be changed by hand.

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
      /** Channel of the send. */ "channel": "sms" | "chat" | "mail" | "voice";
      /** Name in lists: the name of the campaign, or the start of its text. */ "title"?: string;
      /** Values of the composer. They are stored unchanged, and checked when the send is submitted. */ "content": { [name: string]: unknown } }; answer: Drafts };
  /** Show a draft */ "GET /v1/drafts/{id}": { path: ShowDraftPath; query?: ListDraftsQuery; answer: {
      /** Id of the draft. */ "id": string;
      /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
      /** `title`. Without the role `sender` or a token with the scope `read`: `••••••`. */ "title": string;
      /** Version, 1 at first; each save increments it. */ "version": number;
      /** Person who saved it last; null: a token. */ "updated_by": string | null;
      /** Time of the last save, ISO 8601. */ "updated_at": string;
      /** `content`. */ "content": { [name: string]: unknown } } };
  /** Save a draft */ "PUT /v1/drafts/{id}": { path: ShowDraftPath; query?: ListDraftsQuery; body: {
      /** `version` on which the change is based. */ "version": number;
      /** Name in lists: the name of the campaign, or the start of its text. */ "title"?: string;
      /** Values of the composer. They are stored unchanged, and checked when the send is submitted. */ "content": { [name: string]: unknown } }; answer: Drafts };
  /** Delete a draft */ "DELETE /v1/drafts/{id}": { path: ShowDraftPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Send a text by SMS or call */ "POST /v1/sms": { query?: ListDraftsQuery; body: {
      /** Sender: a verified number of the account in any spelling, or an approved name of up to 11 characters. */ "source": string;
      /** Text of the message. */ "message": string;
      /** Links to shorten; their clicks are counted. */ "links"?: (Links)[];
      /** Prefix for programs that read codes: `#` adds `<#>` and a space. */ "tag"?: string;
      /** Whether the fields of the contact replace `[DYNAMIC_FIELD1]` to `[DYNAMIC_FIELD6]`. Requires one contact list and no phones. */ "dynamic"?: boolean;
      /** Removal text that is appended: a link, or the word to reply. */ "removal"?: "link" | "reply" | null;
      /** Reads the text aloud in a call: each call is a message of its own, with its own price and status. Links, the tag and removal texts are not spoken; codes, phone numbers and dates are spoken digit by digit. */ "tts"?: Tts | null;
      /** Numbers in any spelling, each receives the message once; or objects with `phone` and your own `id` of the message. */ "phones"?: (string | Phones)[];
      /** Ids of contact lists. */ "lists"?: (string)[];
      /** Whether numbers of other countries are allowed. */ "includes_international"?: boolean;
      /** Days, 1 to 14: skips recipients who received a message of the account within them. */ "recent_days"?: number | null;
      /** Time of sending, ISO 8601 with an offset; immediately if absent or in the past. */ "at"?: string | null;
      /** Hours of each day in which its messages are sent, as `10:00-18:00`, within those of the sending policy. Outside them messages wait, or fail, depending on the policy. null: the hours of the policy. */ "sending_hours"?: string | null;
      /** Whether it is exempt from the sending policy, such as a receipt or an alarm. Requires that the policy allows it. */ "transactional"?: boolean;
      /** Name of the campaign, shown and searchable in reports. */ "campaign_name"?: string;
      /** Ids on India's DLT platforms, for messages to Indian numbers. Ids that are null or absent are those of `/v1/dlt-ids`. */ "dlt"?: {
        /** Id of the template of the text on India's DLT platforms. */ "template_id"?: string | null;
        /** Id of the business (“principal entity”) on India's DLT platforms. */ "entity_id"?: string | null } | null;
      /** Sends a second message by another channel to each recipient whose message fails or is not delivered in time. It has its own price and status. Failures that hold on every channel, such as a blacklisted recipient, are not repeated. Not possible with `tts` of type `2` or `3`. */ "fallback"?: Fallback | null }; answer: {
      /** Id of the shipment. */ "shipment_id": string } };
  /** Estimate a send */ "POST /v1/sms/estimate": { query?: ListDraftsQuery; body: {
      /** Sender. If given, the sender and the account are checked as for a send. */ "source"?: string;
      /** Text of the message. */ "message": string;
      /** Links to shorten; their clicks are counted. */ "links"?: (Links)[];
      /** Prefix for programs that read codes: `#` adds `<#>` and a space. */ "tag"?: string;
      /** Whether the fields of the contact replace `[DYNAMIC_FIELD1]` to `[DYNAMIC_FIELD6]`. Requires one contact list and no phones. */ "dynamic"?: boolean;
      /** Removal text that is appended: a link, or the word to reply. */ "removal"?: "link" | "reply" | null;
      /** Reads the text aloud in a call: each call is a message of its own, with its own price and status. Links, the tag and removal texts are not spoken; codes, phone numbers and dates are spoken digit by digit. */ "tts"?: Tts | null;
      /** Numbers in any spelling, each receives the message once; or objects with `phone` and your own `id` of the message. */ "phones"?: (string | Phones)[];
      /** Ids of contact lists. */ "lists"?: (string)[];
      /** Whether numbers of other countries are allowed. */ "includes_international"?: boolean;
      /** Days, 1 to 14: skips recipients who received a message of the account within them. */ "recent_days"?: number | null;
      /** Time of sending, ISO 8601 with an offset; immediately if absent or in the past. */ "at"?: string | null;
      /** Hours of each day in which its messages are sent, as `10:00-18:00`, within those of the sending policy. Outside them messages wait, or fail, depending on the policy. null: the hours of the policy. */ "sending_hours"?: string | null;
      /** Whether it is exempt from the sending policy, such as a receipt or an alarm. Requires that the policy allows it. */ "transactional"?: boolean;
      /** Sends a second message by another channel to each recipient whose message fails or is not delivered in time. It has its own price and status. Failures that hold on every channel, such as a blacklisted recipient, are not repeated. Not possible with `tts` of type `2` or `3`. */ "fallback"?: Fallback | null }; answer: {
      /** Text to a recipient without dynamic fields, with links of the final length. */ "text": string;
      /** Text with the fields of the first contact of the first list; null without a list. */ "preview": string | null;
      /** Alphabet: `ucs2` for all but Latin letters. */ "encoding": "gsm7" | "ucs2";
      /** Parts of the text. */ "parts": number;
      /** Length of the text in units of the alphabet; some characters count twice. */ "units": number;
      /** Units left before the text needs another part. */ "units_left": number;
      /** Price of one part to the first phone, in credits. */ "part_price": string;
      /** Number of recipients, as far as known for contact lists. */ "recipients": number;
      /** Phones on the blacklist. */ "blocked": number;
      /** Phones skipped by `recent_days`. */ "recent": number;
      /** Recipients without a standing consent to marketing messages on the channel: they are skipped and not charged. Exact for single recipients and lists of up to 5,000; estimated from the first 5,000 of longer lists. null: the sending policy does not require consent. */ "without_consent": number | null;
      /** Price in credits; for lists of over 500 contacts, estimated from their first contacts. */ "cost": string;
      /** Balance of the account in credits. */ "balance": string;
      /** Whether the balance is sufficient. */ "enough": boolean;
      /** Spoken text and price of the calls, with `tts`. */ "voice": {
        /** Spoken text; empty if nothing of it can be read aloud. */ "text": string;
        /** Number of calls; null for lists of which only kosher phones are called. */ "calls": number | null;
        /** Price of a call to the first phone, in credits. */ "call_price": string;
        /** Reason why this service cannot make calls now; a send would be refused. null if it can. */ "problem": string | null;
        /** Reason why `/v1/speech/preview` has no speech now; null if it has. */ "speech_problem": string | null } | null;
      /** Estimate of the second messages, which are not part of `cost`; null without `fallback`, and without delivered or failed messages in the last 7 days. */ "fallback": {
        /** Second messages, if as many messages fail as in the last 7 days. */ "messages": number;
        /** Price of these messages in credits. */ "cost": string } | null;
      /** Estimated time of submission of the first message, by `at` and by the sending policy, ISO 8601. */ "starts_at": string;
      /** Estimated time of submission of the last message, by the queue and the rates of the carrier connections, ISO 8601. */ "finishes_at": string } };
  /** Preview a text for a contact */ "POST /v1/sms/preview": { query?: ListDraftsQuery; body: {
      /** Text of the message. */ "message": string;
      /** Links to shorten; their clicks are counted. */ "links"?: (Links)[];
      /** Prefix for programs that read codes: `#` adds `<#>` and a space. */ "tag"?: string;
      /** Whether the fields of the contact replace `[DYNAMIC_FIELD1]` to `[DYNAMIC_FIELD6]`. Requires one contact list and no phones. */ "dynamic"?: boolean;
      /** Removal text that is appended: a link, or the word to reply. */ "removal"?: "link" | "reply" | null;
      /** Reads the text aloud in a call: each call is a message of its own, with its own price and status. Links, the tag and removal texts are not spoken; codes, phone numbers and dates are spoken digit by digit. */ "tts"?: Tts | null;
      /** Id of a contact list. */ "list": string;
      /** `next` of the previous preview; empty for the first contact. */ "after"?: string }; answer: {
      /** Number of the contact; null: the list has no further one. */ "phone": string | null;
      /** Text with the fields of the contact. */ "text": string | null;
      /** Parts of the text. */ "parts": number;
      /** Length of the text in units of the alphabet; some characters count twice. */ "units": number;
      /** Price of the message to the contact, in credits. */ "cost": string;
      /** `after` of the next contact; null for the last one. */ "next": string | null } };
  /** Preview speech */ "POST /v1/speech/preview": { query?: ListDraftsQuery; body: {
      /** Text of the message. */ "text": string;
      /** Voice. */ "voice"?: "ymMale" | "ymFemale";
      /** Speech rate, `-10` to `10`; ten steps double the speed. */ "rate"?: number }; answer: Response };
  /** Send a one-time code */ "POST /api#send_otp": { body: {
      "send_otp": components['schemas']["send_otp"] }; answer: components['schemas']["send_otpAnswer"] };
  /** Check a one-time code */ "POST /api#validate_otp": { body: {
      "validate_otp": components['schemas']["validate_otp"] }; answer: components['schemas']["validate_otpAnswer"] };
  /** List blocked sends */ "GET /v1/otp/blocks": { query?: ListBlockedCodesQuery; answer: {
      "blocks": ({
          /** Kind of the sends: one-time codes, automatic replies, requests to recipients of alerts for confirmation, verifications of senders. */ "kind": "code" | "automatic-reply" | "alert-contact" | "verification";
          /** Rule that stopped them. */ "rule": string;
          /** Prefix of the numbers. */ "prefix": string;
          /** Number of stopped sends. */ "count": number;
          /** Recipient of the last stopped send. */ "last_phone": string;
          /** Time of creation, ISO 8601. */ "first_at": string;
          /** Time of creation, ISO 8601. */ "last_at": string;
          /** Time at which the prefix was unblocked last, ISO 8601; null: never. */ "lifted_at": string | null })[] } };
  /** Show the conversion of one-time codes */ "GET /v1/otp/conversion": { query?: ListBlockedCodesQuery; answer: {
      "prefixes": ({
          /** Prefix of the numbers. */ "prefix": string;
          /** Sent codes. */ "sent": number;
          /** Used codes. */ "verified": number;
          /** Recipients of codes. */ "phones": number;
          /** Recipients who used a code. */ "verified_phones": number;
          /** Time of creation, ISO 8601. */ "last_at": string })[] } };
  /** Count one-time codes by application */ "GET /v1/otp/applications": { query?: ListBlockedCodesQuery; answer: {
      "applications": ({
          /** `app_id` of the sends. */ "app_id": number;
          /** Sent codes. */ "sent": number;
          /** Used codes. */ "verified": number;
          /** Recipients of codes. */ "phones": number;
          /** Recipients who used a code. */ "verified_phones": number;
          /** Time of creation, ISO 8601. */ "last_at": string })[] } };
  /** Count one-time codes by hour */ "GET /v1/otp/hours": { query?: {
      /** Start of the span, ISO 8601 with an offset; default: a day before `to`. */ "from"?: string;
      /** End of the span; default: now; at most 31 days after `from`. */ "to"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "hours": ({
          /** Start of the hour, ISO 8601. */ "at": string;
          /** Sent codes. */ "sent": number;
          /** Used codes among the sent ones. */ "verified": number;
          /** Stopped sends. */ "stopped": number })[] } };
  /** Send a one-time code */ "POST /v1/otp": { query?: ListDraftsQuery; body: SendCodeBody; answer: {
      /** Always true. */ "done": boolean } };
  /** Estimate a one-time code */ "POST /v1/otp/estimate": { query?: ListDraftsQuery; body: SendCodeBody; answer: {
      /** Text, with 123456 in place of the code. */ "text": string;
      /** Number of parts of the text. */ "parts": number;
      /** Price in credits. */ "cost": string;
      /** Balance of the account in credits. */ "balance": string;
      /** Whether the balance is sufficient. */ "enough": boolean } };
  /** Check a one-time code */ "POST /v1/otp/check": { query?: ListDraftsQuery; body: {
      /** Number in any spelling. */ "phone": string;
      /** Code that the person entered. */ "code": string;
      /** Id of your application, to separate the codes of several applications. */ "app_id"?: number }; answer: {
      /** False for a code that is wrong, used, expired, replaced or blocked after too many attempts. */ "verified": boolean } };
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
      /** Display name. */ "name": string;
      /** Names of the dynamic fields, in order; empty for a field without a name. */ "columns"?: (string)[] }; answer: ContactLists };
  /** Show a contact list */ "GET /v1/contact-lists/{id}": { path: ShowContactListPath; query?: ListDraftsQuery; answer: ContactLists };
  /** Rename a contact list or its fields */ "PATCH /v1/contact-lists/{id}": { path: ShowContactListPath; query?: ListDraftsQuery; body: {
      /** Display name. */ "name"?: string;
      /** Names of the dynamic fields, in order; empty for a field without a name. */ "columns"?: (string)[] }; answer: ContactLists };
  /** Delete a contact list */ "DELETE /v1/contact-lists/{id}": { path: ShowContactListPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Export a contact list */ "GET /v1/contact-lists/{id}/export": { path: ShowContactListPath; query?: ListDraftsQuery; answer: Response };
  /** Start an export of a contact list */ "POST /v1/contact-lists/{id}/export": { path: ShowContactListPath; query?: ListDraftsQuery; answer: StartExportAnswer };
  /** Import a CSV file into a contact list */ "POST /v1/contact-lists/{id}/import": { path: ShowContactListPath; query?: {
      /** Whether the first row has the names of the columns; `auto` detects it. */ "header"?: "auto" | "yes" | "no";
      /** Columns of the file, in order: `phone`, the number of a dynamic field, or nothing to skip a column; further columns are skipped. Without it, the names in the file decide. */ "columns"?: string;
      /** For rows that are in the list already: `keep` changes nothing, `update` sets the fields for which the row has a value. */ "existing"?: "keep" | "update";
      /** Channel of the consents, or `any`. With it, the import records in the consent log that the people of the file have agreed. Requires `consent_form` or `consent_text`, and `consent_at` or `consent_column`. */ "consent_channel"?: "sms" | "voice" | "chat" | "any";
      /** Purpose of the consents, an identifier of your own; default `marketing`. */ "consent_purpose"?: string;
      /** Name of the form with which they agreed. */ "consent_form"?: string;
      /** Version of the form. */ "consent_version"?: string;
      /** Text to which they agreed, as it was shown. */ "consent_text"?: string;
      /** Language of the text. */ "consent_language"?: string;
      /** Time at which all of them agreed, ISO 8601 with an offset. */ "consent_at"?: string;
      /** Column with the time of each consent, from 1: a date or a time such as `2026-02-01`, `2026-02-01T08:00:00+02:00` or `01/02/2026 08:00`; without an offset in the time zone of the account. People with an empty cell are imported without a consent. The column also becomes a field, unless `columns` skips it. */ "consent_column"?: number;
      /** Name of the file, as evidence. */ "consent_file"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; body: FileBody; answer: ImportContactsAnswer };
  /** List imports */ "GET /v1/imports": { query?: {
      /** Filters by contact list; 0: the blacklist. */ "list_id"?: string;
      /** Maximum imports per page. */ "limit"?: number;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "imports": ({
          /** Id of the job. */ "id": string;
          /** Id of the contact list or mailing list; null: the blacklist. */ "list_id": string | null;
          /** State of the job. */ "state": "receiving" | "waiting" | "running" | "done" | "stopped" | "failed";
          /** Reason of the failure. */ "problem": string | null;
          /** Size of the file in bytes. */ "bytes": number;
          /** Rows so far. */ "rows": number;
          /** Time of creation, ISO 8601. */ "created_at": string;
          /** Time of the end, ISO 8601; null until then. */ "finished_at": string | null;
          /** Bytes of the file that were read. */ "bytes_done": number;
          /** Added numbers or users. */ "added": number;
          /** Numbers or users that were in the list already. */ "present": number;
          /** Rows that could not be used. */ "refused": number;
          /** Recorded consents. */ "consents": number })[] } };
  /** Show the progress of an import */ "GET /v1/imports/{id}": { path: ShowImportPath; query?: ListDraftsQuery; answer: ImportContactsAnswer };
  /** Cancel an import */ "POST /v1/imports/{id}/stop": { path: ShowImportPath; query?: ListDraftsQuery; answer: ImportContactsAnswer };
  /** List rejected rows of an import */ "GET /v1/imports/{id}/refused": { path: ShowImportPath; query?: ListDraftsQuery; answer: Response };
  /** Show the progress of an export */ "GET /v1/exports/{id}": { path: ShowExportPath; query?: ListDraftsQuery; answer: StartExportAnswer };
  /** Cancel an export */ "POST /v1/exports/{id}/stop": { path: ShowExportPath; query?: ListDraftsQuery; answer: StartExportAnswer };
  /** Download an export */ "GET /v1/exports/{id}/file": { path: ShowExportPath; query?: ListDraftsQuery; answer: Response };
  /** Find a number in contact lists */ "GET /v1/contacts": { query: {
      /** Number in any spelling. */ "phone": string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "lists": ({
          /** Id of the list, `cl_id` in the SMS API. */ "id": string;
          /** Name of the list. */ "name": string;
          /** Names of the dynamic fields. */ "columns": (string)[];
          /** Number of contacts. */ "count": number;
          /** Time of creation, ISO 8601. */ "created_at": string;
          /** Dynamic fields, in the order of the columns of the list. */ "fields": (string | null)[] })[] } };
  /** List contacts */ "GET /v1/contact-lists/{id}/contacts": { path: ShowContactListPath; query?: ListContactsQuery; answer: {
      "contacts": ({
          /** Number. */ "phone": string;
          /** Dynamic fields, in the order of the columns of the list. */ "fields": (string | null)[] })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Add or update contacts */ "POST /v1/contact-lists/{id}/contacts": { path: ShowContactListPath; query?: ListDraftsQuery; body: {
      /** Contacts; one that is in the list already stays unchanged without `replace`. */ "contacts": ({
          /** Number in any spelling. */ "phone": string;
          /** Dynamic fields of the contact. */ "fields"?: (string | null)[] })[];
      /** Whether contacts that are in the list already receive these fields. */ "replace"?: boolean }; answer: {
      /** Number of added contacts. */ "added": number;
      /** Contacts that were in the list already. */ "present": number } };
  /** Remove contacts from a list */ "POST /v1/contact-lists/{id}/contacts/remove": { path: ShowContactListPath; query?: ListDraftsQuery; body: {
      /** Numbers in any spelling. */ "phones": (string)[] }; answer: {
      /** Number of removed contacts. */ "removed": number;
      /** Contacts that were not in the list. */ "absent": number } };
  /** Preview an import */ "POST /v1/contact-lists/{id}/preview": { path: ShowContactListPath; query?: {
      /** Whether the first row has the names of the columns; `auto` detects it. */ "header"?: "auto" | "yes" | "no";
      /** Columns of the file, in order: `phone`, the number of a dynamic field, or nothing to skip a column; further columns are skipped. Without it, the names in the file decide. */ "columns"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; body: FileBody; answer: {
      /** Delimiter: comma, semicolon or tab. */ "separator": string;
      /** Whether the first row has the names of the columns. */ "named": boolean;
      /** Columns of the file. */ "columns": ({
          /** Name in the file. */ "name": string | null;
          /** `phone`, the number of a dynamic field, or null for a skipped column. */ "target": string | null })[];
      /** Whether the file has more columns than a contact has fields, so that an import requires `columns`. */ "too_many_columns": boolean;
      /** First rows with data. */ "rows": ({
          /** Line of the file, from 1. */ "line": number;
          /** Cells of the row, unchanged. */ "fields": (string)[];
          /** Number; null if the row cannot be used. */ "phone": string | null;
          /** Reason why the row cannot be used. */ "problem": string | null })[] } };
  /** List recipients */ "GET /v1/recipients": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Part of a number, in any spelling, or of an address, a name or a dynamic field, regardless of case. */ "search"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "recipients": ({
          /** Number; null without one. */ "phone": string | null;
          /** Email addresses. */ "addresses": (string)[];
          /** First and last name, from mailing lists; may be empty. */ "name": string;
          /** Values of the dynamic fields in the first contact list. */ "fields": (string)[];
          /** Contact lists with the number. */ "contact_lists": (ContactLists2)[];
          /** Mailing lists with one of the addresses. */ "mailing_lists": (ContactLists2)[];
          /** Whether the number is on the blacklist. */ "blocked": boolean })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Preview an import of people */ "POST /v1/recipients/preview": { query?: {
      /** Whether the first row has the names of the columns; `auto` detects it. */ "header"?: "auto" | "yes" | "no";
      /** Columns of the file, in order: `phone`, `email`, `first_name`, `last_name`, `field:` and a name, or nothing to skip a column; further columns are skipped. Without it, the names in the file decide. */ "columns"?: string;
      /** Id of an existing contact list, for its dynamic fields and the contacts that it has already. */ "contact_list"?: string;
      /** Id of an existing mailing list, for the users that it has already. */ "mailing_list"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; body: FileBody; answer: {
      /** Whether the first row has the names of the columns. */ "named": boolean;
      /** Columns of the file, the first 200. */ "columns": ({
          /** Name in the file. */ "name": string | null;
          /** Meaning, as in `columns` of the query; empty for a skipped column. */ "target": string;
          /** Whether a contact has no dynamic field left for the column. */ "left_out": boolean })[];
      /** `columns` for an import into the contact list; null without a column of numbers. */ "contact_columns": string | null;
      /** `columns` for an import into the mailing list; null without a column of addresses. */ "mail_columns": string | null;
      /** First rows with data. */ "rows": ({
          /** Line of the file, from 1. */ "line": number;
          /** Cells of the row, unchanged; the first 200. */ "cells": (string)[];
          /** Number; null if the contact list does not get the row. */ "phone": string | null;
          /** Reason why the contact list does not get the row. */ "phone_problem": string | null;
          /** Whether the number is in the contact list already. */ "in_contact_list": boolean;
          /** Address, as it is compared; null if the mailing list does not get the row. */ "address": string | null;
          /** Reason why the mailing list does not get the row. */ "address_problem": string | null;
          /** Whether the address is in the mailing list already. */ "in_mailing_list": boolean })[] } };
  /** Add a subscriber */ "POST /api#addSub": { body: {
      "addSub": components['schemas']["addSub"] }; answer: components['schemas']["addSubAnswer"] };
  /** Change a subscriber's credit */ "POST /api#updateAmountSub": { body: {
      "updateAmountSub": components['schemas']["updateAmountSub"] }; answer: components['schemas']["updateAmountSubAnswer"] };
  /** List balances of subscribers */ "POST /api#getBlanceSubs": { body: {
      "getBlanceSubs": components['schemas']["getBlanceSubs"] }; answer: components['schemas']["getBlanceSubsAnswer"] };
  /** List subscribers */ "GET /v1/subscribers": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Filters by user name and name: names that contain this text. */ "search"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "subscribers": (Subscribers)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Add a subscriber */ "POST /v1/subscribers": { query?: ListDraftsQuery; body: {
      /** Display name. */ "name": string;
      /** User name: English letters, digits and `.` `_` `@` `-`; must be unique. */ "username": string;
      /** Password of the subscriber. */ "password": string;
      /** Sender of the subscriber. */ "source": string;
      /** Credits to move from the account to the subscriber. */ "amount"?: string | number;
      /** Phone for sign-in codes. */ "otp_phone"?: string }; answer: Subscribers };
  /** Show a subscriber */ "GET /v1/subscribers/{id}": { path: ShowSubscriberPath; query?: ListDraftsQuery; answer: Subscribers };
  /** Get delivery reports by your ids */ "POST /api#dlr": { body: {
      "dlr": components['schemas']["dlr"] }; answer: components['schemas']["dlrAnswer"] };
  /** Get delivery reports of a week */ "POST /api#dlrByDate": { body: {
      "dlrByDate": components['schemas']["dlrByDate"] }; answer: components['schemas']["dlrByDateAnswer"] };
  /** Get delivery reports of calls */ "POST /api#ttsDlr": { body: {
      "ttsDlr": components['schemas']["ttsDlr"] }; answer: components['schemas']["ttsDlrAnswer"] };
  /** Get incoming SMS */ "POST /api#incoming": { body: {
      "incoming": components['schemas']["incoming"] }; answer: components['schemas']["incomingAnswer"] };
  /** Stream live updates */ "GET /v1/live": { query?: {
      /** Ids of messages to watch, separated by commas; at most 100. */ "messages"?: string;
      /** Ids of shipments and campaigns to watch, separated by commas; at most 20. */ "shipments"?: string;
      /** Simulated phones of the sandbox, separated by commas; at most 10. For the demo account, with the role `sender` or a token with the scope `read`. */ "phones"?: string;
      /** `true` watches all conversations of the account. */ "conversations"?: "true" | "false";
      /** Id of a conversation whose last 30 sent messages are watched. */ "conversation"?: string;
      /** Same as the header `Last-Event-ID`, for clients that cannot set it. */ "last_event_id"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: Response };
  /** Search messages */ "GET /v1/messages": { query?: {
      /** Recipient: a number in any spelling, or an email address as in the request. */ "phone"?: string;
      /** Id of a message. */ "id"?: string;
      /** Your own id of a message. */ "external_id"?: string;
      /** Id of the shipment. */ "shipment_id"?: string;
      /** `campaign_name` of the send. */ "campaign_name"?: string;
      /** `waiting`: accepted and not submitted yet; `submitted`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, if the network reports it; `failed`; `cancelled`. */ "state"?: "waiting" | "submitted" | "delivered" | "read" | "failed" | "cancelled";
      /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** Start of the span, included, ISO 8601 with an offset. */ "from"?: string;
      /** End of the span, excluded, ISO 8601 with an offset. */ "to"?: string;
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "messages": ({
          /** Id of the message. */ "id": string;
          /** Id of the shipment. */ "shipment_id": string;
          /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
          /** Recipient; for email the address. */ "phone": string;
          /** Sender: number or name, business number, or email address. */ "source": string;
          /** Your own id of the message. */ "external_id": string | null;
          /** Number of parts. */ "parts": number;
          /** Price in credits. */ "price": string;
          /** `waiting`: accepted and not submitted yet; `submitted`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, if the network reports it; `failed`; `cancelled`. */ "state": "waiting" | "submitted" | "delivered" | "read" | "failed" | "cancelled";
          /** Delivery status, as in delivery reports. */ "status": number;
          /** Text of the status. */ "status_text": string;
          /** Status code of the carrier for the last event, or the reason of a chat message. */ "carrier_status": string | null;
          /** Connector over which it was sent. */ "link": string | null;
          /** Time of acceptance, ISO 8601. */ "accepted_at": string;
          /** Time of submission, ISO 8601; null: never. */ "submitted_at": string | null;
          /** Time of delivery, failure or cancellation, ISO 8601; null: never. */ "ended_at": string | null;
          /** Time at which it was read, ISO 8601; null: never. */ "read_at": string | null;
          /** Reason of a failed message. */ "failure": Failure | null;
          /** Text; for a template its text with the values; for email the subject; for a one-time code or the link of a verification the text with `••••••` in place of the secret. Null for a message that never had a text. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
          /** Whether its text is no longer stored. */ "text_removed": boolean })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Export messages */ "GET /v1/messages.csv": { query?: {
      /** Recipient: a number in any spelling, or an email address as in the request. */ "phone"?: string;
      /** Id of a message. */ "id"?: string;
      /** Your own id of a message. */ "external_id"?: string;
      /** Id of the shipment. */ "shipment_id"?: string;
      /** `campaign_name` of the send. */ "campaign_name"?: string;
      /** `waiting`: accepted and not submitted yet; `submitted`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, if the network reports it; `failed`; `cancelled`. */ "state"?: "waiting" | "submitted" | "delivered" | "read" | "failed" | "cancelled";
      /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** Start of the span, included, ISO 8601 with an offset. */ "from"?: string;
      /** End of the span, excluded, ISO 8601 with an offset. */ "to"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: Response };
  /** Show the timeline of a message */ "GET /v1/messages/{id}": { path: ShowMessagePath; query?: ListDraftsQuery; answer: ShowMessageAnswer };
  /** Retry a message now */ "POST /v1/messages/{id}/retry": { path: ShowMessagePath; query?: ListDraftsQuery; answer: ShowMessageAnswer };
  /** Show the content of a message */ "GET /v1/messages/{id}/content": { path: ShowMessagePath; query?: ListDraftsQuery; answer: ShowMessageContentAnswer };
  /** Show the statistics */ "GET /v1/overview": { query?: {
      /** Start of the span, ISO 8601 with an offset; default: a day before `to`. */ "from"?: string;
      /** End of the span, ISO 8601 with an offset; default: now. */ "to"?: string;
      /** Length of a period: `hour`, for at most 31 days; `day`, for at most 400. */ "step"?: "hour" | "day";
      /** Time zone of the days; default: the time zone of the account, by its IANA name. */ "time_zone"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      /** Start of the first hour or day, ISO 8601. */ "from": string;
      /** End of the last hour or day, ISO 8601. */ "to": string;
      /** Messages by time of acceptance; hours and days without messages are omitted. */ "rows": (Rows)[];
      /** Totals of the whole time. */ "totals": (Totals)[];
      /** Time of the last count of the latest hour, ISO 8601; null: never. */ "counted_at": string | null } };
  /** Show delivery by prefix */ "GET /v1/overview/prefixes": { query?: {
      /** Start of the span, ISO 8601 with an offset; default: a day before `to`. */ "from"?: string;
      /** End of the span, ISO 8601 with an offset; default: now. */ "to"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      /** Number of latest messages that were examined. */ "sample": number;
      /** Maximum of that number. */ "max_sample": number;
      /** Most frequent prefixes first, at most 100. */ "rows": ({
          /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
          /** Prefix of the numbers, or `@` and the domain for email. */ "prefix": string;
          /** Accepted messages. */ "accepted": number;
          /** Messages that are delivered and not reported as read. */ "delivered": number;
          /** Read. */ "read": number;
          /** Failed. */ "failed": number })[] } };
  /** Show the queue */ "GET /v1/queue": { query?: ListDraftsQuery; answer: {
      /** Priority lanes, most urgent first. */ "lanes": ({
          /** Priority lane. */ "lane": "otp" | "single" | "bulk";
          /** Messages that may be submitted now; a batch counts as a whole until it is finished. */ "due": number;
          /** Waiting time of the oldest due message in seconds. */ "oldest_seconds": number;
          /** Messages that are scheduled, or wait for a retry. */ "later": number;
          /** Messages of paused shipments. */ "paused": number;
          /** Messages that are held because the account is suspended. */ "held": number })[] } };
  /** List shipments with links */ "GET /v1/links": { query?: ListLinkedShipmentsQuery; answer: {
      "shipments": ({
          /** Id of the shipment. */ "id": string;
          /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
          /** `campaign_name` of the send. */ "campaign_name": string | null;
          /** Messages created so far. */ "messages": number;
          /** Time of acceptance, ISO 8601. */ "accepted_at": string;
          /** Number of links. */ "links": number;
          /** Address of its first link. Without the role `sender` or a token with the scope `read`: only the host and `••••••`. */ "url": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Count clicks of a shipment by hour */ "GET /v1/shipments/{id}/clicks/hours": { path: ListClickHoursPath; query?: ListDraftsQuery; answer: {
      "hours": ({
          /** Start of the hour, ISO 8601. */ "at": string;
          /** Clicks in the hour. */ "clicks": {
            /** Clicks in browsers. */ "person": number;
            /** Clicks of programs that preview links. */ "preview": number;
            /** Clicks of other programs. */ "bot": number } })[] } };
  /** List links of a shipment */ "GET /v1/shipments/{id}/links": { path: ListClickHoursPath; query?: ListDraftsQuery; answer: {
      "links": ({
          /** Id of the link. */ "id": string;
          /** `id` of the link in the request: `[link-<id>]`. */ "key": string;
          /** Address of the link. Without the role `sender` or a token with the scope `read`: only the host and `••••••`. */ "url": string;
          /** Clicks. */ "clicks": {
            /** Clicks in browsers. */ "person": number;
            /** Clicks of programs that preview links. */ "preview": number;
            /** Clicks of other programs. */ "bot": number };
          /** Recipients who clicked. */ "recipients": {
            /** Clicks in browsers. */ "person": number;
            /** Clicks of programs that preview links. */ "preview": number;
            /** Clicks of other programs. */ "bot": number } })[] } };
  /** List recipients who clicked */ "GET /v1/shipments/{id}/clicks": { path: ListClickHoursPath; query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "clicks": ({
          /** Recipient. */ "phone": string | null;
          /** `id` of the phone in the request. */ "external_id": string | null;
          /** Id of the link. */ "link_id": string;
          /** `id` of the link in the request. */ "key": string | null;
          /** Clicks of the recipient. */ "clicks": {
            /** Clicks in browsers. */ "person": number;
            /** Clicks of programs that preview links. */ "preview": number;
            /** Clicks of other programs. */ "bot": number };
          /** Time of creation, ISO 8601. */ "first_at": string;
          /** Time of creation, ISO 8601. */ "last_at": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** List shipments */ "GET /v1/shipments": { query?: {
      /** `campaigns`: sends to several recipients or with a name; `all`: also single messages. */ "kind"?: "campaigns" | "all";
      /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** `campaign_name` of the send. */ "name"?: string;
      /** Filters by `campaign_name`: names that contain this text, among the latest 10,000 sends. */ "search"?: string;
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "shipments": (Shipments)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Show the progress of a shipment */ "GET /v1/shipments/{id}": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: ShowShipmentAnswer };
  /** Show the content of a shipment */ "GET /v1/shipments/{id}/content": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: ShowMessageContentAnswer };
  /** Export the messages of a shipment */ "GET /v1/shipments/{id}/messages.csv": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: Response };
  /** Pause a shipment */ "POST /v1/shipments/{id}/pause": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: PauseShipmentAnswer };
  /** Resume a shipment */ "POST /v1/shipments/{id}/resume": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: PauseShipmentAnswer };
  /** Cancel a shipment */ "POST /v1/shipments/{id}/cancel": { path: ShowShipmentPath; query?: ListDraftsQuery; answer: CancelShipmentAnswer };
  /** List campaigns */ "GET /v1/campaigns": { query?: {
      /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** `campaign_name` of the send. */ "name"?: string;
      /** Filters by `campaign_name`: names that contain this text, among the latest 10,000 sends. */ "search"?: string;
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "campaigns": (Shipments)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Show the progress of a campaign */ "GET /v1/campaigns/{id}": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: ShowShipmentAnswer };
  /** Show the content of a campaign */ "GET /v1/campaigns/{id}/content": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: ShowMessageContentAnswer };
  /** Export the messages of a campaign */ "GET /v1/campaigns/{id}/messages.csv": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: Response };
  /** Pause a campaign */ "POST /v1/campaigns/{id}/pause": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: PauseShipmentAnswer };
  /** Resume a campaign */ "POST /v1/campaigns/{id}/resume": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: PauseShipmentAnswer };
  /** Cancel a campaign */ "POST /v1/campaigns/{id}/cancel": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: CancelShipmentAnswer };
  /** Show the request of a campaign */ "GET /v1/campaigns/{id}/request": { path: ShowCampaignPath; query?: ListDraftsQuery; answer: {
      /** Path of the request. */ "path": string;
      /** Body of the request, as described with the route. */ "body": { [name: string]: unknown } } };
  /** Reschedule a campaign */ "POST /v1/campaigns/{id}/reschedule": { path: ShowCampaignPath; query?: ListDraftsQuery; body: {
      /** Start time, ISO 8601 with an offset; immediately if in the past. */ "at": string }; answer: PauseShipmentAnswer };
  /** List failed recipients */ "GET /v1/campaigns/{id}/failed-recipients": { path: ShowCampaignPath; query?: ListFailedRecipientsQuery; answer: {
      "recipients": ({
          /** Id of the message. */ "message_id": string;
          /** Number or address; the original text if it is neither. */ "recipient": string;
          /** Delivery status, as in delivery reports. */ "status": number;
          /** Status code of the carrier, or the reason of a chat message or email. */ "carrier_status": string | null;
          /** Reason of the failure. */ "failure": Failure;
          /** Time at which the failure was recorded, ISO 8601. */ "at": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Verify numbers to send from */ "POST /api#verify_phone": { body: {
      "verify_phone": components['schemas']["verify_phone"] }; answer: components['schemas']["verify_phoneAnswer"] };
  /** List verified numbers */ "POST /api#getVerifiedPhones": { body: {
      "getVerifiedPhones": components['schemas']["getVerifiedPhones"] }; answer: components['schemas']["getVerifiedPhonesAnswer"] };
  /** List senders */ "GET /v1/sources": { query?: ListDraftsQuery; answer: {
      /** Senders that the account may use. */ "sources": ({
          /** Number, name (compared regardless of case), or for email the address or `@` and a domain. */ "source": string;
          /** Kind of the sender. */ "kind": "number" | "name" | "mail";
          /** Whether incoming messages to it belong to the account. */ "incoming": boolean;
          /** Time of the verification or approval, ISO 8601. */ "since": string;
          /** Time of the last confirmation, ISO 8601. */ "updated_at": string })[];
      /** Numbers with a pending verification. */ "waiting": ({
          /** Number. */ "phone": string;
          /** Whether it is confirmed by a code in a call, instead of a link in an SMS. */ "landline": boolean;
          /** Time of expiry, ISO 8601. */ "expires_at": string })[];
      /** Names that are not approved yet, newest request first. */ "requested": ({
          /** Name as requested. */ "source": string;
          /** Note of the account for the operator. */ "note": string;
          /** Time of the request, ISO 8601. */ "asked_at": string;
          /** Whether the operator has rejected it; false: it is pending. */ "refused": boolean;
          /** Reason of the rejection; empty without one. */ "reason": string })[];
      /** Whether every sender is allowed: the setting VERIFY_SOURCES is off. */ "any": boolean } };
  /** Verify phone numbers */ "POST /v1/sources/verify": { query?: ListDraftsQuery; body: {
      /** Mobile or landline numbers. */ "phones": (string)[];
      /** Whether numbers of other countries are allowed. */ "includes_international"?: boolean }; answer: {
      /** Next steps of the verification. */ "message": string } };
  /** Request a sender name */ "POST /v1/sources/names": { query?: ListDraftsQuery; body: {
      /** Name shown to recipients: English letters, digits, inner spaces, `.`, `_` and `-`. */ "source": string;
      /** Note for the operator: owner of the name. */ "note"?: string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Withdraw the request for a sender name */ "POST /v1/sources/names/withdraw": { query?: ListDraftsQuery; body: {
      /** Name shown to recipients: English letters, digits, inner spaces, `.`, `_` and `-`. */ "source": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Get the blacklist */ "POST /api#blacklist": { body: {
      "blacklist": components['schemas']["blacklist"] }; answer: components['schemas']["blacklistAnswer"] };
  /** Block numbers */ "POST /api#addNumBL": { body: {
      "addNumBL": components['schemas']["addNumBL"] }; answer: components['schemas']["addNumBLAnswer"] };
  /** Unblock numbers */ "POST /api#rmNumBL": { body: {
      "rmNumBL": components['schemas']["rmNumBL"] }; answer: components['schemas']["rmNumBLAnswer"] };
  /** List the blacklist */ "GET /v1/blacklist": { query?: ListContactsQuery; answer: {
      "numbers": ({
          /** Number. */ "phone": string;
          /** Time of the entry, ISO 8601. */ "since": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Add numbers to the blacklist */ "POST /v1/blacklist": { query?: ListDraftsQuery; body: {
      /** Numbers in any spelling. */ "phones": (string)[] }; answer: {
      /** Number of added entries. */ "added": number;
      /** Numbers that were on the blacklist already. */ "present": number;
      /** Numbers that could not be read. */ "errors": (string)[] } };
  /** Remove numbers from the blacklist */ "POST /v1/blacklist/remove": { query?: ListDraftsQuery; body: {
      /** Numbers in any spelling. */ "phones": (string)[];
      /** Reason, stored with the entry. */ "reason": string }; answer: {
      /** Number of removed entries. */ "removed": number;
      /** Numbers that were not on the blacklist. */ "absent": number;
      /** Numbers that could not be read. */ "errors": (string)[] } };
  /** Export the blacklist */ "GET /v1/blacklist/export": { query?: ListDraftsQuery; answer: Response };
  /** Import a CSV file into the blacklist */ "POST /v1/blacklist/import": { query?: {
      /** Whether the first row has the names of the columns; `auto` detects it. */ "header"?: "auto" | "yes" | "no";
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; body: FileBody; answer: ImportContactsAnswer };
  /** Cancel a campaign */ "POST /api#cancel": { body: {
      "cancel": components['schemas']["cancel"] }; answer: components['schemas']["cancelAnswer"] };
  /** Send a template message */ "POST /chat-api/send-template-message": { body: {
      /** Business number of the account or of one of its subscribers. */ "source": string;
      /** Recipient. */ "destination": string;
      /** Id of an approved template of the business number. */ "templateId": string;
      /** Variables of the body, by their numbers `1` to `5`; all variables of the template are required. No line breaks and no four spaces in a row. */ "dynamicFieldsObject"?: DynamicFieldsObject;
      /** Coupon code, digits, for a template with a coupon. */ "couponCode"?: string;
      /** Expiry of the coupon, `dd/mm/yyyy hh:mm` in the time zone of the account, for a template whose coupon expires. */ "couponExpiration"?: string;
      /** Link to the media file, for a template with a media header. Images png, jpg, gif, jpeg up to 5 MB; documents pdf, doc, docx, xls, xlsx, ppt, ppts, pptx, zip, txt, rar up to 100 MB; videos mp4, avi, 3gpp up to 16 MB. For a text header with a variable: the value of the variable. */ "headerLink"?: string;
      /** Value that completes the address of a website button with a variable. */ "websiteVariable"?: string;
      /** Number of the dynamic field that completes the address of a second website button. */ "websiteVariable2"?: string;
      /** One-time code, for an authentication template. */ "otp"?: string;
      /** Language of the template, as in the list of templates. Optional; if present, it must match the template. */ "language"?: string;
      /** Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again. */ "send_key"?: string }; answer: {
      /** Whether the message was accepted. */ "success": boolean;
      "ans": {
        /** Whether the message was accepted. */ "status": "OK" | "FAIL";
        /** Id of the message; empty if it was refused. */ "unique": string;
        /** Time of acceptance, in seconds since 1970. */ "timestamp": number;
        /** Business number. */ "from": string;
        /** Recipient. */ "to": string;
        /** Text of the message; for a template, with its variables filled in. */ "body": string;
        /** Minutes left of the 24 hours since the client's last message. */ "templateTimeLeft": number;
        /** Minutes left of the conversation. */ "conversationTimeLeft": number;
        /** 1 if accepted; otherwise the reason for the refusal. */ "reason": number };
      /** `true` for the repeated response of an earlier request with the same send key; nothing was sent now. Absent otherwise. */ "repeated"?: boolean } };
  /** Send a template campaign */ "POST /chat-api/create-campaign-wa": { body: {
      /** Business number of the account or of one of its subscribers. */ "source": string;
      /** Recipients: numbers, contact lists, or both. Each number receives one message. */ "destinations"?: {
        /** Numbers. */ "phones"?: (string)[];
        /** Ids of contact lists. */ "cl"?: (string)[] };
      /** Id of an approved template of the business number. */ "campaign_message": string;
      /** Name of the campaign, shown in reports. */ "campaign_name"?: string;
      /** Variables of the template, by their numbers `1` to `5`. Each value names the dynamic field of the contact: its column name or `df1` to `df6` (also `שדה דינמי 1` to `6`). Variables that the template does not have are ignored. */ "dynamicHeaders"?: DynamicFieldsObject;
      /** Link to the media file, for a template with a media header, as `headerLink` of a single message. */ "header_link"?: string;
      /** `instant` starts the campaign now, `future` at `from_date`. */ "future_campaign": "instant" | "future";
      /** Start time with `future`, `dd/mm/yyyy hh:mm` in the time zone of the account. A time in the past starts the campaign immediately. */ "from_date"?: string;
      /** Coupon code, up to 15 digits, for a template with a coupon. With `couponType` 2: number of the dynamic field that holds the code. */ "couponCode"?: string;
      /** Expiry of the coupon, `dd/mm/yyyy hh:mm`, for a template whose coupon expires. */ "couponExpiration"?: string;
      /** `1` (default) uses one code for all recipients, `2` a code for each contact. */ "couponType"?: "1" | "2";
      /** Number of the dynamic field that completes the address of a website button with a variable. */ "websiteVariable"?: string;
      /** Number of the dynamic field that completes the address of a second website button. */ "websiteVariable2"?: string;
      /** Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again. */ "send_key"?: string }; answer: {
      /** `true` for the repeated response of an earlier request with the same send key; nothing was sent now. Absent otherwise. */ "repeated"?: boolean;
      "data": {
        /** Whether the campaign was accepted. */ "success": boolean;
        /** Number of distinct recipients in the request; also an estimate of the credits. */ "sum": number;
        /** Reasons for the refusal. */ "message"?: string } } };
  /** Send buttons */ "POST /chat-api/send-buttons": { body: {
      /** Business number of the account or of one of its subscribers. */ "source": string;
      /** Recipient. */ "destination": string;
      /** Type of the header: `1` none, `2` image, `3` video, `4` document. */ "header": "1" | "2" | "3" | "4";
      /** https address of the header file, for `header` 2, 3 or 4. Images jpg, png up to 5 MB; videos mp4 up to 16 MB; documents pdf up to 100 MB. */ "headerURL"?: string;
      /** Text of the message. */ "body": string;
      /** Footer, shown in small letters below the text. */ "footer"?: string;
      /** Text of the first button. */ "button1": string;
      /** Text of the second button. */ "button2"?: string;
      /** Text of the third button. */ "button3"?: string;
      /** https address, phone number or email address that `button1` opens. `button1` must then have no emoji, and there are no other buttons. */ "buttonExternal"?: string;
      /** Id of the client's message to quote. */ "replyTo"?: string;
      /** Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again. */ "send_key"?: string }; answer: {
      /** Whether the message was accepted. */ "success": boolean;
      "ans": {
        /** Whether the message was accepted. */ "status": "OK" | "FAIL";
        /** Id of the message; empty if it was refused. */ "unique": string;
        /** Time of acceptance, in seconds since 1970. */ "timestamp": number;
        /** Business number. */ "from": string;
        /** Recipient. */ "to": string;
        /** Text of the message; for a template, with its variables filled in. */ "body": string;
        /** Header, as in the request. The following fields also repeat the request. */ "header": string;
        /** Footer. */ "footer": string;
        /** First button. */ "button1": string;
        /** Second button. */ "button2": string;
        /** Third button. */ "button3": string;
        /** Minutes left of the 24 hours since the client's last message. */ "templateTimeLeft": number;
        /** Minutes left of the conversation. */ "conversationTimeLeft": number;
        /** 1 if accepted; otherwise the reason for the refusal. */ "reason": number };
      /** `true` for the repeated response of an earlier request with the same send key; nothing was sent now. Absent otherwise. */ "repeated"?: boolean } };
  /** Send a carousel */ "POST /chat-api/send-carousel": { body: {
      /** Business number of the account or of one of its subscribers. */ "source": string;
      /** Recipient. */ "destination": string;
      /** Text above the cards. */ "message": string;
      /** Buttons of each card: `1` a button that opens an address, `2` one reply button, `3` two reply buttons. */ "buttons": number;
      /** Id of the client's message to quote. */ "replyTo"?: string;
      /** `1` returns the request in `request`, without this field. */ "showRequest"?: string;
      /** Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again. */ "send_key"?: string;
      /** Image (jpg, png up to 5 MB) or video (mp4, 3gpp up to 16 MB); the same kind on all cards. */ "card1_headerLink": string;
      /** Text with at most two line breaks; on all cards or on none. */ "card1_body"?: string;
      /** https address, phone number or email address that the button opens, with `buttons` 1. */ "card1_buttonExternal"?: string;
      /** Text of the button, with `buttons` 1. */ "card1_buttonExternalText"?: string;
      /** Text of the first button, with `buttons` 2 or 3. */ "card1_button1"?: string;
      /** Id of the button, `button_id` of the event when it is pressed; default `1`. */ "card1_button1ID"?: string;
      /** Text of the second button, with `buttons` 3. */ "card1_button2"?: string;
      /** Id of the second button, as `card1_button1ID`; default `2`. */ "card1_button2ID"?: string;
      /** Same as for card 1; cards 3 to 10 have the same fields. */ "card2_headerLink": string;
      /** Same as for card 1; cards 3 to 10 have the same fields. */ "card2_body"?: string;
      /** Same as for card 1; cards 3 to 10 have the same fields. */ "card2_buttonExternal"?: string;
      /** Same as for card 1; cards 3 to 10 have the same fields. */ "card2_buttonExternalText"?: string;
      /** Same as for card 1; cards 3 to 10 have the same fields. */ "card2_button1"?: string;
      /** Same as for card 1; cards 3 to 10 have the same fields. */ "card2_button1ID"?: string;
      /** Same as for card 1; cards 3 to 10 have the same fields. */ "card2_button2"?: string;
      /** Same as for card 1; cards 3 to 10 have the same fields. */ "card2_button2ID"?: string }; answer: {
      /** Whether the message was accepted. */ "success": boolean;
      "ans": {
        /** Whether the message was accepted. */ "status": "OK" | "FAIL";
        /** Id of the message; empty if it was refused. */ "unique": string;
        /** Time of acceptance, in seconds since 1970. */ "timestamp": number;
        /** Business number. */ "from": string;
        /** Recipient. */ "to": string;
        /** Text of the message; for a template, with its variables filled in. */ "body": string;
        /** Image or video of the card, as in the request. */ "card1_headerLink": string;
        /** Text of the card, as in the request; only cards that have one. */ "card1_body"?: string;
        /** Image or video of card 2; further cards follow. */ "card2_headerLink": string;
        /** Text of card 2; further cards follow. */ "card2_body"?: string;
        /** Minutes left of the 24 hours since the client's last message. */ "templateTimeLeft": number;
        /** Minutes left of the conversation. */ "conversationTimeLeft": number;
        /** 1 if accepted; otherwise the reason for the refusal. */ "reason": number };
      /** `true` for the repeated response of an earlier request with the same send key; nothing was sent now. Absent otherwise. */ "repeated"?: boolean } };
  /** List templates */ "GET /chat-api/get-phone-templates/{phone}": { path: {
      /** Business number. */ "phone": string }; answer: ListChatTemplatesAnswer };
  /** Get one template */ "GET /chat-api/get-phone-templates/{phone}/{templateId}": { path: {
      /** Business number. */ "phone": string;
      /** Id of the template. */ "templateId": string }; answer: ListChatTemplatesAnswer };
  /** Upload a file */ "POST /v1/media": { query: {
      /** Kind of message: `image` (JPEG, PNG; 5 MiB), `video` (MP4, 3GPP; 16 MiB), `audio` (AAC, AMR, MP3, M4A, OGG with Opus; 16 MiB), `document` (PDF, Word, Excel, PowerPoint, text; 100 MiB), `sticker` (WebP; 500 KiB). */ "kind": "image" | "video" | "audio" | "document" | "sticker";
      /** File name, shown to clients for documents. */ "file_name"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; body: FileBody; answer: UploadMediaAnswer };
  /** Show file details */ "GET /v1/media/{id}": { path: GetMediaPath; query?: ListDraftsQuery; answer: UploadMediaAnswer };
  /** Download a file */ "GET /v1/media/{id}/file": { path: GetMediaPath; query?: ListDraftsQuery; answer: Response };
  /** List template languages */ "GET /v1/chat/languages": { query?: ListDraftsQuery; answer: {
      "languages": ({
          /** Number of the language in the chat API. */ "number": string;
          /** Code of the language on the platform. */ "code": string;
          /** Name of the language in English. */ "name": string })[] } };
  /** List business numbers */ "GET /v1/chat/numbers": { query?: ListDraftsQuery; answer: {
      "portfolios": ({
          /** Id of the portfolio. */ "id": string;
          /** Name of the portfolio. */ "name": string;
          /** Messaging limit: clients to whom it may write first within 24 hours. */ "tier": number;
          /** Clients reached in the last 24 hours. */ "reached": number;
          /** Current restrictions and warnings of the platform for the portfolio and its numbers, oldest first. */ "problems": (Problems)[];
          /** Business numbers of the portfolio. */ "numbers": ({
              /** Number, international digits. */ "phone": string;
              /** Display name. */ "name": string;
              /** Maximum messages per second. */ "messages_per_second": number;
              /** Quality rating of the platform, by reports of recipients (blocks, spam). `unknown` until it is rated. */ "quality": "high" | "medium" | "low" | "unknown" })[] })[] } };
  /** Create a template */ "POST /v1/chat/templates": { query?: ListDraftsQuery; body: CreateTemplateBody; answer: CreateTemplateAnswer };
  /** List chat templates */ "GET /v1/chat/templates": { query?: {
      /** Filters by business number. */ "phone"?: string;
      /** `template_id` of the last template of the previous page. */ "after"?: string;
      /** Maximum templates per page. */ "limit"?: number;
      /** `false` omits deleted templates. */ "deleted"?: "true" | "false";
      /** Filters by name: names that contain this text, regardless of case. */ "search"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "templates": ({
          /** Id, also in the chat API. */ "template_id": string;
          /** Business number. */ "phone": string;
          /** Name of the template. */ "name": string;
          /** Code of the language on the platform. */ "language": string;
          /** Number of the language in the chat API. */ "language_number": string;
          /** Category. */ "category": "marketing" | "utility" | "authentication";
          "header": Header3;
          /** Text of the message. */ "body": string;
          /** Examples, one for each variable. */ "body_samples": (string)[];
          /** Footer below the text. */ "footer": string;
          /** Buttons of the template; fields that a kind does not have are empty. */ "buttons": (Buttons3)[];
          /** Limited-time offer; null without one. */ "offer": Offer2 | null;
          /** Settings of an authentication template; null for other categories. */ "authentication": Authentication2 | null;
          /** Status, 0 to 11 (interface, "Template status"). */ "status": number;
          /** The platform's term for the reason of the status; empty without one. */ "status_reason": string;
          /** Time of the last change of status, ISO 8601. */ "status_at": string;
          /** Quality rating of the platform, by reports of recipients (blocks, spam). `unknown` until it is rated. */ "quality": "high" | "medium" | "low" | "unknown";
          /** Category to which the platform will move the template because its content does not match its category; null without a planned change. */ "next_category": "marketing" | "utility" | "authentication" | null;
          /** Date of that change, ISO 8601; null if the platform does not announce it. */ "category_changes_at": string | null;
          /** Whether the template can be sent now. */ "usable": boolean;
          /** Whether the template can be edited now. */ "editable": boolean;
          /** Whether the platform has received the template. */ "submitted": boolean;
          /** Reason why the platform has not received it yet; empty without one. */ "problem": string;
          /** Time of creation or first synchronization, ISO 8601. */ "created_at": string })[] } };
  /** Edit a template */ "PUT /v1/chat/templates/{id}": { path: EditTemplatePath; query?: ListDraftsQuery; body: CreateTemplateBody; answer: CreateTemplateAnswer };
  /** Show a template */ "GET /v1/chat/templates/{id}": { path: EditTemplatePath; query?: ListDraftsQuery; answer: CreateTemplateAnswer };
  /** Delete a template */ "DELETE /v1/chat/templates/{id}": { path: EditTemplatePath; query?: ListDraftsQuery; answer: CreateTemplateAnswer };
  /** Synchronize templates with the platform */ "POST /v1/chat/numbers/{id}/sync": { path: {
      /** Business number. */ "id": string }; query?: ListDraftsQuery; answer: {
      /** Templates on the platform. */ "found": number;
      /** New templates, counted for each business number of the portfolio. */ "added": number;
      /** Templates whose status changed, including those deleted on the platform. */ "changed": number;
      /** Names of templates with components that this service does not support; they are omitted. */ "unsupported": (string)[] } };
  /** List chat campaigns */ "GET /v1/chat/campaigns": { query?: ListChatCampaignsQuery; answer: {
      "campaigns": (Campaigns)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Create a chat campaign */ "POST /v1/chat/campaigns": { query?: ListDraftsQuery; body: StartChatCampaignBody; answer: {
      /** Id of the campaign. */ "id": string;
      /** Number of distinct recipients. */ "recipients": number } };
  /** Show the progress of a chat campaign */ "GET /v1/chat/campaigns/{id}": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: {
      /** Id of the campaign; `cancel` of the SMS API accepts it too. */ "id": string;
      /** `campaign_name`. */ "name": string | null;
      /** Business number. */ "source": string;
      /** Template; null if it was removed. */ "template_id": string | null;
      /** `scheduled`, `running`, `paused`, `cancelled`, or `finished` (no message waits for submission to the platform). */ "state": string;
      /** Distinct recipients in the request, `sum` of the response. */ "total": number;
      /** Start time, ISO 8601. */ "due_at": string;
      /** Time of acceptance, ISO 8601. */ "created_at": string;
      /** Time of the end, ISO 8601. */ "finished_at": string | null;
      /** Messages by their current outcome. */ "progress": {
        /** Recipients whose message exists; the others have no message yet. */ "made": number;
        /** Messages that are not submitted to the platform yet. */ "waiting": number;
        /** Submitted messages without a delivery status. */ "sent": number;
        /** Messages that are delivered and not reported as read. */ "delivered": number;
        /** Read. */ "read": number;
        /** Messages that were not sent or not delivered, by reason. */ "failed": { [name: string]: unknown };
        /** Messages cancelled before submission. */ "cancelled": number } } };
  /** List the failed recipients of a chat campaign */ "GET /v1/chat/campaigns/{id}/failures": { path: ShowChatCampaignPath; query?: ListFailedRecipientsQuery; answer: {
      "failures": ({
          /** Recipient, as international digits; the original text if it is not a phone number. */ "phone": string;
          /** Reason of the failure, as a short code. */ "reason": string;
          /** Time at which the failure was recorded, ISO 8601. */ "at": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Pause a chat campaign */ "POST /v1/chat/campaigns/{id}/pause": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: Campaigns };
  /** Resume a chat campaign */ "POST /v1/chat/campaigns/{id}/resume": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: Campaigns };
  /** Cancel a chat campaign */ "POST /v1/chat/campaigns/{id}/cancel": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: {
      /** Id of the campaign; `cancel` of the SMS API accepts it too. */ "id": string;
      /** `campaign_name`. */ "name": string | null;
      /** Business number. */ "source": string;
      /** Template; null if it was removed. */ "template_id": string | null;
      /** `scheduled`, `running`, `paused`, `cancelled`, or `finished` (no message waits for submission to the platform). */ "state": string;
      /** Distinct recipients in the request, `sum` of the response. */ "total": number;
      /** Start time, ISO 8601. */ "due_at": string;
      /** Time of acceptance, ISO 8601. */ "created_at": string;
      /** Time of the end, ISO 8601. */ "finished_at": string | null;
      /** Recipients whose message was cancelled and refunded. */ "cancelled": number;
      /** Messages submitted to the platform before. */ "submitted": number } };
  /** Send a template to one recipient */ "POST /v1/chat/messages": { query?: ListDraftsQuery; body: SendChatTemplateBody; answer: SendChatTemplateAnswer };
  /** Estimate a template message */ "POST /v1/chat/messages/estimate": { query?: ListDraftsQuery; body: SendChatTemplateBody; answer: {
      /** Body as the client reads it. */ "body": string;
      /** Whether the message would open a conversation, which is charged. */ "opens_conversation": boolean;
      /** Maximum price in credits: if a conversation opens with every recipient. */ "cost": string;
      /** Balance of the account in credits. */ "balance": string;
      /** Whether the balance is sufficient. */ "enough": boolean;
      /** Estimated time of submission of the last message, by the queue and the rate of the number, ISO 8601. */ "finishes_at": string } };
  /** Estimate a chat campaign */ "POST /v1/chat/campaigns/estimate": { query?: ListDraftsQuery; body: StartChatCampaignBody; answer: {
      /** Body, with 1 in place of each field. */ "body": string;
      /** Message to the first contact of the first list; without a list, with 1 in place of each field. */ "preview": Chat;
      /** Number of distinct recipients. */ "recipients": number;
      /** Recipients without a standing consent to marketing messages on the channel: they are skipped and not charged. Exact for single recipients and lists of up to 5,000; estimated from the first 5,000 of longer lists. null: the sending policy does not require consent. */ "without_consent": number | null;
      /** Maximum price in credits: if a conversation opens with every recipient. */ "cost": string;
      /** Balance of the account in credits. */ "balance": string;
      /** Whether the balance is sufficient. */ "enough": boolean;
      /** Estimated time of submission of the last message, by the queue and the rate of the number, ISO 8601. */ "finishes_at": string } };
  /** Show the reply window of a recipient */ "GET /v1/chat/window": { query: {
      /** Business number. */ "source": string;
      /** Recipient, in any spelling. */ "to": string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      /** Whether messages with buttons and carousels can be sent. */ "open": boolean;
      /** Reason why they cannot be sent: the client has never written; their last message is over 24 hours old; a template since then has no reply. */ "problem": "never-written" | "window-closed" | "unanswered" | null;
      /** Time of the client's last message, ISO 8601; null: never. */ "client_wrote_at": string | null;
      /** End of the window, 24 hours after that message, ISO 8601; null: never. */ "closes_at": string | null;
      /** End of the open conversation, after which a message opens and charges another one, ISO 8601; null: never. */ "conversation_ends_at": string | null } };
  /** Send a message with buttons */ "POST /v1/chat/buttons": { query?: ListDraftsQuery; body: SendChatButtonsBody; answer: SendChatTemplateAnswer };
  /** Estimate a message with buttons */ "POST /v1/chat/buttons/estimate": { query?: ListDraftsQuery; body: SendChatButtonsBody; answer: EstimateChatButtonsAnswer };
  /** Send a carousel */ "POST /v1/chat/carousels": { query?: ListDraftsQuery; body: SendChatCarouselBody; answer: SendChatTemplateAnswer };
  /** Estimate a carousel */ "POST /v1/chat/carousels/estimate": { query?: ListDraftsQuery; body: SendChatCarouselBody; answer: EstimateChatButtonsAnswer };
  /** List conversations */ "GET /v1/conversations": { query?: {
      /** Filters by state. */ "state"?: "open" | "closed";
      /** `true`: only conversations with unread messages. */ "unread"?: "true" | "false";
      /** Filters by assignee: `me` is the caller, `none` nobody, otherwise the id of a person. */ "assignee"?: string;
      /** Filters by label. */ "label"?: string;
      /** Filters by client: start of the number, address or name. */ "search"?: string;
      /** `next` of the previous page; the conversation with the last message is first */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "conversations": (Conversations)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Start a conversation */ "POST /v1/conversations": { query?: ListDraftsQuery; body: {
      /** Your number. */ "sender": string;
      /** Client, in any spelling. */ "client": string;
      /** Channel. */ "channel": "sms" | "chat" }; answer: BeginConversationAnswer };
  /** Count conversations */ "GET /v1/conversations/counts": { query?: ListDraftsQuery; answer: {
      /** Open conversations; 1000 means that many or more, here and below. */ "open": number;
      /** Open conversations assigned to the caller; 0 for a token. */ "mine": number;
      /** Open conversations without an assignee. */ "unassigned": number;
      /** Conversations with unread messages. */ "unread": number } };
  /** List senders of conversations */ "GET /v1/conversation-senders": { query?: ListDraftsQuery; answer: {
      "senders": ({
          /** Number or address. */ "sender": string;
          /** Display name; empty without one. */ "name": string;
          /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice" })[] } };
  /** Show a conversation */ "GET /v1/conversations/{id}": { path: GetConversationPath; query?: ListDraftsQuery; answer: BeginConversationAnswer };
  /** Change a conversation */ "PATCH /v1/conversations/{id}": { path: GetConversationPath; query?: ListDraftsQuery; body: {
      /** State of the conversation. */ "state"?: "open" | "closed";
      /** Id of the assigned person (`GET /v1/conversation-agents`); null: nobody. */ "assignee_id"?: string | null;
      /** Labels of the conversation; replaces all labels. */ "label_ids"?: (string)[] }; answer: Conversations };
  /** Show the timeline of a conversation */ "GET /v1/conversations/{id}/timeline": { path: GetConversationPath; query?: ListLinkedShipmentsQuery; answer: {
      "items": ({
          /** Id of the entry; for a message, its id. */ "id": string;
          /** Time of the entry, ISO 8601. */ "at": string;
          /** Kind of the entry: `received` from the client; `sent`; `echo`: written on the phone of the business number; the others are actions of people and rules. */ "kind": "received" | "echo" | "sent" | "note" | "opened" | "closed" | "assigned" | "unassigned" | "labels" | "rule";
          /** Person who acted; null for the client, a program and rules. */ "by": string | null;
          /** Whether a rule or the away message wrote it. */ "automatic": boolean;
          /** Id of the rule. */ "rule_id": string | null;
          /** Channel of a message. */ "channel": "sms" | "chat" | "mail" | "voice" | null;
          /** Kind of a message: `text`, or another kind as in events. */ "type": string | null;
          /** Text of a message or note. Without the role `agent` or a token with the scope `read`: null. */ "text": string | null;
          /** Whether its text is no longer stored. */ "text_removed": boolean;
          /** Bytes of an SMS or email that cannot be decoded, in hexadecimal. Without the role `agent` or a token with the scope `read`: null. */ "unreadable": string | null;
          /** Details of a received message in addition to its text: for chat as in `chat.message`; for email `subject`, `from` (sender named in the email), `html`, `whole_text` (including quotes), names of `attachments`, and the reason why it is considered `automatic` (null: a person wrote it). Without the role `agent` or a token with the scope `read`: null. */ "content": { [name: string]: unknown } | null;
          /** Sent chat message, as the phone shows it. Without the role `agent` or a token with the scope `read`: null. */ "chat": Chat | null;
          /** Id of the message that it answers or quotes. */ "reply_to": string | null;
          /** Id of the message to which it reacts, or that it edits or deletes. */ "about_id": string | null;
          /** State, price and failure of a sent message. */ "message": {
            /** Id of the message. */ "id": string;
            /** Id of the shipment. */ "shipment_id": string;
            /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
            /** Recipient; for email the address. */ "phone": string;
            /** Sender: number or name, business number, or email address. */ "source": string;
            /** Your own id of the message. */ "external_id": string | null;
            /** Number of parts. */ "parts": number;
            /** Price in credits. */ "price": string;
            /** `waiting`: accepted and not submitted yet; `submitted`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, if the network reports it; `failed`; `cancelled`. */ "state": "waiting" | "submitted" | "delivered" | "read" | "failed" | "cancelled";
            /** Delivery status, as in delivery reports. */ "status": number;
            /** Text of the status. */ "status_text": string;
            /** Status code of the carrier for the last event, or the reason of a chat message. */ "carrier_status": string | null;
            /** Connector over which it was sent. */ "link": string | null;
            /** Time of acceptance, ISO 8601. */ "accepted_at": string;
            /** Time of submission, ISO 8601; null: never. */ "submitted_at": string | null;
            /** Time of delivery, failure or cancellation, ISO 8601; null: never. */ "ended_at": string | null;
            /** Time at which it was read, ISO 8601; null: never. */ "read_at": string | null;
            /** Reason of a failed message. */ "failure": Failure | null } | null;
          /** Name of the assigned person. */ "assignee": string | null;
          /** Ids of added labels. */ "labels_added": (string)[];
          /** Ids of removed labels. */ "labels_removed": (string)[];
          /** Error code of an automatic reply that was not sent. */ "failed": string | null })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Mark a conversation as read */ "POST /v1/conversations/{id}/read": { path: GetConversationPath; query?: ListDraftsQuery; body: {
      /** Id of the last message that was read; later ones stay unread. Null marks the conversation as unread. */ "up_to"?: string | null }; answer: {
      /** Always true. */ "done": boolean } };
  /** Add a note to a conversation */ "POST /v1/conversations/{id}/notes": { path: GetConversationPath; query?: ListDraftsQuery; body: {
      /** Text of the note. Clients never see it. */ "text": string }; answer: {
      /** Id of the note. */ "id": string } };
  /** Reply to a client */ "POST /v1/conversations/{id}/replies": { path: GetConversationPath; query?: ListDraftsQuery; body: ReplyToConversationBody; answer: {
      /** Id of the shipment. */ "shipment_id": string } };
  /** Estimate a reply */ "POST /v1/conversations/{id}/replies/estimate": { path: GetConversationPath; query?: ListDraftsQuery; body: ReplyToConversationBody; answer: {
      /** Credits. */ "cost": string;
      /** Parts of an SMS; otherwise 1. */ "parts": number;
      /** Balance of the account in credits. */ "balance": string;
      /** Whether the balance is sufficient. */ "enough": boolean } };
  /** List labels */ "GET /v1/conversation-labels": { query?: ListDraftsQuery; answer: {
      "labels": (Labels)[] } };
  /** Create a label */ "POST /v1/conversation-labels": { query?: ListDraftsQuery; body: {
      /** Name, unique within the account. */ "name": string;
      /** Colour of the label. */ "color"?: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "violet" }; answer: Labels };
  /** Change a label */ "PATCH /v1/conversation-labels/{id}": { path: ChangeConversationLabelPath; query?: ListDraftsQuery; body: {
      /** Name, unique within the account. */ "name"?: string;
      /** Colour of the label. */ "color"?: "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "violet" }; answer: Labels };
  /** Delete a label */ "DELETE /v1/conversation-labels/{id}": { path: ChangeConversationLabelPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** List saved replies */ "GET /v1/saved-replies": { query?: {
      /** Filters by text: replies with it in their shortcut, title or text. */ "search"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "saved_replies": (SavedReplies)[] } };
  /** Create a saved reply */ "POST /v1/saved-replies": { query?: ListDraftsQuery; body: {
      /** Shortcut to type after `/`: up to 30 letters, digits, `-` and `_`, unique in the account. Stored in lower case. */ "shortcut": string;
      /** Title in lists. */ "title": string;
      /** Text. `{{client_name}}` and `{{agent_name}}` are replaced with the names of the client and of the person who replies, `{{client_name|there}}` with `there` if the name is unknown. */ "text": string }; answer: SavedReplies };
  /** Change a saved reply */ "PATCH /v1/saved-replies/{id}": { path: ChangeSavedReplyPath; query?: ListDraftsQuery; body: {
      /** Shortcut to type after `/`: up to 30 letters, digits, `-` and `_`, unique in the account. Stored in lower case. */ "shortcut"?: string;
      /** Title in lists. */ "title"?: string;
      /** Text. `{{client_name}}` and `{{agent_name}}` are replaced with the names of the client and of the person who replies, `{{client_name|there}}` with `there` if the name is unknown. */ "text"?: string }; answer: SavedReplies };
  /** Delete a saved reply */ "DELETE /v1/saved-replies/{id}": { path: ChangeSavedReplyPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Use a saved reply */ "POST /v1/saved-replies/{id}/use": { path: ChangeSavedReplyPath; query?: ListDraftsQuery; body: {
      /** Id of the conversation. */ "conversation_id": string }; answer: {
      /** Text with names in place of the variables. */ "text": string } };
  /** List conversation rules */ "GET /v1/conversation-rules": { query?: ListDraftsQuery; answer: {
      "rules": (Rules)[] } };
  /** Create a conversation rule */ "POST /v1/conversation-rules": { query?: ListDraftsQuery; body: {
      /** Name of the rule. */ "name": string;
      /** Whether the rule is enabled. */ "enabled"?: boolean;
      /** Channels of the messages; empty: all. */ "channels"?: ("sms" | "chat" | "mail" | "voice")[];
      /** Numbers or addresses of yours to which the client wrote; empty: all. */ "senders"?: (string)[];
      /** Words of which the message has one, compared without case, vowel signs and surrounding punctuation; empty: all messages. */ "keywords"?: (string)[];
      /** `exact`: the whole message is a keyword; `contains`: the message contains one; `starts`: the message begins with one. */ "match"?: "exact" | "contains" | "starts";
      /** `open-hours` or `closed-hours`: the rule applies only then, by the opening hours of the settings. */ "when"?: "always" | "open-hours" | "closed-hours";
      /** Whether the rule applies only to the message that started or reopened the conversation. */ "first_only"?: boolean;
      /** Saved reply to send as an automatic reply, instead of `reply_text`; null: none. */ "saved_reply_id"?: string | null;
      /** Text of an automatic reply; null: none. At most five automatic replies are sent to one client within an hour. */ "reply_text"?: string | null;
      /** Labels to add to the conversation. */ "label_ids"?: (string)[];
      /** Person to whom an unassigned conversation is assigned; null: nobody. */ "assignee_id"?: string | null;
      /** Whether an unassigned conversation is assigned to the next person in turn. */ "assign_by_turns"?: boolean;
      /** Whether webhooks with the event `conversation.rule_matched` are notified. */ "webhook"?: boolean;
      /** Whether later rules are skipped. */ "stop"?: boolean }; answer: Rules };
  /** Show a conversation rule */ "GET /v1/conversation-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; answer: Rules };
  /** Change a conversation rule */ "PATCH /v1/conversation-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; body: {
      /** Name of the rule. */ "name"?: string;
      /** Whether the rule is enabled. */ "enabled"?: boolean;
      /** Channels of the messages; empty: all. */ "channels"?: ("sms" | "chat" | "mail" | "voice")[];
      /** Numbers or addresses of yours to which the client wrote; empty: all. */ "senders"?: (string)[];
      /** Words of which the message has one, compared without case, vowel signs and surrounding punctuation; empty: all messages. */ "keywords"?: (string)[];
      /** `exact`: the whole message is a keyword; `contains`: the message contains one; `starts`: the message begins with one. */ "match"?: "exact" | "contains" | "starts";
      /** `open-hours` or `closed-hours`: the rule applies only then, by the opening hours of the settings. */ "when"?: "always" | "open-hours" | "closed-hours";
      /** Whether the rule applies only to the message that started or reopened the conversation. */ "first_only"?: boolean;
      /** Saved reply to send as an automatic reply, instead of `reply_text`; null: none. */ "saved_reply_id"?: string | null;
      /** Text of an automatic reply; null: none. At most five automatic replies are sent to one client within an hour. */ "reply_text"?: string | null;
      /** Labels to add to the conversation. */ "label_ids"?: (string)[];
      /** Person to whom an unassigned conversation is assigned; null: nobody. */ "assignee_id"?: string | null;
      /** Whether an unassigned conversation is assigned to the next person in turn. */ "assign_by_turns"?: boolean;
      /** Whether webhooks with the event `conversation.rule_matched` are notified. */ "webhook"?: boolean;
      /** Whether later rules are skipped. */ "stop"?: boolean }; answer: Rules };
  /** Delete a conversation rule */ "DELETE /v1/conversation-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Order conversation rules */ "POST /v1/conversation-rules/order": { query?: ListDraftsQuery; body: {
      /** Ids of the rules, in order. */ "ids": (string)[] }; answer: {
      /** Always true. */ "done": boolean } };
  /** List matches of a conversation rule */ "GET /v1/conversation-rules/{id}/log": { path: ShowConversationRulePath; query?: ListLinkedShipmentsQuery; answer: {
      "entries": ({
          /** Id of the entry. */ "id": string;
          /** Time of the match, ISO 8601. */ "at": string;
          /** Id of the conversation. */ "conversation_id": string;
          /** Client: a number, an email address, or an id of the chat platform. */ "client": string;
          /** Profile name; empty if unknown. Without the role `agent` or a token with the scope `read`: `••••••`. */ "client_name": string;
          /** Text of the message; null for a reply that could not be sent. */ "message_id": string | null;
          /** `sent`: a reply was sent; `limited`: the client had received five within the hour; `failed`: the reply could not be sent. null: the rule has no reply. */ "reply": "sent" | "limited" | "failed" | null;
          /** Whether it assigned the conversation. */ "assigned": boolean;
          /** Whether it added labels. */ "labelled": boolean;
          /** Whether it notified webhooks. */ "webhook": boolean })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Show the settings of conversations */ "GET /v1/conversation-settings": { query?: ListDraftsQuery; answer: ShowConversationSettingsAnswer };
  /** Change the settings of conversations */ "PATCH /v1/conversation-settings": { query?: ListDraftsQuery; body: {
      /** Opening hours of each day of the week in the time zone of the account, such as `09:00-17:00`; several a day are allowed. Hours whose end is not later than their start continue after midnight. A day without hours is closed. null: always open. */ "hours"?: Hours2 | null;
      /** Days that are closed all day, regardless of their hours. */ "closed_dates"?: (ClosedDates2)[];
      /** Reply to a client who writes outside the opening hours, sent once until the next opening; null: none. */ "away_message"?: string | null;
      /** Whether an unassigned conversation is assigned to the next person in turn when it starts or is reopened. */ "assign_by_turns"?: boolean;
      /** People to whom conversations are assigned in turn. Empty: everyone who answers conversations. */ "turn_ids"?: (string)[];
      /** Days without activity after which an open conversation is closed; null: never. */ "close_after_days"?: number | null;
      /** Countries outside the home country of the installation to which automatic replies by SMS are sent, such as `US`. Clients in other countries receive none; people can still answer them. */ "automatic_reply_countries"?: (string)[] }; answer: ShowConversationSettingsAnswer };
  /** Create a mailing list */ "POST /api/Mailer/CreateMalingList": { body: {
      /** Always true. */ "IsNewList": true;
      /** Name of the list. */ "NewListName": string;
      /** Description of the list. */ "NewListDescription"?: string }; answer: CreateMailingListAnswer };
  /** Add users to lists */ "POST /api/Mailer/AddUsersToLists": { body: {
      /** Users to add. */ "users": ({
          /** Email address, which identifies the user. */ "EmailAddress"?: string;
          /** Id of an existing user, instead of the address; ignored together with an address. */ "UserID"?: number;
          /** First name. */ "FirstName"?: string;
          /** Last name. */ "LastName"?: string;
          /** Phone number, as text. */ "Cellphone"?: string;
          /** Values for the fields of emails; omitted fields keep their values. */ "UserSendFields"?: (UserSendFields)[];
          /** Additional fields for the programs of the account. */ "UserSystemFields"?: (UserSendFields)[];
          /** Deletes the user. */ "DeleteUser"?: boolean;
          /** The user has unsubscribed elsewhere. */ "IsUserSelfRemoved"?: boolean;
          /** Restores a user who was deleted or unsubscribed, or whose address bounced. */ "UndeleteUserIfExists"?: boolean })[];
      /** Lists that receive the users. */ "mailingLists": ({
          /** Id of the list. */ "ExistingListID": number })[] }; answer: CreateMailingListAnswer };
  /** List users of a list */ "GET /api/Mailer/GetMailingListByID": { query: {
      /** Id of the list. */ "listID": string;
      /** Status of the users: `0` all, `1` deleted, `2` unsubscribed, `3` wrong emails, `4` active. */ "type": "0" | "1" | "2" | "3" | "4" }; answer: {
      /** Whether the operation succeeded. */ "success": boolean;
      /** Same as `success`. */ "res": boolean;
      /** Result of the operation. */ "result": Result;
      /** Users of the list. */ "users": ({
          /** Phone number; may be empty. */ "Cellphone": string;
          /** Whether the account deleted the user. */ "DeleteUser": boolean;
          /** Email address, as it was added first. */ "EmailAddress": string;
          /** First name; may be empty. */ "FirstName": string;
          /** Whether the user unsubscribed or complained. */ "IsUserSelfRemoved": boolean;
          /** Last name; may be empty. */ "LastName": string;
          /** `Active`, `Inactive` (deleted or not confirmed), `AskedRemoval`, `BadEmail`; null until the first delivery to the user or their first choice. */ "StatusEmail": string | null;
          /** Always false. */ "UndeleteUserIfExists": boolean;
          /** Id of the user. */ "UserID": number;
          /** Values for the fields of emails. */ "UserSendFields": (UserSendFields2)[];
          /** Additional fields. */ "UserSystemFields": (UserSendFields2)[] })[] } };
  /** List all lists */ "POST /api/Mailer/GetMailingListNames": { answer: {
      /** Whether the operation succeeded. */ "success": boolean;
      /** Same as `success`. */ "res": boolean;
      /** Result of the operation. */ "result": Result;
      /** Lists of the account. */ "listNames": ({
          /** Users that receive email. */ "ActiveUserCount": number;
          /** Id of the list. */ "ExistingListID": number;
          /** Always false. */ "IsNewList": boolean;
          /** Description of the list; may be empty. */ "NewListDescription": string;
          /** Name of the list. */ "NewListName": string;
          /** Users of the list. */ "UserCount": number })[] } };
  /** Empty lists */ "POST /api/Mailer/TruncateMailingLists": { body: (number)[]; answer: {
      /** Whether the operation succeeded. */ "success": boolean;
      /** Same as `success`. */ "res": boolean;
      /** Result of the operation. */ "result": Result;
      /** Always null. */ "data": null } };
  /** Get a mail token */ "POST /api/Mailer/token": { body: {
      /** User name of the account, or its id. */ "siteID": string;
      /** Password of the account. */ "password": string }; answer: {
      /** Whether the operation succeeded. */ "success": boolean;
      /** Same as `success`. */ "res": boolean;
      /** Result of the operation. */ "result": Result;
      /** Token; empty if the request was refused. */ "Token": string } };
  /** List pictures */ "GET /v1/pictures": { query?: {
      /** `next` of the previous page; the latest come first. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "pictures": (Pictures)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Upload a picture */ "POST /v1/pictures": { query?: {
      /** Name of the file. */ "name"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; body: FileBody; answer: Pictures };
  /** Delete a picture */ "DELETE /v1/pictures/{id}": { path: {
      /** Id of the picture. */ "id": string }; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Create an email campaign */ "POST /v1/mail/campaigns": { query?: ListDraftsQuery; body: CreateMailCampaignBody; answer: CreateMailCampaignAnswer };
  /** List email campaigns */ "GET /v1/mail/campaigns": { query?: ListChatCampaignsQuery; answer: {
      "campaigns": (CreateMailCampaignAnswer)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Estimate an email campaign */ "POST /v1/mail/campaigns/estimate": { query?: ListDraftsQuery; body: CreateMailCampaignBody; answer: {
      /** Active users of the lists, each once. */ "recipients": number;
      /** Recipients without a standing consent to marketing messages on the channel: they are skipped and not charged. Exact for single recipients and lists of up to 5,000; estimated from the first 5,000 of longer lists. null: the sending policy does not require consent. */ "without_consent": number | null;
      /** Price of an email in credits. */ "price": string;
      /** Price of all emails in credits. */ "cost": string;
      /** Balance of the account in credits. */ "balance": string } };
  /** Preview an email */ "POST /v1/mail/campaigns/preview": { query?: ListDraftsQuery; body: {
      /** Sender: an address from which the account may send, and the displayed name. */ "from": From2;
      /** Address for replies, if different from the sender. */ "reply_to"?: string | null;
      /** Subject, one line. Fields are written as `{{FirstName}}`, or `{{FirstName|friend}}`. */ "subject": string;
      /** Email in HTML. `{{unsubscribe}}` is the address of the unsubscribe page; without it, a link is appended. */ "html"?: string | null;
      /** Email in plain text. HTML, text, or both are required. */ "text"?: string | null;
      /** Ids of mailing lists. A user of several lists gets one email. */ "lists"?: (number)[];
      /** `next` of the previous preview; empty for the first user. */ "after"?: string }; answer: {
      /** Address of the user; null without one. */ "address": string | null;
      /** Subject for the user. */ "subject": string;
      /** HTML for this user. */ "html": string | null;
      /** Text for this user. */ "text": string | null;
      /** Names of the fields in the email, in lower case. */ "fields": (string)[];
      /** `after` of the next user; null for the last one. */ "next": string | null } };
  /** Send a test email */ "POST /v1/mail/campaigns/test": { query?: ListDraftsQuery; body: {
      /** Sender: an address from which the account may send, and the displayed name. */ "from": From2;
      /** Address for replies, if different from the sender. */ "reply_to"?: string | null;
      /** Subject, one line. Fields are written as `{{FirstName}}`, or `{{FirstName|friend}}`. */ "subject": string;
      /** Email in HTML. `{{unsubscribe}}` is the address of the unsubscribe page; without it, a link is appended. */ "html"?: string | null;
      /** Email in plain text. HTML, text, or both are required. */ "text"?: string | null;
      /** Ids of mailing lists. A user of several lists gets one email. */ "lists"?: (number)[];
      /** Addresses that receive the test. */ "to": (string)[] }; answer: {
      /** Accepted emails. */ "mails": number } };
  /** Show the progress of a email campaign */ "GET /v1/mail/campaigns/{id}": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: {
      /** Id of the campaign. */ "id": string;
      /** `name`. */ "name": string | null;
      /** `subject`, with its fields. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
      /** `from`. */ "from": From3;
      /** `lists`. */ "lists": (string)[];
      /** `scheduled`, `running`, `paused`, `cancelled`, or `finished` (no email waits for submission to the relay). */ "state": string;
      /** Active users of the lists at acceptance, each once. */ "total": number;
      /** Start time, ISO 8601. */ "due_at": string;
      /** Time of acceptance, ISO 8601. */ "created_at": string;
      /** Time of the end, ISO 8601. */ "finished_at": string | null;
      /** `reply_to`. */ "reply_to": string | null;
      /** `html`. Without the role `sender` or a token with the scope `read`: null. */ "html": string | null;
      /** `text`. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
      /** Emails by their current outcome. */ "progress": {
        /** Recipients whose email exists; the others have no email yet. */ "made": number;
        /** Emails that are not submitted to the relay yet. */ "waiting": number;
        /** Emails submitted to the relay that did not bounce. */ "sent": number;
        /** Opened emails among them, if the list counts opens. */ "opened": number;
        /** Recipients who clicked a link, if the list counts clicks. */ "clicked": number;
        /** Emails that were not submitted or that bounced, by reason. */ "failed": { [name: string]: unknown };
        /** Messages cancelled before submission. */ "cancelled": number;
        /** Hard bounces. */ "hard_bounces": number;
        /** Soft bounces. */ "soft_bounces": number;
        /** Emails marked as spam by the recipient. */ "complaints": number;
        /** Recipients who unsubscribed through the campaign. */ "removals": number } } };
  /** List the failed recipients of a email campaign */ "GET /v1/mail/campaigns/{id}/failures": { path: ShowChatCampaignPath; query?: ListFailedRecipientsQuery; answer: {
      "failures": ({
          /** Recipient. */ "address": string;
          /** Reason: the reply of the relay (`550 5.1.1`), `bounce` with the code of the report, `removed`, `complained`, `bounced`, `deleted`, `no-credit`, `EXPIRED`. */ "reason": string;
          /** Time at which the failure was recorded, ISO 8601. */ "at": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** List bounces and complaints of an email campaign */ "GET /v1/mail/campaigns/{id}/returns": { path: ShowChatCampaignPath; query: {
      /** `next` of the previous page; rows are in the order of the messages. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Kind of the entries: hard or soft bounces, complaints, or unsubscribes. */ "kind": "hard" | "soft" | "complaint" | "removal";
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "returns": ({
          /** Id of the user; null for a recipient who is in no list. */ "user_id": string | null;
          /** Recipient. */ "address": string;
          /** Code of the report for a bounce, type of a complaint, `page` or `one-click` for an unsubscribe. */ "code": string;
          /** Time of the report, ISO 8601. */ "at": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Pause a email campaign */ "POST /v1/mail/campaigns/{id}/pause": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: CreateMailCampaignAnswer };
  /** Resume a email campaign */ "POST /v1/mail/campaigns/{id}/resume": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: CreateMailCampaignAnswer };
  /** Cancel a email campaign */ "POST /v1/mail/campaigns/{id}/cancel": { path: ShowChatCampaignPath; query?: ListDraftsQuery; answer: {
      /** Id of the campaign. */ "id": string;
      /** `name`. */ "name": string | null;
      /** `subject`, with its fields. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
      /** `from`. */ "from": From3;
      /** `lists`. */ "lists": (string)[];
      /** `scheduled`, `running`, `paused`, `cancelled`, or `finished` (no email waits for submission to the relay). */ "state": string;
      /** Active users of the lists at acceptance, each once. */ "total": number;
      /** Start time, ISO 8601. */ "due_at": string;
      /** Time of acceptance, ISO 8601. */ "created_at": string;
      /** Time of the end, ISO 8601. */ "finished_at": string | null;
      /** Recipients whose message was cancelled and refunded. */ "cancelled": number;
      /** Messages submitted to the relay before. */ "submitted": number } };
  /** Create a mailing list with settings */ "POST /v1/mail/lists": { query?: ListDraftsQuery; body: {
      /** Name of the list. */ "name": string;
      /** Description of the list. */ "description"?: string;
      /** Whether new users confirm their subscription by a link in an email (double opt-in). */ "confirm"?: boolean;
      /** Whether opens and clicks of emails to the list are counted. */ "track"?: boolean }; answer: NewMailListAnswer };
  /** List mailing lists */ "GET /v1/mail/lists": { query?: ListContactListsQuery; answer: {
      "lists": (NewMailListAnswer)[] } };
  /** Change a mailing list */ "PATCH /v1/mail/lists/{id}": { path: ChangeMailListPath; query?: ListDraftsQuery; body: {
      /** Name of the list. */ "name"?: string;
      /** Description of the list. */ "description"?: string;
      /** Whether new users confirm their subscription by a link in an email (double opt-in). */ "confirm"?: boolean;
      /** Whether opens and clicks of emails to the list are counted. */ "track"?: boolean }; answer: NewMailListAnswer };
  /** Show a mailing list */ "GET /v1/mail/lists/{id}": { path: ChangeMailListPath; query?: ListDraftsQuery; answer: NewMailListAnswer };
  /** Delete a mailing list */ "DELETE /v1/mail/lists/{id}": { path: ChangeMailListPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Empty a mailing list */ "POST /v1/mail/lists/{id}/empty": { path: ChangeMailListPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Export a mailing list */ "GET /v1/mail/lists/{id}/export": { path: ChangeMailListPath; query?: ListDraftsQuery; answer: Response };
  /** Start an export of a mailing list */ "POST /v1/mail/lists/{id}/export": { path: ChangeMailListPath; query?: ListDraftsQuery; answer: StartExportAnswer };
  /** Import a CSV file into a mailing list */ "POST /v1/mail/lists/{id}/import": { path: ChangeMailListPath; query?: {
      /** Whether the first row has the names of the columns; `auto` detects it. */ "header"?: "auto" | "yes" | "no";
      /** Columns of the file, in order: `email`, `first_name`, `last_name`, `cellphone`, `field:` and a name, or nothing to skip a column; further columns are skipped. Without it, the names in the file decide. */ "columns"?: string;
      /** For rows that are in the list already: `keep` changes nothing, `update` sets the fields for which the row has a value. */ "existing"?: "keep" | "update";
      /** Channel of the consents, or `any`. With it, the import records in the consent log that the people of the file have agreed. Requires `consent_form` or `consent_text`, and `consent_at` or `consent_column`. */ "consent_channel"?: "mail" | "any";
      /** Purpose of the consents, an identifier of your own; default `marketing`. */ "consent_purpose"?: string;
      /** Name of the form with which they agreed. */ "consent_form"?: string;
      /** Version of the form. */ "consent_version"?: string;
      /** Text to which they agreed, as it was shown. */ "consent_text"?: string;
      /** Language of the text. */ "consent_language"?: string;
      /** Time at which all of them agreed, ISO 8601 with an offset. */ "consent_at"?: string;
      /** Column with the time of each consent, from 1: a date or a time such as `2026-02-01`, `2026-02-01T08:00:00+02:00` or `01/02/2026 08:00`; without an offset in the time zone of the account. People with an empty cell are imported without a consent. The column also becomes a field, unless `columns` skips it. */ "consent_column"?: number;
      /** Name of the file, as evidence. */ "consent_file"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; body: FileBody; answer: ImportContactsAnswer };
  /** Add users to a mailing list */ "POST /v1/mail/lists/{id}/users": { path: ChangeMailListPath; query?: ListDraftsQuery; body: {
      /** Users to add. */ "users": ({
          /** Email address. */ "email": string;
          /** First name. */ "first_name"?: string;
          /** Last name. */ "last_name"?: string;
          /** Phone. */ "cellphone"?: string;
          /** Values of fields by their names; omitted fields keep their values. */ "fields"?: { [name: string]: string };
          /** Restores a user who unsubscribed, complained or bounced. */ "undelete"?: boolean })[] }; answer: {
      /** Ids of the users, in the order of the request. */ "ids": (string)[] } };
  /** List users of a mailing list */ "GET /v1/mail/lists/{id}/users": { path: ChangeMailListPath; query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Filters by address: addresses that contain this text, regardless of case. */ "search"?: string;
      /** Status of the users. */ "kind"?: "all" | "deleted" | "unsubscribed" | "wrong" | "active";
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "users": ({
          /** Id of the user, `UserID` in the mailing-list API. */ "id": string;
          /** Email address, as it was added first. */ "email": string;
          /** May be empty. */ "first_name": string;
          /** May be empty. */ "last_name": string;
          /** May be empty. */ "cellphone": string;
          /** Values for the fields of emails. */ "fields": { [name: string]: unknown };
          /** Additional fields. */ "system_fields": { [name: string]: unknown };
          /** Status; only `active` users receive email. */ "status": "active" | "removed" | "complained" | "bounced" | "deleted";
          /** Source of the last change of status: `page`, `one-click`, `confirmation`, `complaint`, `bounce`, `account`; empty if it never changed. */ "status_by": string;
          /** Detail of that change, for example the reply of the mail server; may be empty. */ "status_reason": string;
          /** Time of that change, ISO 8601. */ "status_at": string | null;
          /** Whether an email has reached the user, or the user has made a choice. */ "heard": boolean;
          /** Time of creation, ISO 8601. */ "created_at": string;
          /** Whether the user has not confirmed the subscription yet. */ "waiting": boolean })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Change the status of a user */ "POST /v1/mail/users/{id}/status": { path: ChangeMailUserPath; query?: ListDraftsQuery; body: {
      /** `active` restores a user who unsubscribed, complained or bounced. */ "status": "active" | "deleted" | "removed" }; answer: ChangeMailUserAnswer };
  /** Find a user by address */ "GET /v1/mail/users": { query: {
      /** Email address. */ "email": string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      /** Users with the address: one, or an empty list. */ "users": (ChangeMailUserAnswer)[] } };
  /** Show a user of mailing lists */ "GET /v1/mail/users/{id}": { path: ChangeMailUserPath; query?: ListDraftsQuery; answer: ChangeMailUserAnswer };
  /** List email templates */ "GET /v1/mail/templates": { query?: {
      /** Filters by name and subject: templates that contain this text. */ "search"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "templates": (Templates2)[] } };
  /** Create an email template */ "POST /v1/mail/templates": { query?: ListDraftsQuery; body: {
      /** Name of the template. Names need not be unique. */ "name": string;
      /** Subject, with its fields. */ "subject"?: string;
      /** Email in HTML, as in an email campaign. */ "html"?: string | null;
      /** Email in plain text. HTML, text, or both are required. */ "text"?: string | null;
      /** Document of the block editor from which the console made `html` and `text`. Stored unchanged; omit it if you write the HTML yourself. */ "blocks"?: { [name: string]: unknown } | null }; answer: Templates2 };
  /** Show an email template */ "GET /v1/mail/templates/{id}": { path: ShowMailTemplatePath; query?: ListDraftsQuery; answer: {
      /** Id of the template. */ "id": string;
      /** `name`. */ "name": string;
      /** `subject`. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
      /** Whether the block editor can open it. */ "has_blocks": boolean;
      /** Version, 1 at first; each save increments it. */ "version": number;
      /** Person who saved it last; null: a token. */ "updated_by": string | null;
      /** Time of creation, ISO 8601. */ "created_at": string;
      /** Time of the last save, ISO 8601. */ "updated_at": string;
      /** `html`. Without the role `sender` or a token with the scope `read`: null. */ "html": string | null;
      /** `text`. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
      /** `blocks`. Without the role `sender` or a token with the scope `read`: null. */ "blocks": { [name: string]: unknown } | null } };
  /** Save an email template */ "PUT /v1/mail/templates/{id}": { path: ShowMailTemplatePath; query?: ListDraftsQuery; body: {
      /** `version` on which the change is based. */ "version": number;
      /** Name of the template. Names need not be unique. */ "name": string;
      /** Subject, with its fields. */ "subject"?: string;
      /** Email in HTML, as in an email campaign. */ "html"?: string | null;
      /** Email in plain text. HTML, text, or both are required. */ "text"?: string | null;
      /** Document of the block editor from which the console made `html` and `text`. Stored unchanged; omit it if you write the HTML yourself. */ "blocks"?: { [name: string]: unknown } | null }; answer: Templates2 };
  /** Delete an email template */ "DELETE /v1/mail/templates/{id}": { path: ShowMailTemplatePath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Duplicate an email template */ "POST /v1/mail/templates/{id}/duplicate": { path: ShowMailTemplatePath; query?: ListDraftsQuery; body: {
      /** Name of the template. Names need not be unique. */ "name": string }; answer: Templates2 };
  /** Record consents */ "POST /v1/consents": { query?: ListDraftsQuery; body: {
      /** Entries; all or none are recorded. */ "consents": ({
          /** Number in any spelling, or email address. */ "subject": string;
          /** Channel of the consent; `any` is every channel. */ "channel": "sms" | "voice" | "chat" | "mail" | "any";
          /** Purpose of the consent, an identifier of your own. */ "purpose"?: string;
          /** Decision of the person. */ "action": "given" | "withdrawn";
          /** Time of the decision, ISO 8601 with an offset; default: now. */ "at"?: string;
          /** Method by which the person decided. The service records the other methods of the log itself. */ "source": "api" | "import" | "form" | "agent";
          /** Name of the form. */ "form"?: string;
          /** Version of the form. */ "version"?: string;
          /** Text to which they agreed, as it was shown. */ "text"?: string;
          /** Language of the text. */ "language"?: string;
          /** Network address from which the form was sent. */ "ip"?: string;
          /** Page of the form. The parts after `?` and `#` are not stored. */ "url"?: string;
          /** Name of the file, for an import. */ "file"?: string })[] }; answer: {
      /** Number of added entries. */ "recorded": number;
      /** Position of the last entry. */ "position": number } };
  /** List the consent log */ "GET /v1/consents": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "consents": (Consents)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Find the consents of a person */ "POST /v1/consents/search": { query?: ListDraftsQuery; body: {
      /** Number in any spelling, or email address. */ "subject": string }; answer: {
      /** Latest decisions by channel and purpose, without erased entries. */ "standing": ({
          /** Channel. */ "channel": "sms" | "voice" | "chat" | "mail" | "any";
          /** Purpose. */ "purpose": string;
          /** Latest decision of the person. */ "action": "given" | "withdrawn";
          /** Time of that decision, ISO 8601. */ "at": string })[];
      /** Entries, newest first. */ "consents": (Consents)[] } };
  /** Check the consent log */ "GET /v1/consents/check": { query?: {
      /** `position` of the previous response. */ "after"?: number;
      /** Maximum entries to check. */ "limit"?: number;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      /** Number of checked entries. */ "checked": number;
      /** First entry that differs from its record; null if none differs. */ "broken_at": number | null;
      /** Position of the last checked entry. */ "position": number;
      /** Whether the end of the log was reached. */ "complete": boolean } };
  /** Export the consent log */ "GET /v1/consents/export": { query?: ListDraftsQuery; answer: Response };
  /** Get the balance */ "POST /api#balance": { body: {
      "balance": components['schemas']["balance"] }; answer: components['schemas']["balanceAnswer"] };
  /** Get an API token */ "POST /api#getApiToken": { body: {
      "getApiToken": components['schemas']["getApiToken"] }; answer: components['schemas']["getApiTokenAnswer"] };
  /** Set a push URL */ "POST /api#push_url": { body: {
      "push_url": components['schemas']["push_url"] }; answer: components['schemas']["push_urlAnswer"] };
  /** Show the account */ "GET /v1/account": { query?: ListDraftsQuery; answer: ShowOwnAccountAnswer };
  /** Show the balance */ "GET /v1/wallet": { query?: ListDraftsQuery; answer: {
      /** Credits that can be spent. */ "balance": string } };
  /** List ledger entries */ "GET /v1/wallet/ledger": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Start of the span, included, ISO 8601 with an offset. */ "from"?: string;
      /** End of the span, excluded, ISO 8601 with an offset. */ "to"?: string;
      /** Filters by kind. */ "kind"?: "topup" | "hold" | "release" | "charge" | "refund" | "transfer";
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "rows": ({
          /** Id of the entry. */ "id": string;
          /** Time of the entry, ISO 8601. */ "at": string;
          /** Kind of the entry. `hold` and `release` are the start and end of the time that a scheduled message waits; `transfer` is between an account and its subscriber. */ "kind": "topup" | "hold" | "release" | "charge" | "refund" | "transfer";
          /** Amount in credits; negative amounts leave the wallet. */ "amount": string;
          /** Id of the shipment. */ "shipment_id": string | null;
          /** Name of the campaign, if the shipment has one. */ "campaign_name": string | null;
          /** User name of the other account of a transfer. */ "peer": string | null;
          /** Note of the entry. */ "note": string })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Transfer credit */ "POST /v1/wallet/transfer": { query?: ListDraftsQuery; body: {
      /** User name of the subscriber. */ "username": string;
      /** Credits to move to the subscriber; a negative amount moves them back. */ "amount": string | number;
      /** Note for the ledger of both accounts. */ "note"?: string }; answer: {
      /** Balance of the account. */ "balance": string;
      /** Balance of the subscriber. */ "subscriber_balance": string } };
  /** Show prices */ "GET /v1/prices": { query?: {
      /** Phone number whose prices are returned, in any spelling. Default: any number of the home country. */ "phone"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      /** Price of each part of an SMS or of a one-time code. */ "sms": string;
      /** Price of a conversation of 24 hours. */ "chat": string;
      /** Price of an answered call. */ "voice": string;
      /** Price of an email. It does not depend on the phone number. */ "mail": string } };
  /** List budgets */ "GET /v1/budgets": { query?: ListDraftsQuery; answer: {
      /** All budgets. */ "budgets": (Budgets)[] } };
  /** List webhook endpoints */ "GET /v1/webhooks": { query?: ListDraftsQuery; answer: {
      "webhooks": (Webhooks)[] } };
  /** Create a webhook endpoint */ "POST /v1/webhooks": { query?: ListDraftsQuery; body: {
      /** `webhook`, or a push of the SMS API. */ "kind"?: "webhook" | "dlr" | "incoming" | "blacklist";
      /** Address for the events. */ "url": string;
      /** Event types of a webhook; default: all. */ "types"?: ("message.status" | "sms.incoming" | "blacklist.added" | "otp.blocked" | "chat.message" | "chat.button" | "chat.status" | "chat.account" | "template.status" | "template.quality" | "template.category" | "campaign.finished" | "mail.unsubscribed" | "mail.bounced" | "message.received" | "conversation.opened" | "conversation.assigned" | "conversation.closed" | "conversation.rule_matched" | "data_subject.erased" | "alert.began" | "alert.ended")[] }; answer: {
      /** Id of the endpoint. */ "id": string;
      /** `webhook`; the push of one event of the SMS API: `dlr`, `incoming`, `blacklist`; or `callback`: a host that programs named for status callbacks or for incoming messages. */ "kind": "webhook" | "dlr" | "incoming" | "blacklist" | "callback";
      /** Address of the endpoint. Without the role `owner` or a token with the scope `webhooks`: only the host and `••••••`. */ "url": string;
      /** Event types of a webhook; null: all. */ "types": (string)[] | null;
      /** State. `off`: nothing is sent to it until it is enabled. */ "state": "active" | "off";
      /** Reason why it was disabled. */ "off_reason": string | null;
      /** Time at which it was disabled, ISO 8601; null: never. */ "off_at": string | null;
      /** Accepted events. */ "delivered": number;
      /** Failed attempts. */ "failed": number;
      /** Time of the last accepted event, ISO 8601; null: never. */ "last_success_at": string | null;
      /** Time of the last failed attempt, ISO 8601; null: never. */ "last_failure_at": string | null;
      /** Time of the first failure since the last success, ISO 8601; null: never. */ "failing_since": string | null;
      /** Time of creation, ISO 8601. */ "created_at": string;
      /** Secret that signs the requests (Standard Webhooks); null for pushes, which are not signed. */ "secret": string | null } };
  /** Show a webhook endpoint */ "GET /v1/webhooks/{id}": { path: ShowWebhookPath; query?: ListDraftsQuery; answer: Webhooks };
  /** Change a webhook endpoint */ "PATCH /v1/webhooks/{id}": { path: ShowWebhookPath; query?: ListDraftsQuery; body: {
      /** New address for the events. */ "url"?: string;
      /** Event types of a webhook; null: all. */ "types"?: ("message.status" | "sms.incoming" | "blacklist.added" | "otp.blocked" | "chat.message" | "chat.button" | "chat.status" | "chat.account" | "template.status" | "template.quality" | "template.category" | "campaign.finished" | "mail.unsubscribed" | "mail.bounced" | "message.received" | "conversation.opened" | "conversation.assigned" | "conversation.closed" | "conversation.rule_matched" | "data_subject.erased" | "alert.began" | "alert.ended")[] | null }; answer: Webhooks };
  /** Delete a webhook endpoint */ "DELETE /v1/webhooks/{id}": { path: ShowWebhookPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Show the secret of a webhook endpoint */ "GET /v1/webhooks/{id}/secret": { path: ShowWebhookPath; query?: ListDraftsQuery; answer: {
      /** Secret that signs the requests (Standard Webhooks); null for pushes, which are not signed. */ "secret": string | null } };
  /** Rotate the secret of a webhook endpoint */ "POST /v1/webhooks/{id}/secret": { path: ShowWebhookPath; query?: ListDraftsQuery; answer: {
      /** Secret that signs the requests (Standard Webhooks); null for pushes, which are not signed. */ "secret": string | null } };
  /** Send a test event */ "POST /v1/webhooks/{id}/test": { path: ShowWebhookPath; query?: ListDraftsQuery; body: {
      /** Event type of a webhook; default: one of its event types. */ "type"?: "message.status" | "sms.incoming" | "blacklist.added" | "otp.blocked" | "chat.message" | "chat.button" | "chat.status" | "chat.account" | "template.status" | "template.quality" | "template.category" | "campaign.finished" | "mail.unsubscribed" | "mail.bounced" | "message.received" | "conversation.opened" | "conversation.assigned" | "conversation.closed" | "conversation.rule_matched" | "data_subject.erased" | "alert.began" | "alert.ended" }; answer: {
      /** Whether the endpoint accepted it. */ "taken": boolean;
      /** Time until the response in milliseconds. */ "milliseconds": number;
      /** Id that the receiver sees, the same in each attempt. */ "event_id": string;
      /** Type of the event. */ "type": string;
      /** Request. */ "request": Request2;
      /** Reason why it was not accepted; null if it was. */ "answer": {
        /** HTTP status; null without a response. */ "http_status": number | null;
        /** Error, if the attempt failed. */ "error": string | null;
        /** First 1,000 characters of the response. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string | null } | null } };
  /** Enable a webhook endpoint */ "POST /v1/webhooks/{id}/enable": { path: ShowWebhookPath; query?: ListDraftsQuery; answer: Webhooks };
  /** Replay events */ "POST /v1/webhook-deliveries/replay": { query?: ListDraftsQuery; body: {
      /** Id of the endpoint; default: all endpoints. */ "endpoint_id"?: string;
      /** Start of the span, included, ISO 8601. */ "from"?: string;
      /** End of the span, excluded, ISO 8601. */ "to"?: string;
      /** Whether delivered events are replayed too, at most 30 days old; requires `from` and `to`. */ "delivered"?: boolean }; answer: {
      /** Number of events to be sent again. */ "count": number } };
  /** List deliveries of a webhook endpoint */ "GET /v1/webhook-deliveries": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Filters by endpoint. */ "endpoint"?: string;
      /** Filters by state. */ "state"?: "retrying" | "failed" | "done";
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "deliveries": ({
          /** Id of the delivery. */ "id": string;
          /** Id of the endpoint. */ "endpoint_id": string;
          /** Id that the receiver sees, the same in each attempt. */ "event_id": string;
          /** Type of the event. */ "type": string;
          /** Time of the event, ISO 8601. */ "happened_at": string;
          /** `retrying`: the next attempt is at `next_at`; `failed`: no attempt follows; `done`: it was accepted in the end. */ "state": "retrying" | "failed" | "done";
          /** Attempts so far. */ "attempts": number;
          /** Time of the next attempt, ISO 8601; null: never. */ "next_at": string | null;
          /** Time after which no attempt follows, ISO 8601. */ "give_up_at": string;
          /** Request. */ "request": Request2;
          /** Result of the last attempt. */ "answer": Answer;
          /** Recorded attempts of the last 7 days, newest first. Up to 10 attempts a second are recorded for each endpoint. */ "recorded_attempts": (RecordedAttempts)[] })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Replay one event */ "POST /v1/webhook-deliveries/{id}/replay": { path: {
      /** Id of the delivery. */ "id": string }; query?: ListDraftsQuery; answer: {
      /** Number of events to be sent again. */ "count": number } };
  /** List events of a webhook endpoint */ "GET /v1/webhooks/{id}/events": { path: ShowWebhookPath; query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "events": ({
          /** Id that the receiver sees, the same in each attempt. */ "event_id": string;
          /** Type of the event. */ "type": string;
          /** Time of the event, ISO 8601. */ "happened_at": string;
          /** State: `waiting`: not sent yet; `delivered`: accepted at the first attempt; otherwise the state of its delivery. */ "state": "waiting" | "delivered" | "retrying" | "failed" | "done";
          /** Request. */ "request": Request2;
          /** Recorded attempts of the last 7 days, newest first. Up to 10 attempts a second are recorded for each endpoint. */ "recorded_attempts": (RecordedAttempts)[];
          /** Delivery of an event that was not accepted at the first attempt, or was replayed; null for others. */ "delivery": {
            /** Id of the delivery. */ "id": string;
            /** Id of the endpoint. */ "endpoint_id": string;
            /** Id that the receiver sees, the same in each attempt. */ "event_id": string;
            /** Type of the event. */ "type": string;
            /** Time of the event, ISO 8601. */ "happened_at": string;
            /** `retrying`: the next attempt is at `next_at`; `failed`: no attempt follows; `done`: it was accepted in the end. */ "state": "retrying" | "failed" | "done";
            /** Attempts so far. */ "attempts": number;
            /** Time of the next attempt, ISO 8601; null: never. */ "next_at": string | null;
            /** Time after which no attempt follows, ISO 8601. */ "give_up_at": string;
            /** Request. */ "request": Request2;
            /** Result of the last attempt. */ "answer": Answer } | null })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Replay an event to a webhook endpoint */ "POST /v1/webhooks/{id}/replay": { path: ShowWebhookPath; query?: ListDraftsQuery; body: {
      /** Id of the event, as the receiver sees it. */ "event_id": string }; answer: {
      /** Number of events to be sent again. */ "count": number } };
  /** Stream events */ "GET /v1/events/stream": { query?: {
      /** Event types, separated by commas; default: all. */ "types"?: string;
      /** Same as the header `Last-Event-ID`, for clients that cannot set it. */ "last_event_id"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: Response };
  /** Show an event */ "GET /v1/events/{id}": { path: {
      /** Id of the event: `webhook-id` of the request. */ "id": string }; query?: ListDraftsQuery; answer: {
      /** Id that the receiver sees, the same in each attempt. */ "event_id": string;
      /** Type of the event. */ "type": string;
      /** Body of a webhook, as it is signed. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string } };
  /** List the request log */ "GET /v1/request-log": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Start of the span, included, ISO 8601 with an offset. */ "from"?: string;
      /** End of the span, excluded, ISO 8601 with an offset. */ "to"?: string;
      /** Filters by API: `sms` is `POST /api`, `chat` the chat API, `mail` the mailing-list API, `v1` the paths under /v1. */ "api"?: "sms" | "chat" | "mail" | "v1" | "kannel" | "jasmin" | "twilio";
      /** Filters by operation. */ "operation"?: string;
      /** Filters by status. */ "status"?: string;
      /** `true`: only refused requests; `false`: only successful ones. */ "refused"?: "true" | "false";
      /** Filters by request id. */ "request_id"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      "requests": ({
          /** Id of the request. */ "id": string;
          /** Time of the response, ISO 8601. */ "at": string;
          /** API that received the request. */ "api": "sms" | "chat" | "mail" | "v1" | "kannel" | "jasmin" | "twilio";
          /** Root element for the SMS API (with `test/` before it for `/api/test`), last segment of the path for the chat API and the mailing-list API, name of the operation for /v1. */ "operation": string;
          /** Result: the status for the SMS API, otherwise `ok` or the error code. */ "status": string;
          /** Whether the request was refused. */ "refused": boolean;
          /** Whether the response of an earlier request with the same send key was repeated. */ "repeated": boolean;
          /** HTTP status. */ "http_status": number;
          /** Duration in milliseconds, including the response. */ "duration_ms": number;
          /** Address of the client. */ "address": string;
          /** Id of the request, to quote in a fault report. */ "request_id": string;
          /** Ids of the shipments that the request made. */ "shipment_ids": (string)[] })[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Show the DLT ids */ "GET /v1/dlt-ids": { query?: ListDraftsQuery; answer: ShowDltIdsAnswer };
  /** Show the sending policy */ "GET /v1/sending-policy": { query?: ListDraftsQuery; answer: ShowSendingPolicyAnswer };
  /** Show the permitted hours of a campaign */ "GET /v1/sending-policy/day": { query?: {
      /** Time of the send, ISO 8601 with an offset; default: now. */ "at"?: string;
      /** Hours of the send itself, as `10:00-18:00`; default: those of the policy alone. */ "sending_hours"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      /** The day, in the time zone. */ "date": string;
      /** Time zone of the account, or of the service. */ "time_zone": string;
      /** Time at which the send starts, ISO 8601; null: not within 60 days. */ "starts_at": string | null;
      /** Beginning of the day, ISO 8601. */ "begins_at": string;
      /** End of the day; a day on which clocks are changed has 23 or 25 hours, ISO 8601. */ "ends_at": string;
      /** Periods in which a campaign is sent, ISO 8601; `to` is excluded. */ "permitted": ({
          "from": string;
          "to": string })[] } };
  /** Check whether a message is permitted */ "GET /v1/sending-policy/check": { query: {
      /** Number in any spelling, or email address. */ "to": string;
      /** Time of the send, ISO 8601 with an offset; default: now. */ "at"?: string;
      /** Whether it would be part of a send to several recipients; default `true`. */ "campaign"?: "true" | "false";
      /** Channel: one of `sms`, `chat`, `mail`, `voice`. Determines the frequency caps and consents. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: {
      /** Whether it would be sent at that time. */ "permitted": boolean;
      /** Rule that does not permit it. */ "because": "sending-hours" | "frequency-cap" | "no-consent" | null;
      /** First permitted time after that, ISO 8601; null: not within 60 days, or not without a consent. */ "permitted_from": string | null;
      /** Time zones in which it must be permitted. */ "time_zones": (string)[] } };
  /** List kinds of alert rules */ "GET /v1/alert-kinds": { query?: ListDraftsQuery; answer: ListAlertKindsAnswer };
  /** List alert rules */ "GET /v1/alert-rules": { query?: ListDraftsQuery; answer: {
      "rules": (Rules2)[] } };
  /** Create an alert rule */ "POST /v1/alert-rules": { query?: ListDraftsQuery; body: {
      /** Name of the rule. */ "name": string;
      /** Condition of the rule (docs/alerts.md). */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
      /** Thresholds of the condition; each kind has some of these. */ "thresholds"?: Thresholds2;
      /** Whether the rule is evaluated. */ "enabled"?: boolean;
      /** Minutes for which the condition must hold before the alert begins. Default: that of its kind. */ "for_minutes"?: number;
      /** Minutes for which the condition must be absent before the alert ends. */ "clear_minutes"?: number;
      /** Minimum minutes between two notifications of the same subject; the next one counts how often the alert began. */ "pause_minutes"?: number;
      /** Recipients of the notifications. Without recipients, alerts are only shown in the console. */ "recipients"?: Recipients2 }; answer: Rules2 };
  /** Show an alert rule */ "GET /v1/alert-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; answer: Rules2 };
  /** Change an alert rule */ "PATCH /v1/alert-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; body: ChangeAlertRuleBody; answer: Rules2 };
  /** Delete an alert rule */ "DELETE /v1/alert-rules/{id}": { path: ShowConversationRulePath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Send a test alert */ "POST /v1/alert-rules/{id}/test": { path: ShowConversationRulePath; query?: ListDraftsQuery; body: {
      /** Filters by medium. */ "means"?: ("mail" | "sms" | "webhook")[] }; answer: {
      /** Number of messages to be sent. `tests` of the rule has their results. */ "recipients": number } };
  /** List tests of an alert rule */ "GET /v1/alert-rules/{id}/tests": { path: ShowConversationRulePath; query?: ListDraftsQuery; answer: {
      /** Alerts, newest first. */ "tests": (Tests)[] } };
  /** List alerts */ "GET /v1/alerts": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Filters by state: open or ended. */ "state"?: "open" | "ended";
      /** Filters by rule. */ "rule_id"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: ListAlertsAnswer };
  /** Count open alerts */ "GET /v1/alerts/open": { query?: ListDraftsQuery; answer: {
      /** Number of open alerts. */ "open": number } };
  /** List SMPP clients */ "GET /v1/smpp-clients": { query?: ListDraftsQuery; answer: {
      "clients": (Clients)[];
      "server": {
        /** Port without TLS; null: off. */ "port": number | null;
        /** Port with TLS; null: off. */ "tls_port": number | null } } };
  /** Show an SMPP client */ "GET /v1/smpp-clients/{id}": { path: ShowSmppClientPath; query?: ListDraftsQuery; answer: Clients };
  /** List the people who answer conversations */ "GET /v1/conversation-agents": { query?: ListDraftsQuery; answer: {
      "agents": ({
          /** Id of the person. */ "id": string;
          /** Name of the person. */ "name": string })[] } };
}

/** Operations that need the session of a person: no token may call them. */
export interface SessionOperations {
  /** Unblock a prefix */ "POST /v1/otp/lift": { query?: ListDraftsQuery; body: {
      /** Prefix from `/v1/otp/blocks`. */ "prefix": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Suspend a subscriber */ "POST /v1/subscribers/{id}/suspend": { path: ShowSubscriberPath; query?: ListDraftsQuery; answer: Subscribers };
  /** Reactivate a subscriber */ "POST /v1/subscribers/{id}/lift": { path: ShowSubscriberPath; query?: ListDraftsQuery; answer: Subscribers };
  /** Show the first steps */ "GET /v1/first-steps": { query?: ListDraftsQuery; answer: {
      /** Whether the service checks senders, so that the account needs one. */ "sender_needed": boolean;
      /** Whether it has a sender. */ "sender": boolean;
      /** Whether it has sent a message that is still stored. */ "send": boolean;
      /** Whether it has a contact list. */ "contacts": boolean;
      /** Whether it has an API token that was not revoked. */ "token": boolean;
      /** Whether it has an endpoint for events. */ "webhook": boolean } };
  /** Announce that you are writing a reply */ "POST /v1/conversations/{id}/writing": { path: GetConversationPath; query?: ListDraftsQuery; body: {
      /** Whether the person is writing; repeat it every 10 seconds. */ "writing": boolean;
      /** Takes the conversation over from another person who is writing. */ "take_over"?: boolean }; answer: Conversations };
  /** List mail tokens */ "GET /v1/mail/tokens": { query?: ListDraftsQuery; answer: {
      "tokens": ({
          /** Id of the token, for revoking it. */ "id": string;
          /** Purpose of the token. */ "label": string;
          /** Time of creation, ISO 8601. */ "created_at": string;
          /** Time of the last use, some seconds late, ISO 8601; null: never. */ "last_used_at": string | null })[] } };
  /** Create a mail token */ "POST /v1/mail/tokens": { query?: ListDraftsQuery; body: {
      /** Purpose of the token. */ "label": string }; answer: {
      /** Id of the token, for revoking it. */ "id": string;
      /** Purpose of the token. */ "label": string;
      /** Time of creation, ISO 8601. */ "created_at": string;
      /** Time of the last use, some seconds late, ISO 8601; null: never. */ "last_used_at": string | null;
      /** Token, shown once. */ "token": string } };
  /** Revoke a mail token */ "DELETE /v1/mail/tokens/{id}": { path: RevokeMailTokenPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Get a signed proof of consents */ "POST /v1/consents/proof": { query?: ListDraftsQuery; body: {
      /** Number in any spelling, or email address. */ "subject": string }; answer: {
      /** Indented JSON: the subject, the time of creation, and the entries, oldest first. */ "document": string;
      /** Base64. */ "signature": string;
      /** PEM. */ "public_key": string } };
  /** Find the data of a person */ "POST /v1/data-subjects/search": { query?: ListDraftsQuery; body: {
      /** Phone numbers of the person, in any spelling. */ "phones"?: (string)[];
      /** Email addresses of the person. */ "emails"?: (string)[];
      /** Ids of the chat platform, for clients who hide their number. */ "chat_ids"?: (string)[] }; answer: {
      /** Numbers, including those that the chat platform reported for the ids; international digits. */ "phones": (string)[];
      /** Email addresses. */ "emails": (string)[];
      /** Ids of the chat platform, including those that it reported for the numbers. */ "chat_ids": (string)[];
      /** Number of rows, by kind. */ "counts": (Counts)[];
      /** Uses of the number or address by the account itself, as a sender or receiver: remove it there before an erasure. */ "own_uses": ({
          /** Number or address. */ "identifier": string;
          /** Use by the account. */ "use": "sender" | "inbound-number" | "business-number" })[];
      /** Earlier exports and erasures of the person, newest first. */ "requests": (Requests)[] } };
  /** Export the data of a person */ "POST /v1/data-subjects/exports": { query?: ListDraftsQuery; body: {
      /** Phone numbers of the person, in any spelling. */ "phones"?: (string)[];
      /** Email addresses of the person. */ "emails"?: (string)[];
      /** Ids of the chat platform, for clients who hide their number. */ "chat_ids"?: (string)[];
      /** Your reference, without personal data: webhooks and the certificate contain it. */ "reference"?: string }; answer: Requests };
  /** Erase the data of a person */ "POST /v1/data-subjects/erasures": { query?: ListDraftsQuery; body: {
      /** Phone numbers of the person, in any spelling. */ "phones"?: (string)[];
      /** Email addresses of the person. */ "emails"?: (string)[];
      /** Ids of the chat platform, for clients who hide their number. */ "chat_ids"?: (string)[];
      /** Repetition of the first number, address or id: erased data cannot be restored. */ "confirm": string;
      /** Your reference, without personal data: webhooks and the certificate contain it. */ "reference"?: string }; answer: Requests };
  /** List exports and erasures */ "GET /v1/data-subjects/requests": { query?: ListLinkedShipmentsQuery; answer: {
      "requests": (Requests)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Get an export or erasure */ "GET /v1/data-subjects/requests/{id}": { path: GetDataSubjectRequestPath; query?: ListDraftsQuery; answer: Requests };
  /** Download an export */ "GET /v1/data-subjects/requests/{id}/archive": { path: GetDataSubjectRequestPath; query?: ListDraftsQuery; answer: Response };
  /** List tokens */ "GET /v1/tokens": { query?: ListDraftsQuery; answer: {
      "tokens": ({
          /** Id of the token, for revoking it. */ "id": string;
          /** Purpose of the token. */ "label": string;
          /** Time of creation, ISO 8601. */ "created_at": string;
          /** Time of the last use, some seconds late, ISO 8601; null: never. */ "last_used_at": string | null;
          /** Expiry, ISO 8601; null: no expiry. */ "expires_at": string | null;
          /** Whether the token has expired. */ "expired": boolean;
          /** Scopes of the token. */ "scopes": ("send" | "read" | "contacts" | "codes" | "webhooks" | "billing")[];
          /** Id of the token that created it with `getApiToken` and that revokes it when it is revoked; null: a person created it. */ "made_by": string | null })[] } };
  /** Create a token */ "POST /v1/tokens": { query?: ListDraftsQuery; body: {
      /** Purpose of the token. */ "label": string;
      /** Validity in days; no expiry without it. */ "days"?: number;
      /** Scopes of the token; default: all. `send`: send, pause, resume and cancel messages and campaigns, and register senders; `read`: read messages, incoming messages, reports and statistics; `contacts`: read and change contact lists, mailing lists and the blacklist; `codes`: send and validate one-time codes; `webhooks`: register, change and remove webhook endpoints, read their secrets, and receive all events with their texts; `billing`: read balances, and move credit to and from subscribers. */ "scopes"?: ("send" | "read" | "contacts" | "codes" | "webhooks" | "billing")[] }; answer: {
      /** Id of the token, for revoking it. */ "id": string;
      /** Purpose of the token. */ "label": string;
      /** Time of creation, ISO 8601. */ "created_at": string;
      /** Time of the last use, some seconds late, ISO 8601; null: never. */ "last_used_at": string | null;
      /** Expiry, ISO 8601; null: no expiry. */ "expires_at": string | null;
      /** Whether the token has expired. */ "expired": boolean;
      /** Scopes of the token. */ "scopes": ("send" | "read" | "contacts" | "codes" | "webhooks" | "billing")[];
      /** Id of the token that created it with `getApiToken` and that revokes it when it is revoked; null: a person created it. */ "made_by": string | null;
      /** Token, shown once. */ "token": string } };
  /** Revoke a token */ "DELETE /v1/tokens/{id}": { path: RevokeMailTokenPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Change the account */ "PATCH /v1/account": { query?: ListDraftsQuery; body: {
      "time_zone"?: string | null;
      /** Id of an uploaded picture (`POST /v1/pictures`) that pages for recipients show with the name of the account; null: none. */ "logo_picture_id"?: string | null }; answer: ShowOwnAccountAnswer };
  /** Show the password settings of the account */ "GET /v1/account/password": { query?: ListDraftsQuery; answer: GetAccountPasswordAnswer };
  /** Change the password of the account */ "PATCH /v1/account/password": { query?: ListDraftsQuery; body: {
      /** Current password. */ "own_password": string;
      "password"?: string | null;
      /** Whether it is accepted instead of a token. */ "password_sign_in"?: boolean }; answer: GetAccountPasswordAnswer };
  /** Change the DLT ids */ "PATCH /v1/dlt-ids": { query?: ListDraftsQuery; body: {
      /** Id of the business (“principal entity”) on India's DLT platforms. Of messages whose sender has no other; null: none. */ "entity_id"?: string | null;
      /** Senders with their own ids. A given list replaces the whole list. */ "senders"?: ({
          /** Sender: a number or a name, compared regardless of case. */ "source": string;
          /** Entity id of its messages; null: that of the account. */ "entity_id"?: string | null;
          /** Template id of its messages that name none, such as one-time codes; null: none. */ "template_id"?: string | null })[] }; answer: ShowDltIdsAnswer };
  /** Change the sending policy */ "PATCH /v1/sending-policy": { query?: ListDraftsQuery; body: {
      /** Hours of each day of the week in which messages are sent, such as `08:00-20:00`; several a day are allowed. Hours whose end is not later than their start continue after midnight. On a day without hours, nothing is sent. null: at any hour. */ "hours"?: Hours2 | null;
      /** `account`: hours and dates are in the time zone of the account. `recipient`: in the time zone of the country of the number; in a country with several zones it must be permitted in all of them. Email, and numbers without a country, use the account. */ "zone"?: "account" | "recipient";
      /** Days on which nothing is sent, from midnight to midnight. */ "closed_dates"?: (ClosedDates2)[];
      /** Shabbat and Jewish holidays, on which nothing is sent to anybody: from some minutes before sunset at a place until some minutes after it. null: not observed. */ "rest_days"?: {
        /** Latitude in degrees north. */ "latitude": number;
        /** Longitude in degrees east. */ "longitude": number;
        /** Minutes before sunset at which they begin. */ "begins_before"?: number;
        /** Minutes after sunset at which they end. */ "ends_after"?: number;
        /** Whether the second days of holidays are observed, as outside Israel. */ "second_days"?: boolean } | null;
      /** `campaigns`: sends to several recipients. `all`: single messages, too. One-time codes, verifications, confirmations, authentication templates, and replies to a client within 24 hours are always exempt. */ "applies_to"?: "campaigns" | "all";
      /** Handling of messages outside the hours. `wait`: they wait for the next permitted time. `refuse`: a send without a permitted recipient is refused; in other sends, messages that are not permitted fail with status 16 and are not charged. */ "outside_hours"?: "wait" | "refuse";
      /** Whether a send may be marked `transactional`, which exempts it. */ "allows_transactional"?: boolean;
      /** Maximum number of messages to one recipient within a number of hours, for one channel or, with null, for all together. */ "caps"?: ({
          /** Messages. */ "messages": number;
          /** Hours. */ "hours": number;
          /** Channel; null: all channels together. */ "channel"?: "sms" | "chat" | "mail" | "voice" | null })[];
      /** Handling of a message over a cap. `refuse`: it fails with status 16 and is not charged. `wait`: it waits until it is within the cap. */ "over_cap"?: "wait" | "refuse";
      /** `marketing`: messages are sent only to recipients with a standing consent to marketing messages on their channel, by the consent log. A send without such a recipient is refused; other recipients get status 16 and are not charged. A withdrawal stops waiting messages. Exempt messages need no consent. `not_required`: the log is not checked. */ "consent"?: "not_required" | "marketing" }; answer: ShowSendingPolicyAnswer };
  /** Show the retention times */ "GET /v1/data/retention": { query?: ListDraftsQuery; answer: ShowRetentionAnswer };
  /** Change the retention times */ "PATCH /v1/data/retention": { query?: ListDraftsQuery; body: {
      /** Days; null: the maximum. Texts of messages, sent and received. A message without its text keeps its state and price. */ "texts"?: number | null;
      /** Days; null: the maximum. Messages, sent and received, with their campaigns, clicks and bounces. */ "messages"?: number | null;
      /** Days; null: the maximum. Conversations after their last message, with notes. */ "conversations"?: number | null;
      /** Days; null: the maximum. Events, and their deliveries to webhooks and push addresses; never longer than texts. */ "events"?: number | null;
      /** Days; null: the maximum. The request log. */ "requests"?: number | null;
      /** Days; null: the maximum. The audit log. */ "audit"?: number | null;
      /** Days; null: the maximum. Files of chat messages. */ "media"?: number | null }; answer: ShowRetentionAnswer };
  /** Show how texts are stored */ "GET /v1/data/texts": { query?: ListDraftsQuery; answer: ShowTextStorageAnswer };
  /** Change how texts are stored */ "PATCH /v1/data/texts": { query?: ListDraftsQuery; body: {
      /** `plain`: unencrypted; `sealed`: encrypted; `none`: encrypted until they are sent, and then removed. null: the mode of the installation. */ "mode": "plain" | "sealed" | "none" | null }; answer: ShowTextStorageAnswer };
  /** Create an SMPP client */ "POST /v1/smpp-clients": { query?: ListDraftsQuery; body: {
      /** `system_id` of its binds, unique in the installation. Many programs send at most 15 characters. */ "system_id": string;
      /** Password, 8 to 64 characters. It is never returned. Many programs send at most 8. */ "password": string;
      /** Name for people. */ "name": string;
      /** Whether the client may bind. */ "enabled"?: boolean;
      /** Networks from which it may bind; empty: any. */ "addresses"?: (string)[];
      /** Whether only binds with TLS are accepted. */ "tls_required"?: boolean;
      /** Maximum number of binds at a time. */ "max_binds"?: number;
      /** Maximum messages per second; 0: no limit. */ "messages_per_second"?: number;
      /** Maximum requests of a bind that wait for their answer. */ "window"?: number;
      /** Sender of messages without one; null: such messages are refused. */ "default_source"?: string | null;
      /** Senders that it may use; empty: all of the account. */ "sources"?: (string)[];
      /** Alphabet of `data_coding` 0: unpacked GSM 03.38, or Latin-1. */ "default_alphabet"?: "gsm" | "latin1";
      /** Whether it may send to other countries. */ "international"?: boolean;
      /** Whether it receives the incoming messages of the account. */ "incoming"?: boolean }; answer: Clients };
  /** Change an SMPP client */ "PATCH /v1/smpp-clients/{id}": { path: ShowSmppClientPath; query?: ListDraftsQuery; body: {
      /** Password, 8 to 64 characters. It is never returned. Many programs send at most 8. */ "password"?: string;
      /** Name for people. */ "name"?: string;
      /** Whether the client may bind. */ "enabled"?: boolean;
      /** Networks from which it may bind; empty: any. */ "addresses"?: (string)[];
      /** Whether only binds with TLS are accepted. */ "tls_required"?: boolean;
      /** Maximum number of binds at a time. */ "max_binds"?: number;
      /** Maximum messages per second; 0: no limit. */ "messages_per_second"?: number;
      /** Maximum requests of a bind that wait for their answer. */ "window"?: number;
      /** Sender of messages without one; null: such messages are refused. */ "default_source"?: string | null;
      /** Senders that it may use; empty: all of the account. */ "sources"?: (string)[];
      /** Alphabet of `data_coding` 0: unpacked GSM 03.38, or Latin-1. */ "default_alphabet"?: "gsm" | "latin1";
      /** Whether it may send to other countries. */ "international"?: boolean;
      /** Whether it receives the incoming messages of the account. */ "incoming"?: boolean }; answer: Clients };
  /** Delete an SMPP client */ "DELETE /v1/smpp-clients/{id}": { path: ShowSmppClientPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Disconnect an SMPP client */ "POST /v1/smpp-clients/{id}/disconnect": { path: ShowSmppClientPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** Sign in */ "POST /v1/session": { body: {
      /** User name. */ "username": string;
      /** Password. */ "password": string;
      /** Six-digit code of the phone, or a recovery code. */ "code"?: string;
      /** Result of `navigator.credentials.get()` by its `toJSON()`; other fields are ignored. */ "passkey"?: Passkey }; answer: {
      /** The password is correct: repeat the request with `code`, or with `passkey`. */ "code_wanted": boolean;
      /** Options for the browser of a person with a passkey; `passkey` is its result. Otherwise null. */ "passkey_options": { [name: string]: unknown } | null;
      /** Person who is signed in; null while a code is required. */ "session": Session | null } };
  /** Show the session */ "GET /v1/session": { answer: Session };
  /** Change preferences */ "PATCH /v1/session": { body: {
      /** Your name. */ "name"?: string;
      /** Language of the console; null: the language of the browser. */ "language"?: "en" | "he" | null;
      /** Theme of the console; null: the theme of the browser. */ "theme"?: "light" | "dark" | null;
      "time_zone"?: string | null }; answer: Session };
  /** Sign out */ "DELETE /v1/session": { answer: {
      /** Always true. */ "done": boolean;
      /** Address for signing out at the provider; null if it offers none. */ "logout_url": string | null } };
  /** Begin to sign in with a passkey */ "POST /v1/session/passkey/options": { answer: {
      /** Options for the browser, as JSON (`parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON`). Valid once, for five minutes. */ "options": { [name: string]: unknown } } };
  /** Sign in with a passkey */ "POST /v1/session/passkey": { body: {
      /** Result of `navigator.credentials.get()` by its `toJSON()`; other fields are ignored. */ "passkey": Passkey }; answer: Session };
  /** Sign in with a link */ "POST /v1/session/link": { body: {
      /** Part of the link after `#`. */ "token": string }; answer: Session };
  /** Set a password with a link */ "POST /v1/session/password-link": { body: {
      /** Part of the link after `#`. */ "token": string;
      /** New password, of 10 to 200 characters. */ "password": string }; answer: {
      /** User name of the person. */ "username": string } };
  /** Change your password */ "POST /v1/session/password": { body: {
      /** Current password. */ "current": string;
      /** New password, of 10 to 200 characters. */ "password": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** List sessions */ "GET /v1/session/sessions": { answer: {
      "sessions": ({
          /** Id of the session, for ending it. */ "id": string;
          /** Whether it is the current session. */ "current": boolean;
          /** Start of the session, ISO 8601. */ "created_at": string;
          /** Time of the last use, up to a minute late, ISO 8601. */ "seen_at": string;
          /** Address from which it began. */ "address": string;
          /** Description of the browser. */ "agent": string })[] } };
  /** End the other sessions */ "DELETE /v1/session/sessions": { answer: {
      /** Number of ended sessions. */ "ended": number } };
  /** End a session */ "DELETE /v1/session/sessions/{id}": { path: {
      /** Id of the session. */ "id": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Set up a second factor */ "POST /v1/session/second-factor": { body: {
      /** Current password. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`). */ "password"?: string }; answer: {
      /** Secret to type into an authenticator. */ "secret": string;
      /** URI to show to an authenticator as a QR code. */ "uri": string } };
  /** Confirm the second factor */ "POST /v1/session/second-factor/confirm": { body: {
      /** Six-digit code of the phone, or a recovery code. */ "code": string }; answer: {
      /** Recovery codes, shown once; keep them separate from the phone. Empty: the earlier codes stay valid. */ "recovery_codes": (string)[] } };
  /** Remove the second factor */ "POST /v1/session/second-factor/remove": { body: {
      /** Current password. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`). */ "password"?: string;
      /** Six-digit code of the phone, or a recovery code. */ "code": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Create recovery codes */ "POST /v1/session/recovery-codes": { body: {
      /** Current password. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`). */ "password"?: string }; answer: {
      /** Recovery codes, shown once; keep them separate from the phone. Empty: the earlier codes stay valid. */ "recovery_codes": (string)[] } };
  /** List passkeys */ "GET /v1/session/passkeys": { answer: {
      "passkeys": (Passkeys)[] } };
  /** Add a passkey */ "POST /v1/session/passkeys": { body: {
      /** Name of the passkey. */ "name": string;
      /** Result of `navigator.credentials.create()` by its `toJSON()`; other fields are ignored. */ "credential": {
        /** Id of the passkey, base64url. */ "id": string;
        "response": {
          /** Client data of the browser (`clientDataJSON`), base64url. */ "clientDataJSON": string;
          /** Attestation of the browser, base64url. */ "attestationObject": string;
          /** Transports of the authenticator. */ "transports"?: (string)[] } } }; answer: {
      "passkey": Passkeys;
      /** Recovery codes, shown once; keep them separate from the phone. Empty: the earlier codes stay valid. */ "recovery_codes": (string)[] } };
  /** Begin to add a passkey */ "POST /v1/session/passkeys/options": { body: {
      /** Current password. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`). */ "password"?: string }; answer: {
      /** Options for the browser, as JSON (`parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON`). Valid once, for five minutes. */ "options": { [name: string]: unknown } } };
  /** Rename a passkey */ "PATCH /v1/session/passkeys/{id}": { path: RenamePasskeyPath; body: {
      /** Name of the passkey. */ "name": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Remove a passkey */ "POST /v1/session/passkeys/{id}/remove": { path: RenamePasskeyPath; body: {
      /** Current password. Required from people who have one; others must have proved their identity within the last five minutes (`proof-needed`). */ "password"?: string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Prove your identity */ "POST /v1/session/proof": { body: {
      /** Password of the person. */ "password"?: string;
      /** Six-digit code of the phone, or a recovery code. */ "code"?: string;
      /** Result of `navigator.credentials.get()` by its `toJSON()`; other fields are ignored. */ "passkey"?: Passkey }; answer: {
      /** Always true. */ "done": boolean } };
  /** Begin a proof with a passkey */ "POST /v1/session/proof/options": { answer: {
      "options": { [name: string]: unknown } | null } };
  /** Begin a proof at the sign-in provider */ "POST /v1/session/proof/provider": { answer: {
      /** Address to which the browser goes. */ "url": string } };
  /** List the sign-in providers of the sign-in page */ "GET /v1/session/providers": { answer: {
      "providers": ({
          /** Name in the link. */ "slug": string;
          /** Label of its button. */ "name": string })[] } };
  /** Begin to sign in with a provider */ "POST /v1/session/provider": { body: {
      /** Name of the provider in its link `/sign-in/<slug>`. */ "slug"?: string;
      /** Email address, of which only the domain is used. */ "email"?: string }; answer: {
      /** Next address for the browser. */ "url": string } };
  /** Sign in with the answer of a provider */ "POST /v1/session/provider/callback": { body: {
      /** Name of the provider in its link `/sign-in/<slug>`. */ "slug": string;
      /** `code` of the redirect URI. */ "code"?: string;
      /** `state` of the redirect URI. */ "state"?: string;
      /** `iss` of the redirect URI. */ "iss"?: string;
      /** `error` of the redirect URI, when the provider refuses the sign-in. */ "error"?: string }; answer: Session };
  /** Begin to prove a second factor */ "POST /v1/session/second-factor/options": { answer: {
      "options": { [name: string]: unknown } | null } };
  /** Prove the second factor */ "POST /v1/session/second-factor/prove": { body: {
      /** Six-digit code of the phone, or a recovery code. */ "code"?: string;
      /** Result of `navigator.credentials.get()` by its `toJSON()`; other fields are ignored. */ "passkey"?: Passkey }; answer: Session };
  /** List sign-in providers of the account */ "GET /v1/sign-in-providers": { query?: ListDraftsQuery; answer: {
      "providers": (Providers)[] } };
  /** Add a sign-in provider of the account */ "POST /v1/sign-in-providers": { query?: ListDraftsQuery; body: {
      /** Name of the provider in its link `/sign-in/<slug>`. */ "slug": string;
      /** Name of the provider, shown to people. */ "name": string;
      /** Issuer URL; `/.well-known/openid-configuration` is below it. */ "issuer": string;
      /** Client id of this service at the provider. */ "client_id": string;
      /** Client secret, never returned; null: none. */ "client_secret"?: string | null;
      /** Requested scopes; must include `openid`. */ "scopes"?: string;
      /** Whether people are added at their first sign-in. */ "makes_people"?: boolean;
      /** Whether the first sign-in takes over an existing person whose user name is the verified email address. Their password ends. */ "links_by_email"?: boolean;
      /** Values of `amr` or `acr` that confirm a second factor, so that this service asks for none. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. If the operator requires a second factor from an account, confirmations of the account's own provider do not count. */ "second_factor_values"?: (string)[];
      /** Whether people can sign in with it. `false` ends their sessions. */ "enabled"?: boolean;
      /** Rules that assign roles: the first matching rule counts. People without a matching rule cannot sign in. */ "rules": (Rules4)[];
      /** Email domains for which the sign-in page uses the provider. Operators set them. */ "domains"?: (string)[] }; answer: Providers };
  /** Change a sign-in provider of the account */ "PATCH /v1/sign-in-providers/{id}": { path: ChangeSignInProviderPath; query?: ListDraftsQuery; body: {
      /** Name of the provider in its link `/sign-in/<slug>`. */ "slug"?: string;
      /** Name of the provider, shown to people. */ "name"?: string;
      /** Issuer URL; `/.well-known/openid-configuration` is below it. */ "issuer"?: string;
      /** Client id of this service at the provider. */ "client_id"?: string;
      /** Client secret, never returned; null: none. */ "client_secret"?: string | null;
      /** Requested scopes; must include `openid`. */ "scopes"?: string;
      /** Whether people are added at their first sign-in. */ "makes_people"?: boolean;
      /** Whether the first sign-in takes over an existing person whose user name is the verified email address. Their password ends. */ "links_by_email"?: boolean;
      /** Values of `amr` or `acr` that confirm a second factor, so that this service asks for none. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. If the operator requires a second factor from an account, confirmations of the account's own provider do not count. */ "second_factor_values"?: (string)[];
      /** Whether people can sign in with it. `false` ends their sessions. */ "enabled"?: boolean;
      /** Rules that assign roles: the first matching rule counts. People without a matching rule cannot sign in. */ "rules"?: (Rules4)[];
      /** Email domains for which the sign-in page uses the provider. Operators set them. */ "domains"?: (string)[] }; answer: Providers };
  /** Remove a sign-in provider of the account */ "DELETE /v1/sign-in-providers/{id}": { path: ChangeSignInProviderPath; query?: ListDraftsQuery; answer: {
      /** Always true. */ "done": boolean } };
  /** List sign-in providers of the operator */ "GET /v1/operator/sign-in-providers": { answer: {
      "providers": (Providers2)[] } };
  /** Add a sign-in provider of the operator */ "POST /v1/operator/sign-in-providers": { body: {
      /** Name of the provider in its link `/sign-in/<slug>`. */ "slug": string;
      /** Name of the provider, shown to people. */ "name": string;
      /** Issuer URL; `/.well-known/openid-configuration` is below it. */ "issuer": string;
      /** Client id of this service at the provider. */ "client_id": string;
      /** Client secret, never returned; null: none. */ "client_secret"?: string | null;
      /** Requested scopes; must include `openid`. */ "scopes"?: string;
      /** Whether people are added at their first sign-in. */ "makes_people"?: boolean;
      /** Whether the first sign-in takes over an existing person whose user name is the verified email address. Their password ends. */ "links_by_email"?: boolean;
      /** Values of `amr` or `acr` that confirm a second factor, so that this service asks for none. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. If the operator requires a second factor from an account, confirmations of the account's own provider do not count. */ "second_factor_values"?: (string)[];
      /** Whether people can sign in with it. `false` ends their sessions. */ "enabled"?: boolean;
      /** Rules that assign roles: the first matching rule counts. People without a matching rule cannot sign in. */ "rules": (Rules6)[];
      /** Email domains for which the sign-in page uses the provider. Operators set them. */ "domains"?: (string)[];
      /** Whether the sign-in page has a button for it. */ "listed"?: boolean }; answer: Providers2 };
  /** Change a sign-in provider of the operator */ "PATCH /v1/operator/sign-in-providers/{id}": { path: ChangeSignInProviderPath; body: {
      /** Name of the provider in its link `/sign-in/<slug>`. */ "slug"?: string;
      /** Name of the provider, shown to people. */ "name"?: string;
      /** Issuer URL; `/.well-known/openid-configuration` is below it. */ "issuer"?: string;
      /** Client id of this service at the provider. */ "client_id"?: string;
      /** Client secret, never returned; null: none. */ "client_secret"?: string | null;
      /** Requested scopes; must include `openid`. */ "scopes"?: string;
      /** Whether people are added at their first sign-in. */ "makes_people"?: boolean;
      /** Whether the first sign-in takes over an existing person whose user name is the verified email address. Their password ends. */ "links_by_email"?: boolean;
      /** Values of `amr` or `acr` that confirm a second factor, so that this service asks for none. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. If the operator requires a second factor from an account, confirmations of the account's own provider do not count. */ "second_factor_values"?: (string)[];
      /** Whether people can sign in with it. `false` ends their sessions. */ "enabled"?: boolean;
      /** Rules that assign roles: the first matching rule counts. People without a matching rule cannot sign in. */ "rules"?: (Rules6)[];
      /** Email domains for which the sign-in page uses the provider. Operators set them. */ "domains"?: (string)[];
      /** Whether the sign-in page has a button for it. */ "listed"?: boolean }; answer: Providers2 };
  /** Remove a sign-in provider of the operator */ "DELETE /v1/operator/sign-in-providers/{id}": { path: ChangeSignInProviderPath; answer: {
      /** Always true. */ "done": boolean } };
  /** List people of the account */ "GET /v1/people": { query?: ListDraftsQuery; answer: {
      "people": (People)[] } };
  /** Add a person of the account */ "POST /v1/people": { query?: ListDraftsQuery; body: {
      /** User name for sign-in, unique. */ "username": string;
      /** Name of the person. */ "name": string;
      /** Language of the console; null: the language of the browser. */ "language"?: "en" | "he" | null;
      /** Role of the person. */ "role": "agent" | "viewer" | "sender" | "owner" }; answer: AddPersonAnswer };
  /** Change a person of the account */ "PATCH /v1/people/{id}": { path: ChangePersonPath; query?: ListDraftsQuery; body: {
      /** Name of the person. */ "name"?: string;
      /** `true` ends the sessions of the person and refuses their sign-ins. */ "suspended"?: boolean;
      /** Role of the person. */ "role"?: "agent" | "viewer" | "sender" | "owner" }; answer: People };
  /** Reset the password of a person of the account */ "POST /v1/people/{id}/reset": { path: ChangePersonPath; query?: ListDraftsQuery; body: {
      /** Whether using the link also removes the second factor, for people who lost their phone. */ "second_factor"?: boolean }; answer: Link };
  /** List people of the operator */ "GET /v1/operator/people": { answer: {
      "people": (People)[] } };
  /** Add a person of the operator */ "POST /v1/operator/people": { body: {
      /** User name for sign-in, unique. */ "username": string;
      /** Name of the person. */ "name": string;
      /** Language of the console; null: the language of the browser. */ "language"?: "en" | "he" | null }; answer: AddPersonAnswer };
  /** Change a person of the operator */ "PATCH /v1/operator/people/{id}": { path: ChangePersonPath; body: {
      /** Name of the person. */ "name"?: string;
      /** `true` ends the sessions of the person and refuses their sign-ins. */ "suspended"?: boolean }; answer: People };
  /** Reset the password of a person of the operator */ "POST /v1/operator/people/{id}/reset": { path: ChangePersonPath; body: {
      /** Whether using the link also removes the second factor, for people who lost their phone. */ "second_factor"?: boolean }; answer: Link };
  /** Show the sign-in rules of the account */ "GET /v1/people/rules": { query?: ListDraftsQuery; answer: GetPeopleRulesAnswer };
  /** Change the sign-in rules of the account */ "PATCH /v1/people/rules": { query?: ListDraftsQuery; body: {
      /** Whether a second factor is required from all people. */ "second_factor_required"?: boolean;
      /** Whether all people must sign in with a sign-in provider. Other sessions end. */ "provider_only"?: boolean;
      /** Whether the operator requires it from this account, regardless of its owners. For operators only. */ "second_factor_demanded"?: boolean }; answer: GetPeopleRulesAnswer };
  /** Show the sign-in rules of the operator */ "GET /v1/operator/people/rules": { answer: GetOperatorRulesAnswer };
  /** Change the sign-in rules of the operator */ "PATCH /v1/operator/people/rules": { body: {
      /** Whether a second factor is required from all people. */ "second_factor_required"?: boolean;
      /** Whether the operator requires a second factor from the people of all accounts. */ "second_factor_of_accounts"?: boolean }; answer: GetOperatorRulesAnswer };
  /** List the audit log */ "GET /v1/audit": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Start of the span, included, ISO 8601 with an offset. */ "from"?: string;
      /** End of the span, excluded, ISO 8601 with an offset. */ "to"?: string;
      /** Filters by the id of the person. */ "person"?: string;
      /** Filters by the kind of the object, as in `object.kind`. */ "kind"?: string;
      /** Filters by the id of the object. */ "object"?: string;
      /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string }; answer: ListAuditAnswer };
  /** List the audit log of operators */ "GET /v1/operator/audit": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Start of the span, included, ISO 8601 with an offset. */ "from"?: string;
      /** End of the span, excluded, ISO 8601 with an offset. */ "to"?: string;
      /** Filters by the id of the person. */ "person"?: string;
      /** Filters by the kind of the object, as in `object.kind`. */ "kind"?: string;
      /** Filters by the id of the object. */ "object"?: string }; answer: ListAuditAnswer };
  /** Show how a forgotten password is replaced */ "GET /v1/session/forgotten-password": { answer: {
      /** Whether a link is mailed to people whose user name is an email address. */ "by_mail": boolean } };
  /** Request a link for a new password */ "POST /v1/session/forgotten-password": { body: {
      /** User name. */ "username": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** List carrier connections */ "GET /v1/operator/carriers": { answer: {
      "carriers": ({
          /** Name of the connector; `chat/` and the number for a business number, `mail/` and the name for a mail relay. */ "name": string;
          /** Channel of the connector. */ "channel": "sms" | "chat" | "mail" | "voice";
          /** `up`: accepts messages; `down`: does not answer or rejects us; `free`: no process holds it. */ "state": "up" | "down" | "free";
          /** Messages accepted per second. */ "rate": number;
          /** Messages accepted since its process started. */ "taken": number;
          /** Submitted messages whose outcome is not stored yet. */ "in_flight": number;
          /** Maximum of `in_flight`. */ "window": number;
          /** Reason why nothing can be submitted to it; null while it works. */ "problem": {
            /** Cause. Up to `handshake` it is TLS: the certificate, or TLS is not offered (`not-offered`) or fails. `unknown-host` and `dns`: the name has no address, or DNS does not answer. `refused`, `unreachable`, `timeout` and `closed`: the network or the carrier. `access`: user name, password or token. `rejected`: the carrier refused the session for another reason. */ "reason": "self-signed" | "untrusted" | "expired" | "not-yet-valid" | "wrong-name" | "revoked" | "not-offered" | "handshake" | "unknown-host" | "dns" | "refused" | "unreachable" | "timeout" | "closed" | "access" | "rejected" | "other";
            /** Error or status in the protocol. */ "detail": string;
            /** Time since which this is the cause, ISO 8601. */ "since": string } | null;
          /** Time of the report, ISO 8601. */ "told_at": string;
          /** Settings of a trunk. For SIP trunks, `window` is the maximum of concurrent calls, `in_flight` their current number, `taken` the number of answered calls. For a provider with an HTTP interface they count requests, and calls that it accepted. */ "trunk": {
            /** Caller number of its calls. */ "caller_id": string;
            /** Maximum new calls per second; 0 is no limit. */ "calls_per_second": number;
            /** Prefixes of the numbers that it accepts, international digits; empty matches every number. */ "prefixes": (string)[] } | null })[];
      /** Reason why calls cannot be made now: no trunk, or no speech engine for those over SIP. null if they can. */ "calls_problem": string | null } };
  /** List queues */ "GET /v1/operator/queues": { answer: {
      "lanes": ({
          /** Priority lane: `otp`, `single` or `bulk`, most urgent first. */ "lane": string;
          /** Due messages. */ "due": number;
          /** Due messages that a process has leased. */ "taken": number;
          /** Due messages by waiting time: under 1 s, under 10 s, under 60 s, under 600 s, and longer. */ "by_age": (number)[];
          /** Waiting time of the oldest due message in seconds. */ "oldest_seconds": number;
          /** Scheduled messages. */ "later": number;
          /** Messages of paused campaigns. */ "paused": number;
          /** Held messages of suspended accounts. */ "held": number })[];
      /** Accounts with the most due messages, at most 50. */ "accounts": ({
          /** Id of the account. */ "account_id": string;
          /** User name of the account. */ "username": string;
          /** Priority lane. */ "lane": string;
          /** Due messages of the account. */ "due": number;
          /** Waiting time of the oldest due message in seconds. */ "oldest_seconds": number })[] } };
  /** Show the sandbox settings */ "GET /v1/operator/sandbox": { answer: ShowSandboxAnswer };
  /** Change the sandbox settings */ "PATCH /v1/operator/sandbox": { body: {
      /** Delivery time in milliseconds. */ "receipt_delay_ms"?: number;
      /** Messages per second that the simulated SMS network accepts; 0 is no limit. */ "messages_per_second"?: number;
      /** Messages per second of a business number that the chat platform accepts; 0 is no limit. */ "chat_messages_per_second"?: number;
      /** Seconds by which the clock is moved forward; it never goes back. */ "advance_seconds"?: number }; answer: ShowSandboxAnswer };
  /** List connectors */ "GET /v1/operator/connectors": { answer: {
      "connectors": (Connectors)[] } };
  /** Add a connector */ "POST /v1/operator/connectors": { body: {
      /** Name of the connector, used in messages and metrics. */ "name": string;
      /** Whether it is enabled. */ "is_enabled"?: boolean;
      /** Maximum messages (calls of a trunk) per second; 0 is no limit, null the limit of its settings. */ "per_second"?: number | null;
      /** Settings of an SMPP connection, for SMS. */ "smpp"?: Smpp2;
      /** Settings of a SIP trunk, for calls. */ "sip"?: Sip2;
      /** Settings of an HTTP connector, for SMS or calls. */ "http"?: Http2 }; answer: Connectors };
  /** Change a connector */ "PATCH /v1/operator/connectors/{id}": { path: ChangeConnectorPath; body: {
      /** Whether it is enabled. */ "is_enabled"?: boolean;
      /** Maximum messages (calls of a trunk) per second; 0 is no limit, null the limit of its settings. */ "per_second"?: number | null;
      /** Settings of an SMPP connection, for SMS. */ "smpp"?: Smpp2;
      /** Settings of a SIP trunk, for calls. */ "sip"?: Sip2;
      /** Settings of an HTTP connector, for SMS or calls. */ "http"?: Http2 }; answer: Connectors };
  /** Remove a connector */ "DELETE /v1/operator/connectors/{id}": { path: ChangeConnectorPath; answer: {
      /** Always true. */ "done": boolean } };
  /** Test a connector */ "POST /v1/operator/connectors/{id}/try": { path: ChangeConnectorPath; answer: {
      /** Whether all steps succeeded. */ "is_accepted": boolean;
      /** Steps in order, up to the first failed one. */ "steps": ({
          /** Name of the step in the protocol. */ "name": string;
          /** Whether the step succeeded. */ "is_accepted": boolean;
          /** Response of the carrier, or the error. */ "answer": string;
          /** Duration of the step in milliseconds. */ "milliseconds": number })[] } };
  /** List ready descriptions */ "GET /v1/operator/http-carriers": { answer: {
      "http_carriers": ({
          /** Name of the description. */ "name": string;
          /** Provider and interface. */ "title": string;
          /** Channel: SMS or calls. */ "channel": "sms" | "voice";
          /** Names of its secrets. */ "secret_names": (string)[] })[] } };
  /** Preview an HTTP carrier */ "POST /v1/operator/http-carriers/try": { body: {
      /** Name of an HTTP connector whose description is used. Give either this or `description`. */ "connector"?: string;
      /** Name of a ready description, or an object. It is read completely. */ "description"?: string | { [name: string]: unknown };
      /** Values of secrets. If given, they are checked as for a new connector. */ "secrets"?: { [name: string]: string };
      /** Recipient. */ "to"?: string;
      /** Sender: digits or a name. Not used for a call over `connector`, which has the caller number of the connector. */ "from"?: string;
      /** Text of the message. */ "text"?: string;
      /** Recorded answer of the provider. */ "answer"?: {
        /** HTTP status. */ "status": number;
        /** Headers, with names in lower case. */ "headers"?: { [name: string]: string };
        /** Body. */ "body"?: string };
      /** Recorded request of the provider. Its signature is not verified. */ "request"?: {
        /** Address at which the provider sent it. */ "kind": "reports" | "incoming";
        /** Query of the address, without `?`. */ "query"?: string;
        /** Headers, with names in lower case. */ "headers"?: { [name: string]: string };
        /** Body. */ "body"?: string } }; answer: {
      "request": {
        /** Method. */ "method": string;
        /** Address. */ "url": string;
        /** Headers. */ "headers": (Headers)[];
        /** Body; null: none. */ "body": string | null };
      /** First requests for reports and incoming messages, if the provider is polled. */ "polls": ({
          /** Method. */ "method": string;
          /** Address. */ "url": string;
          /** Headers. */ "headers": (Headers)[];
          /** Body; null: none. */ "body": string | null;
          /** Kind of items that the request asks for. */ "kind": "reports" | "incoming" })[];
      /** Meaning of `answer`; null without one, and if it has results of a batch. */ "verdict": Verdict | null;
      /** Meaning of each result of a batch in `answer`. */ "results": ({
          /** `then` of the rule that matches; `unknown` without one. */ "outcome": "accepted" | "refused" | "throttled" | "again" | "unknown";
          /** Message ids of the provider. */ "ids": (string)[];
          /** Code that would be stored with the message. */ "code": string | null;
          /** Delivery status of a refused message. */ "status": number | null;
          /** Requested wait in milliseconds. */ "after_ms": number | null;
          /** Reason why the provider accepts nothing. */ "fault": "self-signed" | "untrusted" | "expired" | "not-yet-valid" | "wrong-name" | "revoked" | "not-offered" | "handshake" | "unknown-host" | "dns" | "refused" | "unreachable" | "timeout" | "closed" | "access" | "rejected" | "other" | null;
          /** Parts that the provider counted. */ "parts": number | null;
          /** Price that the provider told. */ "price": number | null;
          /** Id of the message that the result names; null if results are in order. */ "ref": string | null })[];
      /** Content of `request`; null without one. */ "notice": {
        /** Delivery reports. */ "reports": ({
            /** Message id of the provider. */ "carrier_id": string;
            /** Delivery status; -1 while the message is under way. */ "status": number;
            /** Code that would be stored with the message. */ "code": string;
            /** Recipient, digits; empty if the report does not name it. */ "destination": string;
            /** Whether the message is refunded, because nobody answered a call. */ "is_refunded": boolean })[];
        /** Incoming messages. */ "incoming": ({
            /** Sender. */ "from": string;
            /** Number that received the message. */ "to": string;
            /** Text of the message. */ "text": string })[];
        /** Items that look like reports or messages and could not be read. */ "unreadable": number } | null } };
  /** List routes */ "GET /v1/operator/routes": { answer: {
      "routes": (Routes)[] } };
  /** Add a route */ "POST /v1/operator/routes": { body: {
      /** Only prefix of the route, in place of `prefixes`. */ "prefix"?: string;
      /** Title of the route, for people. */ "title"?: string;
      /** Prefixes of numbers, international digits; an empty one matches every number. */ "prefixes"?: (string)[];
      /** Ids of the accounts whose messages it takes; null: of every account. */ "accounts"?: (string)[] | null;
      /** Senders whose messages it takes, in upper or lower case; null: of every sender. */ "senders"?: (string)[] | null;
      /** Kinds of messages that it takes: `code` are one-time codes, `marketing` are messages of campaigns that are not declared transactional, `transactional` are all others; null: every kind. */ "kinds"?: ("code" | "transactional" | "marketing")[] | null;
      /** Hours in which the messages that it takes are due; null: any hour. */ "hours"?: Hours4 | null;
      /** Mobile networks of the recipients: `425` is every network of the mobile country code, `425-01` one network. A network that is not known counts by the country of the number (docs/number-lookup.md). null: every network. */ "networks"?: (string)[] | null;
      /** `priority`: of the connectors that are up, those with the lowest priority share the messages by weight. `cheapest`: of the connectors that are up, those with the lowest price do; connectors without a price come last. */ "choose"?: "priority" | "cheapest";
      /** Least share of messages, in percent, that a connector must deliver to the prefix of a message (its first five digits): connectors that do so are used before those of which fewer than 50 messages are known, and these before others. The lower bound of the share counts, with 95 % confidence. null: the share does not matter. */ "min_delivered_percent"?: number | null;
      /** Least share of one-time codes, in percent, that recipients must use, of those to the prefix of a message (its first five digits) over a connector. Like `min_delivered_percent`, but only for messages of the kind `code`; with both, a connector is as good as the worse one of its shares. null: the share does not matter. */ "min_used_percent"?: number | null;
      /** Share of messages, in percent, that goes over connectors of which too little is known, although others deliver enough. 5 by default. */ "explore_percent"?: number;
      /** Codes of carriers after which a message goes over another connector of the route that is up, before its failure is reported. A message of which the carrier may have accepted a part does not. */ "leave_codes"?: (string)[];
      /** Seconds in which the carrier has taken no message because it is busy, after which messages go over another connector of the route for as long; null: they wait. */ "leave_throttled_seconds"?: number | null;
      /** Seconds in which the carrier has sent no receipt for at least 20 messages, while other connectors of the route get some, after which messages go over another connector for as long; null: they do not. Not for a connector whose sessions are divided among processes. */ "leave_silent_seconds"?: number | null;
      /** Id of the added route before which it comes; null: after all of them. By default a new route comes before the first one that would take all its messages, or after all of them, and a changed one stays where it is. */ "before"?: string | null;
      "connectors": (Connectors3)[] }; answer: Routes };
  /** Find the route of a message */ "GET /v1/operator/routes/find": { query: {
      /** Number, in any spelling. */ "phone": string;
      /** Id of the account that sends; by default none. */ "account"?: string;
      /** Sender of the message. */ "sender"?: string;
      /** Kind of the message. */ "kind"?: "code" | "transactional" | "marketing";
      /** Time when the message is due, ISO 8601 with an offset; now by default. */ "at"?: string }; answer: {
      /** Number, international digits. */ "phone": string;
      /** Network of the number. Without a known one, only the country of the number counts. */ "recipient": {
        /** Mobile network that was looked up, like `425-01`; null: it is not known. */ "network": string | null;
        /** Whether the number was ported; null: not known. */ "ported": boolean | null;
        /** Whether the phone could be reached; null: not known. */ "reachable": boolean | null;
        /** Mobile country codes of the country of the number. */ "country_codes": (string)[];
        /** Whether a message, unless it is a one-time code, waits until the network is looked up. */ "waits": boolean };
      /** Route that the message would take; null: no route matches, and the first connector that is up is used. */ "route": Routes | null;
      /** Connectors that would share the messages now; empty: messages would wait. */ "up": (string)[];
      /** Connectors of the route, in the order in which they are used; empty without a route. */ "connectors": ({
          /** Name of the connector. */ "connector": string;
          /** State of the connector, as `GET /v1/operator/connectors` tells it. */ "state": string;
          /** What the carrier charges for a part, in the currency of the installation; null: not known. `choose` and the search for a route use it, and nobody is charged by it. */ "price": number | null;
          /** Share of the messages that it takes now, from 0 to 1. */ "share": number;
          /** Measured deliveries to the prefix; null: it has no messages to the prefix. */ "quality": {
            /** Share of messages that were delivered, in percent. */ "delivered_percent": number;
            /** The share is above this one with 95 % confidence, in percent. Routes compare it. */ "lower_bound_percent": number;
            /** Number of messages, of which each counts half after 12 hours. */ "samples": number;
            /** Number of messages in 60 hours. */ "messages": number;
            /** Mean seconds from submission to delivery; null: nothing was delivered. */ "delivery_seconds": number | null;
            /** Number of one-time codes in 60 hours that have expired. */ "codes": number;
            /** Share of these codes that recipients used, in percent; null: there are none. */ "used_percent": number | null;
            /** The share of used codes is above this one with 95 % confidence, in percent; null: there are none. */ "used_lower_bound_percent": number | null;
            /** Number of these codes, of which each counts half after 12 hours. */ "code_samples": number } | null })[];
      /** Every route, in the order in which they are tried. */ "routes": ({
          /** Id of the route; null: of the configuration. */ "id": string | null;
          /** Name of the route. */ "name": string;
          /** Prefixes of numbers, international digits; an empty one matches every number. */ "prefixes": (string)[];
          /** Reason why the message does not take the route: the first condition that it does not fulfil; `earlier`: it takes one before. null: it takes this one. */ "why_not": "prefixes" | "accounts" | "senders" | "kinds" | "hours" | "networks" | "earlier" | null })[] } };
  /** List the deliveries of connectors by prefix */ "GET /v1/operator/routes/quality": { query?: {
      /** Beginning of the prefixes, international digits. */ "prefix"?: string }; answer: {
      "figures": ({
          /** First five digits of the numbers. */ "prefix": string;
          /** Name of the connector. */ "connector": string;
          /** Share of messages that were delivered, in percent. */ "delivered_percent": number;
          /** The share is above this one with 95 % confidence, in percent. Routes compare it. */ "lower_bound_percent": number;
          /** Number of messages, of which each counts half after 12 hours. */ "samples": number;
          /** Number of messages in 60 hours. */ "messages": number;
          /** Mean seconds from submission to delivery; null: nothing was delivered. */ "delivery_seconds": number | null;
          /** Number of one-time codes in 60 hours that have expired. */ "codes": number;
          /** Share of these codes that recipients used, in percent; null: there are none. */ "used_percent": number | null;
          /** The share of used codes is above this one with 95 % confidence, in percent; null: there are none. */ "used_lower_bound_percent": number | null;
          /** Number of these codes, of which each counts half after 12 hours. */ "code_samples": number })[] } };
  /** Replay messages over other routes */ "POST /v1/operator/routes/replay": { body: {
      /** The routes that operators would add, in their order, in place of the present ones. */ "routes": (Routes2)[];
      /** A route that operators would also add, at the place where `POST /v1/operator/routes` puts it without `before`. */ "added"?: Routes2;
      /** Hours of which the messages are replayed, up to 72. */ "hours"?: number }; answer: {
      /** Messages that were replayed. */ "messages": number;
      /** One-time codes among them. */ "codes": number;
      /** Whether there were more messages, of which these are the latest of each account. */ "is_sample": boolean;
      /** Messages that would use other connectors, or other shares of them. */ "moved": number;
      /** With the present routes. */ "before": Before;
      /** With the routes of the body. */ "after": Before;
      /** Messages by connector; fractions where connectors share them. */ "connectors": ({
          /** Name of the connector. */ "connector": string;
          /** Messages with the present routes. */ "before": number;
          /** Messages with the routes of the body. */ "after": number })[] } };
  /** Change a route */ "PATCH /v1/operator/routes/{id}": { path: ChangeRoutePath; body: {
      /** Title of the route, for people. */ "title"?: string;
      /** Prefixes of numbers, international digits; an empty one matches every number. */ "prefixes"?: (string)[];
      /** Ids of the accounts whose messages it takes; null: of every account. */ "accounts"?: (string)[] | null;
      /** Senders whose messages it takes, in upper or lower case; null: of every sender. */ "senders"?: (string)[] | null;
      /** Kinds of messages that it takes: `code` are one-time codes, `marketing` are messages of campaigns that are not declared transactional, `transactional` are all others; null: every kind. */ "kinds"?: ("code" | "transactional" | "marketing")[] | null;
      /** Hours in which the messages that it takes are due; null: any hour. */ "hours"?: Hours4 | null;
      /** Mobile networks of the recipients: `425` is every network of the mobile country code, `425-01` one network. A network that is not known counts by the country of the number (docs/number-lookup.md). null: every network. */ "networks"?: (string)[] | null;
      /** `priority`: of the connectors that are up, those with the lowest priority share the messages by weight. `cheapest`: of the connectors that are up, those with the lowest price do; connectors without a price come last. */ "choose"?: "priority" | "cheapest";
      /** Least share of messages, in percent, that a connector must deliver to the prefix of a message (its first five digits): connectors that do so are used before those of which fewer than 50 messages are known, and these before others. The lower bound of the share counts, with 95 % confidence. null: the share does not matter. */ "min_delivered_percent"?: number | null;
      /** Least share of one-time codes, in percent, that recipients must use, of those to the prefix of a message (its first five digits) over a connector. Like `min_delivered_percent`, but only for messages of the kind `code`; with both, a connector is as good as the worse one of its shares. null: the share does not matter. */ "min_used_percent"?: number | null;
      /** Share of messages, in percent, that goes over connectors of which too little is known, although others deliver enough. 5 by default. */ "explore_percent"?: number;
      /** Codes of carriers after which a message goes over another connector of the route that is up, before its failure is reported. A message of which the carrier may have accepted a part does not. */ "leave_codes"?: (string)[];
      /** Seconds in which the carrier has taken no message because it is busy, after which messages go over another connector of the route for as long; null: they wait. */ "leave_throttled_seconds"?: number | null;
      /** Seconds in which the carrier has sent no receipt for at least 20 messages, while other connectors of the route get some, after which messages go over another connector for as long; null: they do not. Not for a connector whose sessions are divided among processes. */ "leave_silent_seconds"?: number | null;
      /** Id of the added route before which it comes; null: after all of them. By default a new route comes before the first one that would take all its messages, or after all of them, and a changed one stays where it is. */ "before"?: string | null;
      "connectors"?: (Connectors3)[] }; answer: Routes };
  /** Remove a route */ "DELETE /v1/operator/routes/{id}": { path: ChangeRoutePath; answer: {
      /** Always true. */ "done": boolean } };
  /** Show the look-up of networks */ "GET /v1/operator/number-lookup": { answer: ShowNumberLookupAnswer };
  /** Set the look-up of networks */ "PUT /v1/operator/number-lookup": { body: {
      /** Description of the interface of the provider: the name of a ready one, or an object (docs/number-lookup.md). */ "description": string | { [name: string]: unknown };
      /** Values of the secrets of the description, by name, stored encrypted and never returned. Without them the stored ones stay. All are required when the address of the provider changes. */ "secrets"?: { [name: string]: string };
      /** Whether networks are looked up. */ "is_enabled"?: boolean;
      /** Prefixes of the numbers that are looked up, international digits; an empty one matches every number. */ "prefixes"?: (string)[];
      /** Timeout of a request in milliseconds. Then the message takes the route of a number without a known network. */ "timeout_ms"?: number;
      /** Maximum number of simultaneous requests of a process. */ "window"?: number;
      /** Days for which an answer is valid, unless it says so itself. */ "valid_days"?: number;
      /** Maximum number of requests of all processes in a day (UTC). Afterwards only remembered networks count. */ "per_day"?: number }; answer: ShowNumberLookupAnswer };
  /** Remove the look-up of networks */ "DELETE /v1/operator/number-lookup": { answer: {
      /** Always true. */ "done": boolean } };
  /** Look a number up */ "POST /v1/operator/number-lookup/try": { body: {
      /** Number, in any spelling. */ "phone": string }; answer: {
      /** `unknown`: the provider knows no network of the number. `failed`: it did not tell. */ "result": "found" | "unknown" | "failed";
      /** Mobile network: country code and network code, like `425-01`. */ "network": string | null;
      /** Whether the number was ported; null: not known. */ "ported": boolean | null;
      /** Whether the phone can be reached; null: not known. */ "reachable": boolean | null;
      /** Reason of a failure; null without one. */ "fault": Fault | null;
      /** Duration of the request in milliseconds. */ "milliseconds": number } };
  /** List accounts */ "GET /v1/operator/accounts": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Filters by user name and name: names that contain this text. */ "search"?: string }; answer: {
      "accounts": (Accounts)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Create an account */ "POST /v1/operator/accounts": { body: {
      /** User name, unique. */ "username": string;
      /** Display name. */ "name"?: string;
      /** User name of the parent account, which makes it a subscriber. */ "parent"?: string;
      /** Password for `user.password` in requests and mail tokens: 10 to 200 characters, not a common one. */ "password"?: string;
      "time_zone"?: string | null;
      /** Networks from which requests may come. */ "addresses"?: (string)[];
      /** Accepts `user.password` in requests. */ "password_sign_in"?: boolean }; answer: Accounts };
  /** Show an account */ "GET /v1/operator/accounts/{id}": { path: ShowAccountPath; answer: Accounts };
  /** Change an account */ "PATCH /v1/operator/accounts/{id}": { path: ShowAccountPath; body: {
      /** Display name. */ "name"?: string;
      "time_zone"?: string | null;
      /** Networks from which requests may come. */ "addresses"?: (string)[];
      /** Accepts `user.password` in requests. */ "password_sign_in"?: boolean }; answer: Accounts };
  /** Change the balance of an account */ "POST /v1/operator/accounts/{id}/top-up": { path: ShowAccountPath; body: {
      /** Credits to add; a negative amount subtracts them. */ "amount": string | number;
      /** Note for the ledger. */ "note"?: string }; answer: {
      /** Balance of the account. */ "balance": string } };
  /** Approve a sender */ "POST /v1/operator/accounts/{id}/sources": { path: ShowAccountPath; body: {
      /** Number, name, or for email an address or `@` and a domain. */ "source": string;
      /** Whether incoming messages to the number belong to this account. */ "incoming"?: boolean }; answer: {
      /** Always true. */ "done": boolean } };
  /** List pending phone verifications */ "GET /v1/operator/verifications": { answer: {
      "verifications": ({
          /** Id of the account that made the request. */ "account_id": string;
          /** User name of the account. */ "username": string;
          /** Number. */ "phone": string;
          /** Whether it cannot receive SMS and is confirmed by a call from it. */ "landline": boolean;
          /** Time of expiry, ISO 8601. */ "expires_at": string })[] } };
  /** Confirm a phone number */ "POST /v1/operator/verifications/confirm": { body: {
      /** Id of the account that made the request. */ "account_id": string;
      /** Phone number. */ "phone": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Suspend an account */ "POST /v1/operator/accounts/{id}/suspend": { path: ShowAccountPath; answer: Accounts };
  /** Reactivate an account */ "POST /v1/operator/accounts/{id}/lift": { path: ShowAccountPath; answer: Accounts };
  /** Show the held messages of an account */ "GET /v1/operator/accounts/{id}/held": { path: ShowAccountPath; answer: ShowHeldWorkAnswer };
  /** Cancel the held messages of an account */ "POST /v1/operator/accounts/{id}/held/cancel": { path: ShowAccountPath; answer: ShowHeldWorkAnswer };
  /** List prices */ "GET /v1/operator/prices": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Filters by account; `everyone`: prices without an account. */ "account"?: string;
      /** Filters by channel. */ "channel"?: "sms" | "chat" | "mail" | "voice" }; answer: {
      "prices": (Prices)[];
      /** Default prices by channel. */ "defaults": { [name: string]: unknown };
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Set a price */ "POST /v1/operator/prices": { body: {
      /** Account of the price; null: all accounts. */ "account_id"?: string | null;
      /** Channel of the price: `sms` for a part; `chat` for a conversation of 24 hours; `voice` for a call; `mail` for an email, only with the empty prefix. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** Prefix of the numbers, international digits; empty matches every number. */ "prefix": string;
      /** Credits. */ "price": string | number;
      /** Whether messages with status 105, for which the carrier never responded, are refunded. Such a message may have arrived. Default: the present value of an existing price, false for a new one. */ "refund_unanswered"?: boolean }; answer: Prices };
  /** Delete a price */ "POST /v1/operator/prices/remove": { body: {
      /** Account of the price; null: all accounts. */ "account_id"?: string | null;
      /** Channel of the price: `sms` for a part; `chat` for a conversation of 24 hours; `voice` for a call; `mail` for an email, only with the empty prefix. */ "channel"?: "sms" | "chat" | "mail" | "voice";
      /** Prefix of the numbers, international digits; empty matches every number. */ "prefix": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** List background work */ "GET /v1/operator/work": { answer: {
      "work": ({
          /** Kind of work. */ "kind": string;
          /** Account that the work is for; 0: the operator. */ "account_id": string;
          /** User name of that account; null: the operator. */ "username": string | null;
          /** Items that wait for their first attempt or their next turn. */ "waiting": number;
          /** Items that a process works on. */ "running": number;
          /** Items whose last attempt failed, and that are tried again. */ "retrying": number;
          /** Abandoned items. */ "failed": number;
          /** Time of the earliest next attempt, ISO 8601; null: never. */ "oldest_at": string | null;
          /** Error of one of the failed attempts. */ "last_error": string | null })[] } };
  /** List items of background work */ "GET /v1/operator/work/items": { query?: {
      /** Only this kind. */ "kind"?: string;
      /** Only work for this account; 0: the operator. */ "account"?: string;
      /** Only items in this state. */ "state"?: "waiting" | "running" | "retrying" | "failed" }; answer: {
      "items": ({
          /** Kind of work. */ "kind": string;
          /** Account that the work is for; 0: the operator. */ "account_id": string;
          /** User name of that account; null: the operator. */ "username": string | null;
          /** Id of the file, job, request or message that needs the work. */ "key": string;
          /** `waiting`, `running`, `retrying` after a failed attempt, or `failed`: abandoned. */ "state": "waiting" | "running" | "retrying" | "failed";
          /** Attempts since the last success. */ "attempts": number;
          /** Time of the next attempt; of a failed item the time of its end, ISO 8601. */ "due_at": string;
          /** Time of the request that caused the work, ISO 8601. */ "created_at": string;
          /** Error of the last attempt. */ "last_error": string | null;
          /** Whether it can be retried now. */ "can_retry": boolean;
          /** Whether it can be discarded now. */ "can_discard": boolean })[] } };
  /** Retry an item of background work */ "POST /v1/operator/work/retry": { body: RetryWorkBody; answer: {
      /** Always true. */ "done": boolean } };
  /** Discard an item of background work */ "POST /v1/operator/work/discard": { body: RetryWorkBody; answer: {
      /** Always true. */ "done": boolean } };
  /** Show the statistics of all accounts */ "GET /v1/operator/overview": { query?: {
      /** Start of the span, ISO 8601 with an offset; default: a day before `to`. */ "from"?: string;
      /** End of the span, ISO 8601 with an offset; default: now. */ "to"?: string;
      /** Length of a period: `hour`, for at most 31 days; `day`, for at most 400. */ "step"?: "hour" | "day";
      /** Time zone of the days; default: the time zone of the account, by its IANA name. */ "time_zone"?: string }; answer: {
      /** Start of the first hour or day, ISO 8601. */ "from": string;
      /** End of the last hour or day, ISO 8601. */ "to": string;
      /** Messages of all accounts by time of acceptance. */ "rows": (Rows)[];
      /** Totals of the whole time. */ "totals": (Totals)[];
      /** Accounts with the most messages, at most 10. */ "accounts": (Accounts2)[];
      /** Accounts whose balance lasts less than 7 days at their spending in this time, lowest first; at most 10. */ "low_balances": (Accounts2)[] } };
  /** List the budgets of an account */ "GET /v1/operator/accounts/{id}/budgets": { path: ShowAccountPath; answer: {
      /** All budgets. */ "budgets": (Budgets)[] } };
  /** Change a budget of an account */ "PATCH /v1/operator/accounts/{id}/budgets": { path: ShowAccountPath; body: {
      /** `service-mails`: Alerts by email, which the service sends in its own name. `tests`: Test alerts per recipient, test emails of campaigns, and test events of webhooks. `verifications`: Messages that ask the owner of an address or a number for confirmation: users of mailing lists, recipients of alerts, senders. Mailed invitations and password links count too. `automatic-replies`: Automatic replies to clients over all channels. `files`: Stored files: uploads, files from clients, files of imports and exports, and archives of personal data. */ "budget": "service-mails" | "tests" | "verifications" | "automatic-replies" | "files";
      /** Largest number. null removes the limit of this account, so that the setting applies; 0: no limit. */ "count"?: number | null;
      /** Largest number of bytes. null removes the limit of this account, so that the setting applies; 0: no limit. */ "bytes"?: number | null;
      /** Largest amount of credits. null removes the limit of this account, so that the setting applies; 0: no limit. */ "credits"?: string | number | null }; answer: {
      /** All budgets. */ "budgets": (Budgets)[] } };
  /** List failing and disabled webhook endpoints */ "GET /v1/operator/webhooks": { answer: {
      "webhooks": (Webhooks2)[] } };
  /** Enable a webhook endpoint of an account */ "POST /v1/operator/webhooks/{id}/enable": { path: ShowWebhookPath; answer: Webhooks2 };
  /** List destination rules */ "GET /v1/operator/destinations": { query?: {
      /** Filters by account. */ "account"?: string }; answer: {
      "rules": (Rules7)[];
      "ranges": ({
          /** Prefix of the numbers, international digits. */ "prefix": string;
          /** Kind of the range. */ "kind": "premium-rate" | "personal" | "satellite" | "global-network" })[];
      /** Origin of the table. */ "source": string } };
  /** Set a destination rule */ "POST /v1/operator/destinations": { body: {
      /** Account to which the rule applies; null: all accounts. */ "account_id"?: string | null;
      /** Prefix of the numbers, international digits. */ "prefix": string;
      /** Whether the accounts may send to these numbers and call them. */ "permitted": boolean;
      /** Reason, for other operators. */ "note"?: string }; answer: Rules7 };
  /** Find the rule for a number */ "GET /v1/operator/destinations/find": { query: {
      /** Number, in any spelling. */ "phone": string;
      /** Account that would send; default: an account without rules. */ "account"?: string }; answer: {
      /** Number, international digits. */ "phone": string;
      /** Whether the account may send to it. */ "permitted": boolean;
      /** Prefix of the rule or range that decides; null: none matches. */ "prefix": string | null;
      /** Kind of the range, or `rule`; null: none matches. */ "by": "premium-rate" | "personal" | "satellite" | "global-network" | "rule" | null } };
  /** Delete a destination rule */ "POST /v1/operator/destinations/remove": { body: {
      /** Account to which the rule applies; null: all accounts. */ "account_id"?: string | null;
      /** Prefix of the numbers, international digits. */ "prefix": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Show the retention limits of an account */ "GET /v1/operator/accounts/{id}/retention": { path: ShowAccountPath; answer: ShowRetentionAnswer };
  /** Change the retention limits of an account */ "PATCH /v1/operator/accounts/{id}/retention": { path: ShowAccountPath; body: {
      /** Days; null: the limit of the installation. Texts of messages, sent and received. A message without its text keeps its state and price. */ "texts"?: number | null;
      /** Days; null: the limit of the installation. Messages, sent and received, with their campaigns, clicks and bounces. */ "messages"?: number | null;
      /** Days; null: the limit of the installation. Conversations after their last message, with notes. */ "conversations"?: number | null;
      /** Days; null: the limit of the installation. Events, and their deliveries to webhooks and push addresses; never longer than texts. */ "events"?: number | null;
      /** Days; null: the limit of the installation. The request log. */ "requests"?: number | null;
      /** Days; null: the limit of the installation. The audit log. */ "audit"?: number | null;
      /** Days; null: the limit of the installation. Files of chat messages. */ "media"?: number | null }; answer: ShowRetentionAnswer };
  /** List pending sender names */ "GET /v1/operator/source-requests": { answer: {
      "requests": ({
          /** Id of the account that made the request. */ "account_id": string;
          /** User name of the account. */ "username": string;
          /** Requested name. */ "source": string;
          /** Note of the account for the operator. */ "note": string;
          /** Time of the request, ISO 8601. */ "asked_at": string })[] } };
  /** Approve a sender name */ "POST /v1/operator/source-requests/approve": { body: {
      /** Id of the account that made the request. */ "account_id": string;
      /** Requested name. */ "source": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Reject a sender name */ "POST /v1/operator/source-requests/refuse": { body: {
      /** Id of the account that made the request. */ "account_id": string;
      /** Requested name. */ "source": string;
      /** Reason, shown to the account. */ "reason": string }; answer: {
      /** Always true. */ "done": boolean } };
  /** Send a test message over a connector */ "POST /v1/operator/connectors/{id}/test-messages": { path: {
      /** Name of the connector. */ "id": string }; body: {
      /** Id of the account that sends and pays. Default: that of the operator. Operators without an account must give it. */ "account_id"?: string;
      /** Sender: a verified number of the account in any spelling, or an approved name. */ "source": string;
      /** Number in any spelling, also of another country. */ "phone": string;
      /** Text of the message. */ "message": string }; answer: {
      /** Id of the test message. */ "id": string;
      /** Id of the account that sends it. */ "account_id": string;
      /** Id of the message, for its timeline. */ "message_id": string } };
  /** Show a test message */ "GET /v1/operator/test-messages/{id}": { path: {
      /** Id of the test message. */ "id": string }; answer: {
      /** Id of the test message. */ "id": string;
      /** Name of the connector. */ "connector": string;
      /** Id of the account that sends it. */ "account_id": string;
      /** User name of the account. */ "username": string;
      /** Id of the message, for its timeline. */ "message_id": string;
      /** State of the message; null when it was deleted. */ "state": "waiting" | "submitted" | "delivered" | "read" | "failed" | "cancelled" | null;
      /** Code of the carrier, or the reason of the failure. */ "code": string | null;
      /** Exchanges with the provider of an HTTP connector; 0 for SMPP. */ "attempts": number;
      /** Last exchange with the provider of an HTTP connector; null: none yet. */ "exchange": {
        /** Time of the answer, ISO 8601. */ "at": string;
        /** Duration of the request in milliseconds. */ "milliseconds": number;
        /** Request with `***` in place of each secret; null without a request, or for an account that stores no texts. */ "request": {
          /** Method. */ "method": string;
          /** Address. */ "url": string;
          /** Headers. */ "headers": (Headers)[];
          /** Body; null: none. */ "body": string | null } | null;
        /** Whether the request was sent. */ "sent": boolean;
        /** Answer with `***` in place of each secret; null: none. */ "answer": {
          /** HTTP status. */ "status": number;
          /** Headers that help to understand the answer; cookies are not among them. */ "headers": ({
              /** Name. */ "name": string;
              /** Value. */ "value": string })[];
          /** First 4,096 characters of the body; null if it did not arrive, or the account stores no texts. */ "body": string | null } | null;
        /** Error of the connection, or reason why nothing was sent. */ "error": string | null;
        /** Meaning of the answer by the rules; null without an answer. */ "verdict": Verdict | null } | null } };
  /** List kinds of alert rules of the operator */ "GET /v1/operator/alert-kinds": { answer: ListAlertKindsAnswer };
  /** List alert rules of the operator */ "GET /v1/operator/alert-rules": { answer: {
      "rules": (Rules2)[] } };
  /** Create an alert rule of the operator */ "POST /v1/operator/alert-rules": { body: {
      /** Name of the rule. */ "name": string;
      /** Condition of the rule (docs/alerts.md). */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
      /** Thresholds of the condition; each kind has some of these. */ "thresholds"?: Thresholds2;
      /** Whether the rule is evaluated. */ "enabled"?: boolean;
      /** Minutes for which the condition must hold before the alert begins. Default: that of its kind. */ "for_minutes"?: number;
      /** Minutes for which the condition must be absent before the alert ends. */ "clear_minutes"?: number;
      /** Minimum minutes between two notifications of the same subject; the next one counts how often the alert began. */ "pause_minutes"?: number;
      /** Recipients of the notifications. Without recipients, alerts are only shown in the console. */ "recipients"?: Recipients2 }; answer: Rules2 };
  /** Show an alert rule of the operator */ "GET /v1/operator/alert-rules/{id}": { path: ShowConversationRulePath; answer: Rules2 };
  /** Change an alert rule of the operator */ "PATCH /v1/operator/alert-rules/{id}": { path: ShowConversationRulePath; body: ChangeAlertRuleBody; answer: Rules2 };
  /** Delete an alert rule of the operator */ "DELETE /v1/operator/alert-rules/{id}": { path: ShowConversationRulePath; answer: {
      /** Always true. */ "done": boolean } };
  /** Send a test alert of the operator */ "POST /v1/operator/alert-rules/{id}/test": { path: ShowConversationRulePath; body: {
      /** Filters by medium. */ "means"?: ("mail" | "sms" | "webhook")[] }; answer: {
      /** Number of messages to be sent. `tests` of the rule has their results. */ "recipients": number } };
  /** List tests of an alert rule of the operator */ "GET /v1/operator/alert-rules/{id}/tests": { path: ShowConversationRulePath; answer: {
      /** Alerts, newest first. */ "tests": (Tests)[] } };
  /** List alerts of the operator */ "GET /v1/operator/alerts": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Filters by state: open or ended. */ "state"?: "open" | "ended";
      /** Filters by rule. */ "rule_id"?: string }; answer: ListAlertsAnswer };
  /** Count open alerts of the operator */ "GET /v1/operator/alerts/open": { answer: {
      /** Number of open alerts. */ "open": number } };
  /** List chat business accounts */ "GET /v1/operator/chat-portfolios": { query?: {
      /** `next` of the previous page. */ "after"?: string;
      /** Maximum rows per page. */ "limit"?: number;
      /** Filters by account. */ "account"?: string;
      /** `true`: only portfolios with restrictions or warnings; `false`: only those without. */ "problems"?: "true" | "false" }; answer: {
      "portfolios": (Portfolios)[];
      /** `after` of the following page; null on the last one. */ "next": string | null } };
  /** Add a chat business account */ "POST /v1/operator/chat-portfolios": { body: {
      /** Id of the account that owns the portfolio. */ "account_id": string;
      /** Display name. */ "name": string;
      /** Id on the platform. */ "platform_id": string;
      /** Access token for the platform. */ "access_token": string;
      /** Messaging limit, clients in 24 hours: 250, 2000, 10000, 100000, 1000000. */ "tier"?: number }; answer: Portfolios };
  /** Change a chat business account */ "PATCH /v1/operator/chat-portfolios/{id}": { path: ChangeChatPortfolioPath; body: {
      /** Messaging limit, clients in 24 hours: 250, 2000, 10000, 100000, 1000000. */ "tier"?: number;
      /** Access token for the platform. */ "access_token"?: string }; answer: Portfolios };
  /** Add a business number */ "POST /v1/operator/chat-portfolios/{id}/numbers": { path: ChangeChatPortfolioPath; body: {
      /** Number, in any spelling. */ "phone": string;
      /** Display name. */ "name"?: string;
      /** Id on the platform. */ "platform_id": string;
      /** Maximum messages per second; 0 is no limit. */ "messages_per_second"?: number }; answer: Portfolios };
}

export interface components {
  schemas: {
    "sms": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again. */ "send_key"?: string;
      /** Sender: digits and English letters. A number must be verified, a name approved for the account. */ "source": string;
      /** Text of the message. */ "message": string;
      /** Recipients: phones, contact lists, or both. */ "destinations": Destinations;
      /** Prefix for programs that read codes: `#` adds `<#>` and a space. */ "tag"?: string;
      /** `1`: `df1` to `df6` of the contact replace `[DYNAMIC_FIELD1]` to `[DYNAMIC_FIELD6]`. Requires one contact list and no phones. */ "add_dynamic"?: string;
      /** Links to shorten; their clicks are counted. */ "links"?: {
        /** Address of a link; its `id` identifies `[link-<id>]` in the message. */ "link"?: (string | Phone)[] };
      /** Reads the message aloud in a call. Links, the tag and removal texts are not spoken; codes, phone numbers and dates are spoken digit by digit. */ "tts"?: {
        /** `2`: a call to kosher phones, an SMS to all others; `3`: an SMS and a call to everyone; `4`: a call to everyone. */ "type": number;
        /** Speech rate, `-10` to `10`; ten steps double the speed. */ "rate"?: number;
        /** Number of times that the text is spoken. */ "repeat"?: number;
        /** Voice. */ "voice"?: "ymMale" | "ymFemale" };
      /** Time of sending, `dd/mm/yy hh:mm` in the time zone of the account; immediately if absent or in the past. */ "timing"?: string;
      /** `3` adds a removal link, `2` the word to reply for removal; other values add nothing. */ "add_unsubscribe"?: string;
      /** Days, `1` to `14`: skips recipients who received a message of the account within them. */ "temp_bl"?: string;
      /** `1` allows numbers of other countries; otherwise they are refused with 9. */ "includes_international"?: number;
      /** Name of the campaign, shown in reports and accepted by `cancel`. */ "campaign_name"?: string };
    "smsAnswer": SmsAnswer;
    "bulk": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again. */ "send_key"?: string;
      "messages": {
        /** Messages. */ "sms": ({
            /** Sender: digits and English letters. A number must be verified, a name approved for the account. */ "source": string;
            /** Text of the message. */ "message": string;
            /** Recipients: phones, contact lists, or both. */ "destinations"?: Destinations;
            /** Links to shorten; their clicks are counted. */ "links"?: {
              /** Address of a link; its `id` identifies `[link-<id>]` in the message. */ "link"?: (string | Phone)[] } })[] };
      /** Contact lists that receive every message. */ "cl_id"?: (string)[];
      /** Time of sending, `dd/mm/yy hh:mm` in the time zone of the account; immediately if absent or in the past. */ "timing"?: string;
      /** `3` adds a removal link, `2` the word to reply for removal; other values add nothing. */ "add_unsubscribe"?: string;
      /** Days, `1` to `14`: skips recipients who received a message of the account within them. */ "temp_bl"?: string;
      /** `1` allows numbers of other countries; otherwise they are refused with 9. */ "includes_international"?: number;
      /** Name of the campaign, shown in reports and accepted by `cancel`. */ "campaign_name"?: string };
    "bulkAnswer": SmsAnswer;
    "dlr": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      "transactions": {
        /** Your ids. */ "external_id": (string)[] };
      /** Start of the span, `dd/mm/yy hh:mm` in the time zone of the account. */ "from": string;
      /** End of the span, as `from`, including this minute. At most one week after `from`. */ "to": string };
    "dlrAnswer": DlrAnswer;
    "dlrByDate": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Ignored; by convention `external_id` in it is the word null. */ "transactions"?: unknown;
      /** Start of the span, `dd/mm/yy hh:mm` in the time zone of the account. */ "from": string;
      /** End of the span, as `from`, including this minute. At most one week after `from`. */ "to": string };
    "dlrByDateAnswer": DlrAnswer;
    "ttsDlr": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Filters by shipment; digits. */ "shipment_id"?: string;
      /** Start of the span, `dd/mm/yy hh:mm` in the time zone of the account. */ "from": string;
      /** End of the span, as `from`, including this minute. At most one week after `from`. */ "to": string };
    "ttsDlrAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      "transactions"?: ({
          /** Id of the shipment, from the response to the send. */ "shipment_id": string;
          /** Delivery status: 102 played, -1 not final. */ "status": number;
          /** Number of the caller. */ "source": string;
          /** Called number, `05xxxxxxxx` or international digits. */ "phone": string;
          /** Status in Hebrew. */ "he_message": string;
          /** Status in English. */ "en_message": string;
          /** Time of the last change of status, `dd/mm/yy hh:mm`. */ "date": string })[] };
    "incoming": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Start of the span, `dd/mm/yy hh:mm` in the time zone of the account. */ "from": string;
      /** End of the span, as `from`, including this minute. At most one week after `from`. */ "to": string };
    "incomingAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      "transactions"?: ({
          /** Phone number of the sender. */ "source": string;
          /** Number of the account. */ "destination": string;
          /** Text, with its parts joined. */ "message": string;
          /** Time of arrival, `dd/mm/yy hh:mm`. */ "date": string })[] };
    "balance": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string } };
    "balanceAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** Balance in credits, with four decimal places. */ "balance"?: number };
    "getApiToken": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Owner of the token: the account, or one of its subscribers. */ "username": string;
      /** Action. */ "action": "new" | "current" };
    "getApiTokenAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** Token; empty if it cannot be shown. */ "token"?: string;
      /** Expiry, `dd/mm/yyyy hh:mm:ss` in the time zone of the account; `31/12/9999 23:59:59` without an expiry. */ "expiration_date"?: string };
    "cancel": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** `shipment_id` of the send. */ "campaign_id"?: number;
      /** Name of the campaign, as in the send. */ "campaign_name"?: string };
    "cancelAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** Number of cancelled campaigns; only by name. */ "count"?: number };
    "blacklist": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Start of the span, `dd/mm/yy hh:mm` in the time zone of the account. */ "from": string;
      /** End of the span, as `from`, including this minute. */ "to": string };
    "blacklistAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      "transactions"?: ({
          /** Number. */ "phone": string;
          /** Time of the entry, `dd/mm/yy hh:mm`. */ "date": string })[] };
    "addNumBL": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      "phones": {
        /** Numbers; invalid ones are listed in `errors`. */ "phone": (string)[] } };
    "addNumBLAnswer": {
      /** 946, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** Rows that could not be used, one line each. */ "errors"?: (string)[] };
    "rmNumBL": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      "phones": {
        /** Numbers; invalid ones are listed in `errors`. */ "phone": (string)[] };
      /** Reason, stored with the entry. */ "reason": string };
    "rmNumBLAnswer": {
      /** 944, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** Rows that could not be used, one line each. */ "errors"?: (string)[] };
    "newCL": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Lists. */ "cl": ({
          /** Display name. */ "name": string;
          "destinations"?: {
            /** Numbers. */ "destination"?: (Destination)[];
            /** Ignored here; a request with only this field is refused with 2. */ "phone"?: unknown } })[] };
    "newCLAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** Rows that could not be used, one line each. */ "errors"?: (string)[];
      /** Ids of the lists, in the order of the request. */ "identifiers"?: (string)[] };
    "removeCL": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Lists; the element may be repeated. */ "cl": ({
          /** Ids of the lists. */ "id": (string)[] })[] };
    "removeCLAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** Rows that could not be used, one line each. */ "errors"?: (string)[] };
    "addNumCL": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Lists. */ "cl": ({
          /** `cl_id` of the list. */ "id": string;
          "destinations": {
            /** Numbers. */ "destination": (Destination)[] } })[] };
    "addNumCLAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** Rows that could not be used, one line each. */ "errors"?: (string)[] };
    "rmNumCL": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Lists. */ "cl": ({
          /** `cl_id` of the list. */ "id": string;
          "destinations": {
            /** Numbers. */ "phone": (string)[];
            /** Numbers, in the form of `addNumCL`. */ "destination"?: ({
                /** Number, in any spelling. */ "phone": string })[] } })[] };
    "rmNumCLAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** Rows that could not be used, one line each. */ "errors"?: (string)[] };
    "getCL": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string } };
    "getCLAnswer": GetCLAnswer;
    "getCLbyID": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      "cl": {
        /** `cl_id` of the list. */ "id": string } };
    "getCLbyIDAnswer": GetCLAnswer;
    "send_otp": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again. */ "send_key"?: string;
      /** Recipient: `05xxxxxxxx`, `5xxxxxxxx` or international. */ "phone": string;
      /** Sender: digits and English letters. A number must be verified, a name approved for the account. */ "source": string;
      /** Id of your application, to separate the codes of several applications. */ "app_id"?: number;
      /** Maximum number of attempts to validate the code. */ "max_tries"?: number;
      /** Validity of the code in minutes. */ "valid_time"?: number;
      /** Text, with `[code]` in place of the code; default: a text of the service. */ "text"?: string;
      /** `1` allows numbers of other countries; otherwise they are refused with 9. */ "includes_international"?: number };
    "send_otpAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** `1` for the repeated response of an earlier request with the same send key; nothing was done now. Absent otherwise. */ "repeated"?: number };
    "validate_otp": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Phone number from the request of `send_otp`, in any spelling. */ "phone": string;
      /** Id of your application, to separate the codes of several applications. */ "app_id"?: number;
      /** Code that the person entered. */ "code": string };
    "validate_otpAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string };
    "addSub": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again. */ "send_key"?: string;
      "userDetails": {
        /** Display name. */ "name": string;
        /** User name: English letters, digits and `.` `_` `@` `-`; must be unique. */ "username": string;
        /** Password of the subscriber. */ "password": string;
        /** Sender of the subscriber. */ "source": string;
        /** Credits to move from the wallet of the account to the subscriber; not negative. */ "amount": number;
        /** Phone for sign-in codes. */ "otpPhone"?: string } };
    "addSubAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** `1` for the repeated response of an earlier request with the same send key; nothing was done now. Absent otherwise. */ "repeated"?: number };
    "updateAmountSub": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again. */ "send_key"?: string;
      "userDetails": {
        /** User name of the subscriber. */ "username": string;
        /** Credits to add; a negative amount moves them back. */ "amount": number;
        /** Money paid for the credits, stored with the entry. */ "amount_int"?: number } };
    "updateAmountSubAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      /** `1` for the repeated response of an earlier request with the same send key; nothing was done now. Absent otherwise. */ "repeated"?: number };
    "getBlanceSubs": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string } };
    "getBlanceSubsAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      "balances"?: ({
          /** Balance in credits, with four decimal places. */ "amount": number;
          /** Id of the subscriber account. */ "sms_user_id": string;
          /** Name of the subscriber. */ "name": string })[] };
    "verify_phone": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again. */ "send_key"?: string;
      /** Mobile or landline numbers. */ "phone": (string)[];
      /** `1` allows numbers of other countries; otherwise they are refused with 9. */ "includes_international"?: number };
    "verify_phoneAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Next steps of the verification. A refusal has `message` instead. */ "verify_message"?: string;
      /** `1` for the repeated response of an earlier request with the same send key; nothing was done now. Absent otherwise. */ "repeated"?: number };
    "getVerifiedPhones": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** `1` includes the numbers of subscribers. */ "is_subs"?: number };
    "getVerifiedPhonesAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string;
      "verified_phones"?: ({
          /** Number. */ "PHONE": string;
          /** Id of the account that owns the number. */ "USER_ID": string;
          /** Time of the verification, `dd/mm/yy hh:mm`. */ "ASSIGNMENT_DATE": string;
          /** Time of the last change. */ "LAST_UPDATE": string })[] };
    "push_url": {
      "user": {
        /** Account on whose behalf the request acts: that of the token, or one of its subscribers. */ "username": string };
      /** Type of the events. */ "type": "dlr" | "incoming" | "blacklist";
      /** `http` or `https` address; private addresses only if the operator allows them. */ "url": string };
    "push_urlAnswer": {
      /** 0, or the reason for the refusal. */ "status": number;
      /** Description of the result; for a refusal it names the field. */ "message": string };
    "Error": {
      "error": {
        /** Code of the error, for programs. */ "code": string;
        /** Text of the error, for people. */ "message": string;
        /** Field that caused the error, if there is one. */ "field"?: string;
        /** Code of the problem with the field, for programs, where known: `too-long`. */ "reason"?: string;
        /** Values in the reason, such as `{"max": 50}`. */ "params"?: { [name: string]: unknown } } };
  };
}

type ListDraftsQuery = {
  /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string };

type Drafts = {
  /** Id of the draft. */ "id": string;
  /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** `title`. Without the role `sender` or a token with the scope `read`: `••••••`. */ "title": string;
  /** Version, 1 at first; each save increments it. */ "version": number;
  /** Person who saved it last; null: a token. */ "updated_by": string | null;
  /** Time of the last save, ISO 8601. */ "updated_at": string };

type ShowDraftPath = {
  /** Id of the draft. */ "id": string };

type Links = {
  /** Id of the link, as in `[link-<id>]` of the message. */ "id": string;
  /** Address of the link. */ "url": string };

type Tts = {
  /** `2`: a call to kosher phones, an SMS to all others; `3`: an SMS and a call to everyone; `4`: a call to everyone. */ "type": 2 | 3 | 4;
  /** Voice. */ "voice"?: "ymMale" | "ymFemale";
  /** Speech rate, `-10` to `10`; ten steps double the speed. */ "rate"?: number;
  /** Number of times that the text is spoken. */ "repeat"?: number };

type Phones = {
  "phone": string;
  "id"?: string };

type Fallback = {
  /** Channel of the second message, other than that of the send: `sms`, `voice` (a call) or `chat`. */ "channel": "sms" | "voice" | "chat";
  /** Minutes after the submission of a message, 5 to 1440: without a delivery by then, the second message is sent. */ "after_minutes"?: number;
  /** Text of an SMS or a call. Absent: `message`. Required for a send with `dynamic`. */ "text"?: string;
  /** Sender of an SMS; absent: `source` of the send. For `chat`, the business number, which is required. */ "source"?: string;
  /** Approved template of the business number, without variables; for `chat`. */ "template_id"?: string;
  /** Link to the media file, for a template with a media header. */ "header_link"?: string;
  /** Voice. */ "voice"?: "ymMale" | "ymFemale";
  /** Speech rate, `-10` to `10`; ten steps double the speed. */ "rate"?: number;
  /** Number of times that a call speaks the text. */ "repeat"?: number };

type ListBlockedCodesQuery = {
  /** Start of the span, ISO 8601 with an offset; default: a day before `to`. */ "from"?: string;
  /** End of the span; default: now; at most 31 days after `from`. */ "to"?: string;
  /** Maximum rows per page. */ "limit"?: number;
  /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string };

type SendCodeBody = {
  /** Number in any spelling. */ "phone": string;
  /** Sender, as in `POST /v1/sms`. */ "source": string;
  /** Text, with `[code]` in place of the code; default: a text of the service. */ "text"?: string | null;
  /** Validity in minutes. */ "minutes"?: number;
  /** Maximum number of attempts to validate the code. */ "tries"?: number;
  /** Id of your application, to separate the codes of several applications. */ "app_id"?: number;
  /** Whether numbers of other countries are allowed. */ "includes_international"?: boolean };

type ListContactListsQuery = {
  /** `id` of the last list of the previous page. */ "after"?: string;
  /** Maximum rows per page. */ "limit"?: number;
  /** Filters by name: names that contain this text, regardless of case. */ "search"?: string;
  /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string };

type ContactLists = {
  /** Id of the list, `cl_id` in the SMS API. */ "id": string;
  /** Name of the list. */ "name": string;
  /** Names of the dynamic fields. */ "columns": (string)[];
  /** Number of contacts. */ "count": number;
  /** Time of creation, ISO 8601. */ "created_at": string };

type ShowContactListPath = {
  /** Id of the contact list. */ "id": string };

type StartExportAnswer = {
  /** Id of the job. */ "id": string;
  /** Id of the contact list or mailing list; null: the blacklist. */ "list_id": string | null;
  /** State of the job. */ "state": "receiving" | "waiting" | "running" | "done" | "stopped" | "failed";
  /** Reason of the failure. */ "problem": string | null;
  /** Size of the file in bytes. */ "bytes": number;
  /** Rows so far. */ "rows": number;
  /** Time of creation, ISO 8601. */ "created_at": string;
  /** Time of the end, ISO 8601; null until then. */ "finished_at": string | null };

type RefusedRows = {
  /** Line of the file, from 1. */ "line": number;
  /** Reason why the row was rejected. */ "reason": string };

type ImportContactsAnswer = {
  /** Id of the job. */ "id": string;
  /** Id of the contact list or mailing list; null: the blacklist. */ "list_id": string | null;
  /** State of the job. */ "state": "receiving" | "waiting" | "running" | "done" | "stopped" | "failed";
  /** Reason of the failure. */ "problem": string | null;
  /** Size of the file in bytes. */ "bytes": number;
  /** Rows so far. */ "rows": number;
  /** Time of creation, ISO 8601. */ "created_at": string;
  /** Time of the end, ISO 8601; null until then. */ "finished_at": string | null;
  /** Bytes of the file that were read. */ "bytes_done": number;
  /** Added numbers or users. */ "added": number;
  /** Numbers or users that were in the list already. */ "present": number;
  /** Rows that could not be used. */ "refused": number;
  /** Recorded consents. */ "consents": number;
  /** First rejected rows; `/v1/imports/{id}/refused` has all of them. */ "refused_rows": (RefusedRows)[] };

type ShowImportPath = {
  /** Id of the import. */ "id": string };

type ShowExportPath = {
  /** Id of the export. */ "id": string };

type ListContactsQuery = {
  /** `next` of the previous page. */ "after"?: string;
  /** Maximum rows per page. */ "limit"?: number;
  /** Number in any spelling, or some of its digits, to filter by. */ "phone"?: string;
  /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string };

type ContactLists2 = {
  /** Id of the list. */ "id": string;
  /** Name of the list. */ "name": string };

type Subscribers = {
  /** Id of the account of the subscriber. */ "id": string;
  /** User name of the subscriber, for `?username=`. */ "username": string;
  /** Name of the subscriber. */ "name": string;
  /** Credits. */ "balance": string;
  /** Whether the parent account has suspended it. */ "suspended": boolean;
  /** Whether it is suspended, by the operator or the parent account. */ "suspended_by_operator": boolean;
  /** Time of creation, ISO 8601. */ "created_at": string };

type ShowSubscriberPath = {
  /** Id of the subscriber. */ "id": string };

type Failure = {
  /** Reason code, for programs. */ "key": "no-credit" | "blacklisted" | "cancelled" | "bad-number" | "bad-source" | "text-too-long" | "composed" | "content" | "refused-hour" | "sending-hours" | "frequency-cap" | "no-consent" | "refused-advertising" | "kosher" | "no-permission" | "denied-range" | "abroad" | "unreachable" | "out-of-coverage" | "undelivered" | "network-fault" | "network-unknown" | "carrier-refused" | "waited-too-long" | "text-lost" | "unknown" | "two-unanswered" | "tier-reached" | "window-closed" | "no-chat" | "declined" | "held-back" | "template" | "variables" | "media" | "chat-limits" | "chat-account" | "chat-access" | "chat-request" | "chat-platform" | "suspended" | "bad-mailbox" | "no-more-mails" | "busy" | "no-answer" | "hung-up" | "call-declined" | "no-such-number" | "no-trunk" | "trunk-refused" | "no-speech";
  /** Responsible party: the `customer` who sends, the `recipient`, their `network`, the `carrier`, or `us`. */ "fault": "customer" | "recipient" | "network" | "carrier" | "us";
  /** Reason of the failure. */ "why": string;
  /** Recommended action. */ "todo": string };

type ShowMessagePath = {
  /** Id of the message. */ "id": string };

type Request = {
  /** Id in the request log. */ "id": string;
  /** Time of the response, ISO 8601. */ "at": string;
  /** API that received the request. */ "api": string;
  /** Operation, as in the request log. */ "operation": string;
  /** Id of the request. */ "request_id": string };

type Steps = {
  /** Kind of the event; `replaced`: a second message was sent by another channel. */ "step": "accepted" | "scheduled" | "waiting" | "submitted" | "delivered" | "failed" | "cancelled" | "given_back" | "replaced" | "read" | "clicked" | "complained" | "unsubscribed" | "pushed";
  /** Time of the event; for `waiting`, the time from which it may be submitted, ISO 8601. */ "at": string };

type Waiting = {
  /** Priority lane. */ "lane": "otp" | "single" | "bulk";
  /** Route; empty for the default route. */ "route": string;
  /** Time from which it may be submitted, ISO 8601. */ "due_at": string;
  /** Failed attempts. */ "attempts": number;
  /** Whether it is about to be submitted. */ "in_hand": boolean;
  /** Reason for waiting until `due_at`: `sending-hours` and `frequency-cap` are limits of the sending policy; `unanswered`: responses of the carrier were lost, and the message is resubmitted after a pause. Null for other reasons. */ "because": "sending-hours" | "frequency-cap" | "unanswered" | null;
  /** Whether its shipment is paused; `due_at` does not apply then. */ "paused": boolean;
  /** Whether it is held because the account is suspended. */ "held": boolean };

type Waits = {
  /** Reason: `scheduled` by the request; `paused` with its campaign; `suspended` with the account; `sending-hours` and `frequency-cap` by the sending policy; `retry` after a temporary rejection by the carrier; `sender-rate`: its sender had used up the rate of the connector; `no-connection` to the carrier; `unanswered`: responses of the carrier were lost, and a pause before the resubmission; `turn`: other messages, or the rate of the connector. */ "reason": "scheduled" | "paused" | "suspended" | "sending-hours" | "frequency-cap" | "retry" | "sender-rate" | "no-connection" | "unanswered" | "turn";
  /** Time of its beginning, ISO 8601. */ "from": string;
  /** Time of its end, ISO 8601; in the future for a message that still waits, and null if it is not known yet. */ "until": string | null;
  /** Failed attempts; null for a wait that follows none. */ "attempts": number | null;
  /** Connector of the last attempt, or the one without a connection. */ "link": string | null;
  /** Carrier's response to the last attempt, as in the message. */ "carrier_status": string | null };

type Call = {
  /** Outcome of the last call. */ "outcome": "heard" | "ended_early" | "busy" | "no_answer" | "declined" | "no_such_number" | "other";
  /** Played share of the message. */ "seconds": number | null };

type CarrierIds = {
  /** Part, from 1; 0 is the whole message. */ "part": number;
  /** Id at the carrier. */ "id": string };

type Clicks = {
  /** `id` of the link in the request. */ "key": string | null;
  /** Address of the link. Without the role `sender` or a token with the scope `read`: only the host and `••••••`. */ "url": string | null;
  /** Kind of the visitor. */ "visitor": "person" | "preview" | "bot";
  /** Time of the click, ISO 8601. */ "at": string };

type Fallback2 = {
  /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** Id of its shipment. */ "shipment_id": string;
  /** Id of the message; null while it does not exist, or if the other channel refused the recipient. */ "message_id": string | null;
  /** Time of its acceptance, ISO 8601. */ "at": string };

type Pushes = {
  /** Id of the event, as the receiver sees it. */ "event_id": string;
  /** Type of the event. */ "type": string;
  /** Time of the event, ISO 8601. */ "at": string;
  /** Id of the push address or webhook. */ "endpoint_id": string;
  /** `webhook`, or a push of the SMS API. */ "kind": string;
  /** Address of the endpoint. Without the role `owner` or a token with the scope `webhooks`: only the host and `••••••`. */ "url": string;
  /** State: `done`, `waiting`, `retrying` or `failed`. */ "state": string;
  /** Number of attempts, if it was not accepted at the first one. */ "attempts": number | null;
  /** HTTP status of the last response. */ "last_status": number | null;
  /** Error of the last attempt. */ "last_error": string | null };

type ShowMessageAnswer = {
  /** Id of the message. */ "id": string;
  /** Id of the shipment. */ "shipment_id": string;
  /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** Recipient; for email the address. */ "phone": string;
  /** Sender: number or name, business number, or email address. */ "source": string;
  /** Your own id of the message. */ "external_id": string | null;
  /** Number of parts. */ "parts": number;
  /** Price in credits. */ "price": string;
  /** `waiting`: accepted and not submitted yet; `submitted`: submitted to a carrier, without a delivery status yet; `delivered`; `read`, if the network reports it; `failed`; `cancelled`. */ "state": "waiting" | "submitted" | "delivered" | "read" | "failed" | "cancelled";
  /** Delivery status, as in delivery reports. */ "status": number;
  /** Text of the status. */ "status_text": string;
  /** Status code of the carrier for the last event, or the reason of a chat message. */ "carrier_status": string | null;
  /** Connector over which it was sent. */ "link": string | null;
  /** Time of acceptance, ISO 8601. */ "accepted_at": string;
  /** Time of submission, ISO 8601; null: never. */ "submitted_at": string | null;
  /** Time of delivery, failure or cancellation, ISO 8601; null: never. */ "ended_at": string | null;
  /** Time at which it was read, ISO 8601; null: never. */ "read_at": string | null;
  /** Reason of a failed message. */ "failure": Failure | null;
  /** Text; for a template its text with the values; for email the subject; for a one-time code or the link of a verification the text with `••••••` in place of the secret. Null for a message that never had a text. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
  /** Whether its text is no longer stored. */ "text_removed": boolean;
  /** Name of the campaign. */ "campaign_name": string | null;
  /** Start time of the shipment, if it was scheduled, ISO 8601; null: never. */ "due_at": string | null;
  /** Expiry of the undelivered message, ISO 8601; null: never. */ "valid_until": string | null;
  /** Refunded part of the price, in credits. */ "given_back": string | null;
  /** Request that sent the message. Null after the retention of the request log, and for messages that no request with a token of the account sent, such as those of people, SMPP clients and automatic replies. */ "request": Request | null;
  /** Timeline of the message, oldest event first. */ "steps": (Steps)[];
  /** Place in the queue; null if it does not wait. */ "waiting": Waiting | null;
  /** Times in which the message waited, oldest first; without those of less than some seconds. */ "waits": (Waits)[];
  /** Details of a call that was attempted. */ "call": Call | null;
  /** Ids at the carrier, kept for three weeks. */ "carrier_ids": (CarrierIds)[];
  /** First hundred clicks. */ "clicks": (Clicks)[];
  /** Message that was sent by another channel because this one failed or was not delivered in time. */ "fallback": Fallback2 | null;
  /** Message that this one replaces, because it failed or was not delivered in time. */ "fallback_for": Fallback2 | null;
  /** Events of the message for the endpoints that are registered now; kept for 30 days. */ "pushes": (Pushes)[] };

type Media = {
  /** Id of the file, for `GET /v1/media/{id}`. */ "media_id": string;
  /** Kind of the file. */ "kind": "image" | "video" | "audio" | "document" | "sticker";
  /** Name of the file; empty without one. */ "file_name": string;
  /** Whether it was recorded in the chat. */ "voice": boolean };

type Header = {
  /** Kind of the header. */ "kind": "text" | "image" | "video" | "document";
  /** Text, or the link to the media. */ "value": string };

type Buttons = {
  /** Kind of the button. */ "kind": "reply" | "url" | "call" | "copy";
  /** Label of the button. */ "text": string;
  /** Address, number or code; for a reply its id; empty in a template. */ "value": string };

type Cards = {
  "header": Header;
  /** Text; empty without one. */ "body": string;
  /** Buttons in their order. */ "buttons": (Buttons)[] };

type Chat = {
  /** Kind of the message. */ "kind": "text" | "template" | "buttons" | "carousel" | "media";
  /** File of the message. */ "media": Media | null;
  /** Header above the text; null without one. */ "header": Header | null;
  /** Text of the message. */ "body": string;
  /** Footer below the text; empty without one. */ "footer": string;
  /** Title of a limited-time offer; empty without one. */ "offer": string;
  /** Buttons in their order. */ "buttons": (Buttons)[];
  /** Cards of a carousel. */ "cards": (Cards)[] };

type From = {
  /** Displayed name of the sender. */ "name": string;
  /** Email address. */ "address": string };

type Mail = {
  "from": From;
  /** Subject of the email. */ "subject": string;
  /** HTML of the email; its unsubscribe link has no effect here. */ "html": string | null;
  /** Plain text of the email. */ "text": string | null };

type Call2 = {
  /** Text to be spoken. */ "text": string;
  /** Voice. */ "voice": "ymMale" | "ymFemale";
  /** Speech rate, -10 to 10. */ "rate": number;
  /** Number of times that the text is spoken. */ "repeat": number };

type ShowMessageContentAnswer = {
  /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** Id of the message; null for a campaign without messages yet. */ "message_id": string | null;
  /** Recipient of the message. */ "recipient": string | null;
  /** Text of an SMS, or body of a chat message. Null for email. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
  /** Chat message as the phone shows it; for a template with its values. Without the role `sender` or a token with the scope `read`: null. */ "chat": Chat | null;
  /** Email with the fields of its recipient. Without the role `sender` or a token with the scope `read`: null. */ "mail": Mail | null;
  /** Text read aloud in a call; `POST /v1/speech/preview` returns the audio. Without the role `sender` or a token with the scope `read`: null. */ "call": Call2 | null;
  /** Whether its text is no longer stored. */ "text_removed": boolean };

type Rows = {
  /** Start of the hour or day, ISO 8601. */ "at": string;
  /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** Accepted messages. */ "accepted": number;
  /** Submitted messages among them. */ "sent": number;
  /** Messages that are not submitted yet. */ "waiting": number;
  /** Submitted messages without a delivery status. */ "submitted": number;
  /** Messages that are delivered and not reported as read. */ "delivered": number;
  /** Read. */ "read": number;
  /** Failed. */ "failed": number;
  /** Cancelled. */ "cancelled": number;
  /** Parts of SMS. */ "parts": number;
  /** Credits less refunds. */ "spent": string };

type Totals = {
  /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** Accepted messages. */ "accepted": number;
  /** Submitted messages among them. */ "sent": number;
  /** Messages that are not submitted yet. */ "waiting": number;
  /** Submitted messages without a delivery status. */ "submitted": number;
  /** Messages that are delivered and not reported as read. */ "delivered": number;
  /** Read. */ "read": number;
  /** Failed. */ "failed": number;
  /** Cancelled. */ "cancelled": number;
  /** Parts of SMS. */ "parts": number;
  /** Credits less refunds. */ "spent": string };

type ListLinkedShipmentsQuery = {
  /** `next` of the previous page. */ "after"?: string;
  /** Maximum rows per page. */ "limit"?: number;
  /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string };

type ListClickHoursPath = {
  /** `shipment_id` in the response to the send. */ "id": string };

type Failures = {
  /** Reason code, for programs. */ "key": "no-credit" | "blacklisted" | "cancelled" | "bad-number" | "bad-source" | "text-too-long" | "composed" | "content" | "refused-hour" | "sending-hours" | "frequency-cap" | "no-consent" | "refused-advertising" | "kosher" | "no-permission" | "denied-range" | "abroad" | "unreachable" | "out-of-coverage" | "undelivered" | "network-fault" | "network-unknown" | "carrier-refused" | "waited-too-long" | "text-lost" | "unknown" | "two-unanswered" | "tier-reached" | "window-closed" | "no-chat" | "declined" | "held-back" | "template" | "variables" | "media" | "chat-limits" | "chat-account" | "chat-access" | "chat-request" | "chat-platform" | "suspended" | "bad-mailbox" | "no-more-mails" | "busy" | "no-answer" | "hung-up" | "call-declined" | "no-such-number" | "no-trunk" | "trunk-refused" | "no-speech";
  /** Responsible party: the `customer` who sends, the `recipient`, their `network`, the `carrier`, or `us`. */ "fault": "customer" | "recipient" | "network" | "carrier" | "us";
  /** Reason of the failure. */ "why": string;
  /** Recommended action. */ "todo": string;
  /** Delivery status, as in delivery reports. */ "status": number;
  /** Status code of the carrier, or the reason of a chat message. */ "carrier_status": string | null;
  /** Number of messages. */ "count": number };

type Progress = {
  /** Messages that are not submitted yet. */ "waiting": number;
  /** Submitted messages without a delivery status. */ "submitted": number;
  /** Messages that are delivered and not reported as read. */ "delivered": number;
  /** Read. */ "read": number;
  /** Failed. */ "failed": number;
  /** Messages cancelled before submission. */ "cancelled": number;
  /** Failed messages by status and carrier status, most frequent first. */ "failures": (Failures)[];
  /** Time of the count, ISO 8601. */ "counted_at": string };

type Shipments = {
  /** Id of the campaign. */ "id": string;
  /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** `campaign_name` of the send. */ "campaign_name": string | null;
  /** Sender of the first message: number or name, business number, or email address. */ "source": string | null;
  /** `scheduled`, `running`, `paused`, `cancelled`, or `finished` (no message waits). */ "state": "scheduled" | "running" | "paused" | "cancelled" | "finished";
  /** Messages created so far. */ "messages": number;
  /** Contacts of its lists without a message yet, as far as known; for a cancelled campaign, the contacts that receive none. */ "unmade": number;
  /** Price in credits, with the credits held for `unmade`. */ "cost": string;
  /** `cost` less refunds. */ "net_cost": string;
  /** Refunded credits: for messages that were cancelled or not delivered, and the rest held for `unmade` at the cancellation. */ "refunded": string;
  /** Time of acceptance, ISO 8601. */ "accepted_at": string;
  /** Start time, ISO 8601. */ "due_at": string;
  /** Expiry of undelivered messages, ISO 8601. */ "valid_until": string;
  /** Id of the shipment whose failed or late messages it replaces by another channel; null for other shipments. */ "fallback_for": string | null;
  /** Messages by state; null for a large send that is being counted for the first time: ask again. */ "progress": Progress | null;
  /** Time at which a scheduled campaign begins to send, ISO 8601: `due_at`, or the first later time that the sending policy of the account and `sending_hours` permit, for recipients in the time zone of the account. null: not scheduled, or never permitted. */ "starts_at": string | null };

type ShowShipmentPath = {
  /** `shipment_id` in the response to the send; for campaigns of chat or email, their id. */ "id": string };

type Lists = {
  /** Id of the list. */ "id": string;
  /** Name of the list. */ "name": string };

type Fallback3 = {
  /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** Minutes after the submission of a message without a delivery. */ "after_minutes": number;
  /** `open` until each message is delivered, or has failed or been replaced. */ "state": "open" | "ended";
  /** Reason why it waits, or ended early: `paused`, `cancelled`, `text-removed`, or the code or reason of a refused send, such as `no-credit`. null without such a reason. */ "reason": string | null;
  /** Messages that were sent by the other channel. */ "sent": number };

type ShowShipmentAnswer = {
  /** Id of the campaign. */ "id": string;
  /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** `campaign_name` of the send. */ "campaign_name": string | null;
  /** Sender of the first message: number or name, business number, or email address. */ "source": string | null;
  /** `scheduled`, `running`, `paused`, `cancelled`, or `finished` (no message waits). */ "state": "scheduled" | "running" | "paused" | "cancelled" | "finished";
  /** Messages created so far. */ "messages": number;
  /** Contacts of its lists without a message yet, as far as known; for a cancelled campaign, the contacts that receive none. */ "unmade": number;
  /** Price in credits, with the credits held for `unmade`. */ "cost": string;
  /** `cost` less refunds. */ "net_cost": string;
  /** Refunded credits: for messages that were cancelled or not delivered, and the rest held for `unmade` at the cancellation. */ "refunded": string;
  /** Time of acceptance, ISO 8601. */ "accepted_at": string;
  /** Start time, ISO 8601. */ "due_at": string;
  /** Expiry of undelivered messages, ISO 8601. */ "valid_until": string;
  /** Id of the shipment whose failed or late messages it replaces by another channel; null for other shipments. */ "fallback_for": string | null;
  /** Messages by state; null for a large send that is being counted for the first time: ask again. */ "progress": Progress | null;
  /** Time at which a scheduled campaign begins to send, ISO 8601: `due_at`, or the first later time that the sending policy of the account and `sending_hours` permit, for recipients in the time zone of the account. null: not scheduled, or never permitted. */ "starts_at": string | null;
  /** `sending_hours` of the send: hours of each day in which its messages are sent. null: the hours of the policy. */ "sending_hours": string | null;
  /** Contact lists, or for email mailing lists, to which it is sent. Removed lists are missing. */ "lists": (Lists)[];
  /** Whether its text is no longer stored. */ "text_removed": boolean;
  /** Text that its messages have in common; null if each has its own. Without the role `sender` or a token with the scope `read`: null. */ "text": string | null;
  /** Second messages by another channel; null without `fallback`. */ "fallback": Fallback3 | null;
  /** Whether its remaining messages are held because the account is suspended. */ "held": boolean;
  /** Time of the continuation, ISO 8601, while the sending policy of the account holds all remaining messages; null: no such pause. */ "waits_until": string | null };

type PauseShipmentAnswer = {
  /** Id of the campaign. */ "id": string;
  /** Channel: one of `sms`, `chat`, `mail`, `voice`. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** `campaign_name` of the send. */ "campaign_name": string | null;
  /** Sender of the first message: number or name, business number, or email address. */ "source": string | null;
  /** `scheduled`, `running`, `paused`, `cancelled`, or `finished` (no message waits). */ "state": "scheduled" | "running" | "paused" | "cancelled" | "finished";
  /** Messages created so far. */ "messages": number;
  /** Contacts of its lists without a message yet, as far as known; for a cancelled campaign, the contacts that receive none. */ "unmade": number;
  /** Price in credits, with the credits held for `unmade`. */ "cost": string;
  /** `cost` less refunds. */ "net_cost": string;
  /** Refunded credits: for messages that were cancelled or not delivered, and the rest held for `unmade` at the cancellation. */ "refunded": string;
  /** Time of acceptance, ISO 8601. */ "accepted_at": string;
  /** Start time, ISO 8601. */ "due_at": string;
  /** Expiry of undelivered messages, ISO 8601. */ "valid_until": string;
  /** Id of the shipment whose failed or late messages it replaces by another channel; null for other shipments. */ "fallback_for": string | null;
  /** Messages by state; null for a large send that is being counted for the first time: ask again. */ "progress": Progress | null };

type CancelShipmentAnswer = {
  /** Id of the campaign. */ "id": string;
  /** Recipients whose message was cancelled and refunded. */ "cancelled": number;
  /** Messages submitted before. */ "submitted": number;
  /** Refunded credits. */ "refunded": string };

type ShowCampaignPath = {
  /** Id of the campaign, the `shipment_id` in the response to the send. */ "id": string };

type ListFailedRecipientsQuery = {
  /** `next` of the previous page; rows are in the order of the messages. */ "after"?: string;
  /** Maximum rows per page. */ "limit"?: number;
  /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string };

type DynamicFieldsObject = {
  "1"?: string;
  "2"?: string;
  "3"?: string;
  "4"?: string;
  "5"?: string };

type Templates = {
  /** Name of the template. */ "name": string;
  /** Id of the template, for sending. */ "templateId": string;
  /** Number of the language. */ "language": string;
  /** Link to the example of a media header; empty without one. */ "headerSample": string;
  /** Text, with its variables written as `{{1}}`. */ "body": string;
  /** Footer; may be empty. */ "footer": string;
  /** Buttons: `1` none, `2` call-to-action buttons, `3` quick replies, `4` both. */ "buttons": string;
  /** Call-to-action buttons: `0` none, `1` website, `2` call, `3` both. */ "callToAction": string;
  /** Text of the website button. */ "callToActionWebsiteText": string;
  /** `1`: the address is fixed; `2`: a variable completes it. */ "callToActionWebsiteType": string;
  /** Address of the website button. */ "callToActionWebsiteURL": string;
  /** Text of the call button. */ "callToActionCallText": string;
  /** Phone number of the call button. */ "callToActionCallNumber": string;
  /** Text of the first quick reply. */ "quickReply1": string;
  /** Text of the second quick reply. */ "quickReply2": string;
  /** Text of the third quick reply. */ "quickReply3": string;
  /** Header: `1` no media, `2` image, `3` video, `4` document. */ "headers": string;
  /** Status, 0 to 11. Templates with status 1, 10 or 11 can be sent. */ "status": number };

type ListChatTemplatesAnswer = {
  /** Whether the number belongs to the account. */ "success": boolean;
  /** Templates of the number. */ "templates": (Templates)[] };

type UploadMediaAnswer = {
  /** Id of the file, `media_id` of messages. */ "id": string;
  /** Kind of message in which it is sent. */ "kind": "image" | "video" | "audio" | "document" | "sticker";
  /** `pending`: it is being fetched from the platform; `stored`; `failed`: it could not be fetched. */ "state": "pending" | "stored" | "failed";
  /** Media type: detected from the content once stored, before that as reported by the platform. */ "mime_type": string;
  /** Name of the file; empty without one. Without the role `agent` or a token with the scope `read`: `••••••`. */ "file_name": string;
  /** Size in bytes; null while unknown. */ "size": number | null;
  /** SHA-256 in hexadecimal; null while unknown. Without the role `agent` or a token with the scope `read`: null. */ "sha256": string | null;
  /** Whether a browser can display or play it; other files are offered for download. */ "shown": boolean;
  /** Reason of the failure, or of the last failed attempt of a pending file: `too-large`, `wrong-type` (its content is of another kind), `damaged`, `gone` (deleted on the platform), `not-fetched`, `over-budget` (the budget `files` has no room; the service retries for up to 7 days). */ "problem": "too-large" | "wrong-type" | "damaged" | "gone" | "not-fetched" | "over-budget" | null;
  /** Time of arrival or upload, ISO 8601. */ "created_at": string;
  /** Time of deletion, ISO 8601. */ "expires_at": string };

type GetMediaPath = {
  /** Id of the file. */ "id": string };

type Problems = {
  /** Topic: a ban of the business account, a restriction, a violation of the rules, its connection, its review, an alert; for a number also its name or its rating. */ "topic": "ban" | "restriction" | "violation" | "connection" | "review" | "alert" | "name" | "quality";
  /** `stopped`: some or all messages cannot be sent; `warning`: action is required. */ "severity": "stopped" | "warning";
  /** Business number, international digits; empty for the whole portfolio. */ "phone": string;
  /** The platform's term for the problem. */ "word": string;
  /** The platform's term for the cause; empty if it reports none. */ "reason": string;
  /** End of the problem, ISO 8601; null: until the platform reports its end. Violations and alerts are shown for 30 days. */ "until": string | null;
  /** Time of the platform's report, ISO 8601. */ "told_at": string };

type Header2 = {
  /** Kind of the header. */ "kind": "none" | "text" | "image" | "video" | "document";
  /** Text of a header of kind `text`; may contain the variable `{{1}}`. */ "text"?: string;
  /** Example of the variable, or link to an example image (jpg, png), video (mp4) or document (pdf). */ "sample"?: string };

type Buttons2 = {
  /** Kind: a quick reply, a website, a phone number, a coupon code to copy, or a one-time code to copy. */ "kind": "reply" | "website" | "call" | "coupon" | "otp";
  /** Label, up to 25 characters; coupons have a fixed one. */ "text"?: string;
  /** Address, for a website; each send fills `{{1}}` at its end. */ "url"?: string;
  /** Phone number, with `+` and its country code. */ "number"?: string;
  /** Example: full address of a website with a variable, or a coupon code. */ "sample"?: string };

type Offer = {
  /** Title of the offer, up to 16 characters. */ "text": string;
  /** Whether each send sets the expiry of the offer. */ "expires"?: boolean };

type Authentication = {
  /** Adds "do not share this code". */ "advice"?: boolean;
  /** Minutes for which the code is valid, as shown in the message; null omits the sentence. */ "minutes"?: number | null };

type CreateTemplateBody = {
  /** Business number. */ "phone": string;
  /** Name: lower-case English letters, digits and underscores, up to 512 characters. */ "name": string;
  /** Number of a language (docs/chat-api.md), or its code, for example `he`. */ "language": string;
  /** Category. */ "category": "marketing" | "utility" | "authentication";
  /** Header above the text; optional. */ "header"?: Header2;
  /** Text, with variables `{{1}}` to `{{5}}`; empty for an authentication template, whose text the platform provides. */ "body"?: string;
  /** Examples, one for each variable of the body. */ "body_samples"?: (string)[];
  /** Footer below the text, up to 60 characters. */ "footer"?: string;
  /** Buttons: at most three quick replies, two websites, a phone number and a coupon; quick replies are adjacent. */ "buttons"?: (Buttons2)[];
  /** Limited-time offer of a marketing template. */ "offer"?: Offer | null;
  /** Additional sentences of an authentication template. */ "authentication"?: Authentication | null };

type Header3 = {
  /** Kind of the header. */ "kind": "none" | "text" | "image" | "video" | "document";
  /** Text of a header of kind `text`. */ "text": string;
  /** Example value or link. Without the role `sender` or a token with the scope `read` or `send`: empty. */ "sample": string };

type Buttons3 = {
  "kind": "reply" | "website" | "call" | "coupon" | "otp";
  "text": string;
  "url": string;
  "number": string;
  /** Without the role `sender` or a token with the scope `read` or `send`: empty. */ "sample": string };

type Offer2 = {
  "text": string;
  "expires": boolean };

type Authentication2 = {
  "advice": boolean;
  "minutes": number | null };

type History = {
  /** Status, 0 to 11. */ "status": number;
  /** The platform's term for the reason. */ "reason": string;
  /** Time of the change, ISO 8601. */ "at": string };

type CreateTemplateAnswer = {
  /** Id, also in the chat API. */ "template_id": string;
  /** Business number. */ "phone": string;
  /** Name of the template. */ "name": string;
  /** Code of the language on the platform. */ "language": string;
  /** Number of the language in the chat API. */ "language_number": string;
  /** Category. */ "category": "marketing" | "utility" | "authentication";
  "header": Header3;
  /** Text of the message. */ "body": string;
  /** Examples, one for each variable. */ "body_samples": (string)[];
  /** Footer below the text. */ "footer": string;
  /** Buttons of the template; fields that a kind does not have are empty. */ "buttons": (Buttons3)[];
  /** Limited-time offer; null without one. */ "offer": Offer2 | null;
  /** Settings of an authentication template; null for other categories. */ "authentication": Authentication2 | null;
  /** Status, 0 to 11 (interface, "Template status"). */ "status": number;
  /** The platform's term for the reason of the status; empty without one. */ "status_reason": string;
  /** Time of the last change of status, ISO 8601. */ "status_at": string;
  /** Quality rating of the platform, by reports of recipients (blocks, spam). `unknown` until it is rated. */ "quality": "high" | "medium" | "low" | "unknown";
  /** Category to which the platform will move the template because its content does not match its category; null without a planned change. */ "next_category": "marketing" | "utility" | "authentication" | null;
  /** Date of that change, ISO 8601; null if the platform does not announce it. */ "category_changes_at": string | null;
  /** Whether the template can be sent now. */ "usable": boolean;
  /** Whether the template can be edited now. */ "editable": boolean;
  /** Whether the platform has received the template. */ "submitted": boolean;
  /** Reason why the platform has not received it yet; empty without one. */ "problem": string;
  /** Time of creation or first synchronization, ISO 8601. */ "created_at": string;
  /** Status history, oldest first. */ "history": (History)[] };

type EditTemplatePath = {
  /** `template_id` of the template. */ "id": string };

type ListChatCampaignsQuery = {
  /** `next` of the previous page; the newest is first. */ "after"?: string;
  /** Maximum rows per page. */ "limit"?: number;
  /** User name of the account on whose behalf the request acts: a subscriber of the account of the token; default: the account itself. Required for operators. */ "username"?: string };

type Campaigns = {
  /** Id of the campaign; `cancel` of the SMS API accepts it too. */ "id": string;
  /** `campaign_name`. */ "name": string | null;
  /** Business number. */ "source": string;
  /** Template; null if it was removed. */ "template_id": string | null;
  /** `scheduled`, `running`, `paused`, `cancelled`, or `finished` (no message waits for submission to the platform). */ "state": string;
  /** Distinct recipients in the request, `sum` of the response. */ "total": number;
  /** Start time, ISO 8601. */ "due_at": string;
  /** Time of acceptance, ISO 8601. */ "created_at": string;
  /** Time of the end, ISO 8601. */ "finished_at": string | null };

type StartChatCampaignBody = {
  /** Business number. */ "source": string;
  /** `template_id` of an approved template of the number. */ "template_id": string;
  /** Numbers in any spelling; each receives one message. */ "phones"?: (string)[];
  /** Ids of contact lists. */ "lists"?: (string)[];
  /** Name of the campaign, shown and searchable in reports. */ "name"?: string;
  /** Dynamic fields for the variables of the body, by number: column name or `df1` to `df6`. */ "fields"?: { [name: string]: string };
  /** Link to the media file, for a template with a media header. For a text header with a variable: the value of the variable. */ "header_link"?: string;
  /** Coupon code for all recipients, for a template with a coupon. */ "coupon_code"?: string;
  /** Coupon with a code for each contact: number of the dynamic field with the value, 1 to 6. */ "coupon_field"?: number;
  /** Expiry of the offer, for a template with a limited-time offer, ISO 8601 with an offset. */ "coupon_expires_at"?: string | null;
  /** Website button with a variable: number of the dynamic field with the value, 1 to 6. */ "website_field"?: number;
  /** Second website button with a variable: number of the dynamic field with the value, 1 to 6. */ "website_field2"?: number;
  /** Start time, ISO 8601 with an offset; immediately if absent or in the past. */ "at"?: string | null;
  /** Hours of each day in which its messages are sent, as `10:00-18:00`, within those of the sending policy. Outside them messages wait, or fail, depending on the policy. null: the hours of the policy. */ "sending_hours"?: string | null;
  /** Whether it is exempt from the sending policy, such as a receipt or an alarm. Requires that the policy allows it. */ "transactional"?: boolean };

type ShowChatCampaignPath = {
  /** Id of the campaign. */ "id": string };

type SendChatTemplateBody = {
  /** Business number. */ "source": string;
  /** Recipient, in any spelling; for a client who hides their number, the id in `from` of events. */ "to": string;
  /** `template_id` of an approved template of the number. */ "template_id": string;
  /** Variables of the body, by number. */ "variables"?: { [name: string]: string };
  /** Link to the media file, for a template with a media header. For a text header with a variable: the value of the variable. */ "header_link"?: string;
  /** Coupon code, digits, for a template with a coupon. */ "coupon_code"?: string;
  /** Expiry of the offer, for a template with a limited-time offer, ISO 8601 with an offset. */ "coupon_expires_at"?: string | null;
  /** Value that completes the address of a website button with a variable. */ "website_variable"?: string;
  /** Number of the dynamic field that completes the address of a second website button. */ "website_variable2"?: string;
  /** One-time code, for an authentication template. */ "otp"?: string };

type SendChatTemplateAnswer = {
  /** Id of the message. */ "id": string;
  /** Body as the client reads it. */ "body": string;
  /** Minutes left of the 24 hours since the client's last message. */ "template_time_left": number;
  /** Minutes left of the conversation. */ "conversation_time_left": number };

type Header4 = {
  /** Kind of the file. */ "kind": "image" | "video" | "document";
  /** https address of the file. Images jpg, png up to 5 MB; videos mp4 up to 16 MB; documents pdf up to 100 MB. */ "link": string };

type Replies = {
  /** Text of the button. */ "text": string;
  /** Id of the button, `button_id` of the event when it is pressed; default: its position, from 1. */ "id"?: string };

type Opens = {
  /** Text of the button, without emoji. */ "text": string;
  /** https address, phone number or email address that the button opens. */ "target": string };

type SendChatButtonsBody = {
  /** Business number. */ "source": string;
  /** Recipient, in any spelling; for a client who hides their number, the id in `from` of events. */ "to": string;
  /** Header above the text. */ "header"?: Header4 | null;
  /** Text of the message. */ "body": string;
  /** Footer, in small letters below the text. */ "footer"?: string;
  /** Reply buttons, each with a different text. */ "replies"?: (Replies)[];
  /** Button that opens an address, instead of `replies`. */ "opens"?: Opens | null;
  /** Id of the client's message to quote, from the event `chat.message`. */ "reply_to"?: string };

type EstimateChatButtonsAnswer = {
  /** Whether the message would open a conversation, which is charged. */ "opens_conversation": boolean;
  /** Remaining free messages with buttons and carousels in this calendar month, apart from the price of their conversation. */ "free_left": number;
  /** Maximum price in credits: if a conversation opens with every recipient. */ "cost": string;
  /** Balance of the account in credits. */ "balance": string;
  /** Whether the balance is sufficient. */ "enough": boolean;
  /** Estimated time of submission of the last message, by the queue and the rate of the number, ISO 8601. */ "finishes_at": string };

type Opens2 = {
  /** Text of the button, without emoji. */ "text": string;
  /** https address, phone number or email address that the button opens. */ "target": string };

type Cards2 = {
  /** Address of an image (jpg, png up to 5 MB) or a video (mp4, 3gpp up to 16 MB); the same kind on all cards. */ "media": string;
  /** Text with at most two line breaks; on all cards or on none. */ "body"?: string;
  /** Reply buttons, each with a different text. */ "replies"?: (Replies)[];
  /** Button that opens an address, instead of `replies`. */ "opens"?: Opens2 | null };

type SendChatCarouselBody = {
  /** Business number. */ "source": string;
  /** Recipient, in any spelling; for a client who hides their number, the id in `from` of events. */ "to": string;
  /** Text above the cards. */ "body": string;
  /** Cards. All cards have the same number of replies, or all have a button that opens an address. */ "cards": (Cards2)[];
  /** Id of the client's message to quote, from the event `chat.message`. */ "reply_to"?: string };

type Writer = {
  /** Id of the person. */ "id": string;
  /** Name of the person. */ "name": string;
  /** Expiry of this state unless it is renewed, ISO 8601. */ "until": string };

type Conversations = {
  /** Id of the conversation. */ "id": string;
  /** Your number or address to which the client wrote. */ "sender": string;
  /** Client: a number, an email address, or the id of a client who hides the number on the chat platform. */ "client": string;
  /** Profile name; empty if unknown. Without the role `agent` or a token with the scope `read`: `••••••`. */ "client_name": string;
  /** Channel of the client's last message, and of replies. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** State. A message of the client opens a closed conversation. */ "state": "open" | "closed";
  /** Id of the assigned person; null: nobody. */ "assignee_id": string | null;
  /** Unread messages of the client. */ "unread": number;
  /** Labels of the conversation. */ "label_ids": (string)[];
  /** Time of the last message, ISO 8601. */ "last_at": string;
  /** Kind of the last message, as in events. */ "last_type": string;
  /** Start of the last message. Without the role `agent` or a token with the scope `read`: `••••••`. */ "last_text": string;
  /** Whether the client wrote it. */ "last_from_client": boolean;
  /** Time of the client's last message, ISO 8601; null: never. */ "client_wrote_at": string | null;
  /** Person who is writing a reply now; null: nobody. */ "writer": Writer | null };

type Replies2 = {
  /** Kinds of messages that can be sent. */ "kinds": ("text" | "media" | "buttons" | "carousel" | "template")[];
  /** Reason for restrictions: the client has never written; wrote over 24 hours ago; has not answered a template; or the sender no longer belongs to the account. */ "problem": "never-written" | "window-closed" | "unanswered" | "no-sender" | null;
  /** Time until which messages other than templates can be sent, ISO 8601; null: no end. */ "closes_at": string | null };

type BeginConversationAnswer = {
  /** Id of the conversation. */ "id": string;
  /** Your number or address to which the client wrote. */ "sender": string;
  /** Client: a number, an email address, or the id of a client who hides the number on the chat platform. */ "client": string;
  /** Profile name; empty if unknown. Without the role `agent` or a token with the scope `read`: `••••••`. */ "client_name": string;
  /** Channel of the client's last message, and of replies. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** State. A message of the client opens a closed conversation. */ "state": "open" | "closed";
  /** Id of the assigned person; null: nobody. */ "assignee_id": string | null;
  /** Unread messages of the client. */ "unread": number;
  /** Labels of the conversation. */ "label_ids": (string)[];
  /** Time of the last message, ISO 8601. */ "last_at": string;
  /** Kind of the last message, as in events. */ "last_type": string;
  /** Start of the last message. Without the role `agent` or a token with the scope `read`: `••••••`. */ "last_text": string;
  /** Whether the client wrote it. */ "last_from_client": boolean;
  /** Time of the client's last message, ISO 8601; null: never. */ "client_wrote_at": string | null;
  /** Person who is writing a reply now; null: nobody. */ "writer": Writer | null;
  /** Current possibilities to reply. */ "replies": Replies2 };

type GetConversationPath = {
  /** Id of the conversation. */ "id": string };

type Media2 = {
  /** File from `POST /v1/media`, or from a client. */ "media_id": string;
  /** Caption; not for audio and stickers. */ "caption"?: string };

type Buttons4 = {
  /** Header above the text. */ "header"?: Header4 | null;
  /** Text of the message. */ "body": string;
  /** Footer, in small letters below the text. */ "footer"?: string;
  /** Reply buttons, each with a different text. */ "replies"?: (Replies)[];
  /** Button that opens an address, instead of `replies`. */ "opens"?: Opens | null };

type Carousel = {
  /** Text above the cards. */ "body": string;
  /** Cards. All cards have the same number of replies, or all have a button that opens an address. */ "cards": (Cards2)[] };

type Template = {
  /** `template_id` of an approved template of the number. */ "template_id": string;
  /** Variables of the body, by number. */ "variables"?: { [name: string]: string };
  /** Link to the media file, for a template with a media header. For a text header with a variable: the value of the variable. */ "header_link"?: string;
  /** Coupon code, digits, for a template with a coupon. */ "coupon_code"?: string;
  /** Expiry of the offer, for a template with a limited-time offer, ISO 8601 with an offset. */ "coupon_expires_at"?: string | null;
  /** Value that completes the address of a website button with a variable. */ "website_variable"?: string;
  /** Number of the dynamic field that completes the address of a second website button. */ "website_variable2"?: string;
  /** One-time code, for an authentication template. */ "otp"?: string };

type ReplyToConversationBody = {
  /** Text; for an SMS up to 1,005 characters. */ "text"?: string;
  /** Image, audio, video, document or sticker; chat only. */ "media"?: Media2;
  /** Message with buttons, as in `POST /v1/chat/buttons`. */ "buttons"?: Buttons4;
  /** Carousel, as in `POST /v1/chat/carousels`. */ "carousel"?: Carousel;
  /** Template message, as in `POST /v1/chat/messages`. */ "template"?: Template;
  /** Message of the client to quote; chat only. */ "reply_to"?: string;
  /** Whether an SMS to a number of another country is allowed if its owner has not written in the last 24 hours. */ "includes_international"?: boolean };

type Labels = {
  /** Id of the label. */ "id": string;
  /** Name of the label. */ "name": string;
  /** Colour of the label. */ "color": "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "violet" };

type ChangeConversationLabelPath = {
  /** Id of the label. */ "id": string };

type SavedReplies = {
  /** Id of the saved reply. */ "id": string;
  /** `shortcut`. */ "shortcut": string;
  /** `title`. */ "title": string;
  /** `text`, with its variables. */ "text": string;
  /** Person who created it; null: a token. */ "created_by": string | null;
  /** Number of uses by people. */ "uses": number;
  /** Time of creation, ISO 8601. */ "created_at": string;
  /** Time of the last change, ISO 8601. */ "updated_at": string };

type ChangeSavedReplyPath = {
  /** Id of the saved reply. */ "id": string };

type Rules = {
  /** Id of the rule. */ "id": string;
  /** `name`. */ "name": string;
  /** Whether the rule is enabled. */ "enabled": boolean;
  /** Reason why the service disabled the rule. `author`: the token or person that created it was removed or lost the right. Enable the rule to become its author. */ "stopped": "author" | null;
  /** Channels of the messages; empty: all. */ "channels": (string)[];
  /** Numbers or addresses of yours to which the client wrote; empty: all. */ "senders": (string)[];
  /** Words of which the message has one, compared without case, vowel signs and surrounding punctuation; empty: all messages. */ "keywords": (string)[];
  /** `exact`: the whole message is a keyword; `contains`: the message contains one; `starts`: the message begins with one. */ "match": "exact" | "contains" | "starts";
  /** `open-hours` or `closed-hours`: the rule applies only then, by the opening hours of the settings. */ "when": "always" | "open-hours" | "closed-hours";
  /** Whether the rule applies only to the message that started or reopened the conversation. */ "first_only": boolean;
  /** Saved reply to send as an automatic reply, instead of `reply_text`; null: none. */ "saved_reply_id": string | null;
  /** Text of an automatic reply; null: none. At most five automatic replies are sent to one client within an hour. */ "reply_text": string | null;
  /** Labels to add to the conversation. */ "label_ids": (string)[];
  /** Person to whom an unassigned conversation is assigned; null: nobody. */ "assignee_id": string | null;
  /** Whether an unassigned conversation is assigned to the next person in turn. */ "assign_by_turns": boolean;
  /** Whether webhooks with the event `conversation.rule_matched` are notified. */ "webhook": boolean;
  /** Whether later rules are skipped. */ "stop": boolean;
  /** Number of matches in the stored conversations; 10,000 at most. */ "matches": number;
  /** Time of the last match, ISO 8601; null: never. */ "last_match_at": string | null };

type ShowConversationRulePath = {
  /** Id of the rule. */ "id": string };

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
  /** Time zone of the hours: that of the account, or of the service. */ "time_zone": string;
  /** Whether it is open now. */ "is_open": boolean;
  /** Opening hours of each day of the week in the time zone of the account, such as `09:00-17:00`; several a day are allowed. Hours whose end is not later than their start continue after midnight. A day without hours is closed. null: always open. */ "hours": Hours | null;
  /** Days that are closed all day, regardless of their hours. */ "closed_dates": (ClosedDates)[];
  /** Reply to a client who writes outside the opening hours; null: none. */ "away_message": string | null;
  /** Reason why the away message is not sent: `author`, because the token or person that set it lost the right to; set it again to take it over. null: the message is sent. */ "away_stopped": "author" | null;
  /** Whether conversations are assigned in turn. */ "assign_by_turns": boolean;
  /** People to whom conversations are assigned in turn. Empty: everyone who answers conversations. */ "turn_ids": (string)[];
  /** Days without activity after which an open conversation is closed; null: never. */ "close_after_days": number | null;
  /** Countries outside the home country of the installation to which automatic replies by SMS are sent, such as `US`. Clients in other countries receive none; people can still answer them. */ "automatic_reply_countries": (string)[] };

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

type Result = {
  /** Status code; 200 for success. */ "ResultID": number;
  /** Text of the status. */ "ResultMessage": string;
  /** Always empty. */ "Tin": string };

type Data = {
  /** Ids of the users, in the order of the request. */ "users": (number)[];
  /** Ids of the lists. */ "mailingLists": (number)[] };

type CreateMailingListAnswer = {
  /** Whether the operation succeeded. */ "success": boolean;
  /** Same as `success`. */ "res": boolean;
  /** Result of the operation. */ "result": Result;
  /** Users and lists of the request. */ "data": Data };

type UserSendFields = {
  /** Name of the field. */ "Key": string;
  /** Value of the field for the user. */ "Value"?: string };

type UserSendFields2 = {
  /** Name of the field. */ "Key": string;
  /** Value of the field for the user. */ "Value": string };

type Pictures = {
  /** Id of the picture. */ "id": string;
  /** Public address of the picture, for emails. Everybody who knows it can read the picture. */ "url": string;
  /** Name of the uploaded file; empty without one. */ "name": string;
  /** Media type, detected from the content. */ "mime_type": string;
  /** Size in bytes. */ "size": number;
  /** Time of the upload, ISO 8601. */ "created_at": string };

type From2 = {
  "name"?: string;
  "address": string };

type CreateMailCampaignBody = {
  /** Name of the campaign, up to 50 characters. */ "name"?: string | null;
  /** Sender: an address from which the account may send, and the displayed name. */ "from": From2;
  /** Address for replies, if different from the sender. */ "reply_to"?: string | null;
  /** Subject, one line. Fields are written as `{{FirstName}}`, or `{{FirstName|friend}}`. */ "subject": string;
  /** Email in HTML. `{{unsubscribe}}` is the address of the unsubscribe page; without it, a link is appended. */ "html"?: string | null;
  /** Email in plain text. HTML, text, or both are required. */ "text"?: string | null;
  /** Ids of mailing lists. A user of several lists gets one email. */ "lists": (number)[];
  /** Start time, ISO 8601; immediately if absent or in the past. */ "at"?: string | null;
  /** Hours of each day in which its messages are sent, as `10:00-18:00`, within those of the sending policy. Outside them messages wait, or fail, depending on the policy. null: the hours of the policy. */ "sending_hours"?: string | null;
  /** Whether it is exempt from the sending policy, such as a receipt or an alarm. Requires that the policy allows it. */ "transactional"?: boolean };

type From3 = {
  "name": string;
  "address": string };

type CreateMailCampaignAnswer = {
  /** Id of the campaign. */ "id": string;
  /** `name`. */ "name": string | null;
  /** `subject`, with its fields. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
  /** `from`. */ "from": From3;
  /** `lists`. */ "lists": (string)[];
  /** `scheduled`, `running`, `paused`, `cancelled`, or `finished` (no email waits for submission to the relay). */ "state": string;
  /** Active users of the lists at acceptance, each once. */ "total": number;
  /** Start time, ISO 8601. */ "due_at": string;
  /** Time of acceptance, ISO 8601. */ "created_at": string;
  /** Time of the end, ISO 8601. */ "finished_at": string | null };

type NewMailListAnswer = {
  /** Id of the list, `ExistingListID` in the mailing-list API. */ "id": string;
  /** Name of the list. */ "name": string;
  /** Description of the list; may be empty. */ "description": string;
  /** Whether new users confirm their subscription. */ "confirm": boolean;
  /** Whether opens and clicks are counted. */ "track": boolean;
  /** Names of the fields of its users. */ "columns": (string)[];
  /** Users of the list. */ "users": number;
  /** Users that receive email. */ "active": number;
  /** Time of creation, ISO 8601. */ "created_at": string };

type ChangeMailListPath = {
  /** Id of the mailing list. */ "id": string };

type ChangeMailUserPath = {
  /** Id of the user. */ "id": string };

type Lists2 = {
  /** Id of the list. */ "id": string;
  /** Name of the list. */ "name": string;
  /** Whether the user has not confirmed this list yet. */ "waiting": boolean };

type ChangeMailUserAnswer = {
  /** Id of the user, `UserID` in the mailing-list API. */ "id": string;
  /** Email address, as it was added first. */ "email": string;
  /** May be empty. */ "first_name": string;
  /** May be empty. */ "last_name": string;
  /** May be empty. */ "cellphone": string;
  /** Values for the fields of emails. */ "fields": { [name: string]: unknown };
  /** Additional fields. */ "system_fields": { [name: string]: unknown };
  /** Status; only `active` users receive email. */ "status": "active" | "removed" | "complained" | "bounced" | "deleted";
  /** Source of the last change of status: `page`, `one-click`, `confirmation`, `complaint`, `bounce`, `account`; empty if it never changed. */ "status_by": string;
  /** Detail of that change, for example the reply of the mail server; may be empty. */ "status_reason": string;
  /** Time of that change, ISO 8601. */ "status_at": string | null;
  /** Whether an email has reached the user, or the user has made a choice. */ "heard": boolean;
  /** Time of creation, ISO 8601. */ "created_at": string;
  /** Lists of the user. */ "lists": (Lists2)[] };

type Templates2 = {
  /** Id of the template. */ "id": string;
  /** `name`. */ "name": string;
  /** `subject`. Without the role `sender` or a token with the scope `read`: `••••••`. */ "subject": string;
  /** Whether the block editor can open it. */ "has_blocks": boolean;
  /** Version, 1 at first; each save increments it. */ "version": number;
  /** Person who saved it last; null: a token. */ "updated_by": string | null;
  /** Time of creation, ISO 8601. */ "created_at": string;
  /** Time of the last save, ISO 8601. */ "updated_at": string };

type ShowMailTemplatePath = {
  /** Id of the email template. */ "id": string };

type Consents = {
  /** Position in the log of the account: 1, 2, 3, … */ "position": number;
  /** Number or address; null: it was erased. */ "subject": string | null;
  /** Keyed digest of the number or address, which an erasure keeps. */ "subject_digest": string;
  /** Channel of the consent. */ "channel": "sms" | "voice" | "chat" | "mail" | "any";
  /** Purpose of the consent. */ "purpose": string;
  /** Decision of the person. */ "action": "given" | "withdrawn";
  /** Time of the decision, ISO 8601. */ "at": string;
  /** Time of the record, ISO 8601. */ "recorded_at": string;
  /** Method by which the person decided. */ "source": "api" | "import" | "form" | "keyword" | "removal-link" | "unsubscribe-link" | "confirmation-link" | "complaint" | "chat-platform" | "agent";
  /** Evidence of the decision. */ "evidence": { [name: string]: unknown };
  /** Digest of the previous entry, hexadecimal. */ "previous": string;
  /** SHA-256 of the previous digest and of the entry, hexadecimal. */ "digest": string };

type ShowOwnAccountAnswer = {
  /** Id of the account. */ "id": string;
  /** User name of the account. */ "username": string;
  /** Name of the account. */ "name": string;
  /** Time zone; null: that of the service. */ "time_zone": string | null;
  /** Address of the picture that pages for recipients show with the name of the account; null: none. */ "logo_url": string | null };

type Budgets = {
  /** `service-mails`: Alerts by email, which the service sends in its own name. `tests`: Test alerts per recipient, test emails of campaigns, and test events of webhooks. `verifications`: Messages that ask the owner of an address or a number for confirmation: users of mailing lists, recipients of alerts, senders. Mailed invitations and password links count too. `automatic-replies`: Automatic replies to clients over all channels. `files`: Stored files: uploads, files from clients, files of imports and exports, and archives of personal data. */ "budget": "service-mails" | "tests" | "verifications" | "automatic-replies" | "files";
  /** Number used. */ "count": number;
  /** Largest number; null: no limit. */ "count_limit": number | null;
  /** Bytes used. */ "bytes": number;
  /** Largest number of bytes; null: no limit. */ "bytes_limit": number | null;
  /** Credits used. */ "credits": string;
  /** Largest amount of credits; null: no limit. */ "credits_limit": string | null;
  /** Whether the operator set a limit for this account. */ "is_own": boolean;
  /** Time at which the used amounts return to zero, ISO 8601; null: never. */ "renews_at": string | null };

type Webhooks = {
  /** Id of the endpoint. */ "id": string;
  /** `webhook`; the push of one event of the SMS API: `dlr`, `incoming`, `blacklist`; or `callback`: a host that programs named for status callbacks or for incoming messages. */ "kind": "webhook" | "dlr" | "incoming" | "blacklist" | "callback";
  /** Address of the endpoint. Without the role `owner` or a token with the scope `webhooks`: only the host and `••••••`. */ "url": string;
  /** Event types of a webhook; null: all. */ "types": (string)[] | null;
  /** State. `off`: nothing is sent to it until it is enabled. */ "state": "active" | "off";
  /** Reason why it was disabled. */ "off_reason": string | null;
  /** Time at which it was disabled, ISO 8601; null: never. */ "off_at": string | null;
  /** Accepted events. */ "delivered": number;
  /** Failed attempts. */ "failed": number;
  /** Time of the last accepted event, ISO 8601; null: never. */ "last_success_at": string | null;
  /** Time of the last failed attempt, ISO 8601; null: never. */ "last_failure_at": string | null;
  /** Time of the first failure since the last success, ISO 8601; null: never. */ "failing_since": string | null;
  /** Time of creation, ISO 8601. */ "created_at": string };

type ShowWebhookPath = {
  /** Id of the endpoint. */ "id": string };

type Request2 = {
  /** `GET` only for callbacks. */ "method": "GET" | "POST";
  /** Address of the request. Without the role `owner` or a token with the scope `webhooks`: only the host and `••••••`. */ "url": string;
  /** Media type of the body. */ "content_type": string;
  /** Body, without the signature headers; a `GET` has it in its query. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string };

type Answer = {
  /** Time of the last attempt, ISO 8601; null: never. */ "at": string | null;
  /** HTTP status; null without a response. */ "http_status": number | null;
  /** Error, if the attempt failed. */ "error": string | null;
  /** First 1,000 characters of the response. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string | null };

type RecordedAttempts = {
  /** Time of the response, ISO 8601. */ "at": string;
  /** Milliseconds from the request to the response. */ "duration_ms": number;
  /** HTTP status; null without a response. */ "http_status": number | null;
  /** Error, if the attempt failed. */ "error": string | null;
  /** First 1,000 characters of the response. Without the role `sender` or a token with the scope `webhooks`: `••••••`. */ "body": string | null };

type Senders = {
  /** Sender: a number or a name, compared regardless of case. */ "source": string;
  /** Entity id of its messages; null: that of the account. */ "entity_id": string | null;
  /** Template id of its messages that name none, such as one-time codes; null: none. */ "template_id": string | null };

type ShowDltIdsAnswer = {
  /** Id of the business (“principal entity”) on India's DLT platforms. Of messages whose sender has no other; null: none. */ "entity_id": string | null;
  /** Senders with their own ids. A given list replaces the whole list. */ "senders": (Senders)[] };

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
  /** Time zone of the account, or of the service. */ "time_zone": string;
  /** Whether a campaign to the time zone of the account may be sent now. */ "permitted_now": boolean;
  /** Next permitted time, ISO 8601: now, or later; null: not within 60 days. */ "permitted_from": string | null;
  /** Hours of each day of the week in which messages are sent, such as `08:00-20:00`; several a day are allowed. Hours whose end is not later than their start continue after midnight. On a day without hours, nothing is sent. null: at any hour. */ "hours": Hours | null;
  /** `account`: hours and dates are in the time zone of the account. `recipient`: in the time zone of the country of the number; in a country with several zones it must be permitted in all of them. Email, and numbers without a country, use the account. */ "zone": "account" | "recipient";
  /** Days on which nothing is sent, from midnight to midnight. */ "closed_dates": (ClosedDates)[];
  /** Shabbat and Jewish holidays, on which nothing is sent to anybody: from some minutes before sunset at a place until some minutes after it. null: not observed. */ "rest_days": RestDays | null;
  /** `campaigns`: sends to several recipients. `all`: single messages, too. One-time codes, verifications, confirmations, authentication templates, and replies to a client within 24 hours are always exempt. */ "applies_to": "campaigns" | "all";
  /** Handling of messages outside the hours. `wait`: they wait for the next permitted time. `refuse`: a send without a permitted recipient is refused; in other sends, messages that are not permitted fail with status 16 and are not charged. */ "outside_hours": "wait" | "refuse";
  /** Whether a send may be marked `transactional`, which exempts it. */ "allows_transactional": boolean;
  /** Maximum number of messages to one recipient within a number of hours, for one channel or, with null, for all together. */ "caps": (Caps)[];
  /** Handling of a message over a cap. `refuse`: it fails with status 16 and is not charged. `wait`: it waits until it is within the cap. */ "over_cap": "wait" | "refuse";
  /** `marketing`: messages are sent only to recipients with a standing consent to marketing messages on their channel, by the consent log. A send without such a recipient is refused; other recipients get status 16 and are not charged. A withdrawal stops waiting messages. Exempt messages need no consent. `not_required`: the log is not checked. */ "consent": "not_required" | "marketing" };

type Thresholds = {
  /** `low-balance`: balance in credits. */ "below"?: string;
  /** `low-balance`: whether the balances of subscribers are checked too. */ "subscribers"?: boolean;
  /** `low-balance`: whether accounts without messages in the last week are skipped. */ "active_only"?: boolean;
  /** `delivery-rate` and `connector-delivery-rate`: percentage points below the rate of the previous week. */ "drop_percent"?: number;
  /** `delivery-rate` and `connector-delivery-rate`: minimum number of messages of this hour and the previous one. */ "min_messages"?: number;
  /** `delivery-rate`: prefix of the numbers, international digits; empty: all. */ "prefix"?: string;
  /** `queue-age` and `event-backlog`: waiting time in minutes; `webhook`: minutes for which an endpoint fails. */ "minutes"?: number;
  /** `code-fraud`: stopped sends to a range of numbers within the hour. */ "count"?: number;
  /** `disk`: free space in percent. */ "free_percent"?: number;
  /** Of `backup-age`: hours since the last backup. */ "hours"?: number };

type Kinds = {
  /** Value for `kind` of a rule. */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
  /** Thresholds of this kind, with the values of a rule that gives none. */ "thresholds": Thresholds;
  /** Default of `for_minutes` of a rule. */ "for_minutes": number };

type ListAlertKindsAnswer = {
  /** Kinds that rules can have. */ "kinds": (Kinds)[];
  /** Default of `clear_minutes` of a rule. */ "clear_minutes": number;
  /** Default of `pause_minutes` of a rule. */ "pause_minutes": number };

type Recipients = {
  /** By email: the owners of the account, or all people of the operator, whose user name is an email address. */ "owners": boolean;
  /** By email, free of charge. */ "mails": (string)[];
  /** By SMS, which the account pays for. International digits. */ "phones": (string)[];
  /** By the events `alert.began` and `alert.ended`. */ "webhook": boolean;
  /** Language of SMS, and of emails to addresses that are not a user name. */ "language": "en" | "he";
  /** Operator rules: account whose SMS and webhooks are used; null: none. Null for rules of accounts. */ "account_id": string | null;
  /** Addresses and numbers among them that receive no alerts until their owners confirm, with a link that the service sends them. People of the account and its verified numbers need not confirm. */ "unconfirmed": (string)[] };

type Rules2 = {
  /** Id of the rule. */ "id": string;
  /** Name of the rule. */ "name": string;
  /** Condition of the rule (docs/alerts.md). */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
  /** Thresholds of the condition; each kind has some of these. */ "thresholds": Thresholds;
  /** Whether the rule is evaluated. */ "enabled": boolean;
  /** Reason why the service disabled the rule. `author`: the token or person that created it was removed or lost the right. Enable the rule to become its author. */ "stopped": "author" | null;
  /** Minutes for which the condition must hold before the alert begins. */ "for_minutes": number;
  /** Minutes for which the condition must be absent before the alert ends. */ "clear_minutes": number;
  /** Minimum minutes between two notifications of the same subject; the next one counts how often the alert began. */ "pause_minutes": number;
  "recipients": Recipients };

type Thresholds2 = {
  /** `low-balance`: balance in credits. */ "below"?: string | number;
  /** `low-balance`: whether the balances of subscribers are checked too. */ "subscribers"?: boolean;
  /** `low-balance`: whether accounts without messages in the last week are skipped. */ "active_only"?: boolean;
  /** `delivery-rate` and `connector-delivery-rate`: percentage points below the rate of the previous week. */ "drop_percent"?: number;
  /** `delivery-rate` and `connector-delivery-rate`: minimum number of messages of this hour and the previous one. */ "min_messages"?: number;
  /** `delivery-rate`: prefix of the numbers, international digits; empty: all. */ "prefix"?: string;
  /** `queue-age` and `event-backlog`: waiting time in minutes; `webhook`: minutes for which an endpoint fails. */ "minutes"?: number;
  /** `code-fraud`: stopped sends to a range of numbers within the hour. */ "count"?: number;
  /** `disk`: free space in percent. */ "free_percent"?: number;
  /** Of `backup-age`: hours since the last backup. */ "hours"?: number };

type Recipients2 = {
  /** By email: the owners of the account, or all people of the operator, whose user name is an email address. */ "owners"?: boolean;
  /** By email, free of charge. */ "mails"?: (string)[];
  /** By SMS, which the account pays for. */ "phones"?: (string)[];
  /** By the events `alert.began` and `alert.ended`. */ "webhook"?: boolean;
  /** Language of SMS, and of emails to addresses that are not a user name. */ "language"?: "en" | "he";
  /** Operator rules: account whose SMS and webhooks are used; null: none. Null for rules of accounts. */ "account_id"?: string | null };

type ChangeAlertRuleBody = {
  /** Name of the rule. */ "name"?: string;
  /** Whether the rule is evaluated. */ "enabled"?: boolean;
  /** Minutes for which the condition must hold before the alert begins. */ "for_minutes"?: number;
  /** Minutes for which the condition must be absent before the alert ends. */ "clear_minutes"?: number;
  /** Minimum minutes between two notifications of the same subject; the next one counts how often the alert began. */ "pause_minutes"?: number;
  /** Thresholds of the condition; each kind has some of these. */ "thresholds"?: Thresholds2;
  /** Recipients of the notifications. Without recipients, alerts are only shown in the console. Replaces all recipients. */ "recipients"?: Recipients2 };

type Tests = {
  /** Event: the start or the end of the alert, or a test. */ "phase": "began" | "ended" | "test";
  /** Medium of the notification. */ "means": "mail" | "sms" | "webhook";
  /** Recipient: an address or a number; empty for webhooks. */ "recipient": string;
  /** `waiting`: it is retried for up to a day; `sent`: the relay, the carrier’s queue or the webhook queue has it; `failed`: no attempt follows. */ "state": "waiting" | "sent" | "failed";
  /** Number of attempts. */ "attempts": number;
  /** Reason why it was not sent yet; null if it was sent. */ "problem": "not-set-up" | "connector-down" | "no-credit" | "refused" | "unreachable" | "rejected" | "no-webhook" | "rule-off" | "not-confirmed" | "over-budget" | "fault" | null;
  /** Id of the message, for an SMS. */ "message_id": string | null;
  /** Scheduled time of the notification, ISO 8601. */ "created_at": string;
  /** Time at which it was sent or abandoned, ISO 8601; null: it waits. */ "settled_at": string | null };

type Alerts = {
  /** Id of the alert. */ "id": string;
  /** Id of the rule, which may be deleted. */ "rule_id": string;
  /** Name of the rule at that time. */ "rule": string;
  /** Condition of the rule (docs/alerts.md). */ "kind": "low-balance" | "delivery-rate" | "webhook" | "code-fraud" | "queue-age" | "connector-down" | "connector-delivery-rate" | "event-backlog" | "quarantine" | "disk" | "backup-age";
  /** Subject: a prefix, a connector, a lane, the id of a webhook or subscriber; empty: the account itself. */ "subject": string;
  /** Last measured values, by kind (docs/alerts.md). */ "measured": { [name: string]: unknown };
  /** Time at which the alert began, ISO 8601; null: never. */ "began_at": string | null;
  /** Last time at which its condition held, ISO 8601. */ "seen_at": string;
  /** Time of the end, ISO 8601; null: it is open. */ "ended_at": string | null;
  /** Notifications, oldest first. */ "notifications": (Tests)[] };

type ListAlertsAnswer = {
  "alerts": (Alerts)[];
  /** `after` of the following page; null on the last one. */ "next": string | null };

type Binds = {
  /** Id of the bind. */ "id": string;
  /** Kind of the bind. */ "mode": "transmitter" | "receiver" | "transceiver";
  /** Address of the client. */ "address": string;
  /** Whether the bind uses TLS. */ "secure": boolean;
  /** `interface_version` of the bind. */ "interface_version": number;
  /** Time of the bind, ISO 8601. */ "bound_at": string;
  /** Messages accepted over the bind. */ "accepted": number;
  /** Messages refused over the bind. */ "refused": number;
  /** Name of the last refusal; empty: none. */ "last_error": string };

type Clients = {
  /** Id of the client. */ "id": string;
  /** `system_id` of its binds. */ "system_id": string;
  /** Name for people. */ "name": string;
  /** Whether the client may bind. */ "enabled": boolean;
  /** Networks from which it may bind; empty: any. */ "addresses": (string)[];
  /** Whether only binds with TLS are accepted. */ "tls_required": boolean;
  /** Maximum number of binds at a time. */ "max_binds": number;
  /** Maximum messages per second; 0: no limit. */ "messages_per_second": number;
  /** Maximum requests of a bind that wait for their answer. */ "window": number;
  /** Sender of messages without one; null: such messages are refused. */ "default_source": string | null;
  /** Senders that it may use; empty: all of the account. */ "sources": (string)[];
  /** Alphabet of `data_coding` 0. */ "default_alphabet": "gsm" | "latin1";
  /** Whether it may send to other countries. */ "international": boolean;
  /** Whether it receives the incoming messages of the account. */ "incoming": boolean;
  /** Time of creation, ISO 8601. */ "created_at": string;
  /** Current binds, oldest first. */ "binds": (Binds)[] };

type ShowSmppClientPath = {
  /** Id of the SMPP client. */ "id": string };

type RevokeMailTokenPath = {
  /** Id of the token. */ "id": string };

type Counts = {
  /** Kind of the data. */ "kind": "messages" | "clicks" | "incoming-sms" | "incoming-chat" | "incoming-mail" | "conversations" | "conversation-entries" | "files" | "contacts" | "mailing-list-users" | "blacklist" | "one-time-codes" | "frequency-counts" | "verifications" | "chat-windows" | "bounces" | "consents" | "mentions" | "events" | "smpp-deliveries" | "test-messages" | "csv-files" | "exports";
  /** Number of rows. */ "count": number };

type Requests = {
  /** Id of the request. */ "id": string;
  /** Kind of the request. */ "kind": "export" | "erasure";
  /** `waiting`, `running`; `rechecking`: everything is erased, and work in progress at that time is checked after 15 minutes; `done`; `failed`; `deleted`: the archive has been deleted. */ "state": "waiting" | "running" | "rechecking" | "done" | "failed" | "deleted";
  /** Reference of the caller; empty without one. */ "reference": string;
  /** Rows exported or erased so far, by kind. */ "counts": (Counts)[];
  /** Size of the archive of an export in bytes. */ "bytes": number;
  /** `waits-for-imports`: imports and exports of the account are in progress; `tried-again`: it failed and is retried; `key-lost`: the key of the installation was lost, repeat the request; empty: no problem. */ "problem": "" | "waits-for-imports" | "tried-again" | "key-lost";
  /** User name of the person who made the request. */ "requested_by": string | null;
  /** Time of the request, ISO 8601. */ "created_at": string;
  /** Time at which everything was erased, for an erasure, ISO 8601; null: never. */ "erased_at": string | null;
  /** Time of completion, ISO 8601; null: never. */ "finished_at": string | null;
  /** Time at which the archive of an export is deleted, ISO 8601; null: never. */ "expires_at": string | null };

type GetDataSubjectRequestPath = {
  /** Id of the request. */ "id": string };

type GetAccountPasswordAnswer = {
  /** Whether the account has a password for programs. */ "has_password": boolean;
  /** Whether `POST /api` (`user.password`) and `POST /api/Mailer/token` accept it instead of a token. */ "password_sign_in": boolean;
  /** Whether it is too weak for a new password, as detected at the last sign-in with it. Change it. */ "password_weak": boolean };

type Texts = {
  /** Retention in days. */ "days": number;
  /** Retention that the account chose, in days; null: the maximum. */ "asked": number | null;
  /** Maximum that the account can choose, in days. */ "limit": number;
  /** Limit that the operator set for this account, in days; null: the limit of the installation. */ "own_limit": number | null;
  /** Maximum that the operator can allow, in days: the setting of the installation. */ "installation": number;
  /** Minimum in days. */ "least": number };

type ShowRetentionAnswer = {
  /** Texts of messages, sent and received. A message without its text keeps its state and price. */ "texts": Texts;
  /** Messages, sent and received, with their campaigns, clicks and bounces. */ "messages": Texts;
  /** Conversations after their last message, with notes. */ "conversations": Texts;
  /** Events, and their deliveries to webhooks and push addresses; never longer than texts. */ "events": Texts;
  /** The request log. */ "requests": Texts;
  /** The audit log. */ "audit": Texts;
  /** Files of chat messages. */ "media": Texts };

type ShowTextStorageAnswer = {
  /** Current storage of texts. `plain`: unencrypted; `sealed`: encrypted; `none`: encrypted until they are sent, and then removed. */ "mode": "plain" | "sealed" | "none";
  /** Mode that the account chose; null: the mode of the installation. */ "asked": "plain" | "sealed" | "none" | null;
  /** Least strict mode that the installation allows. */ "installation": "plain" | "sealed" | "none" };

type Response2 = {
  /** Client data of the browser (`clientDataJSON`), base64url. */ "clientDataJSON": string;
  /** Authenticator data of the browser, base64url. */ "authenticatorData": string;
  /** Signature of the browser, base64url. */ "signature": string;
  "userHandle"?: string | null };

type Passkey = {
  /** Id of the passkey, base64url. */ "id": string;
  "response": Response2 };

type Person = {
  /** Id of the person. */ "id": string;
  /** User name. */ "username": string;
  /** Name of the person. */ "name": string };

type Account = {
  /** Id of the account. */ "id": string;
  /** User name of the account. */ "username": string;
  /** Name of the account. */ "name": string;
  /** Time zone; null: that of the service. */ "time_zone": string | null };

type Session = {
  "person": Person;
  /** Role of the person. */ "role": "agent" | "viewer" | "sender" | "owner" | "operator";
  /** Account of the person; null for operators. */ "account": Account | null;
  /** Language of the console; null: the language of the browser. */ "language": "en" | "he" | null;
  /** Theme of the console; null: the theme of the browser. */ "theme": "light" | "dark" | null;
  /** Time zone of the console; null: that of the account. */ "time_zone": string | null;
  /** Time zone of the service, for accounts without one. */ "default_time_zone": string;
  /** Whether this is a sandbox, whose messages reach no real phone or mailbox. */ "simulated": boolean;
  /** Whether sign-in with a password requires a second factor. */ "second_factor": boolean;
  /** Whether the second factor can be a code of an authenticator app. */ "authenticator_app": boolean;
  /** Whether the person has a password. */ "has_password": boolean;
  /** Whether a second factor is required from all people of the account, by the account or by the operator. For people without one, all routes except those for setting it up return `second-factor-required`. */ "second_factor_required": boolean;
  /** Whether a sign-in with a provider still lacks the second factor of the person: prove it with `POST /v1/session/second-factor/prove`. */ "second_factor_pending": boolean;
  /** Whether the provider confirmed a second factor. */ "second_factor_by_provider": boolean;
  /** Whether the person signs in with a provider. */ "has_provider": boolean;
  /** Seconds until routes that require a proof of identity ask for a new one; 0: the next one returns `proof-needed`. */ "proof_seconds": number;
  /** Methods by which the person can prove their identity with `POST /v1/session/proof`. */ "proof_methods": ("password" | "passkey" | "code" | "provider")[];
  /** End of the session without further requests, ISO 8601. */ "expires_at": string };

type Passkeys = {
  /** Id of the passkey. */ "id": string;
  /** Name of the passkey. */ "name": string;
  /** Time of creation, ISO 8601. */ "created_at": string;
  /** Time of the last use, ISO 8601; null: never. */ "used_at": string | null;
  /** Whether it is synchronized over several devices, as by a password manager. */ "synced": boolean };

type RenamePasskeyPath = {
  /** Id of the passkey. */ "id": string };

type Rules3 = {
  /** Claim of the ID token or of UserInfo, with dots for nested claims (`realm_access.roles`), or `email_domain`, the domain of a verified email address; null: everybody. */ "claim": string | null;
  /** Value of the claim, or one of its values; null for everybody. */ "value": string | null;
  /** Role of matching people. */ "role": "agent" | "viewer" | "sender" | "owner" };

type Providers = {
  /** Id of the provider. */ "id": string;
  /** Name in its link. */ "slug": string;
  /** Name of the provider, shown to people. */ "name": string;
  /** Issuer URL; `/.well-known/openid-configuration` is below it. */ "issuer": string;
  /** Client id of this service at the provider. */ "client_id": string;
  /** Whether it has a client secret. */ "has_client_secret": boolean;
  /** Requested scopes; must include `openid`. */ "scopes": string;
  /** Whether people are added at their first sign-in. */ "makes_people": boolean;
  /** Whether the first sign-in takes over an existing person whose user name is the verified email address. Their password ends. */ "links_by_email": boolean;
  /** Values of `amr` or `acr` that confirm a second factor, so that this service asks for none. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. If the operator requires a second factor from an account, confirmations of the account's own provider do not count. */ "second_factor_values": (string)[];
  /** Email domains for which the sign-in page uses the provider. Operators set them. */ "domains": (string)[];
  /** Whether people can sign in with it. `false` ends their sessions. */ "enabled": boolean;
  /** Number of people who sign in with it. */ "people": number;
  /** Direct link to its sign-in. */ "sign_in_url": string;
  /** Redirect URI, to be set at the provider. */ "redirect_uri": string;
  /** Back-channel logout URI, to be set at the provider. */ "logout_uri": string;
  /** Reason of the last failed sign-in; null without one. */ "last_failure": string | null;
  /** Time of that failure, ISO 8601; null: never. */ "last_failure_at": string | null;
  /** Time of creation, ISO 8601. */ "created_at": string;
  /** Rules that assign roles: the first matching rule counts. People without a matching rule cannot sign in. */ "rules": (Rules3)[] };

type Rules4 = {
  /** Claim of the ID token or of UserInfo, with dots for nested claims (`realm_access.roles`), or `email_domain`, the domain of a verified email address; null: everybody. */ "claim": string | null;
  /** Value of the claim, or one of its values; null for everybody. */ "value": string | null;
  /** Role of matching people. */ "role": "agent" | "viewer" | "sender" | "owner" };

type ChangeSignInProviderPath = {
  /** Id of the sign-in provider. */ "id": string };

type Rules5 = {
  /** Claim of the ID token or of UserInfo, with dots for nested claims (`realm_access.roles`), or `email_domain`, the domain of a verified email address; null: everybody. */ "claim": string | null;
  /** Value of the claim, or one of its values; null for everybody. */ "value": string | null;
  /** Role of matching people. */ "role": "agent" | "viewer" | "sender" | "owner" | "operator";
  /** User name of the account of the people. Null, the default, is only for the role `operator`. */ "account": string | null };

type Providers2 = {
  /** Id of the provider. */ "id": string;
  /** Name in its link. */ "slug": string;
  /** Name of the provider, shown to people. */ "name": string;
  /** Issuer URL; `/.well-known/openid-configuration` is below it. */ "issuer": string;
  /** Client id of this service at the provider. */ "client_id": string;
  /** Whether it has a client secret. */ "has_client_secret": boolean;
  /** Requested scopes; must include `openid`. */ "scopes": string;
  /** Whether people are added at their first sign-in. */ "makes_people": boolean;
  /** Whether the first sign-in takes over an existing person whose user name is the verified email address. Their password ends. */ "links_by_email": boolean;
  /** Values of `amr` or `acr` that confirm a second factor, so that this service asks for none. Values that mean a second factor: `mfa`, `otp`, `hwk`, `swk`, `sc`, `fpt`, `face`, `iris`, `retina`, `vbm`, `sms`, `tel`, `http://schemas.openid.net/pape/policies/2007/06/multi-factor`, `phr`, `phrh`, `https://refeds.org/profile/mfa`. If the operator requires a second factor from an account, confirmations of the account's own provider do not count. */ "second_factor_values": (string)[];
  /** Email domains for which the sign-in page uses the provider. Operators set them. */ "domains": (string)[];
  /** Whether people can sign in with it. `false` ends their sessions. */ "enabled": boolean;
  /** Number of people who sign in with it. */ "people": number;
  /** Direct link to its sign-in. */ "sign_in_url": string;
  /** Redirect URI, to be set at the provider. */ "redirect_uri": string;
  /** Back-channel logout URI, to be set at the provider. */ "logout_uri": string;
  /** Reason of the last failed sign-in; null without one. */ "last_failure": string | null;
  /** Time of that failure, ISO 8601; null: never. */ "last_failure_at": string | null;
  /** Time of creation, ISO 8601. */ "created_at": string;
  /** Whether the sign-in page has a button for it. */ "listed": boolean;
  /** Rules that assign roles: the first matching rule counts. People without a matching rule cannot sign in. */ "rules": (Rules5)[] };

type Rules6 = {
  /** Claim of the ID token or of UserInfo, with dots for nested claims (`realm_access.roles`), or `email_domain`, the domain of a verified email address; null: everybody. */ "claim": string | null;
  /** Value of the claim, or one of its values; null for everybody. */ "value": string | null;
  /** Role of matching people. */ "role": "agent" | "viewer" | "sender" | "owner" | "operator";
  /** User name of the account of the people. Null, the default, is only for the role `operator`. */ "account"?: string | null };

type People = {
  /** Id of the person. */ "id": string;
  /** User name. */ "username": string;
  /** Name of the person. */ "name": string;
  /** Role of the person. */ "role": "agent" | "viewer" | "sender" | "owner" | "operator";
  /** Language of the console; null: the language of the browser. */ "language": "en" | "he" | null;
  /** Whether sign-in requires a code. */ "second_factor": boolean;
  /** Whether the person has a password. */ "has_password": boolean;
  /** Whether the person signs in only with a sign-in provider. */ "has_provider": boolean;
  /** Whether the person is suspended. */ "suspended": boolean;
  /** Time of creation, ISO 8601. */ "created_at": string };

type Link = {
  /** Token for the link `/password#<token>` of the console, shown once: the person chooses a password there. */ "token": string;
  /** Expiry of the link, which works once, ISO 8601. */ "expires_at": string;
  /** Address to which the link was mailed: the user name, if it is an email address and a mail relay is configured. null: not mailed. */ "mailed_to": string | null };

type AddPersonAnswer = {
  "person": People;
  "link": Link };

type ChangePersonPath = {
  /** Id of the person. */ "id": string };

type GetPeopleRulesAnswer = {
  /** Whether a second factor is required from all people. */ "second_factor_required": boolean;
  /** Number of active people without a second factor: while it is required, they can only set one up. */ "without_second_factor": number;
  /** Whether the operator requires it from this account. */ "second_factor_demanded": boolean;
  /** Whether all people must sign in with a sign-in provider. */ "provider_only": boolean;
  /** Whether the operator requires it from this account or from all accounts, regardless of `second_factor_required`. */ "by_operator": boolean };

type GetOperatorRulesAnswer = {
  /** Whether a second factor is required from all people. */ "second_factor_required": boolean;
  /** Number of active people without a second factor: while it is required, they can only set one up. */ "without_second_factor": number;
  /** Whether it is required from the people of all accounts. */ "second_factor_of_accounts": boolean };

type Person2 = {
  /** Id of the person. */ "id": string;
  /** User name at that time. */ "username": string };

type Object = {
  /** Kind of the object. */ "kind": string | null;
  /** Id of the object. */ "id": string | null };

type Entries = {
  /** Id of the entry. */ "id": string;
  /** Time of the entry, ISO 8601. */ "at": string;
  /** Person who acted; null: a program with a token, or the command line. */ "person": Person2 | null;
  /** Operating system user who used the command line; null: the action was not a command. */ "system_user": string | null;
  /** Id of the token of the program. */ "token_id": string | null;
  /** Address of the caller; null: the command line. */ "address": string | null;
  /** Method and path, a command, `export ended` or `signed out by provider`. */ "action": string;
  /** Object that was changed. */ "object": Object;
  /** HTTP status of the response: 400 and above are refusals. */ "status": number;
  /** Values before the change, as far as they are recorded. */ "before": { [name: string]: unknown } | null;
  /** Values after the change. */ "after": { [name: string]: unknown } | null };

type ListAuditAnswer = {
  "entries": (Entries)[];
  /** `after` of the following page; null on the last one. */ "next": string | null };

type ShowSandboxAnswer = {
  /** Delivery time in milliseconds. */ "receipt_delay_ms": number;
  /** Messages per second that the simulated SMS network accepts; 0 is no limit. */ "messages_per_second": number;
  /** Messages per second of a business number that the chat platform accepts; 0 is no limit. */ "chat_messages_per_second": number;
  /** Time in the sandbox, ISO 8601. */ "now": string };

type Parameters = {
  /** Tag in hexadecimal. */ "tag": string;
  /** Form of the octets: a text without or with NUL at its end, the SHA-256 of a text in hexadecimal digits, hexadecimal digits, or a number. */ "form": "text" | "c-text" | "sha256" | "hex" | "integer";
  /** Value. Texts may contain `{dlt.entity}`, `{dlt.template}`, `{from}`, `{to.digits}` and `{id}`. */ "value": string;
  /** Octets of a number; null for other forms. */ "octets": number | null };

type Smpp = {
  /** Name or address of the SMSC. */ "host": string;
  /** Port. */ "port": number;
  /** Whether the connection uses TLS. */ "tls": boolean;
  /** PEM of the trusted authorities, instead of those of the machine. */ "tls_ca": string | null;
  /** Name on the certificate, if it is not the host. */ "tls_server_name": string | null;
  /** Whether its certificate must be trusted. */ "tls_verify": boolean;
  /** `system_id` of the bind. */ "system_id": string;
  /** `system_type` of the bind. */ "system_type": string;
  /** Sessions: `transceiver`, or `pair`, a transmitter and a receiver. */ "bind_mode": "transceiver" | "pair";
  /** Concurrent sessions, or pairs. */ "binds": number;
  /** Maximum number of submits without a stored outcome. */ "window": number;
  /** Form of long messages. */ "long_messages": "udh" | "payload";
  /** Type of number of senders; null: by their form. */ "source_ton": number | null;
  /** Numbering plan of senders; null: by their form. */ "source_npi": number | null;
  /** Type of number of recipients. */ "destination_ton": number;
  /** Numbering plan of recipients. */ "destination_npi": number;
  /** Requested delivery receipts. */ "registered_delivery": number;
  /** Alphabet that the SMSC uses for data coding 0. */ "default_alphabet": "gsm" | "latin1";
  /** Data coding of texts in the default alphabet. */ "default_data_coding": number;
  /** Data coding of texts in UCS-2. */ "unicode_data_coding": number;
  /** Maximum messages per second of each sender; 0 is no limit. */ "sender_messages_per_second": number;
  /** Optional parameters that each `submit_sm` has. One whose placeholder has no value for a message is left out; one that the message itself has stays. */ "parameters": (Parameters)[];
  /** Format of `validity_period`. */ "validity": "relative" | "absolute" | "none";
  /** Idle time before `enquire_link`, in milliseconds. */ "enquire_link_ms": number;
  /** Time after which a response is overdue, in milliseconds. */ "response_timeout_ms": number };

type Sip = {
  /** SIP URI of the trunk. */ "uri": string;
  /** PEM of the trusted authorities, instead of those of the machine. */ "tls_ca": string | null;
  /** Name on the certificate, if it is not the host. */ "tls_server_name": string | null;
  /** Whether its certificate must be trusted. */ "tls_verify": boolean;
  /** User name for challenges. */ "username": string | null;
  /** Realm of accepted challenges; others are not answered. */ "realm": string | null;
  /** Caller number. */ "caller_id": string;
  /** Name after `@`, if it is not the host. */ "domain": string | null;
  /** Whether the service registers with the trunk. */ "register": boolean;
  /** Concurrent calls. */ "calls_at_once": number;
  /** Prefixes of the numbers that it accepts; empty matches every number. */ "prefixes": (string)[];
  /** Prefix that is added to numbers. */ "number_prefix": string;
  /** Interval of OPTIONS requests to the trunk in seconds; 0 never. */ "keep_alive_seconds": number };

type Http = {
  /** Description of the interface: the name of a ready one, or an object (docs/http-carriers.md). */ "description": string | { [name: string]: unknown };
  /** Names of the secrets that are set. */ "secret_names": (string)[];
  /** Signature of the requests of the provider, in place of that of the description. Null: that one. */ "signature": { [name: string]: unknown } | null;
  /** Networks from which requests of the provider are accepted; null: every address. */ "addresses": (string)[] | null;
  /** Prefixes of the numbers that are called over it. None for SMS; an empty one matches every number. */ "prefixes": (string)[];
  /** Caller number of its calls; null for SMS. */ "caller_id": string | null;
  /** Maximum number of messages without a stored outcome, and of connections. */ "window": number;
  /** Timeout of a request with its whole answer in milliseconds. */ "timeout_ms": number;
  /** Address for delivery reports, with the secret of its path. Returned only by the request that sets this secret; otherwise null. */ "reports_url": string | null;
  /** Address for incoming messages, with the secret of its path. Returned only by the request that sets this secret; otherwise null. Always null for calls. */ "incoming_url": string | null };

type Connectors = {
  /** Name of the connector. */ "name": string;
  /** Protocol: `smpp` for SMS, `sip` for calls, `http` for SMS or calls, `smtp` for email. */ "protocol": "smpp" | "sip" | "http" | "smtp";
  /** Channel of its messages. */ "channel": "sms" | "voice" | "mail";
  /** Whether it is part of the configuration and is changed there. */ "is_configured": boolean;
  /** Whether it is enabled. */ "is_enabled": boolean;
  /** Maximum messages (calls of a trunk) per second; 0 is no limit. */ "per_second": number;
  /** Whether an operator set `per_second`; otherwise it is from its settings. */ "is_limit_set": boolean;
  /** Whether it has a password. */ "has_password": boolean;
  /** Names of the routes that use it. */ "routes": (string)[];
  /** Settings of an SMPP connection; otherwise null. */ "smpp": Smpp | null;
  /** Settings of a SIP trunk; otherwise null. */ "sip": Sip | null;
  /** Settings of an HTTP connector; otherwise null, also for one of the configuration. */ "http": Http | null };

type Parameters2 = {
  /** Tag in hexadecimal. */ "tag": string;
  /** Form of the octets: a text without or with NUL at its end, the SHA-256 of a text in hexadecimal digits, hexadecimal digits, or a number. */ "form"?: "text" | "c-text" | "sha256" | "hex" | "integer";
  /** Value. Texts may contain `{dlt.entity}`, `{dlt.template}`, `{from}`, `{to.digits}` and `{id}`. */ "value": string;
  /** Octets of a number; null for other forms. */ "octets"?: 1 | 2 | 4 | null };

type Smpp2 = {
  /** Name or address of the SMSC. Required for a new connector. */ "host"?: string;
  /** Port; default 2775. */ "port"?: number;
  /** Whether the connection uses TLS; default false. */ "tls"?: boolean;
  /** PEM of the authorities to trust instead of those of the machine. Null: none. */ "tls_ca"?: string | null;
  /** Name on the certificate, if it is not the host. Null: none. */ "tls_server_name"?: string | null;
  /** False accepts any certificate: only for a private network. */ "tls_verify"?: boolean;
  /** `system_id` of the bind. Required for a new connector. */ "system_id"?: string;
  /** Password, stored encrypted and never returned. Null: none. */ "password"?: string | null;
  /** `system_type` of the bind; default empty. */ "system_type"?: string;
  /** Sessions: `transceiver`, or `pair`, a transmitter and a receiver. */ "bind_mode"?: "transceiver" | "pair";
  /** Concurrent sessions, or pairs; default 1. */ "binds"?: number;
  /** Maximum number of submits without a stored outcome; default 500. */ "window"?: number;
  /** Form of long messages: parts with a header, or whole in `message_payload`. */ "long_messages"?: "udh" | "payload";
  /** Type of number of senders; default: by their form. Null: none. */ "source_ton"?: number | null;
  /** Numbering plan of senders; default: by their form. Null: none. */ "source_npi"?: number | null;
  /** Type of number of recipients; default 1. */ "destination_ton"?: number;
  /** Numbering plan of recipients; default 1. */ "destination_npi"?: number;
  /** Requested delivery receipts: 1 all, 2 failures, 0 none. */ "registered_delivery"?: number;
  /** Alphabet that the SMSC uses for data coding 0. */ "default_alphabet"?: "gsm" | "latin1";
  /** Data coding of texts in the default alphabet. */ "default_data_coding"?: number;
  /** Data coding of texts in UCS-2; default 8. */ "unicode_data_coding"?: number;
  /** Maximum messages per second of each sender; 0 is no limit. */ "sender_messages_per_second"?: number;
  /** Optional parameters that each `submit_sm` has. One whose placeholder has no value for a message is left out; one that the message itself has stays. */ "parameters"?: (Parameters2)[];
  /** Format of `validity_period`. */ "validity"?: "relative" | "absolute" | "none";
  /** Idle time before `enquire_link`, in milliseconds. */ "enquire_link_ms"?: number;
  /** Time after which a response is overdue, in milliseconds. */ "response_timeout_ms"?: number };

type Sip2 = {
  /** SIP URI of the trunk. Required for a new connector. */ "uri"?: string;
  /** PEM of the authorities to trust instead of those of the machine. Null: none. */ "tls_ca"?: string | null;
  /** Name on the certificate, if it is not the host. Null: none. */ "tls_server_name"?: string | null;
  /** False accepts any certificate: only for a private network. */ "tls_verify"?: boolean;
  /** User name for challenges. Null: none. */ "username"?: string | null;
  /** Password, stored encrypted and never returned. Null: none. */ "password"?: string | null;
  /** Realm of accepted challenges; others are not answered. Null: none. */ "realm"?: string | null;
  /** Caller number. Required for a new connector. */ "caller_id"?: string;
  /** Name after `@`, if it is not the host. Null: none. */ "domain"?: string | null;
  /** Whether the service registers with the trunk; default false. */ "register"?: boolean;
  /** Concurrent calls; default 10. */ "calls_at_once"?: number;
  /** Prefixes of the numbers that it accepts; an empty one matches every number. */ "prefixes"?: (string)[];
  /** Prefix that is added to numbers. */ "number_prefix"?: string;
  /** Interval of OPTIONS requests to the trunk in seconds; 0 never. */ "keep_alive_seconds"?: number };

type Http2 = {
  /** Description of the interface: the name of a ready one, or an object (docs/http-carriers.md). Required for a new connector. */ "description"?: string | { [name: string]: unknown };
  /** Values of the secrets of the description, by name, stored encrypted and never returned. Others keep their values; null removes one. All are required when the address of the provider changes. */ "secrets"?: { [name: string]: string | null };
  /** Secret in the path of requests of the provider, 24 to 128 letters, digits, `-`, `_`. Null: the service generates another one. A new connector gets one. Required when the address of the provider changes. */ "path_secret"?: string | null;
  /** Signature of the requests of the provider, in place of that of the description. Null: that one. */ "signature"?: { [name: string]: unknown } | null;
  /** Networks from which requests of the provider are accepted. Null: every address. */ "addresses"?: (string)[] | null;
  /** Prefixes of the numbers that are called over it. Only for a description of calls. Null: every number. */ "prefixes"?: (string)[] | null;
  /** Caller number, 3 to 15 digits, with or without `+`. Only for a description of calls, and required for it. */ "caller_id"?: string | null;
  /** Maximum number of messages without a stored outcome, and of connections; default 50. */ "window"?: number;
  /** Timeout of a request with its whole answer in milliseconds; default 30000. */ "timeout_ms"?: number };

type ChangeConnectorPath = {
  /** Name of the connector; `%2F` for the slash in the name of a relay. */ "id": string };

type Headers = {
  /** Name. */ "name": string;
  /** Value. */ "value": string };

type Verdict = {
  /** `then` of the rule that matches; `unknown` without one. */ "outcome": "accepted" | "refused" | "throttled" | "again" | "unknown";
  /** Message ids of the provider. */ "ids": (string)[];
  /** Code that would be stored with the message. */ "code": string | null;
  /** Delivery status of a refused message. */ "status": number | null;
  /** Requested wait in milliseconds. */ "after_ms": number | null;
  /** Reason why the provider accepts nothing. */ "fault": "self-signed" | "untrusted" | "expired" | "not-yet-valid" | "wrong-name" | "revoked" | "not-offered" | "handshake" | "unknown-host" | "dns" | "refused" | "unreachable" | "timeout" | "closed" | "access" | "rejected" | "other" | null;
  /** Parts that the provider counted. */ "parts": number | null;
  /** Price that the provider told. */ "price": number | null };

type Hours3 = {
  /** Time zone of the hours, by its IANA name. */ "zone": string;
  /** Hours of each day of the week. */ "week": Hours | null };

type Connectors2 = {
  /** Name of the connector. */ "connector": string;
  /** Priority; of the connectors that are up, those with the lowest value are used. */ "priority": number;
  /** Weight: its share of the messages. */ "weight": number;
  /** What the carrier charges for a part, in the currency of the installation; null: not known. `choose` and the search for a route use it, and nobody is charged by it. */ "price": number | null };

type Routes = {
  /** Id of the route; null: it is part of the configuration and is changed there. */ "id": string | null;
  /** Name of the route, which waiting messages refer to. It changes with the conditions. */ "name": string;
  /** Title of the route, for people. */ "title": string;
  /** Prefixes of numbers, international digits; an empty one matches every number. */ "prefixes": (string)[];
  /** Ids of the accounts whose messages it takes; null: of every account. */ "accounts": (string)[] | null;
  /** Senders whose messages it takes, in upper or lower case; null: of every sender. */ "senders": (string)[] | null;
  /** Kinds of messages that it takes: `code` are one-time codes, `marketing` are messages of campaigns that are not declared transactional, `transactional` are all others; null: every kind. */ "kinds": ("code" | "transactional" | "marketing")[] | null;
  /** Hours in which the messages that it takes are due; null: any hour. */ "hours": Hours3 | null;
  /** Mobile networks of the recipients: `425` is every network of the mobile country code, `425-01` one network. A network that is not known counts by the country of the number (docs/number-lookup.md). null: every network. */ "networks": (string)[] | null;
  /** `priority`: of the connectors that are up, those with the lowest priority share the messages by weight. `cheapest`: of the connectors that are up, those with the lowest price do; connectors without a price come last. */ "choose": "priority" | "cheapest";
  /** Least share of messages, in percent, that a connector must deliver to the prefix of a message (its first five digits): connectors that do so are used before those of which fewer than 50 messages are known, and these before others. The lower bound of the share counts, with 95 % confidence. null: the share does not matter. */ "min_delivered_percent": number | null;
  /** Least share of one-time codes, in percent, that recipients must use, of those to the prefix of a message (its first five digits) over a connector. Like `min_delivered_percent`, but only for messages of the kind `code`; with both, a connector is as good as the worse one of its shares. null: the share does not matter. */ "min_used_percent": number | null;
  /** Share of messages, in percent, that goes over connectors of which too little is known, although others deliver enough. */ "explore_percent": number;
  /** Codes of carriers after which a message goes over another connector of the route that is up, before its failure is reported. A message of which the carrier may have accepted a part does not. */ "leave_codes": (string)[];
  /** Seconds in which the carrier has taken no message because it is busy, after which messages go over another connector of the route for as long; null: they wait. */ "leave_throttled_seconds": number | null;
  /** Seconds in which the carrier has sent no receipt for at least 20 messages, while other connectors of the route get some, after which messages go over another connector for as long; null: they do not. Not for a connector whose sessions are divided among processes. */ "leave_silent_seconds": number | null;
  /** Connectors by priority. */ "connectors": (Connectors2)[] };

type Hours4 = {
  /** Time zone of the hours, by its IANA name. */ "zone": string;
  "week": Hours2 };

type Connectors3 = {
  /** Name of an SMS connector. */ "connector": string;
  /** Priority; of the connectors that are up, those with the lowest value share the messages. */ "priority"?: number;
  /** Weight; twice the weight means twice as many messages. */ "weight"?: number;
  /** What the carrier charges for a part, in the currency of the installation; null: not known. `choose` and the search for a route use it, and nobody is charged by it. */ "price"?: number | null };

type Routes2 = {
  /** Only prefix of the route, in place of `prefixes`. */ "prefix"?: string;
  /** Title of the route, for people. */ "title"?: string;
  /** Prefixes of numbers, international digits; an empty one matches every number. */ "prefixes"?: (string)[];
  /** Ids of the accounts whose messages it takes; null: of every account. */ "accounts"?: (string)[] | null;
  /** Senders whose messages it takes, in upper or lower case; null: of every sender. */ "senders"?: (string)[] | null;
  /** Kinds of messages that it takes: `code` are one-time codes, `marketing` are messages of campaigns that are not declared transactional, `transactional` are all others; null: every kind. */ "kinds"?: ("code" | "transactional" | "marketing")[] | null;
  /** Hours in which the messages that it takes are due; null: any hour. */ "hours"?: Hours4 | null;
  /** Mobile networks of the recipients: `425` is every network of the mobile country code, `425-01` one network. A network that is not known counts by the country of the number (docs/number-lookup.md). null: every network. */ "networks"?: (string)[] | null;
  /** `priority`: of the connectors that are up, those with the lowest priority share the messages by weight. `cheapest`: of the connectors that are up, those with the lowest price do; connectors without a price come last. */ "choose"?: "priority" | "cheapest";
  /** Least share of messages, in percent, that a connector must deliver to the prefix of a message (its first five digits): connectors that do so are used before those of which fewer than 50 messages are known, and these before others. The lower bound of the share counts, with 95 % confidence. null: the share does not matter. */ "min_delivered_percent"?: number | null;
  /** Least share of one-time codes, in percent, that recipients must use, of those to the prefix of a message (its first five digits) over a connector. Like `min_delivered_percent`, but only for messages of the kind `code`; with both, a connector is as good as the worse one of its shares. null: the share does not matter. */ "min_used_percent"?: number | null;
  /** Share of messages, in percent, that goes over connectors of which too little is known, although others deliver enough. 5 by default. */ "explore_percent"?: number;
  /** Codes of carriers after which a message goes over another connector of the route that is up, before its failure is reported. A message of which the carrier may have accepted a part does not. */ "leave_codes"?: (string)[];
  /** Seconds in which the carrier has taken no message because it is busy, after which messages go over another connector of the route for as long; null: they wait. */ "leave_throttled_seconds"?: number | null;
  /** Seconds in which the carrier has sent no receipt for at least 20 messages, while other connectors of the route get some, after which messages go over another connector for as long; null: they do not. Not for a connector whose sessions are divided among processes. */ "leave_silent_seconds"?: number | null;
  "connectors": (Connectors3)[] };

type Before = {
  /** Sum of the prices of their parts, in the currency of the installation. */ "cost": number;
  /** Messages over connectors without a price. */ "without_price": number;
  /** Messages expected to be delivered, by the measured shares. */ "delivered": number;
  /** Messages over connectors without a measured share for the prefix. */ "without_share": number;
  /** One-time codes that recipients are expected to use, by the measured shares. */ "used": number;
  /** One-time codes over connectors without a measured used share for the prefix. */ "without_used_share": number };

type ChangeRoutePath = {
  /** Id of the route. */ "id": string };

type Fault = {
  /** Reason of the fault. */ "reason": "self-signed" | "untrusted" | "expired" | "not-yet-valid" | "wrong-name" | "revoked" | "not-offered" | "handshake" | "unknown-host" | "dns" | "refused" | "unreachable" | "timeout" | "closed" | "access" | "rejected" | "other";
  /** Error of the network, or HTTP status. */ "detail": string };

type LookUp = {
  /** Description of the interface of the provider: the name of a ready one, or an object (docs/number-lookup.md). */ "description": string | { [name: string]: unknown };
  /** Names of the secrets that are set. */ "secret_names": (string)[];
  /** Whether networks are looked up. */ "is_enabled": boolean;
  /** Prefixes of the numbers that are looked up, international digits; an empty one matches every number. */ "prefixes": (string)[];
  /** Timeout of a request in milliseconds. Then the message takes the route of a number without a known network. */ "timeout_ms": number;
  /** Maximum number of simultaneous requests of a process. */ "window": number;
  /** Days for which an answer is valid, unless it says so itself. */ "valid_days": number;
  /** Maximum number of requests of all processes in a day (UTC). Afterwards only remembered networks count. */ "per_day": number;
  /** Requests of today, in steps of up to 50. */ "used_today": number;
  /** Reason of the failure of the last request; null: the last request succeeded. */ "fault": Fault | null };

type Ready = {
  /** Name of the description. */ "name": string;
  /** Provider and interface. */ "title": string;
  /** Names of the secrets that it needs. */ "secret_names": (string)[] };

type ShowNumberLookupAnswer = {
  /** The look-up; null: none is set. */ "look_up": LookUp | null;
  /** Ready descriptions. */ "ready": (Ready)[] };

type Accounts = {
  /** Id of the account. */ "id": string;
  /** User name of the account. */ "username": string;
  /** Display name. */ "name": string;
  /** User name of the parent account, for a subscriber. */ "parent": string | null;
  /** Credits. */ "balance": string;
  /** Whether it is suspended, by the operator or the parent account. */ "suspended": boolean;
  /** Whether the parent account has suspended it. */ "suspended_by_parent": boolean;
  /** Time zone; null: the default of the settings. */ "time_zone": string | null;
  /** Networks from which requests may come; empty: any. */ "addresses": (string)[];
  /** Whether its password is too weak for a new one, as detected at the last sign-in with it. */ "password_weak": boolean;
  /** Whether `user.password` in requests is accepted instead of a token. */ "password_sign_in": boolean;
  /** Time of creation, ISO 8601. */ "created_at": string };

type ShowAccountPath = {
  /** Id of the account. */ "id": string };

type ShowHeldWorkAnswer = {
  /** Time of the suspension; null for an account that is not suspended, ISO 8601; null: never. */ "since": string | null;
  /** Held messages. A batch counts as a whole until all its messages have a result. */ "messages": number;
  /** Campaigns that are held before all their messages were created. */ "campaigns": number;
  /** Time of the request to cancel them, while the cancellation is in progress, ISO 8601; null: never. */ "cancelling_since": string | null;
  /** Time of completion of the last cancellation, ISO 8601; null: never. */ "cancelled_at": string | null };

type Prices = {
  /** Account of the price; null: all accounts. */ "account_id": string | null;
  /** User name of the account. */ "username": string | null;
  /** Channel of the price: `sms` for a part; `chat` for a conversation of 24 hours; `voice` for a call; `mail` for an email, only with the empty prefix. */ "channel": "sms" | "chat" | "mail" | "voice";
  /** Prefix of the numbers. Empty matches every number. */ "prefix": string;
  /** Credits. */ "price": string;
  /** Whether messages with status 105, for which the carrier never responded, are refunded. Such a message may have arrived. */ "refund_unanswered": boolean };

type RetryWorkBody = {
  /** Kind of work. */ "kind": string;
  /** Account that the work is for; 0: the operator. */ "account_id": string;
  /** `key` of the item. */ "key": string };

type Accounts2 = {
  /** Id of the account. */ "account_id": string;
  /** User name of the account. */ "username": string;
  /** Balance in credits. */ "balance": string;
  /** Accepted messages. */ "accepted": number;
  /** Messages that are delivered and not reported as read. */ "delivered": number;
  /** Read. */ "read": number;
  /** Failed. */ "failed": number;
  /** Credits less refunds. */ "spent": string };

type Webhooks2 = {
  /** Id of the endpoint. */ "id": string;
  /** Id of the account that registered it. */ "account_id": string;
  /** User name of that account. */ "username": string;
  /** `webhook`; the push of one event of the SMS API: `dlr`, `incoming`, `blacklist`; or `callback`: a host that programs named for status callbacks or for incoming messages. */ "kind": "webhook" | "dlr" | "incoming" | "blacklist" | "callback";
  /** Host and port of its address. Only its account can see the whole address. */ "host": string;
  /** `failing`: every attempt has failed since `since`. `off`: disabled since then; nothing is sent until it is enabled. */ "state": "active" | "failing" | "off";
  /** Time since which it is failing or disabled, ISO 8601; null: never. */ "since": string | null;
  /** Reason why it was disabled. */ "off_reason": string | null;
  /** Events that wait for a retry. */ "waiting": number;
  /** HTTP status of the last failed attempt; null: no response. */ "last_status": number | null;
  /** Error of the last failed attempt. */ "last_error": string | null;
  /** Time of the last failed attempt, ISO 8601; null: never. */ "last_failure_at": string | null;
  /** Time of the last successful attempt, ISO 8601; null: never. */ "last_success_at": string | null };

type Rules7 = {
  /** Account to which the rule applies; null: all accounts. */ "account_id": string | null;
  /** User name of that account. */ "username": string | null;
  /** Prefix of the numbers, international digits. */ "prefix": string;
  /** Whether the accounts may send to these numbers and call them. */ "permitted": boolean;
  /** Reason, for other operators. */ "note": string;
  /** Time of the last change, ISO 8601. */ "changed_at": string };

type Numbers = {
  /** Number, international digits. */ "phone": string;
  /** Display name. */ "name": string;
  /** Id on the platform. */ "platform_id": string;
  /** Maximum messages per second; 0 is no limit. */ "messages_per_second": number;
  /** Quality rating of the platform, by reports of recipients (blocks, spam). `unknown` until it is rated. */ "quality": "high" | "medium" | "low" | "unknown" };

type Portfolios = {
  /** Id of the portfolio. */ "id": string;
  /** Id of the account that owns the portfolio. */ "account_id": string;
  /** User name of the account. */ "username": string;
  /** Name of the portfolio. */ "name": string;
  /** Id of the business account on the platform. */ "platform_id": string;
  /** Messaging limit: clients to whom it may write first within 24 hours. */ "tier": number;
  /** Clients reached in the last 24 hours. */ "reached": number;
  /** Reason why its numbers are paused; null if they are not. */ "problem": string | null;
  /** Current restrictions and warnings of the platform for the portfolio and its numbers, oldest first. */ "problems": (Problems)[];
  /** Business numbers of the portfolio. */ "numbers": (Numbers)[] };

type ChangeChatPortfolioPath = {
  /** Id of the portfolio. */ "id": string };

type Phone = {
  "$"?: {
    "id"?: string };
  "_": string };

type Destinations = {
  /** Phone number, `05xxxxxxxx`, `5xxxxxxxx` or international; each receives the message once. `id` is your own id for the delivery report. */ "phone"?: (string | Phone)[];
  /** Ids of contact lists. */ "cl_id"?: (string)[];
  /** Ignored, as `message` of the response says. Contact lists are in `cl_id`. */ "cl"?: unknown };

type SmsAnswer = {
  /** 0, or the reason for the refusal. */ "status": number;
  /** Description of the result; for a refusal it names the field. */ "message": string;
  /** Id of the shipment, in reports and as `campaign_id` of `cancel`. */ "shipment_id"?: string;
  /** `1` for the repeated response of an earlier request with the same send key; nothing was done now. Absent otherwise. */ "repeated"?: number };

type Transactions = {
  /** `id` of the phone in the request; may be empty. */ "external_id": string;
  /** Delivery status: 102 delivered, -1 not final. */ "status": number;
  /** Status in Hebrew. */ "he_message": string;
  /** Status in English. */ "en_message": string;
  /** Time of the last change of status, `dd/mm/yy hh:mm`. */ "date": string;
  /** Id of the shipment, from the response to the send. */ "shipment_id": string;
  /** Number, `05xxxxxxxx` or international digits. */ "phone": string };

type DlrAnswer = {
  /** 0, or the reason for the refusal. */ "status": number;
  /** Description of the result; for a refusal it names the field. */ "message": string;
  "transactions"?: (Transactions)[] };

type Destination = {
  /** Number, in any spelling. */ "phone": string;
  /** Value for `[DYNAMIC_FIELD1]`. */ "df1"?: string;
  /** Value for `[DYNAMIC_FIELD2]`. */ "df2"?: string;
  /** Value for `[DYNAMIC_FIELD3]`. */ "df3"?: string;
  /** Value for `[DYNAMIC_FIELD4]`. */ "df4"?: string;
  /** Value for `[DYNAMIC_FIELD5]`. */ "df5"?: string;
  /** Value for `[DYNAMIC_FIELD6]`. */ "df6"?: string };

type ContactLists3 = {
  /** Id of the list. */ "cl_id": string;
  /** Number; empty for an empty list. */ "phone": string;
  /** Name of the list. */ "name": string };

type GetCLAnswer = {
  /** 0, or the reason for the refusal. */ "status": number;
  /** Description of the result; for a refusal it names the field. */ "message": string;
  "contact_lists"?: (ContactLists3)[] };

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
  "POST /v1/operator/accounts/{id}/top-up",
  "POST /v1/operator/connectors/{id}/test-messages",
  "POST /v1/operator/alert-rules/{id}/test",
]);

/** Operations that take a body, with its media type. */
export const bodied: Readonly<Record<string, string>> = {
  "POST /api#sms": "application/json",
  "POST /api#bulk": "application/json",
  "POST /v1/drafts": "application/json",
  "PUT /v1/drafts/{id}": "application/json",
  "POST /v1/sms": "application/json",
  "POST /v1/sms/estimate": "application/json",
  "POST /v1/sms/preview": "application/json",
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
  "POST /v1/recipients/preview": "text/csv",
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
  "POST /v1/pictures": "application/octet-stream",
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
  "POST /v1/wallet/transfer": "application/json",
  "POST /v1/webhooks": "application/json",
  "PATCH /v1/webhooks/{id}": "application/json",
  "POST /v1/webhooks/{id}/test": "application/json",
  "POST /v1/webhook-deliveries/replay": "application/json",
  "POST /v1/webhooks/{id}/replay": "application/json",
  "POST /v1/alert-rules": "application/json",
  "PATCH /v1/alert-rules/{id}": "application/json",
  "POST /v1/alert-rules/{id}/test": "application/json",
};

/** Operations that answer page by page, with the field of their rows. */
export const paged = {
  "GET /v1/contact-lists/{id}/contacts": "contacts",
  "GET /v1/recipients": "recipients",
  "GET /v1/subscribers": "subscribers",
  "GET /v1/messages": "messages",
  "GET /v1/links": "shipments",
  "GET /v1/shipments/{id}/clicks": "clicks",
  "GET /v1/shipments": "shipments",
  "GET /v1/campaigns": "campaigns",
  "GET /v1/campaigns/{id}/failed-recipients": "recipients",
  "GET /v1/blacklist": "numbers",
  "GET /v1/chat/campaigns": "campaigns",
  "GET /v1/chat/campaigns/{id}/failures": "failures",
  "GET /v1/conversations": "conversations",
  "GET /v1/conversations/{id}/timeline": "items",
  "GET /v1/conversation-rules/{id}/log": "entries",
  "GET /v1/pictures": "pictures",
  "GET /v1/mail/campaigns": "campaigns",
  "GET /v1/mail/campaigns/{id}/failures": "failures",
  "GET /v1/mail/campaigns/{id}/returns": "returns",
  "GET /v1/mail/lists/{id}/users": "users",
  "GET /v1/consents": "consents",
  "GET /v1/wallet/ledger": "rows",
  "GET /v1/webhook-deliveries": "deliveries",
  "GET /v1/webhooks/{id}/events": "events",
  "GET /v1/request-log": "requests",
  "GET /v1/alerts": "alerts",
} as const;
