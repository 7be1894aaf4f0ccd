// Interactive parts of the documentation: the search, the list of pages on small screens, the copy buttons.
const search = document.getElementById('search');
const results = document.getElementById('results');
const list = results.querySelector('ul');
const status = results.querySelector('[role=status]');
const pages = document.getElementById('pages');
const menu = document.getElementById('menu');

const options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'excerpt'],
  searchOptions: {
    combineWith: 'AND',
    prefix: true,
    // One wrong letter, in words of five and more.
    fuzzy: 0.2,
    boost: { title: 4, page: 2 },
  },
};

let index;
function loadIndex() {
  const { engine, index: address } = document.body.dataset;
  index ??= Promise.all([import(engine), fetch(address).then((answer) => answer.text())]).then(
    ([{ default: MiniSearch }, text]) => MiniSearch.loadJSON(text, options),
  );
  return index;
}

function resultOf({ id, title, page, excerpt }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = id;
  link.className = 'entry';
  for (const [name, text] of [
    ['title', title],
    ['page', page === title ? '' : page],
    ['excerpt', excerpt],
  ]) {
    const part = document.createElement('span');
    part.className = name;
    part.textContent = text;
    link.append(part);
  }
  item.append(link);
  return item;
}

async function show() {
  const words = search.value.trim();
  const found = words === '' ? [] : (await loadIndex()).search(words).slice(0, 20);
  // The reader has typed on during the search.
  if (words !== search.value.trim()) return;
  list.replaceChildren(...found.map(resultOf));
  status.textContent = found.length > 0 ? '' : `Nothing found for “${words}”`;
  results.hidden = words === '';
  document.body.classList.toggle('searching', words !== '');
}

function clear() {
  search.value = '';
  void show();
}

search.parentElement.hidden = false;
search.addEventListener('focus', loadIndex, { once: true });
search.addEventListener('input', show);
search.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') clear();
  if (event.key === 'Enter') list.querySelector('a')?.click();
  if (event.key === 'ArrowDown') {
    event.preventDefault();
    list.querySelector('a')?.focus();
  }
});
list.addEventListener('keydown', (event) => {
  const item = event.target.closest('li');
  const next = { ArrowDown: item.nextElementSibling, ArrowUp: item.previousElementSibling }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  (next?.querySelector('a') ?? search).focus();
});
// A result on the same page only scrolls.
list.addEventListener('click', clear);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return;
  event.preventDefault();
  search.focus();
});

menu.hidden = false;
menu.addEventListener('click', () => {
  const open = menu.getAttribute('aria-expanded') !== 'true';
  menu.setAttribute('aria-expanded', open);
  document.body.classList.toggle('open', open);
});
document.body.classList.add('scripted');
pages.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });

for (const pre of document.querySelectorAll('figure.code pre')) {
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'copy';
  copy.textContent = 'Copy';
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(pre.textContent);
      copy.textContent = 'Copied';
    } catch {
      // Pages without TLS have no clipboard.
      getSelection().selectAllChildren(pre);
      copy.textContent = 'Selected';
    }
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2000);
  });
  pre.after(copy);
}
