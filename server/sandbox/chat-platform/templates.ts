import { PlatformRefusal } from './errors.ts';
import { type PreparedTemplate, prepareTemplate, type SandboxTemplate } from './prepared.ts';

interface Stored {
  template: SandboxTemplate;
  readonly prepared: PreparedTemplate;
}

const keyOf = (name: string, language: string) => `${name}\n${language}`;

/** The templates of one business account. */
export class TemplateStore {
  readonly #byKey = new Map<string, Stored>();
  readonly #byId = new Map<string, Stored>();

  constructor(templates: readonly SandboxTemplate[]) {
    for (const template of templates) this.add(template);
  }

  /** All of them, in the order in which they were made. */
  get all(): readonly SandboxTemplate[] {
    return [...this.#byId.values()].map(({ template }) => template);
  }

  /** PlatformRefusal when one of this name and language is there. */
  add(template: SandboxTemplate): void {
    const key = keyOf(template.name, template.language);
    if (this.#byKey.has(key)) {
      throw new PlatformRefusal(100, 'Content in this language already exists', 2388024);
    }
    const stored = { template, prepared: prepareTemplate(template) };
    this.#byKey.set(key, stored);
    this.#byId.set(template.id, stored);
  }

  /** Puts a template in the place of the one with its id. */
  replace(template: SandboxTemplate): void {
    const stored = { template, prepared: prepareTemplate(template) };
    this.#byKey.set(keyOf(template.name, template.language), stored);
    this.#byId.set(template.id, stored);
  }

  /** By the platform's id. */
  get(id: string): SandboxTemplate | undefined {
    return this.#byId.get(id)?.template;
  }

  /** A template that can be sent; PlatformRefusal that says why there is none. */
  sendable(name: string, language: string): PreparedTemplate {
    const stored = this.#byKey.get(keyOf(name, language));
    switch (stored?.template.status) {
      case 'APPROVED':
        return stored.prepared;
      case 'PAUSED':
        throw new PlatformRefusal(132015, `template ${name} is paused due to low quality`);
      case 'DISABLED':
        throw new PlatformRefusal(132016, `template ${name} is disabled due to low quality`);
      default:
        throw new PlatformRefusal(132001, `template name (${name}) does not exist in ${language}`);
    }
  }

  /** Returns the template as it is then; undefined when there is none. */
  setStatus(id: string, status: string, reason: string): SandboxTemplate | undefined {
    const stored = this.#byId.get(id);
    if (stored) stored.template = { ...stored.template, status, rejected_reason: reason };
    return stored?.template;
  }

  /** Deletes all of a name, or the one with this id; returns what was deleted. */
  delete(name: string, id: string | undefined): SandboxTemplate[] {
    const gone = this.all.filter((each) => each.name === name && (id === undefined || each.id === id));
    for (const template of gone) {
      this.#byId.delete(template.id);
      this.#byKey.delete(keyOf(template.name, template.language));
    }
    return gone;
  }
}
