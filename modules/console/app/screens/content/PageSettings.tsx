/** Address, template and search engine fields of a page. */

import { useId } from 'react'
import {
  type Field,
  FieldInput,
  type FieldMessages,
  type FormValues,
  fieldLabel,
  fill,
  languageName,
  messageAt,
  Section,
  SelectField,
} from '../../public.ts'
import { useChoices } from './choices.ts'
import { slugOf } from './pages.ts'
import { useContentTexts } from './texts.ts'

export interface EditProps {
  readonly fields: readonly Field[]
  readonly values: FormValues
  readonly errors: FieldMessages
  readonly isReadOnly: boolean
  readonly onChange: (values: FormValues) => void
}

export function PageSettings({ fields, values, errors, isReadOnly, onChange }: EditProps) {
  const c = useContentTexts()
  const id = useId()
  const choices = useChoices()
  const select = (name: string, label: string, options: readonly (readonly [value: string, text: string])[]) => (
    <SelectField
      label={label}
      error={messageAt(errors, `/${name}`)}
      value={String(values[name] ?? '')}
      options={options.some(([value]) => value === values[name]) ? options : [['', '–'], ...options]}
      onChange={value => onChange({ ...values, [name]: value })}
    />
  )
  const input = (field: Field) => (
    <FieldInput
      key={field.name}
      id={`${id}-${field.name}`}
      field={field}
      value={values[field.name] ?? ''}
      pointer={`/${field.name}`}
      errors={errors}
      onChange={value => onChange({ ...values, [field.name]: value })}
    />
  )
  const named = (name: string) => fields.filter(field => field.name === name).map(input)
  return (
    <div className="settings-grid">
      <fieldset className="form" disabled={isReadOnly}>
        {named('slug')}
        {named('path')}
        {fields.some(({ name }) => name === 'locale') &&
          select(
            'locale',
            c.language,
            choices.locales.available.map(locale => [locale, languageName(locale)]),
          )}
        {select(
          'template',
          c.template,
          choices.templates.map(name => [name, fieldLabel(name)]),
        )}
        {named('seo')}
      </fieldset>
      <SearchResult values={values} />
    </div>
  )
}

function SearchResult({ values }: { readonly values: FormValues }) {
  const c = useContentTexts()
  const seo = (typeof values.seo === 'object' && !Array.isArray(values.seo) ? values.seo : {}) as FormValues
  const title = String(seo.title || values.title || '')
  const description = String(seo.description || '')
  const path = String(values.path || `/${values.slug || slugOf(String(values.title))}`)
  return (
    <Section className="card panel" title={c.searchResult}>
      {seo.noindex === true ? (
        <p className="muted">{c.hidden}</p>
      ) : (
        <div className="search-result">
          <p className="muted">{`${location.host}${path}`}</p>
          <p className="search-title">{title.length > 60 ? `${title.slice(0, 59)}…` : title}</p>
          <p>
            {description ? (description.length > 160 ? `${description.slice(0, 159)}…` : description) : c.noDescription}
          </p>
        </div>
      )}
      <p className="hint">{fill(c.titleLength, { count: title.length })}</p>
      <p className="hint">{fill(c.descriptionLength, { count: description.length })}</p>
    </Section>
  )
}
