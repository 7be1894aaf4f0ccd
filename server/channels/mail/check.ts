import { createPublicKey } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import type { Sql } from '../../database/connection.ts';
import { settingsOf } from '../../kit/config.ts';
import { tryRelay } from '../../protocols/smtp/trial.ts';
import { publicUrl } from '../../run/app-context.ts';
import {
  type Check,
  type DoctorContext,
  type Finding,
  fail,
  LOOK_MS,
  ok,
  skip,
  warn,
} from '../../run/doctor/check.ts';
import { readDemoState } from '../../sandbox/demo-credentials.ts';
import { sendingSettings } from './sending-settings.ts';
import { mailSettings } from './settings.ts';

/** Domains of senders that are looked at. */
const MAX_DOMAINS = 50;

/** The relay, and what receivers look up of the domains of senders. */
export const mailCheck: Check = {
  name: 'mail',
  title: 'Mail: relay, SPF, DKIM and DMARC',
  about:
    'Publish SPF, the DKIM key and a DMARC policy for the domain of every sender, and point the MX record of `MAIL_BOUNCE_DOMAIN` to the port for bounces.',
  async run(context) {
    const { config } = context.appContext;
    const given = settingsOf(config, mailSettings);
    const { relay, bounceDomain, dkim, from } = sendingSettings(given, publicUrl(config), undefined);
    if (!relay) {
      const { sql } = context.appContext.database;
      return [skip('email is not set up: MAIL_RELAY_URL is not set'), ...(await alertsWithoutRelay(sql))];
    }
    const findings: Finding[] = [];
    const { isAccepted, steps } = await tryRelay(relay);
    const last = steps.at(-1)!;
    if (isAccepted) findings.push(ok(`the relay ${relay.host} accepts emails (${last.answer})`));
    else {
      const found = `the relay ${relay.host} refuses (${last.name}): ${last.answer}`;
      findings.push(fail(found, 'Check MAIL_RELAY_URL: host, port, user, password and TLS.'));
    }
    const dns = new Dns(context.dnsServer);
    if (bounceDomain === undefined) {
      const todo =
        'Set MAIL_BOUNCE_DOMAIN and MAIL_BOUNCE_PORT: without them, bounced addresses receive email forever.';
      findings.push(warn('bounces are not recorded', todo));
    } else findings.push(await exchangerOf(dns, bounceDomain));
    if (dkim) {
      findings.push(await keyOf(dns, `${dkim.keySelector}._domainkey.${dkim.domainName}`, dkim.privateKey));
    } else {
      const todo = 'Set MAIL_DKIM_DOMAIN and MAIL_DKIM_KEY_FILE, unless the relay signs.';
      findings.push(warn('email is not signed by this service', todo));
    }
    for (const domain of await domainsOf(context, from)) {
      findings.push(await spfOf(dns, domain), await policyOf(dns, domain));
    }
    return findings;
  },
};

/** Alert rules that are to send mails, which nothing sends. */
async function alertsWithoutRelay(sql: Sql): Promise<Finding[]> {
  // The sandbox has a relay of its own.
  if ((await readDemoState(sql)) === 'active') return [];
  const [row] = await sql<{ rules: number; owners: number }[]>`
    SELECT count(*) FILTER (WHERE jsonb_array_length(recipients->'mails') > 0)::int AS rules,
      count(*) FILTER (WHERE recipients @> '{"owners": true}')::int AS owners
    FROM alert_rules WHERE enabled`;
  const { rules, owners } = row!;
  const findings: Finding[] = [];
  if (rules > 0) {
    const todo = 'Set MAIL_RELAY_URL, or remove recipients.mails from these rules.';
    findings.push(warn(`${rules} alert rules have email addresses, and no mail relay is set up`, todo));
  }
  if (owners > 0) {
    const todo = 'Set MAIL_RELAY_URL, or give these rules phone numbers or a webhook.';
    findings.push(warn(`${owners} alert rules notify owners by email, and no mail relay is set up`, todo));
  }
  return findings;
}

