import { PlatformRefusal } from './errors.ts';
import { type PreparedTemplate, prepareTemplate, type SandboxTemplate } from './prepared.ts';

interface Stored {
  template: SandboxTemplate;
  readonly prepared: PreparedTemplate;
}

const keyOf = (name: string, language: string) => `${name}\n${language}`;

/** Templates of one business account. */
export class TemplateStore {
  readonly #byKey = new Map<string, Stored>();
  readonly #byId = new Map<string, Stored>();

  constructor(templates: readonly SandboxTemplate[]) {
    for (const template of templates) this.add(template);
  }

  /** All templates, in the order of their creation. */
  get all(): readonly SandboxTemplate[] {
    return [...this.#byId.values()].map(({ template }) => template);
  }

  /** Adds a template. Throws PlatformRefusal when its name and language are in use. */
  add(template: SandboxTemplate): void {
    const key = keyOf(template.name, template.language);
    if (this.#byKey.has(key)) {
      throw new PlatformRefusal(100, 'Content in this language already exists', 2388024);
    }
    const stored = { template, prepared: prepareTemplate(template) };
    this.#byKey.set(key, stored);
    this.#byId.set(template.id, stored);
  }

  /** Replaces the template with the same id. */
  replace(template: SandboxTemplate): void {
    const stored = { template, prepared: prepareTemplate(template) };
    this.#byKey.set(keyOf(template.name, template.language), stored);
    this.#byId.set(template.id, stored);
  }

  /** Returns a template by its platform id. */
  get(id: string): SandboxTemplate | undefined {
    return this.#byId.get(id)?.template;
  }

  /** Returns a template for sending. Throws PlatformRefusal with the reason when it cannot be sent. */
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

  /** Sets the status and returns the template; undefined when it does not exist. */
  setStatus(id: string, status: string, reason: string): SandboxTemplate | undefined {
    const stored = this.#byId.get(id);
    if (stored) stored.template = { ...stored.template, status, rejected_reason: reason };
    return stored?.template;
  }

  /** Deletes all templates with this name, or only the one with this id. Returns the deleted ones. */
  delete(name: string, id: string | undefined): SandboxTemplate[] {
    const gone = this.all.filter((each) => each.name === name && (id === undefined || each.id === id));
    for (const template of gone) {
      this.#byId.delete(template.id);
      this.#byKey.delete(keyOf(template.name, template.language));
    }
    return gone;
  }
}
