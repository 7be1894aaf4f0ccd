import { parseXml, type XmlElement } from './xml.ts';

/** Fields of HTTP headers, in lower case. */
export type HeaderFields = Readonly<Record<string, string | string[] | undefined>>;

/** An answer or a request of a provider, from which locators read values. Each form of the body is parsed once. */
export class CarrierDocument {
  /** HTTP status of an answer; undefined for a request. */
  readonly status: number | undefined;
  readonly body: string;
  readonly #headers: HeaderFields;
  readonly #query: URLSearchParams;
  /** The part of the JSON body that locators read: all of it, or one item of many. */
  readonly #item: { readonly value: unknown } | undefined;
  #json: { readonly value: unknown } | undefined;
  #form: URLSearchParams | undefined;
  #xml: { readonly root: XmlElement | undefined } | undefined;

  constructor(content: {
    readonly status?: number;
    readonly headers: HeaderFields;
    readonly query?: string;
    readonly body: string;
    readonly item?: { readonly value: unknown };
  }) {
    this.status = content.status;
    this.body = content.body;
    this.#headers = content.headers;
    this.#query = new URLSearchParams(content.query ?? '');
    this.#item = content.item;
  }

  /** The JSON value of the body, or the item; undefined when the body is not JSON. */
  get json(): unknown {
    if (this.#item) return this.#item.value;
    this.#json ??= { value: parseJson(this.body) };
    return this.#json.value;
  }

  /** The root of the body; undefined when the body is not well-formed XML. */
  get xml(): XmlElement | undefined {
    this.#xml ??= { root: this.body.trimStart().startsWith('<') ? parseXml(this.body) : undefined };
    return this.#xml.root;
  }

  /** Returns the values of a field: of the query, and of the body when it is a form. */
  fields(name: string): string[] {
    this.#form ??= new URLSearchParams(this.#isForm ? this.body : '');
    return [...this.#query.getAll(name), ...this.#form.getAll(name)];
  }

  /** Returns the values of a header, by its name in lower case. */
  header(name: string): string[] {
    return [this.#headers[name] ?? []].flat();
  }

  /** Returns the same document with an item of its JSON body in place of the whole. */
  at(value: unknown): CarrierDocument {
    const query = this.#query.toString();
    return new CarrierDocument({
      ...(this.status !== undefined && { status: this.status }),
      ...{ headers: this.#headers, query, body: this.body, item: { value } },
    });
  }

  get #isForm(): boolean {
    const [type = ''] = this.header('content-type');
    // Some providers send a form without its type.
    return type.toLowerCase().startsWith('application/x-www-form-urlencoded') || type === '';
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
