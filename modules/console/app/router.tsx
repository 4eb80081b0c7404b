import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { createElement, lazy, Suspense } from 'react'
import { BASE } from './browser/document.ts'
import { Loading } from './components/EmptyState.tsx'
import type { Search } from './data/list.ts'
import { pathScreens } from './screens/registry.ts'
import { NotFound } from './shell/NotFound.tsx'
import { Shell } from './shell/Shell.tsx'

const validateSearch = (search: Record<string, unknown>): Search => search
const root = createRootRoute({ validateSearch, component: Shell, notFoundComponent: NotFound })
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./shell/Home.tsx'), 'Home'),
})
const area = createRoute({
  getParentRoute: () => root,
  // The slash sets it before `/$module/$`, which matches addresses without further segments, too.
  path: '/$module/',
  component: lazyRouteComponent(() => import('./shell/Home.tsx'), 'Area'),
})
const list = createRoute({
  getParentRoute: () => root,
  path: '/$module/$resource',
  component: lazyRouteComponent(() => import('./shell/resource-routes.tsx'), 'ListRoute'),
})
const create = createRoute({
  getParentRoute: () => root,
  path: '/$module/$resource/new',
  component: lazyRouteComponent(() => import('./shell/resource-routes.tsx'), 'CreateRoute'),
})
const record = createRoute({
  getParentRoute: () => root,
  path: '/$module/$resource/$id',
  component: lazyRouteComponent(() => import('./shell/resource-routes.tsx'), 'RecordRoute'),
})
const edit = createRoute({
  getParentRoute: () => root,
  path: '/$module/$resource/$id/edit',
  component: lazyRouteComponent(() => import('./shell/resource-routes.tsx'), 'EditRoute'),
})

const modulePath = createRoute({
  getParentRoute: () => root,
  path: '/$module/$',
  component: lazyRouteComponent(() => import('./shell/resource-routes.tsx'), 'PathRoute'),
})

const tailored = pathScreens.map(({ path, load }) => {
  const Screen = lazy(load)
  const route = createRoute({
    getParentRoute: () => root,
    path,
    component: () => {
      const params = route.useParams() as Record<string, string>
      return createElement(Suspense, { fallback: createElement(Loading) }, createElement(Screen, { params }))
    },
  })
  return route
})

const routeTree = root.addChildren([home, area, list, create, record, edit, modulePath, ...tailored])

export const router = createRouter({
  routeTree,
  basepath: BASE,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
