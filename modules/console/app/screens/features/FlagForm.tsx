/** A new flag. Operators choose whether it applies to every workspace. */

import {
  EditScreen,
  type FieldProps,
  OwnInputs,
  type ResourceScreenProps,
  SelectField,
  usePermissions,
  useSearch,
  workspace,
} from '../../public.ts'
import { useFeatureTexts } from './texts.ts'

/** The slug of the operator's workspace. */
const OPERATOR = 'operator'
const INPUTS = { '/scope': Scope }

export default function FlagForm({ resource, id }: ResourceScreenProps) {
  const search = useSearch()
  return (
    <OwnInputs value={INPUTS}>
      <EditScreen resource={resource} id={id} search={search} />
    </OwnInputs>
  )
}

function Scope({ value, pointer, errors, onChange }: FieldProps) {
  const c = useFeatureTexts()
  const { mayOnPlatform } = usePermissions()
  if (workspace?.slug !== OPERATOR || !mayOnPlatform('features.product.manage')) return null
  return (
    <SelectField
      label={c.appliesTo}
      error={errors.get(pointer)}
      value={String(value)}
      options={[
        ['', c.thisWorkspace],
        ['product', c.everybody],
      ]}
      onChange={onChange}
    />
  )
}
