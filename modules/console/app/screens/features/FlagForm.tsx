/** A new flag. Operators choose whether it applies to every workspace. */
import { useSearch } from '@tanstack/react-router'
import { type FieldProps, OwnInputs } from '../../components/FormField.tsx'
import { usePermissions } from '../../data/session.ts'
import { workspace } from '../../data/workspace.ts'
import { EditScreen } from '../../resource/EditScreen.tsx'
import type { ResourceScreenProps } from '../registry.ts'
import { useFeatureTexts } from './texts.ts'

/** The slug of the operator's workspace. */
const OPERATOR = 'operator'
const INPUTS = { '/scope': Scope }

export default function FlagForm({ resource, id }: ResourceScreenProps) {
  const search = useSearch({ strict: false })
  return (
    <OwnInputs value={INPUTS}>
      <EditScreen resource={resource} id={id} search={search} />
    </OwnInputs>
  )
}

function Scope({ id, value, pointer, errors, onChange }: FieldProps) {
  const c = useFeatureTexts()
  const { mayOnPlatform } = usePermissions()
  if (workspace?.slug !== OPERATOR || !mayOnPlatform('features.product.manage')) return null
  const error = errors.get(pointer)
  return (
    <div className={`field${error ? ' invalid' : ''}`}>
      <label htmlFor={id}>{c.appliesTo}</label>
      <select id={id} value={String(value)} onChange={({ target }) => onChange(target.value)}>
        <option value="">{c.thisWorkspace}</option>
        <option value="product">{c.everybody}</option>
      </select>
      {error && <p className="error">{error}</p>}
    </div>
  )
}
