import { readFileSync } from 'node:fs';

/** Files of the ready descriptions (docs/http-carriers.md), by name. They are read like those of operators. */
const files: Readonly<Record<string, URL>> = {
  twilio: new URL('providers/twilio.json', import.meta.url),
  vonage: new URL('providers/vonage.json', import.meta.url),
  infobip: new URL('providers/infobip.json', import.meta.url),
  sinch: new URL('providers/sinch.json', import.meta.url),
  bird: new URL('providers/bird.json', import.meta.url),
  plivo: new URL('providers/plivo.json', import.meta.url),
  telnyx: new URL('providers/telnyx.json', import.meta.url),
  'africas-talking': new URL('providers/africas-talking.json', import.meta.url),
  clickatell: new URL('providers/clickatell.json', import.meta.url),
  '46elks': new URL('providers/46elks.json', import.meta.url),
  'twilio-calls': new URL('providers/twilio-calls.json', import.meta.url),
  'vonage-calls': new URL('providers/vonage-calls.json', import.meta.url),
  carillon: new URL('providers/carillon.json', import.meta.url),
};

/** Names of the ready descriptions. */
export const readyNames: readonly string[] = Object.keys(files);

/** Returns a ready description, unchecked; undefined for an unknown name. */
export function readyDescription(name: string): unknown {
  return Object.hasOwn(files, name) ? JSON.parse(readFileSync(files[name]!, 'utf8')) : undefined;
}
