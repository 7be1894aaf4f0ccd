import type { Locator, Page } from 'playwright-core';

/* Forms that several files fill in. */

/** Fills in the form of the page that asks for a sign-in, and sends it. */
export async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens the composer and fills in an SMS to these phones. */
export async function composeTo(page: Page, phones: string, text: string): Promise<void> {
  await page.goto('/send');
  await page.getByRole('combobox', { name: 'Sender' }).fill('0559876543');
  await page.getByRole('textbox', { name: 'Text' }).fill(text);
  await page.getByLabel('Phone numbers').fill(phones);
}

/** Opens the form that tries an operation of the API reference; returns the form. */
export async function openTry(page: Page, url: string, chapter: string, id: string): Promise<Locator> {
  await page.goto(`${url}/docs/api/${chapter}#${id}`);
  await page.locator(`#${id}`).getByRole('button', { name: 'Try it' }).click();
  const form = page.getByRole('form', { name: /^Try it/ });
  await form.waitFor();
  return form;
}
