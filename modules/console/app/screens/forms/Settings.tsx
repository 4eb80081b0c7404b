import {
  type Api,
  type FieldMessages,
  messageAt,
  pickText,
  productLocales,
  type Resource,
  SelectField,
  StateBadge,
  TextArea,
  TextField,
  TextLanguage,
  textIn,
  withText,
} from '../../public.ts'
import type { FormState } from './form-state.ts'
import type { FormModel } from './questions.ts'
import { useFormTexts } from './texts.ts'

export interface EditProps {
  readonly state: FormState
  readonly errors: FieldMessages
  readonly isReadOnly: boolean
  readonly onChange: (state: FormState) => void
  /** The language of the texts that are edited. */
  readonly locale: string
  readonly onLocale: (locale: string) => void
}

interface Props extends EditProps {
  readonly resource: Resource
  readonly record: Api.Form | undefined
}

export function Settings({ resource, state, errors, isReadOnly, onChange, locale, onLocale, record }: Props) {
  const c = useFormTexts()
  const errorOf = (name: string) => messageAt(errors, `/${name}`)
  const change = (next: Partial<FormState>) => onChange({ ...state, ...next })
  const { model } = state
  const standard = productLocales.default
  const text = (name: 'title' | 'introduction' | 'submitText', fallback = '') => ({
    placeholder: pickText(model[name], locale, standard) || fallback,
    value: textIn(model[name], locale),
    onChange: (next: string) =>
      change({ model: { ...model, [name]: withText(model[name], locale, next, standard) } satisfies FormModel }),
  })
  return (
    <>
      <TextLanguage locale={locale} onChange={onLocale} />
      <fieldset className="form" disabled={isReadOnly}>
        <TextField label={c.name} error={errorOf('name')} value={state.name} onChange={name => change({ name })} />
        <TextField label={c.heading} {...text('title', state.name)} />
        <TextArea label={c.introduction} rows={2} {...text('introduction')} />
        <SelectField
          label={c.access}
          value={state.access}
          options={[
            ['public', c.accessPublic],
            ['tenant', c.accessTenant],
          ]}
          onChange={access => change({ access })}
        />
        <TextField label={c.submitText} {...text('submitText', c.submit)} />
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
    </>
  )
}
