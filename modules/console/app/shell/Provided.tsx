/** What forms and records use of the layers above them. */
import { lazy, type ReactNode } from 'react'
import { SourceInputs } from '../components/source-inputs.ts'
import { AddedTabs } from '../resource/record-tabs.tsx'
import { recordTabs } from '../screens/registry.ts'

const RelationInput = lazy(() => import('../resource/RelationInput.tsx'))
const INPUTS = {
  reference: RelationInput,
  member: RelationInput,
  file: lazy(() => import('../resource/FileInput.tsx')),
}
/** Loaded once, not with each render. */
const TABS = recordTabs.map(tab => ({ ...tab, Content: lazy(tab.load) }))

export const Provided = ({ children }: { readonly children: ReactNode }) => (
  <SourceInputs value={INPUTS}>
    <AddedTabs value={TABS}>{children}</AddedTabs>
  </SourceInputs>
)
