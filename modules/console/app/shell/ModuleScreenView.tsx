import { type ComponentType, lazy, Suspense } from 'react'
import { Loading } from '../components/EmptyState.tsx'
import { ScreenBoundary } from '../components/ScreenBoundary.tsx'
import type { ConsoleScreen } from '../data/api-types.ts'
import { loadModuleScreen } from '../data/module-screens.ts'

const loaded = new Map<string, ComponentType>()

function componentOf(screen: ConsoleScreen): ComponentType {
  const id = `${screen.module}/${screen.name}`
  const found = loaded.get(id) ?? lazy(() => loadModuleScreen(screen))
  loaded.set(id, found)
  return found
}

/** A screen that a module of the product ships. */
export function ModuleScreenView({ screen }: { readonly screen: ConsoleScreen }) {
  const Screen = componentOf(screen)
  return (
    <ScreenBoundary key={`${screen.module}/${screen.name}`} module={screen.module}>
      <Suspense fallback={<Loading />}>
        <Screen />
      </Suspense>
    </ScreenBoundary>
  )
}
