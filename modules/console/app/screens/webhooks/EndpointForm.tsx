/** A new or an existing endpoint, with a picker for its events. */

import { EditScreen, OwnInputs, type ResourceScreenProps, useSearch } from '../../public.ts'
import { EventPicker } from './EventPicker.tsx'

const INPUTS = { '/events': EventPicker }

export default function EndpointForm({ resource, id }: ResourceScreenProps) {
  const search = useSearch()
  return (
    <OwnInputs value={INPUTS}>
      <EditScreen resource={resource} id={id} search={search} />
    </OwnInputs>
  )
}
