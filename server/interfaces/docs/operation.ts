import { escapeHtml } from '../../text/html.ts';
import type { Body, Content, Reference } from '../openapi/description.ts';
import type { Document, DocumentOperation } from '../openapi/document.ts';
import type { JsonSchema } from '../openapi/shown.ts';
import { fieldsOf, fieldsTable } from './fields.ts';
import { ADDRESS, exampleParameters, type Place } from './place.ts';
import { inline, jsonText, paragraphs } from './text.ts';
import { typescript } from './typescript.ts';

/** What is on the right of an operation's name: `POST /api` and its root, or method and path. */
export function addressOf({ method, path }: Place): string {
  const [address, root] = path.split('#');
  const shown = `<span class="method">${method.toUpperCase()}</span> ${escapeHtml(address!)}`;
  return root === undefined ? shown : `${shown} <span class="root">${escapeHtml(root)}</span>`;
}

/** The section of an operation: what it does and takes on the left, what is sent and answered on the right. */
export function operationSection(document: Document, place: Place): string {
  const { operation } = place;
  const resolve = (schema: JsonSchema) => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
    return name === undefined ? schema : document.components.schemas[name]!;
  };
  const success = successOf(operation);
  const parameters = (operation.parameters ?? []).map(
    ({ name, schema, description, required, in: where }) => ({
      path: [parameterName[where](name)],
      schema: { ...schema, description },
      required,
    }),
  );
  const { operationId, summary, description, requestBody } = operation;
  return `<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<header><h3 id="${operationId}-title"><a class="title" href="#${operationId}">${inline(summary)}</a></h3>
<p class="address"><code>${addressOf(place)}</code></p></header>
<div class="about">
${paragraphs(description)}
${fieldsTable('In the address or the headers', parameters, true)}
${requestBody?.description ? paragraphs(requestBody.description) : ''}
${fieldsTable('Request', fieldsOf(resolve(fieldSchema(requestBody))), true)}
${fieldsTable('Answer', fieldsOf(resolve(fieldSchema(success))), false)}
${outcomes(operation)}
</div>
<div class="examples">
${examples(place, success)}
</div>
</section>`;
}

/** How a parameter is written, by where it stands. */
const parameterName = {
  path: (name: string) => `{${name}}`,
  query: (name: string) => `?${name}`,
  header: (name: string) => name,
} as const;

/** The schema in which a field has the name that it has in both forms: XML has no object around the root. */
function fieldSchema(body: Body | undefined): JsonSchema {
  const content = body?.content['application/xml'] ?? body?.content['application/json'];
  return content?.schema ?? {};
}

function successOf({ responses }: DocumentOperation): Body {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  return response as Exclude<typeof response, Reference>;
}

function outcomes(operation: DocumentOperation): string {
  const all = operation['x-outcomes'];
  const rows = all.map(
    ({ code, meaning }) =>
      `<tr><th scope="row"><code>${escapeHtml(code)}</code></th><td>${inline(meaning)}</td></tr>`,
  );
  const codes = all.map(({ code }) => code.split(' ').at(-1)!).join(', ');
  return `<details><summary>Statuses <span class="codes">${escapeHtml(codes)}</span></summary>
<table><tbody>
${rows.join('\n')}
</tbody></table></details>`;
}

function examples(place: Place, success: Body): string {
  const sent = place.operation.requestBody?.content ?? {};
  const [type, answer] = Object.entries(success.content)[0]!;
  const program = typescript(place);
  const asked = block('Request', curl(place, Object.entries(sent)[0]));
  const answered = block('Answer', exampleText(type, answer));
  if (!sent['application/xml']) {
    // No program calls what needs the session of a person.
    if (program === undefined) return `${asked}\n${answered}`;
    return `${tabs({ json: 'curl', typescript: 'TypeScript' })}
${panel('json xml', asked)}
${panel('typescript', block('Request in TypeScript', program))}
${answered}`;
  }
  const line = (form: string) => curl(place, [`application/${form}`, sent[`application/${form}`]!]);
  return `${tabs({ json: 'JSON', xml: 'XML', typescript: 'TypeScript' })}
${panel('json', block('Request in JSON', line('json')))}
${panel('xml', block('Request in XML', line('xml')))}
${panel('typescript', block('Request in TypeScript', program!))}
${panel('json typescript', block('Answer in JSON', exampleText('application/json', success.content['application/json']!)))}
${panel('xml', block('Answer in XML', exampleText('application/xml', success.content['application/xml']!)))}`;
}

/** The choice of a form, by the names of the forms. */
function tabs(names: Readonly<Record<string, string>>): string {
  const buttons = Object.entries(names).map(
    ([form, name]) =>
      `<button type="button" data-form="${form}" aria-pressed="${form === 'json'}">${name}</button>`,
  );
  return `<div class="tabs" role="group" aria-label="Form of the examples">${buttons.join('')}</div>`;
}

/** What is shown in some of the forms. */
const panel = (forms: string, content: string) => `<div class="form ${forms}">\n${content}\n</div>`;

function block(title: string, text: string): string {
  return `<figure><figcaption>${title}<button type="button" class="copy">Copy</button></figcaption>
<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>`;
}

function exampleText(type: string, { example }: Content): string {
  return type === 'application/json' ? jsonText(example) : String(example);
}

/** A line for the shell that sends an example, with this body or with none. */
function curl({ method, path, operation }: Place, body?: readonly [type: string, Content]): string {
  const [address] = path.replace(/\{(\w+)\}/g, (_all, name) => exampleOfPath(operation, name)).split('#');
  const query = exampleOfQuery(operation);
  const where = query === '' ? `${ADDRESS}${address}` : `'${ADDRESS}${address}?${query}'`;
  const start = [`curl -s ${where}`, ...signedInBy(method, operation)].join(' \\\n  ');
  // What curl does by itself.
  const usual = body ? 'post' : 'get';
  const line = method === usual ? start : `${start} -X ${method.toUpperCase()}`;
  if (!body) return line;
  const [type, content] = body;
  // Without it curl says that it is a form; what is no JSON is taken whatever it is said to be.
  const typed = type === 'application/json' ? `${line} \\\n  -H "Content-Type: ${type}"` : line;
  // `-d` takes the line ends out of a file.
  const option = type === 'text/csv' ? '--data-binary' : '-d';
  return `${typed} \\\n  ${option} '${exampleText(type, content).replaceAll("'", "'\\''")}'`;
}

/** The options that say who calls. */
function signedInBy(method: string, { security }: DocumentOperation): string[] {
  if (!security || security.some((scheme) => 'token' in scheme)) return ['-H "Authorization: Bearer $TOKEN"'];
  const session = security.length > 0 ? ['-b "carillon_session=$SESSION"'] : [];
  return method === 'get' ? session : [...session, '-H "X-Carillon-CSRF: 1"'];
}

/** The parameters that a query has to have, each with its example. */
function exampleOfQuery(operation: DocumentOperation): string {
  return exampleParameters(operation, 'query')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** What stands for a parameter of the path in an example. */
const exampleOfPath = (operation: DocumentOperation, name: string): string =>
  Object.fromEntries(exampleParameters(operation, 'path'))[name]!;
