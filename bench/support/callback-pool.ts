import { type Dispatcher, Pool } from 'undici';

/** Parallel callbacks, as an endpoint of Carillon has them. */
const CALLBACKS = 20;

/** Sends the callbacks of a floor, and ignores the answers. An error ends the process. */
export class CallbackPool {
  readonly #pool: Pool;
  readonly #handler: Dispatcher.DispatchHandler = {
    onRequestStart() {},
    onResponseStart() {},
    onResponseData() {},
    onResponseEnd() {},
    onResponseError(_controller, error) {
      throw error;
    },
  };

  constructor(port: number) {
    this.#pool = new Pool(`http://127.0.0.1:${port}`, { connections: CALLBACKS, pipelining: 1 });
  }

  post(request: Pick<Dispatcher.DispatchOptions, 'path' | 'headers' | 'body'>): void {
    this.#pool.dispatch({ ...request, method: 'POST' }, this.#handler);
  }
}
