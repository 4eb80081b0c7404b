/** Tabs that screens add to records. */
import { type ComponentType, createContext, Suspense, useContext } from 'react'
import { Loading } from '../components/EmptyState.tsx'
import type { TabPart } from '../components/Tabs.tsx'
import type { Resource, Row } from '../data/resources.ts'
import type { RecordTab, RecordTabProps } from '../data/screens.ts'

export interface LoadedTab extends Pick<RecordTab, 'resource' | 'tab'> {
  /** In the language of the console. */
  readonly title: string
  readonly Content: ComponentType<RecordTabProps>
}
/** The shell knows the screens. */
export const AddedTabs = createContext<readonly LoadedTab[]>([])

export function useAddedTabs() {
  const tabs = useContext(AddedTabs)
  return (resource: Resource, record: Row): readonly TabPart[] =>
    tabs
      .filter(tab => tab.resource === resource.id)
      .map(({ tab, title, Content }) => ({
        id: tab,
        title,
        render: () => (
          <Suspense fallback={<Loading />}>
            <Content resource={resource} record={record} />
          </Suspense>
        ),
      }))
}
