import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { createElement, lazy, Suspense } from 'react'
import { Loading } from './components/EmptyState.tsx'
import { BASE } from './data/workspace.ts'
import { pathScreens } from './screens/registry.ts'
import { NotFound } from './shell/NotFound.tsx'
import { Shell } from './shell/Shell.tsx'

/** State of a list, all of it in the URL. */
export interface ListSearch {
  readonly q?: string
  readonly sort?: string
  /** Values by query parameter. */
  readonly filters?: Readonly<Record<string, string>>
  readonly columns?: readonly string[]
}
/** Parameters from a parent record, and the selected tab. */
export interface RecordSearch extends ListSearch {
  readonly with?: Readonly<Record<string, string>>
  readonly tab?: string
}

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./shell/Home.tsx'), 'Home'),
})
const validateSearch = (search: Record<string, unknown>): RecordSearch => search
const area = createRoute({
  getParentRoute: () => root,
  path: '/$module',
  component: lazyRouteComponent(() => import('./shell/Home.tsx'), 'Area'),
})
const list = createRoute({
  getParentRoute: () => root,
  path: '/$module/$resource',
  validateSearch,
  component: lazyRouteComponent(() => import('./resource/routes.tsx'), 'ListRoute'),
})
const create = createRoute({
  getParentRoute: () => root,
  path: '/$module/$resource/new',
  validateSearch,
  component: lazyRouteComponent(() => import('./resource/routes.tsx'), 'CreateRoute'),
})
const record = createRoute({
  getParentRoute: () => root,
  path: '/$module/$resource/$id',
  validateSearch,
  component: lazyRouteComponent(() => import('./resource/routes.tsx'), 'RecordRoute'),
})
const edit = createRoute({
  getParentRoute: () => root,
  path: '/$module/$resource/$id/edit',
  validateSearch,
  component: lazyRouteComponent(() => import('./resource/routes.tsx'), 'EditRoute'),
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

const routeTree = root.addChildren([home, area, list, create, record, edit, ...tailored])

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
