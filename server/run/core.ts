import type { Module } from './define-module.ts';
import type { RunContext, Services } from './services.ts';

/** The services that a list of modules gives. */
type GivenBy<M extends readonly unknown[]> = M[number] extends infer One
  ? One extends Module<infer Name>
    ? Name
    : never
  : never;

/** Services that no module of a list gives: a list without any can be opened. */
type Missing<M extends readonly unknown[]> = Exclude<keyof Services, GivenBy<M>>;

/**
 * Opens modules in their order, each with the services that it needs of the modules before it; nothing is started. A list
 * that lacks a service does not compile. Throws Error for a module that needs a service of a later one, and for a service
 * that two modules give; ConfigError for settings that cannot be used; and what the database throws.
 */
export async function open<const M extends readonly Module<never>[]>(
  modules: [Missing<M>] extends [never] ? M : readonly [`no module gives ${Missing<M>}`],
  context: RunContext,
): Promise<RunContext & Services> {
  const opened = Object.assign({}, context) as RunContext & Services;
  for (const module of modules as readonly Module[]) {
    const services = await module.open(opened);
    for (const name of Object.keys(services)) {
      if (name in opened) throw new Error(`the module ${module.name} gives ${name}, which is there already`);
    }
    Object.assign(opened, services);
  }
  return opened;
}
