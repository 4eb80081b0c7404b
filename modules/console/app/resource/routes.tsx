/** Screens of resources by their URL: a tailored screen if there is one, otherwise the generic one. */
import { useParams, useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { ErrorState, Loading } from '../components/EmptyState.tsx'
import { useResource, useResources } from '../data/resources.ts'
import type { RecordSearch } from '../router.tsx'
import { type ResourceScreen, type ResourceScreenProps, resourceScreen } from '../screens/registry.ts'
import { NotFound } from '../shell/NotFound.tsx'
import { EditScreen } from './EditScreen.tsx'
import type { GenericProps } from './generic.ts'
import { ListScreen } from './ListScreen.tsx'
import { RecordScreen } from './RecordScreen.tsx'

interface PathParams {
  readonly module: string
  readonly resource: string
  readonly id?: string
}

const loaded = new Map<ResourceScreen, ComponentType<ResourceScreenProps>>()
function tailoredComponent(screen: ResourceScreen): ComponentType<ResourceScreenProps> {
  const found = loaded.get(screen) ?? lazy(screen.load)
  loaded.set(screen, found)
  return found
}

function createRouteScreen(view: ResourceScreen['view'], Generic: ComponentType<GenericProps>) {
  return function ResourceRoute() {
    const { module, resource: name, id = '' } = useParams({ strict: false }) as PathParams
    const search = useSearch({ strict: false }) as RecordSearch
    const { isPending, error, refetch } = useResources()
    const resource = useResource(module, name)
    if (isPending) return <Loading />
    if (error) return <ErrorState error={error} onRetry={refetch} />
    if (!resource) return <NotFound />
    const tailored = resourceScreen(resource.id, view)
    if (!tailored) return <Generic key={`${resource.id}/${id}`} resource={resource} id={id} search={search} />
    const Screen = tailoredComponent(tailored)
    return (
      <Suspense fallback={<Loading />}>
        <Screen key={`${resource.id}/${id}`} resource={resource} id={id} params={{ id }} />
      </Suspense>
    )
  }
}

export const ListRoute = createRouteScreen('list', ListScreen)
export const RecordRoute = createRouteScreen('record', RecordScreen)
export const EditRoute = createRouteScreen('edit', EditScreen)
export const CreateRoute = createRouteScreen('create', EditScreen)
