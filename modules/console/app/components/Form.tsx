/** A form from the fields of a schema. */
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import type { FieldMessages } from '../data/field-messages.ts'
import type { Field, FormValue, FormValues } from '../data/form-model.ts'
import { useTexts } from '../locales/index.ts'
import { FailureText } from './Failure.tsx'
import { FieldInput } from './FormField.tsx'
import { useIsTouch } from './media.ts'
import { useSaveShortcut } from './save-shortcut.ts'

interface Props {
  readonly fields: readonly Field[]
  readonly values: FormValues
  readonly errors: FieldMessages
  /** What the server answered. */
  readonly failure?: unknown
  /** Stands below what the server answered. */
  readonly afterFailure?: ReactNode
  readonly isChange?: boolean
  /** Names of fields that wait under *More*, except those with an error. */
  readonly more?: readonly string[]
  /** Its first field gets the focus, unless that opens a keyboard on the screen. */
  readonly startsFocused?: boolean
  /** Ctrl S, or ⌘ S, submits it. */
  readonly hasShortcut?: boolean
  readonly onChange: (values: FormValues) => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}

export function Form(props: Props) {
  const { fields, values, errors, failure, afterFailure, isChange = false, more = [], hasShortcut = false } = props
  const { startsFocused = false, onChange, onSubmit, children } = props
  const t = useTexts()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  useSaveShortcut(form, hasShortcut)
  const isTouch = useIsTouch()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens
  useEffect(() => {
    if (startsFocused && !isTouch) form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [])
  const inputOf = (field: Field) => (
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
  )
  const rest = fields.filter(({ name, required }) => more.includes(name) && !required)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The form of a dialog that a field of another form opened would submit that form, too.
    event.stopPropagation()
    onSubmit()
  }
  return (
    <form className="form" ref={form} onSubmit={submit} noValidate>
      {(failure !== undefined || errors.size > 0) && (
        <FormMessage>
          <FailureText error={failure} errors={errors} fields={fields.map(({ name }) => `/${name}`)} />
          {failure !== undefined && afterFailure}
        </FormMessage>
      )}
      {fields.filter(field => !rest.includes(field)).map(inputOf)}
      {rest.length > 0 && (
        <details className="more" open={rest.some(({ name }) => hasErrorAt(errors, name)) || undefined}>
          <summary>{t('more')}</summary>
          <div className="fields">{rest.map(inputOf)}</div>
        </details>
      )}
      <div className="form-actions" data-in-view={hasShortcut || undefined}>
        {children}
      </div>
    </form>
  )
}

const hasErrorAt = (errors: FieldMessages, name: string): boolean =>
  [...errors.keys()].some(pointer => pointer === `/${name}` || pointer.startsWith(`/${name}/`))

/** Moves to the first invalid field, or to the message, which a long form would leave out of view. */
function FormMessage({ children }: { readonly children: ReactNode }) {
  const message = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const invalid = message.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (invalid) invalid.focus()
    else message.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <div ref={message} className="notice danger" role="alert">
      {children}
    </div>
  )
}
