/** Message of the example request. */
interface Sms {
  readonly username: string;
  readonly source: string;
  readonly phone: string;
  readonly message: string;
}

export const forms = ['json', 'xml'] as const;
export type BodyForm = (typeof forms)[number];

export const programs = ['curl', 'JavaScript', 'Python', 'PHP'] as const;
export type Program = (typeof programs)[number];

/** The body of `POST /api` in one of its forms. */
export function bodyOf({ username, source, phone, message }: Sms, form: BodyForm): string {
  if (form === 'json') {
    const text = JSON.stringify;
    return `{"sms": {
  "user": {"username": ${text(username)}},
  "source": ${text(source)},
  "destinations": {"phone": ${text(phone)}},
  "message": ${text(message)}
}}`;
  }
  return `<sms>
  <user><username>${escapeXml(username)}</username></user>
  <source>${escapeXml(source)}</source>
  <destinations><phone>${escapeXml(phone)}</phone></destinations>
  <message>${escapeXml(message)}</message>
</sms>`;
}

/** A program that sends the body to `address`, to be copied and run as it is. */
export function codeOf(
  program: Program,
  form: BodyForm,
  address: string,
  token: string,
  body: string,
): string {
  switch (program) {
    case 'curl':
      return `curl -s ${address} \\
  -H 'Authorization: Bearer ${token}' \\
  -d '${body.replaceAll("'", String.raw`'\''`)}'`;
    case 'JavaScript':
      return `const response = await fetch('${address}', {
  method: 'POST',
  headers: { Authorization: 'Bearer ${token}' },
  body: ${form === 'json' ? `JSON.stringify(${indent(body)})` : quoteTemplate(body)},
});
console.log(await response.${form === 'json' ? 'json' : 'text'}());`;
    case 'Python':
      return `${form === 'json' ? 'import json\n' : ''}import urllib.request

request = urllib.request.Request(
    "${address}",
    headers={"Authorization": "Bearer ${token}"},
    data=${form === 'json' ? `json.dumps(${indent(body, 4)})` : quotePython(body)}.encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())`;
    case 'PHP':
      return `<?php
$body = <<<'BODY'
${body}
BODY;
echo file_get_contents('${address}', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => 'Authorization: Bearer ${token}',
    'content' => $body,
]]));`;
  }
}

function indent(body: string, by = 2): string {
  return body.replaceAll('\n', `\n${' '.repeat(by)}`);
}

function quoteTemplate(text: string): string {
  return `\`${text.replace(/[\\`]|\$(?=\{)/g, String.raw`\$&`)}\``;
}

function quotePython(text: string): string {
  return `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', String.raw`\"""`)}"""`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character]!);
}
