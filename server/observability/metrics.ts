import { Registry } from 'prom-client';

/** The registry behind `/metrics`. Each module declares its own metrics and registers them here. */
export const metrics = new Registry();
