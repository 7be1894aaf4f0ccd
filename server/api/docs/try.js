// "Try it": sends requests with the session of the console or with a token.
import { describe, element } from '/docs/page.js';

/** Limit of characters of an answer on the page. */
const KEPT_CHARACTERS = 50_000;
/** Milliseconds to read a stream of events, which has no end. */
const LISTEN_MS = 10_000;

/** Last pasted token, for the other operations of the page. It is not stored. */
let token = '';

let asked;
/** Returns the session of this browser, or undefined without one. */
function session() {
  asked ??= fetch('/v1/session')
    .then((response) => (response.ok ? response.json() : undefined))
    .catch(() => undefined);
  return asked;
}

/** Shows the form below the header of an operation. */
export async function tryOperation(section) {
  const [operations, who] = await Promise.all([describe(), session()]);
  const described = operations.find(({ id }) => id === section.id);
  const schemes = described.security.flatMap((scheme) => Object.keys(scheme));
  const fields = (described.operation.parameters ?? []).map((parameter) => parameterField(parameter, who));
  const body = bodyField(described, who);
  const credentials = credentialFields(described, schemes, who);
  const answer = element('div', { 'aria-live': 'polite' });
  const send = element('button', { class: 'send' }, 'Send');
  const form = element(
    'form',
    { class: 'trial', 'aria-label': `Try it: ${described.operation.summary.replaceAll('`', '')}` },
    element('h3', {}, 'Try it'),
    element('p', { class: 'real' }, accountText(who)),
    ...fields.map(({ label }) => label),
    ...(body ? body.elements : []),
    ...credentials.elements,
    send,
    answer,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (described.method === 'DELETE' && !confirm('Send this request? It is real.')) return;
    send.disabled = true;
    answer.textContent = described.id === 'watchLive' ? 'Listening for ten seconds…' : '';
    try {
      const values = new Map(fields.map(({ parameter, input }) => [parameter, input.value]));
      const exchanged = await exchange(described, values, body?.value(), credentials.token());
      answer.replaceChildren(...shown(exchanged));
    } catch {
      answer.textContent = 'The service does not answer.';
    } finally {
      send.disabled = false;
    }
  });
  section.querySelector('header').after(form);
  form.querySelector('input, textarea, button').focus();
}

function accountText(who) {
  if (who?.account) return `Requests are real and act for the account ${who.account.username}.`;
  if (who) return 'Requests are real. Name the account in username.';
  return 'Requests are real. Sign in to the console, or paste a token.';
}

/** Returns the account that the console acts for in this tab. */
function actingFor() {
  try {
    return JSON.parse(sessionStorage.getItem('carillon-acting-for'))?.username;
  } catch {
    return undefined;
  }
}

function parameterField(parameter, who) {
  const { name, required, schema } = parameter;
  const input = element('input', {
    type: 'text',
    placeholder: schema.examples?.[0] ?? schema.default ?? '',
    autocomplete: 'off',
    spellcheck: 'false',
    ...(required && { required: '' }),
  });
  if (name === 'username' && who) input.value = actingFor() ?? '';
  return { parameter, input, label: element('label', {}, name, input) };
}

const formNames = { 'application/json': 'JSON', 'application/xml': 'XML', 'text/csv': 'CSV' };

/** Returns the fields of the body, or undefined for an operation without one. */
function bodyField({ operation }, who) {
  const contents = Object.entries(operation.requestBody?.content ?? {});
  if (contents.length === 0) return undefined;
  const examples = new Map(
    contents.map(([type, { example }]) => [
      type,
      forAccount(
        type === 'application/json' ? JSON.stringify(example, null, 2) : String(example),
        who?.account?.username,
      ),
    ]),
  );
  const input = element('textarea', { spellcheck: 'false', rows: '4' });
  const forms = element('select', {});
  for (const [type] of contents) forms.append(element('option', { value: type }, formNames[type] ?? type));
  const fill = () => {
    input.value = examples.get(forms.value);
  };
  fill();
  let before = forms.value;
  forms.addEventListener('change', () => {
    examples.set(before, input.value);
    before = forms.value;
    fill();
  });
  const elements = [element('label', {}, 'Request body', input)];
  if (contents.length > 1) elements.unshift(element('label', {}, 'Request format', forms));
  return { elements, value: () => ({ type: forms.value, text: input.value }) };
}

