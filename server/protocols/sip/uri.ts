/** A SIP or SIPS URI (RFC 3261, 19.1). */
export interface SipUri {
  /** `sips:` */
  readonly secure: boolean;
  /** Unescaped; '' when the URI has no user. */
  readonly user: string;
  /** A name or an address; IPv6 without its brackets. */
  readonly host: string;
  readonly port: number | undefined;
  /** Keyed by lower-case names; '' for parameters without a value. */
  readonly params: ReadonlyMap<string, string>;
}

const FORM =
  /^(sips?):(?:([^@<>\s]*)@)?(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?((?:;[^?<>\s]*)?)(?:\?.*)?$/i;

/** Parses a SIP URI; undefined for anything else (including `tel:`). */
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

/** Parses `;name=value;flag` to a map; quoted values lose their quotes. */
export function parseParams(text: string): Map<string, string> {
  const params = new Map<string, string>();
  for (const [, name, value = ''] of text.matchAll(/;\s*([^\s=;]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*))?/g)) {
    params.set(name!.toLowerCase(), unquote(value.trim()));
  }
  return params;
}

/** Removes the quotes and escapes of a quoted string; returns other text unchanged. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}

/** Returns `host`, or `[host]` for IPv6, followed by the port unless it is missing or 0. */
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
