import { useId } from 'react'
import { Badge } from '../../components/Badge.tsx'
import type { Form } from '../../data/api-types.ts'
import type { FormState } from './form-state.ts'
import { useFormTexts } from './texts.ts'

export interface EditProps {
  readonly state: FormState
  readonly errors: ReadonlyMap<string, string>
  readonly isReadOnly: boolean
  readonly onChange: (state: FormState) => void
}

export function Settings({
  state,
  errors,
  isReadOnly,
  onChange,
  record,
}: EditProps & { readonly record: Form | undefined }) {
  const c = useFormTexts()
  const id = useId()
  const errorOf = (name: string) => [...errors].find(([pointer]) => pointer.split('/')[1] === name)?.[1]
  const lines = (name: 'notify' | 'origins', label: string, hint: string, error: string | undefined) => (
    <div className={`field${error ? ' invalid' : ''}`}>
      <label htmlFor={id + name}>{label}</label>
      <textarea
        id={id + name}
        rows={3}
        spellCheck={false}
        aria-describedby={`${id + name}-hint`}
        value={state[name]}
        onChange={event => onChange({ ...state, [name]: event.target.value })}
      />
      <p className="hint" id={`${id + name}-hint`}>
        {hint}
      </p>
      {error && <p className="error">{error}</p>}
    </div>
  )
  return (
    <fieldset className="form plain-fieldset" disabled={isReadOnly}>
      <div className={`field${errorOf('name') ? ' invalid' : ''}`}>
        <label htmlFor={`${id}name`}>{c.name}</label>
        <input
          id={`${id}name`}
          autoComplete="off"
          value={state.name}
          onChange={event => onChange({ ...state, name: event.target.value })}
        />
        {errorOf('name') && <p className="error">{errorOf('name')}</p>}
      </div>
      <div className="field">
        <label htmlFor={`${id}access`}>{c.access}</label>
        <select
          id={`${id}access`}
          value={state.access}
          onChange={event => onChange({ ...state, access: event.target.value })}
        >
          <option value="public">{c.accessPublic}</option>
          <option value="tenant">{c.accessTenant}</option>
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}submit`}>{c.submitText}</label>
        <input
          id={`${id}submit`}
          autoComplete="off"
          placeholder={c.submit}
          value={state.model.submitText}
          onChange={event => onChange({ ...state, model: { ...state.model, submitText: event.target.value } })}
        />
      </div>
      {lines('notify', c.notify, c.notifyHint, errorOf('notify'))}
      {record && record.recipients.length > 0 && (
        <ul className="recipients">
          {record.recipients.map(({ address, state: each }) => (
            <li key={address}>
              {address} <Badge text={each} />
            </li>
          ))}
        </ul>
      )}
      {lines('origins', c.origins, c.originsHint, errorOf('allowedOrigins'))}
    </fieldset>
  )
}
