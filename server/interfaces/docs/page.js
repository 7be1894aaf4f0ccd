// What the page does beyond showing: the search, the form of the examples, the copy buttons. It reads well without.
const root = document.documentElement;
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

// One form for the whole page, kept for the next visit.
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
});

const search = document.getElementById('search');
search.parentElement.hidden = false;
const operations = all('.operation').map((section) => ({
  section,
  entry: all('nav a').find((link) => link.hash === `#${section.id}`).parentElement,
  text: `${section.id} ${section.textContent}`.toLowerCase(),
}));
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { section, entry, text } of operations) {
    const matches = words.every((word) => text.includes(word));
    section.hidden = entry.hidden = !matches;
    if (matches) found++;
  }
  for (const group of all('.chapter, nav > ul > li')) {
    group.hidden = !group.querySelector('.operation:not([hidden]), li:not([hidden])');
  }
  document.querySelector('.introduction').hidden = words.length > 0;
  document.getElementById('found').textContent = words.length ? `${found} found` : '';
});
// Where one is on the page, in the navigation.
const nav = document.querySelector('nav');
const links = new Map(operations.map(({ section, entry }) => [section, entry.firstElementChild]));
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
for (const section of links.keys()) observer.observe(section);