/** Puts the account of the session into an example of the SMS family. */
function forAccount(example, username) {
  if (username === undefined) return example;
  return example
    .replace('<username>demo</username>', `<username>${username}</username>`)
    .replace('"username": "demo"', `"username": ${JSON.stringify(username)}`);
}

/** Returns the fields for the session or the token. `token()` returns undefined for the session. */
function credentialFields({ path }, schemes, who) {
  const takesToken = schemes.length === 0 || schemes.includes('token');
  // Only /v1 accepts sessions.
  const takesSession = who !== undefined && path.startsWith('/v1/');
  const input = element('input', { type: 'password', autocomplete: 'off', spellcheck: 'false' });
  input.value = token;
  const field = element('label', {}, 'Token', input);
  const choice = element(
    'select',
    {},
    ...(takesSession ? [element('option', { value: 'session' }, 'This session')] : []),
    ...(takesToken ? [element('option', { value: 'token' }, 'A token')] : []),
  );
  const update = () => {
    field.hidden = choice.value !== 'token';
    input.required = choice.value === 'token' && schemes.length > 0;
  };
  choice.addEventListener('change', update);
  update();
  return {
    elements: [
      ...(takesSession && takesToken ? [element('label', {}, 'Signed in with', choice)] : []),
      field,
    ],
    token() {
      if (choice.value !== 'token') return undefined;
      token = input.value;
      return token;
    },
  };
}

async function exchange({ method, path }, values, body, bearer) {
  const given = [...values].filter(([, value]) => value !== '');
  const of = (place) => given.filter(([parameter]) => parameter.in === place);
  const named = (place) => of(place).map(([{ name }, value]) => [name, value]);
  const inPath = Object.fromEntries(named('path'));
  const filled = path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(inPath[name] ?? ''));
  const query = new URLSearchParams(named('query'));
  const stop = new AbortController();
  const began = performance.now();
  const response = await fetch(query.size > 0 ? `${filled}?${query}` : filled, {
    method,
    // With cookies, the session would replace an invalid token.
    credentials: bearer === undefined ? 'same-origin' : 'omit',
    headers: {
      ...Object.fromEntries(named('header')),
      ...(bearer === undefined
        ? { 'x-carillon-csrf': '1' }
        : bearer && { authorization: `Bearer ${bearer}` }),
      ...(body && { 'content-type': body.type }),
    },
    ...(body && { body: body.text }),
    signal: stop.signal,
  });
  const milliseconds = Math.round(performance.now() - began);
  const type = response.headers.get('content-type') ?? '';
  const timer = type.startsWith('text/event-stream') ? setTimeout(() => stop.abort(), LISTEN_MS) : undefined;
  const text = await readText(response, stop);
  clearTimeout(timer);
  return {
    status: `HTTP ${response.status} after ${milliseconds} ms`,
    text: laidOut(text.slice(0, KEPT_CHARACTERS), type),
    isCut: text.length >= KEPT_CHARACTERS,
  };
}

/** Reads an answer up to the limit of the page, or until it is stopped. */
async function readText(response, stop) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    while (reader && text.length < KEPT_CHARACTERS) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += value;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  stop.abort();
  return text;
}

function shown({ status, text, isCut }) {
  return [
    element('p', { class: 'status' }, status),
    text === ''
      ? element('p', {}, 'The answer is empty.')
      : element('pre', { tabindex: '0', 'aria-label': 'Answer' }, element('code', {}, text)),
    ...(isCut ? [element('p', {}, 'The rest of the answer is not shown.')] : []),
  ];
}

function laidOut(text, type) {
  if (type.includes('json')) {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }
  return type.includes('xml') ? laidOutXml(text) : text;
}

/** Returns XML with one element a line, indented by depth. */
function laidOutXml(text) {
  let depth = 0;
  return text
    .replace(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth--;
      const laid = '  '.repeat(Math.max(0, depth)) + line;
      if (/^<[^!?/]/.test(line) && !line.includes('</') && !line.endsWith('/>')) depth++;
      return laid;
    })
    .join('\n');
}
