import type { Module } from '../../../server/run/define-module.ts';
import { modules } from '../../../server/run/module-list.ts';
import { ratings } from './module.ts';

// The line of the module, which stands in server/run/module-list.ts for a module of the product.
(modules as unknown as Module<never>[]).push(ratings);
