/** A new or an existing endpoint, with a picker for its events. */
import { useSearch } from '@tanstack/react-router'
import { OwnInputs } from '../../components/FormField.tsx'
import type { ResourceScreenProps } from '../../data/screens.ts'
import { EditScreen } from '../../resource/EditScreen.tsx'
import { EventPicker } from './EventPicker.tsx'

const INPUTS = { '/events': EventPicker }

export default function EndpointForm({ resource, id }: ResourceScreenProps) {
  const search = useSearch({ strict: false })
  return (
    <OwnInputs value={INPUTS}>
      <EditScreen resource={resource} id={id} search={search} />
    </OwnInputs>
  )
}
