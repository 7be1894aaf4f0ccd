import type { BoundRoute } from '../api/v1/kit/route.ts';
import {
  contentReaderOf,
  listsReaderOf,
  reactionReaderOf,
  requestReaderOf,
  textsReaderOf,
} from '../channels/open.ts';
import type { LiveHub } from '../engine/live/hub.ts';
import type { Module, OpenContext, RouteContext } from './define-module.ts';

/** All routes under /v1, with their dependencies: those of the modules, then those of each channel. */
export function v1Routes(
  modules: readonly Pick<Module, 'routes'>[],
  context: OpenContext,
  hub: LiveHub,
): BoundRoute[] {
  const { opened } = context;
  const routeContext: RouteContext = {
    ...context,
    hub,
    contentOf: contentReaderOf(opened),
    received: opened.flatMap(({ module }) => module.received ?? []),
    listUsers: opened.find(({ module }) => module.recipients)?.module.recipients,
    reactionsTo: reactionReaderOf(opened),
    requestOf: requestReaderOf(opened),
    listsOf: listsReaderOf(opened),
    textsOf: textsReaderOf(opened),
  };
  return [
    ...modules.flatMap(({ routes = [] }) => routes.flatMap((served) => served.bind(routeContext))),
    ...opened.flatMap(({ module }) => module.routes ?? []),
  ];
}
