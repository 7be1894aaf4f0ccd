import { escapeHtml } from '../../kit/text/html.ts';
import type { Body, Content, Reference } from '../openapi/description.ts';
import type { Document, DocumentOperation } from '../openapi/document.ts';
import type { JsonSchema } from '../openapi/shown.ts';
import { curl } from './curl.ts';
import { fieldsOf, fieldsTable } from './fields.ts';
import type { Place } from './place.ts';
import { programs } from './programs.ts';
import { inline, jsonText, paragraphs } from './text.ts';

/** Returns the address to the right of an operation's name: `POST /api` and its root, or method and path. */
export function addressOf({ method, path }: Place): string {
  const [address, root] = path.split('#');
  const shown = `<span class="method">${method.toUpperCase()}</span> ${escapeHtml(address!)}`;
  return root === undefined ? shown : `${shown} <span class="root">${escapeHtml(root)}</span>`;
}

/**
 * Returns the section of an operation: description and fields on the left, examples of requests and responses on the
 * right.
 */
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
<header><h2 id="${operationId}-title"><a class="title" href="#${operationId}">${inline(summary)}</a></h2>
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

/** How a parameter is written, by its location. */
const parameterName = {
  path: (name: string) => `{${name}}`,
  query: (name: string) => `?${name}`,
  header: (name: string) => name,
} as const;

/** Returns the schema whose field names are the same in both forms: XML has no object around the root. */
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
  const written = programs(place);
  const panels = written.map(({ form, name, text }) => panel(form, block(`Request in ${name}`, text)));
  if (!sent['application/xml']) {
    const asked = block('Request', curl(place));
    const answered = block('Answer', exampleText(type, answer));
    // Programs cannot call operations that need the session of a person.
    if (written.length === 0) return `${asked}\n${answered}`;
    return [
      tabs([{ form: 'json', name: 'curl' }, ...written]),
      panel('json xml', asked),
      ...panels,
      answered,
    ].join('\n');
  }
  const forms = { json: 'JSON', xml: 'XML' };
  const curls = Object.entries(forms).map(([form, name]) => ({ form, name }));
  const answerIn = (form: 'json' | 'xml') =>
    block(
      `Answer in ${forms[form]}`,
      exampleText(`application/${form}`, success.content[`application/${form}`]!),
    );
  return [
    tabs([...curls, ...written]),
    ...curls.map(({ form, name }) =>
      panel(form, block(`Request in ${name}`, curl(place, `application/${form}`))),
    ),
    ...panels,
    panel(['json', ...written.map(({ form }) => form)].join(' '), answerIn('json')),
    panel('xml', answerIn('xml')),
  ].join('\n');
}

/** A form of the examples: its CSS class and its name. */
interface Form {
  readonly form: string;
  readonly name: string;
}

/** Returns the buttons that choose a form. */
function tabs(forms: readonly Form[]): string {
  const buttons = forms.map(
    ({ form, name }) =>
      `<button type="button" data-form="${form}" aria-pressed="${form === 'json'}">${name}</button>`,
  );
  return `<div class="tabs" role="group" aria-label="Form of the examples">${buttons.join('')}</div>`;
}

/** Wraps content that is shown only in some forms. */
const panel = (forms: string, content: string) => `<div class="form ${forms}">\n${content}\n</div>`;

function block(title: string, text: string): string {
  return `<figure><figcaption>${title}<button type="button" class="copy">Copy</button></figcaption>
<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>`;
}

function exampleText(type: string, { example }: Content): string {
  return type === 'application/json' ? jsonText(example) : String(example);
}
