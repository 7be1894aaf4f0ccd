import { type Chapter, inFile, row } from '../row.ts';

const campaigns = inFile('mailing/campaigns');
const sending = inFile('mailing/sending');
const faults = inFile('mailing/relay-faults');
const killed = inFile('mailing/killed');
const fields = inFile('mailing/placeholders');
const returns = inFile('mailing/bounce-handling');

/** Sends to mailing lists through `/v1`, and the sandbox's mail server. */
export const mailSending: Chapter = {
  title: 'Mail: sends to lists',
  bothForms: false,
  rows: [
    row(
      'send',
      'subject, HTML and text with fields; a user of several lists gets one mail',
      campaigns(
        'A campaign to several lists brings each user one mail, with their fields, and ends with its event',
      ),
    ),
    row(
      'fields',
      'values are values: no code, no markup, no header, no address of another kind',
      fields('In HTML a value is text: between tags, in attributes with quotes and without'),
      fields('In an address a value is a part of it, or an address of http as a whole'),
      fields('Whatever a value is, HTML shows it and nothing else'),
      fields('What is no field stays as it is'),
    ),
    row(
      'injection',
      'no header and no command begins in any field',
      faults('Nothing that a user has in a field begins a header or another command'),
      campaigns('What cannot be sent is refused with the field that is meant, and nothing is stored'),
      fields('A value is one line in a header, and no value is a place for another'),
    ),
    row(
      'test, preview, estimate',
      'a test send, a preview, what it would cost',
      campaigns('A test goes to a few addresses with the fields of a user, and is no campaign'),
      campaigns('The estimate and the preview tell what a campaign would be, and send nothing'),
    ),
    row(
      'schedule',
      'sent at its time; `campaign.finished` once',
      sending(
        'A scheduled campaign is sent at its time, to those who are in its lists then, and its end is told once',
      ),
    ),
    row(
      'pause, resume',
      'in the middle, and each their mail once',
      sending(
        'A campaign that is paused in the middle sends nothing more, and each its mail when it goes on',
      ),
      faults(
        'Who removes themselves while a campaign is paused gets no mail of it when it goes on, and costs nothing',
      ),
    ),
    row(
      'cancel',
      'what was not sent is given back',
      campaigns('A cancelled campaign sends nothing and gives its credit back'),
      sending('A campaign that is cancelled in the middle costs what was sent'),
    ),
    row('lanes', 'single mails do not wait', sending('A single mail does not wait behind a campaign')),
    row(
      'throttle',
      'a rate of the relay',
      sending('A relay with a rate gets no more at once, and is asked again'),
    ),
    row('DKIM', 'mails are signed', sending('Mails are signed (DKIM), the headers of removal with them')),
    row(
      'senders',
      'from addresses and domains that are the account’s',
      sending('A sender that is not the account’s is refused, and one of its domain is not'),
    ),
    row(
      'credit',
      'credit that ends in the middle',
      campaigns(
        'Credit that ends in the middle leaves the rest of the recipients with a reason, and the books in balance',
      ),
    ),
    row(
      'opens, clicks',
      'counted when the list allows it',
      campaigns('Opens and clicks are counted where the list says so, and nowhere else'),
    ),
    row(
      'killed',
      'a restart without a second send; killed in mid-send nobody is left out, and what goes twice is the same mail',
      killed('killed in mid-campaign: nobody is left out, and what goes twice is the same mail'),
      killed('stopped in the middle and started again: each mail goes out once'),
      killed('two processes on one database: each mail goes out once, and a killed one is taken over'),
    ),
    row(
      'relay.down',
      'a relay that is down is waited for',
      faults('While the relay is down everything waits, and goes out when it is back, once each'),
      faults('A relay that closes every connection at once, or says 421, is waited for'),
    ),
    row(
      'relay.4yz',
      'tried again, the others are not held up',
      faults('A mail that the relay does not take now is tried again later, the others are not held up'),
    ),
    row(
      'relay.5yz',
      'a recipient or a content that is refused',
      faults('A recipient whom the relay refuses is not charged, and has a bad address from then on'),
      faults('A mail whose content is refused fails with the code, and its user stays'),
    ),
    row(
      'relay.cut',
      'slow, silent, or closing in mid-DATA',
      faults(
        'A connection that ends in the middle of a mail, or before its answer, brings it again with the same Message-ID',
      ),
      faults(
        'An answer that is lost is the same mail to its reader: the second attempt has the Message-ID of the first',
      ),
    ),
    row(
      'addresses',
      'internationalised addresses',
      faults(
        'Addresses of other scripts go out in the form that the relay takes, or are refused with a code',
      ),
    ),
    row(
      'sandbox',
      'a mail server over SMTP, `/v1/sandbox/mailboxes`, bounces and complaints by the address',
      returns('In the sandbox addresses bounce, complain, refuse and defer as their names say'),
      campaigns(
        'A campaign to several lists brings each user one mail, with their fields, and ends with its event',
      ),
      inFile('sandbox/api')('nobody but the demo account may use its API'),
    ),
  ],
};
