/** Screens of resources by their URL: a tailored screen if there is one, otherwise the generic one. */
import { useParams, useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { Loading } from '../components/EmptyState.tsx'
import { ScreenBoundary } from '../components/ScreenBoundary.tsx'
import { useModuleScreens } from '../data/module-screens.ts'
import { useResource, useResources } from '../data/resources.ts'
import { findScreen } from '../data/screen-paths.ts'
import type { ResourceScreen, ResourceScreenProps } from '../data/screens.ts'
import { EditScreen } from '../resource/EditScreen.tsx'
import type { GenericProps } from '../resource/generic.ts'
import { ListScreen } from '../resource/ListScreen.tsx'
import { RecordScreen } from '../resource/RecordScreen.tsx'
import { resourceScreen } from '../screens/registry.ts'
import { ModuleScreenView } from './ModuleScreenView.tsx'
import { NotFound, Unloaded } from './NotFound.tsx'

interface PathParams {
  readonly module: string
  readonly resource?: string
  readonly id?: string
  /** What follows the module in addresses that no resource has. */
  readonly _splat?: string
}

const loaded = new Map<ResourceScreen, ComponentType<ResourceScreenProps>>()
function tailoredComponent(screen: ResourceScreen): ComponentType<ResourceScreenProps> {
  const found = loaded.get(screen) ?? lazy(screen.load)
  loaded.set(screen, found)
  return found
}

/** Segments of the address below that of the module. */
function segmentsOf(view: ResourceScreen['view'], { resource = '', id = '' }: PathParams): readonly string[] {
  if (view === 'list') return [resource]
  if (view === 'create') return [resource, 'new']
  return view === 'edit' ? [resource, id, 'edit'] : [resource, id]
}

/** A screen of a module with an address of its own. */
function ModulePath({ module, segments }: { readonly module: string; readonly segments: readonly string[] }) {
  const { data: screens = [], isPending } = useModuleScreens()
  if (isPending) return <Loading />
  const found = findScreen(screens, module, segments)
  return found ? <ModuleScreenView screen={found.screen} given={{ params: found.params }} /> : <NotFound />
}

function createRouteScreen(view: ResourceScreen['view'], Generic: ComponentType<GenericProps>) {
  return function ResourceRoute() {
    const params = useParams({ strict: false }) as PathParams
    const { module, resource: name = '', id = '' } = params
    const search = useSearch({ strict: false })
    const { isPending, error, refetch } = useResources()
    const resource = useResource(module, name)
    const { data: screens = [], isPending: areScreensPending } = useModuleScreens()
    if (isPending || areScreensPending) return <Loading />
    if (error) return <Unloaded module={module} error={error} onRetry={refetch} />
    if (!resource) return <ModulePath module={module} segments={segmentsOf(view, params)} />
    const key = `${resource.id}/${id}`
    const given = { resource, id, params: { id } }
    const replacing = screens.find(screen => screen.resource === resource.id && screen.view === view)
    if (replacing) return <ModuleScreenView key={key} screen={replacing} given={given} />
    const tailored = resourceScreen(resource, view)
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
          <Screen {...given} />
        </Suspense>
      </ScreenBoundary>
    )
  }
}

/** An address with more segments than those of resources. */
export function PathRoute() {
  const { module, _splat = '' } = useParams({ strict: false }) as PathParams
  return <ModulePath module={module} segments={_splat.split('/')} />
}

export const ListRoute = createRouteScreen('list', ListScreen)
export const RecordRoute = createRouteScreen('record', RecordScreen)
export const EditRoute = createRouteScreen('edit', EditScreen)
export const CreateRoute = createRouteScreen('create', EditScreen)
