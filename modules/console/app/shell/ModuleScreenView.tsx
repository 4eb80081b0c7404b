import { type ComponentType, lazy, Suspense } from 'react'
import { Loading } from '../components/EmptyState.tsx'
import { ScreenBoundary } from '../components/ScreenBoundary.tsx'
import type { ConsoleScreen } from '../data/api-types.ts'
import { loadModuleScreen } from '../data/module-screens.ts'
import type { RecordTabProps, ResourceScreenProps, ScreenProps } from '../data/screens.ts'

/** What the screens of a module are given, by their kind. */
type Given = ScreenProps | ResourceScreenProps | RecordTabProps
interface Props {
  readonly screen: ConsoleScreen
  readonly given: Given
}

const loaded = new Map<string, ComponentType<Given>>()

function componentOf(screen: ConsoleScreen): ComponentType<Given> {
  const id = `${screen.module}/${screen.name}`
  const found = loaded.get(id) ?? lazy(() => loadModuleScreen<Given>(screen))
  loaded.set(id, found)
  return found
}

/** A screen that a module of the product ships, or a tab of one. */
export function ModuleScreenView({ screen, given }: Props) {
  const Screen = componentOf(screen)
  return (
    <ScreenBoundary key={`${screen.module}/${screen.name}`} module={screen.module} isPart={screen.tab !== null}>
      <Suspense fallback={<Loading />}>
        <Screen {...given} />
      </Suspense>
    </ScreenBoundary>
  )
}
