/** Inputs of tailored forms, with a label, a hint and an error. */
import { type ComponentProps, type ReactNode, useId } from 'react'

interface Texts {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** In a grid, the field takes a whole row. */
  readonly isWide?: boolean
}
type Input<Tag extends 'input' | 'textarea' | 'select'> = Omit<ComponentProps<Tag>, 'id' | 'value' | 'onChange'>

interface TextProps extends Texts {
  readonly value: string
  readonly onChange: (text: string) => void
}

export function TextField({ label, hint, error, isWide, onChange, ...input }: TextProps & Input<'input'>) {
  const id = useId()
  return (
    <Labeled id={id} label={label} hint={hint} error={error} isWide={isWide}>
      <input
        autoComplete="off"
        {...describe(id, hint, error)}
        {...input}
        onChange={({ target }) => onChange(target.value)}
      />
    </Labeled>
  )
}

export function TextArea({ label, hint, error, isWide, onChange, ...input }: TextProps & Input<'textarea'>) {
  const id = useId()
  return (
    <Labeled id={id} label={label} hint={hint} error={error} isWide={isWide}>
      <textarea {...describe(id, hint, error)} {...input} onChange={({ target }) => onChange(target.value)} />
    </Labeled>
  )
}

interface SelectProps<V extends string> extends Texts {
  readonly value: V
  readonly options: readonly (readonly [value: V, text: string])[]
  readonly onChange: (value: V) => void
}

export function SelectField<V extends string>(props: SelectProps<V> & Input<'select'>) {
  const { label, hint, error, isWide, options, onChange, ...select } = props
  const id = useId()
  return (
    <Labeled id={id} label={label} hint={hint} error={error} isWide={isWide}>
      <select {...describe(id, hint, error)} {...select} onChange={({ target }) => onChange(target.value as V)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Labeled>
  )
}

const describe = (id: string, hint: ReactNode, error: string | undefined) => ({
  id,
  'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
  'aria-invalid': error !== undefined || undefined,
})

interface LabeledProps extends Omit<Texts, 'isWide'> {
  readonly id: string
  readonly isWide: boolean | undefined
  readonly children: ReactNode
}

const Labeled = ({ id, label, hint, error, isWide, children }: LabeledProps) => (
  <div className={`field${isWide ? ' wide-field' : ''}${error ? ' invalid' : ''}`}>
    <label htmlFor={id}>{label}</label>
    {children}
    {hint && (
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {error && (
      <p className="error" id={`${id}-error`}>
        {error}
      </p>
    )}
  </div>
)
