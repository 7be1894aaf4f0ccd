import type { ComponentType } from 'react';

/**
 * A part of the console whose script is fetched when it is needed. Not `lazy` of React: that one shows the placeholder also when
 * the script is there already, and then keeps it for 300 ms.
 */
export class Script<Props extends object = object> {
  readonly #load: () => Promise<{ readonly default: ComponentType<Props> }>;
  #component: ComponentType<Props> | undefined;

  constructor(load: () => Promise<{ readonly default: ComponentType<Props> }>) {
    this.#load = load;
  }

  /** Undefined until it was fetched. */
  get component(): ComponentType<Props> | undefined {
    return this.#component;
  }

  /** Fetches it. Rejects when the service cannot be reached. */
  async fetch(): Promise<void> {
    this.#component = (await this.#load()).default;
  }
}
