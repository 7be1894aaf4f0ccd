/** A SIP or SIPS URI (RFC 3261, 19.1). */
export interface SipUri {
  /** `sips:` */
  readonly secure: boolean;
  /** Unescaped; '' when there is none. */
  readonly user: string;
  /** A name or an address; IPv6 without its brackets. */
  readonly host: string;
  readonly port: number | undefined;
  /** By lower-case names; '' for those without a value. */
  readonly params: ReadonlyMap<string, string>;
}

const FORM =
  /^(sips?):(?:([^@<>\s]*)@)?(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?((?:;[^?<>\s]*)?)(?:\?.*)?$/i;

/** Reads a SIP URI; undefined when it is none (`tel:` and others included). */
export function parseSipUri(text: string): SipUri | undefined {
  const read = FORM.exec(text);
  if (!read) return undefined;
  const [, scheme, userInfo = '', host, port, params] = read;
  const number = port === undefined ? undefined : Number(port);
  if (number !== undefined && (number === 0 || number > 65_535)) return undefined;
  return {
    secure: scheme!.length === 4,
    user: decoded(userInfo.split(/[:;]/, 1)[0]!),
    host: host!.replace(/^\[|\]$/g, ''),
    port: number,
    params: parseParams(params!),
  };
}

/** `;name=value;flag` as a map; quoted values without their quotes. */
export function parseParams(text: string): Map<string, string> {
  const params = new Map<string, string>();
  for (const [, name, value = ''] of text.matchAll(/;\s*([^\s=;]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*))?/g)) {
    params.set(name!.toLowerCase(), unquote(value.trim()));
  }
  return params;
}

/** A quoted string without its quotes and escapes; anything else as it is. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}

/** `host`, or `[host]` for IPv6, with a port where there is one (0 is none). */
export function hostPort(host: string, port?: number): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return !port ? shown : `${shown}:${port}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
