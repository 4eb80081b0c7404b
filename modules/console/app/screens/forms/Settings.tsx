import { StateBadge } from '../../components/Badge.tsx'
import { SelectField, TextArea, TextField } from '../../components/LabeledField.tsx'
import type { Form } from '../../data/api-types.ts'
import type { Resource } from '../../data/resources.ts'
import type { FormState } from './form-state.ts'
import { useFormTexts } from './texts.ts'

export interface EditProps {
  readonly state: FormState
  readonly errors: ReadonlyMap<string, string>
  readonly isReadOnly: boolean
  readonly onChange: (state: FormState) => void
}

interface Props extends EditProps {
  readonly resource: Resource
  readonly record: Form | undefined
}

export function Settings({ resource, state, errors, isReadOnly, onChange, record }: Props) {
  const c = useFormTexts()
  const errorOf = (name: string) => [...errors].find(([pointer]) => pointer.split('/')[1] === name)?.[1]
  const change = (next: Partial<FormState>) => onChange({ ...state, ...next })
  return (
    <fieldset className="form" disabled={isReadOnly}>
      <TextField label={c.name} error={errorOf('name')} value={state.name} onChange={name => change({ name })} />
      <SelectField
        label={c.access}
        value={state.access}
        options={[
          ['public', c.accessPublic],
          ['tenant', c.accessTenant],
        ]}
        onChange={access => change({ access })}
      />
      <TextField
        label={c.submitText}
        placeholder={c.submit}
        value={state.model.submitText}
        onChange={submitText => change({ model: { ...state.model, submitText } })}
      />
      <TextArea
        label={c.notify}
        hint={c.notifyHint}
        error={errorOf('notify')}
        rows={3}
        spellCheck={false}
        value={state.notify}
        onChange={notify => change({ notify })}
      />
      {record && record.recipients.length > 0 && (
        <ul className="recipients">
          {record.recipients.map(({ address, state: each }) => (
            <li key={address}>
              {address} <StateBadge states={resource.states.state} value={each} />
            </li>
          ))}
        </ul>
      )}
      <TextArea
        label={c.origins}
        hint={c.originsHint}
        error={errorOf('allowedOrigins')}
        rows={3}
        spellCheck={false}
        value={state.origins}
        onChange={origins => change({ origins })}
      />
    </fieldset>
  )
}
