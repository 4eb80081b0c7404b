/** A form from the fields of a schema. */
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import type { Field, FormValue, FormValues } from '../data/form-model.ts'
import { useTexts } from '../locales/index.ts'
import { FieldInput } from './FormField.tsx'

interface Props {
  readonly fields: readonly Field[]
  readonly values: FormValues
  readonly errors: ReadonlyMap<string, string>
  /** Above the fields, for problems that no field has. */
  readonly message?: string | undefined
  readonly isChange?: boolean
  readonly onChange: (values: FormValues) => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}

export function Form({ fields, values, errors, message, isChange = false, onChange, onSubmit, children }: Props) {
  const t = useTexts()
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The form of a dialog that a field of another form opened would submit that form, too.
    event.stopPropagation()
    onSubmit()
  }
  return (
    <form className="form" onSubmit={submit} noValidate>
      {(message || errors.size > 0) && <FormMessage text={message || t('formInvalid')} />}
      {fields.map(field => (
        <FieldInput
          key={field.name}
          id={`${id}-${field.name}`}
          field={field}
          value={values[field.name] ?? ''}
          pointer={`/${field.name}`}
          errors={errors}
          isChange={isChange}
          onChange={(value: FormValue) => onChange({ ...values, [field.name]: value })}
        />
      ))}
      <div className="form-actions">{children}</div>
    </form>
  )
}

/** Moves to the first invalid field, or to the message, which a long form would leave out of view. */
function FormMessage({ text }: { readonly text: string }) {
  const message = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const invalid = message.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (invalid) invalid.focus()
    else message.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <div ref={message} className="notice danger" role="alert">
      {text}
    </div>
  )
}