/** Domains that accounts may send from, and the service's own. */
async function domainsOf({ appContext: { database } }: DoctorContext, from: string): Promise<string[]> {
  const rows = await database.sql<{ domain: string }[]>`
    SELECT DISTINCT split_part(source, '@', 2) AS domain FROM sources WHERE source LIKE '%@%' LIMIT ${MAX_DOMAINS}`;
  return [...new Set([from.slice(from.lastIndexOf('@') + 1), ...rows.map(({ domain }) => domain)])];
}

/** Looks names up; what is not there is an empty list. */
class Dns {
  readonly #resolver = new Resolver({ timeout: LOOK_MS / 4, tries: 2 });

  constructor(server: string | undefined) {
    if (server !== undefined) this.#resolver.setServers([server]);
  }

  async texts(name: string): Promise<string[]> {
    return (await this.#present(this.#resolver.resolveTxt(name))).map((parts) => parts.join(''));
  }

  async exchangers(name: string): Promise<string[]> {
    return (await this.#present(this.#resolver.resolveMx(name))).map(({ exchange }) => exchange);
  }

  async #present<T>(asked: Promise<T[]>): Promise<T[]> {
    try {
      return await asked;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENODATA' || code === 'ENOTFOUND') return [];
      throw error;
    }
  }
}

async function exchangerOf(dns: Dns, domain: string): Promise<Finding> {
  const [first] = await dns.exchangers(domain);
  if (first !== undefined) return ok(`email to ${domain} goes to ${first}`);
  return fail(
    `${domain} has no MX record`,
    `Publish an MX record of ${domain} that leads to the machine of MAIL_BOUNCE_PORT.`,
  );
}

/** SPF (RFC 7208): one record, which ends in something. */
async function spfOf(dns: Dns, domain: string): Promise<Finding> {
  const records = (await dns.texts(domain)).filter((text) => /^v=spf1(\s|$)/i.test(text));
  const todo = `Publish one TXT record at ${domain}, like "v=spf1 include:<your relay> -all".`;
  if (records.length !== 1) return warn(`${domain} has ${records.length} SPF records`, todo);
  if (/\s\+?all$/i.test(records[0]!)) return fail(`SPF of ${domain} allows every machine (+all)`, todo);
  return ok(`SPF of ${domain}: ${records[0]!}`);
}

/** DKIM (RFC 6376, 3.6.1): the record has the key that signs. */
async function keyOf(dns: Dns, name: string, privateKey: string): Promise<Finding> {
  const wanted = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  const todo = `Publish a TXT record at ${name}: "v=DKIM1; k=rsa; p=${wanted}".`;
  const [record] = await dns.texts(name);
  if (record === undefined) return fail(`${name} has no record, so signatures cannot be verified`, todo);
  const published = /(?:^|;)\s*p=([^;]*)/.exec(record)?.[1]?.replaceAll(/\s/g, '');
  if (published === wanted) return ok(`${name} has the key that signs`);
  return fail(`${name} has another key than MAIL_DKIM_KEY_FILE`, todo);
}

/** DMARC (RFC 7489, 6.3): a policy, which does something. */
async function policyOf(dns: Dns, domain: string): Promise<Finding> {
  const name = `_dmarc.${domain}`;
  const record = (await dns.texts(name)).find((text) => /^v=DMARC1\s*;/i.test(text));
  const todo = `Publish a TXT record at ${name}, like "v=DMARC1; p=quarantine; rua=mailto:<your address>".`;
  if (record === undefined) return warn(`${domain} has no DMARC policy`, todo);
  const policy = /;\s*p\s*=\s*(\w+)/i.exec(record)?.[1]?.toLowerCase();
  if (policy === 'none')
    return warn(`the DMARC policy of ${domain} is none`, `${todo} p=none has no protection.`);
  return ok(`the DMARC policy of ${domain} is ${policy ?? 'there'}`);
}
