import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AcceptQueue, gathering, type Queued } from '../../../server/engine/messages/accept-queue.ts';
import { currentRequest, inRequest, RequestContext } from '../../../server/kit/request-context.ts';

/** Returns a queue created in a request, the requests of its groups, and a function that waits for a group. */
function createQueue() {
  const groups: { items: readonly Queued[]; request: RequestContext | undefined }[] = [];
  let told = Promise.withResolvers<void>();
  const queue = inRequest(
    new RequestContext(),
    () =>
      new AcceptQueue<Queued>(async (items, release) => {
        groups.push({ items: [...items], request: currentRequest() });
        for (const accountId of new Set(items.map((item) => item.accountId))) release(accountId);
        told.resolve();
        told = Promise.withResolvers();
      }, gathering),
  );
  return { queue, groups, next: () => told.promise };
}

test('a group is accepted in the context of no request, though a request created its queue and another one added to it', async () => {
  const { queue, groups, next } = createQueue();
  const ended = next();
  inRequest(new RequestContext(), () => queue.add({ accountId: 1, size: 1 }));
  await ended;
  assert.deepEqual(groups, [{ items: [{ accountId: 1, size: 1 }], request: undefined }]);
});

test('every request of an account is in one group, in the order of arrival', async () => {
  const { queue, groups, next } = createQueue();
  const items = Array.from({ length: 50 }, (_, at) => ({ accountId: at % 3, size: 1 + (at % 7), at }));
  for (const item of items) queue.add(item);
  while (groups.flatMap((group) => group.items).length < items.length) await next();
  const accepted = groups.flatMap((group) => group.items);
  assert.equal(accepted.length, items.length);
  for (const accountId of [0, 1, 2]) {
    assert.deepEqual(
      accepted.filter((item) => item.accountId === accountId),
      items.filter((item) => item.accountId === accountId),
    );
  }
});
