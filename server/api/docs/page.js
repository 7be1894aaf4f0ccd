// Enhances the pages of the API reference: old links, search, form of the examples, copy buttons, "Try it".
// The pages are readable without it.
const root = document.documentElement;
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

/** Returns a new element: `element('a', { href }, 'text', child)`. */
export function element(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...inside);
  return made;
}

let fetched;
/** Returns the operations of the OpenAPI document, each with its id, method, path, root, chapter and security. Fetches it once. */
export function describe() {
  fetched ??= fetch('/docs/openapi.json')
    .then((response) => response.json())
    .then((description) =>
      Object.entries(description.paths).flatMap(([place, methods]) =>
        Object.entries(methods).map(([method, operation]) => {
          const [path, root] = place.split('#');
          return {
            id: operation.operationId,
            method: method.toUpperCase(),
            path,
            root,
            chapter: operation.tags[0].toLowerCase().replaceAll(/\W+/g, '-'),
            security: operation.security ?? description.security,
            operation,
            schemas: description.components.schemas,
          };
        }),
      ),
    );
  // After a failure the next call fetches it again.
  fetched.catch(() => {
    fetched = undefined;
  });
  return fetched;
}

// Formerly /docs had all operations. A link to `/docs#sendText` finds the entry of the operation: follow it to its chapter.
function followOldLink() {
  if (location.pathname !== '/docs' || location.hash === '') return;
  const entry = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const link = entry?.querySelector('a');
  if (link) location.replace(link.href);
}
followOldLink();
addEventListener('hashchange', followOldLink);

// The chosen form applies to all pages. The browser remembers it.
function setForm(form) {
  root.dataset.form = form;
  for (const tabs of all('.tabs')) {
    // Most operations take JSON alone.
    const shown = tabs.querySelector(`[data-form=${form}]`) ?? tabs.firstElementChild;
    for (const tab of tabs.children) tab.setAttribute('aria-pressed', tab === shown);
  }
  try {
    localStorage.setItem('form', form);
  } catch {}
}
let kept = null;
try {
  kept = localStorage.getItem('form');
} catch {}
setForm(['xml', 'php', 'python', 'typescript'].includes(kept) ? kept : 'json');

const sections = all('.operation');
for (const section of sections) {
  section.querySelector('header').append(element('button', { type: 'button', class: 'try' }, 'Try it'));
}

document.addEventListener('click', async ({ target }) => {
  if (target.matches('.tabs button')) {
    const before = target.getBoundingClientRect().top;
    setForm(target.dataset.form);
    // Examples above became longer or shorter: what was pressed stays under the pointer.
    scrollBy(0, target.getBoundingClientRect().top - before);
  }
  if (target.matches('.copy')) {
    const code = target.closest('figure').querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
      target.textContent = 'Copied';
    } catch {
      // Pages without TLS have no clipboard.
      getSelection().selectAllChildren(code);
      target.textContent = 'Selected';
    }
    setTimeout(() => {
      target.textContent = 'Copy';
    }, 2000);
  }
  if (target.matches('.try')) {
    target.disabled = true;
    try {
      const { tryOperation } = await import('/docs/try.js');
      await tryOperation(target.closest('.operation'));
      target.remove();
    } catch {
      target.disabled = false;
    }
  }
});

// Searches all chapters. The query is in the address, so it stays when a person opens an operation.
const search = document.getElementById('search');
const results = document.getElementById('results');
const chapters = document.getElementById('chapters');
const found = document.getElementById('found');

/** Returns the searchable text of an operation: name, address, description and fields, also of shared schemas. */
function textOf({ id, method, path, root, operation, schemas }) {
  const words = [id, method, path, root];
  const fields = JSON.stringify([
    operation.summary,
    operation.description,
    operation.parameters,
    operation.requestBody,
    operation.responses,
    operation['x-outcomes'],
  ]);
  const shared = [...fields.matchAll(/#\/components\/schemas\/([^"]+)"/g)].map(([, name]) =>
    JSON.stringify(schemas[name]),
  );
  return [...words, fields, ...shared].join(' ').toLowerCase();
}
let searched;
function prepareSearch() {
  searched ??= describe().then((operations) => operations.map((one) => ({ ...one, text: textOf(one) })));
  searched.catch(() => {
    searched = undefined;
  });
  return searched;
}

async function runSearch() {
  const typed = search.value;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const address = new URL(location.href);
  if (words.length > 0) address.searchParams.set('q', typed);
  else address.searchParams.delete('q');
  history.replaceState(null, '', address);
  const operations = words.length > 0 ? await prepareSearch() : [];
  // The person typed more in the meantime.
  if (search.value !== typed) return;
  const matching = operations.filter(({ text }) => words.every((word) => text.includes(word)));
  const links = matching.map(({ id, method, path, root, chapter, operation }) =>
    element(
      'a',
      { href: `/docs/api/${chapter}?${new URLSearchParams({ q: typed })}#${id}` },
      operation.summary.replaceAll('`', ''),
      element('code', {}, `${method} ${path}${root === undefined ? '' : ` ${root}`}`),
    ),
  );
  const entries = links.map((link) => element('li', {}, link));
  results.replaceChildren(element('li', {}, element('ul', {}, ...entries)));
  results.hidden = words.length === 0;
  chapters.hidden = words.length > 0;
  found.textContent = words.length > 0 ? `${matching.length} found` : '';
}
search.parentElement.hidden = false;
search.value = new URLSearchParams(location.search).get('q') ?? '';
search.addEventListener('input', runSearch);
if (search.value !== '') void runSearch();

// Where one is on the page, in the navigation.
const nav = document.querySelector('nav');
const links = new Map(
  sections.map((section) => [section, all('nav li li a').find((link) => link.hash === `#${section.id}`)]),
);
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute('aria-current');
      const link = links.get(target);
      link.setAttribute('aria-current', 'true');
      const hidden = link.offsetTop < nav.scrollTop || link.offsetTop > nav.scrollTop + nav.clientHeight - 60;
      if (hidden) nav.scrollTop = link.offsetTop - nav.clientHeight / 2;
    }
  },
  { rootMargin: '-10% 0px -85%' },
);
for (const section of sections) observer.observe(section);
