/** A new or an existing endpoint, with a picker for its events. */
import { useSearch } from '@tanstack/react-router'
import { OwnInputs } from '../../components/FormField.tsx'
import { EditScreen } from '../../resource/EditScreen.tsx'
import type { ResourceScreenProps } from '../registry.ts'
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
