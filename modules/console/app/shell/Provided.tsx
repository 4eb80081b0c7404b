/** What forms and records use of the layers above them. */
import { lazy, type ReactNode, useMemo } from 'react'
import { useStore } from '../browser/store.ts'
import { SourceInputs } from '../components/source-inputs.ts'
import type { ConsoleScreen } from '../data/api-types.ts'
import { useModuleScreens } from '../data/module-screens.ts'
import type { Row } from '../data/resources.ts'
import type { RecordTab, RecordTabProps } from '../data/screens.ts'
import { inLanguage } from '../locales/dictionary.ts'
import { languageStore } from '../locales/index.ts'
import { AddedTabs, type LoadedTab } from '../resource/record-tabs.tsx'
import { recordTabs } from '../screens/registry.ts'
import { ModuleScreenView } from './ModuleScreenView.tsx'

const RelationInput = lazy(() => import('../resource/RelationInput.tsx'))
const INPUTS = {
  reference: RelationInput,
  member: RelationInput,
  file: lazy(() => import('../resource/FileInput.tsx')),
}
/** Loaded once, not with each render. The record of a tab's resource has the type that the tab expects. */
const TABS = recordTabs.map(tab => ({ ...tab, Content: lazy(tab.load as RecordTab<Row>['load']) }))
const NONE: readonly ConsoleScreen[] = []

export function Provided({ children }: { readonly children: ReactNode }) {
  const { data: screens = NONE } = useModuleScreens()
  const language = useStore(languageStore)
  const tabs = useMemo(
    () => [...TABS.map(tab => ({ ...tab, title: inLanguage(tab.title, language) })), ...screens.flatMap(tabsOf)],
    [screens, language],
  )
  return (
    <SourceInputs value={INPUTS}>
      <AddedTabs value={tabs}>{children}</AddedTabs>
    </SourceInputs>
  )
}

/** Modules that don't know each other can use the same key. */
const tabsOf = (screen: ConsoleScreen): readonly LoadedTab[] =>
  screen.resource === null || screen.tab === null
    ? []
    : [
        {
          resource: screen.resource,
          tab: `${screen.module}.${screen.tab}`,
          title: screen.title,
          Content: (given: RecordTabProps) => <ModuleScreenView screen={screen} given={given} />,
        },
      ]
