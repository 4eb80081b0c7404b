/** Screens of resources by their URL: a tailored screen if there is one, otherwise the generic one. */
import { useParams, useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { ErrorState, Loading } from '../components/EmptyState.tsx'
import { ScreenBoundary } from '../components/ScreenBoundary.tsx'
import { useModuleScreens } from '../data/module-screens.ts'
import { useResource, useResources } from '../data/resources.ts'
import type { ResourceScreen, ResourceScreenProps } from '../data/screens.ts'
import { EditScreen } from '../resource/EditScreen.tsx'
import type { GenericProps } from '../resource/generic.ts'
import { ListScreen } from '../resource/ListScreen.tsx'
import { RecordScreen } from '../resource/RecordScreen.tsx'
import { resourceScreen } from '../screens/registry.ts'
import { ModuleScreenView } from './ModuleScreenView.tsx'
import { NotFound } from './NotFound.tsx'

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
    const search = useSearch({ strict: false })
    const { isPending, error, refetch } = useResources()
    const resource = useResource(module, name)
    const { data: screens = [], isPending: areScreensPending } = useModuleScreens()
    if (isPending || (!resource && areScreensPending)) return <Loading />
    if (error) return <ErrorState error={error} onRetry={refetch} />
    const screen = screens.find(each => each.module === module && each.name === name)
    if (!resource) return screen && view === 'list' ? <ModuleScreenView screen={screen} /> : <NotFound />
    const key = `${resource.id}/${id}`
    const tailored = resourceScreen(resource.id, view)
    if (!tailored)
      return (
        <ScreenBoundary key={key} module={module}>
          <Generic resource={resource} id={id} search={search} />
        </ScreenBoundary>
      )
    const Screen = tailoredComponent(tailored)
    return (
      <ScreenBoundary key={key} module={module}>
        <Suspense fallback={<Loading />}>
          <Screen resource={resource} id={id} params={{ id }} />
        </Suspense>
      </ScreenBoundary>
    )
  }
}

export const ListRoute = createRouteScreen('list', ListScreen)
export const RecordRoute = createRouteScreen('record', RecordScreen)
export const EditRoute = createRouteScreen('edit', EditScreen)
export const CreateRoute = createRouteScreen('create', EditScreen)
