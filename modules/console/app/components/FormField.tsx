import { type ComponentType, createContext, Suspense, useContext } from 'react'
import { type FieldMessages, messageAt } from '../data/field-messages.ts'
import { anyTypes, emptyValue, type Field, type FormValue, type FormValues } from '../data/form-model.ts'
import { fieldLabel, useTexts, withDecimalPoint, withDecimalSign, wordOf } from '../locales/index.ts'
import { AnyInput } from './AnyInput.tsx'
import { Button } from './Button.tsx'
import { CodeEditor } from './CodeEditor.tsx'
import { DurationInput } from './DurationInput.tsx'
import { InlineCode } from './InlineCode.tsx'
import { MessageText } from './MessageText.tsx'
import { SourceInputs } from './source-inputs.ts'

/** Longer texts get a higher text area. */
const MAX_NOTE_LENGTH = 2000

export interface FieldProps {
  readonly id: string
  readonly field: Field
  readonly value: FormValue
  /** JSON Pointer of this value in the body. */
  readonly pointer: string
  readonly errors: FieldMessages
  readonly onChange: (value: FormValue) => void
  /** Whether the form changes a record: fields that are left out keep their value, so none is optional. */
  readonly isChange?: boolean
  /** Replaces the label, for items of a list. */
  readonly label?: string
}

/** Inputs of a screen in place of the generic ones, by the pointers of their fields: `/events`. */
export const OwnInputs = createContext<Readonly<Record<string, ComponentType<FieldProps>>>>({})

export function FieldInput(props: FieldProps) {
  const { field, pointer } = props
  const Own = useContext(OwnInputs)[pointer]
  if (Own) return <Own {...props} />
  if (field.kind === 'object') return <ObjectInput {...props} />
  if (field.kind === 'list') return <ListInput {...props} />
  return <PlainField {...props} />
}

function PlainField(props: FieldProps) {
  const { id, field, pointer, errors, isChange = false } = props
  const error = messageAt(errors, pointer)
  const label = props.label ?? fieldLabel(field.name, field.title)
  // The switch of a row is off without a value. Other records may have none on purpose.
  const isSwitch = field.kind === 'boolean' && (isChange ? field.source !== undefined : hasDefault(field))
  const isSet = field.required || isSwitch || (isChange ? !field.nullable : field.schema.default !== undefined)
  return (
    <div className={`field ${field.kind}${error ? ' invalid' : ''}`}>
      <label htmlFor={id} data-required={(field.required && field.kind !== 'boolean') || undefined}>
        {label}
        {field.source?.currency !== undefined && ` (${field.source.currency})`}
      </label>
      <PlainInput {...props} label={label} isSet={isSet} describedBy={describedBy(id, field, error)} />
      <Description id={id} field={field} />
      {error && (
        <p className="error" id={`${id}-error`}>
          <MessageText text={error} />
        </p>
      )}
    </div>
  )
}

/** A value that is used if nobody chooses one: the one of the schema, or false in a collection. */
const hasDefault = ({ schema, source }: Field): boolean => schema.default !== undefined || source !== undefined

const Description = ({ id, field }: Pick<FieldProps, 'id' | 'field'>) =>
  hasDescription(field) ? (
    <p className="hint" id={`${id}-hint`}>
      <InlineCode text={field.description ?? ''} />
    </p>
  ) : null

/** A description that repeats the name doesn't explain the field. */
const hasDescription = ({ name, title, description = '' }: Field): boolean =>
  description !== '' && ![name, title].some(label => label?.toLowerCase() === description.toLowerCase())

const describedBy = (id: string, field: Field, error: string | undefined): string | undefined =>
  [hasDescription(field) && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined

export interface PlainProps extends FieldProps {
  readonly label: string
  /** The value can't be removed. */
  readonly isSet: boolean
  readonly describedBy: string | undefined
}

/** An input without its label, its hint and its error. */
export function PlainInput({
  id,
  field,
  value,
  pointer,
  errors,
  onChange,
  label,
  isSet,
  isChange = false,
  describedBy: described,
}: PlainProps) {
  const t = useTexts()
  // Without a value, a module decides; a row of a collection has none.
  const unset = t(field.required ? 'choose' : isChange || field.source ? 'notSet' : 'byDefault')
  const Source = useContext(SourceInputs)[field.kind]
  const shared = {
    id,
    'aria-describedby': described,
    'aria-invalid': messageAt(errors, pointer) !== undefined || undefined,
    'aria-required': field.required || undefined,
  }
  const text = String(value)
  const isDecimal = field.kind === 'number' || field.kind === 'money'
  switch (field.kind) {
    case 'reference':
    case 'member':
    case 'file':
      return (
        field.source &&
        Source && (
          <Suspense>
            <Source
              id={id}
              label={label}
              value={value}
              onChange={onChange}
              describedBy={described}
              field={field.source}
              isRequired={field.required}
            />
          </Suspense>
        )
      )
    case 'boolean':
      if (isSet)
        return (
          <input
            {...shared}
            type="checkbox"
            role="switch"
            className="switch"
            checked={value === true}
            aria-checked={value === true}
            onChange={event => onChange(event.target.checked)}
          />
        )
      return (
        <select
          {...shared}
          value={text}
          onChange={event => onChange(event.target.value === '' ? '' : event.target.value === 'true')}
        >
          <option value="">{unset}</option>
          <option value="true">{t('yes')}</option>
          <option value="false">{t('no')}</option>
        </select>
      )
    case 'enum':
      return (
        <select {...shared} value={text} onChange={event => onChange(event.target.value)}>
          {(!isSet || text === '') && <option value="">{unset}</option>}
          {field.options.map(option => (
            <option key={option} value={option}>
              {wordOf(option, field.words)}
            </option>
          ))}
        </select>
      )
    case 'duration':
      return <DurationInput {...shared} field={field} label={label} value={text} onChange={onChange} />
    case 'longText':
      return (
        <textarea
          {...shared}
          rows={(field.schema.maxLength ?? 0) > MAX_NOTE_LENGTH ? 10 : 4}
          value={text}
          onChange={event => onChange(event.target.value)}
        />
      )
    case 'json':
      if (anyTypes(field.schema).length > 1)
        return (
          <AnyInput
            id={id}
            field={field}
            label={label}
            value={text}
            describedBy={described}
            isInvalid={messageAt(errors, pointer) !== undefined}
            onChange={onChange}
          />
        )
      return (
        <CodeEditor
          label={label}
          language="json"
          value={text}
          onChange={onChange}
          {...(described !== undefined && { describedBy: described })}
        />
      )
    default:
      return (
        <input
          {...shared}
          type={inputType(field)}
          inputMode={isDecimal ? 'decimal' : undefined}
          step={field.kind === 'dateTime' ? 1 : undefined}
          autoComplete="off"
          value={isDecimal ? withDecimalSign(text) : text}
          onChange={({ target }) => onChange(isDecimal ? withDecimalPoint(target.value) : target.value)}
        />
      )
  }
}

function inputType({ kind, schema }: Field): string {
  if (kind === 'dateTime') return 'datetime-local'
  if (kind === 'date') return 'date'
  if (schema.format === 'email') return 'email'
  if (schema.writeOnly) return 'password'
  return 'text'
}

function ObjectInput({ id, field, value, pointer, errors, onChange, label }: FieldProps) {
  const values = (typeof value === 'object' && !Array.isArray(value) ? value : {}) as FormValues
  const error = errors.get(pointer)
  return (
    <fieldset className="field group">
      <legend>{label ?? fieldLabel(field.name, field.title)}</legend>
      <Description id={id} field={field} />
      {field.fields.map(inner => (
        <FieldInput
          key={inner.name}
          id={`${id}-${inner.name}`}
          field={inner}
          value={values[inner.name] ?? emptyValue(inner)}
          pointer={`${pointer}/${inner.name}`}
          errors={errors}
          onChange={next => onChange({ ...values, [inner.name]: next })}
        />
      ))}
      {error && <p className="error">{error}</p>}
    </fieldset>
  )
}

function ListInput({ id, field, value, pointer, errors, onChange }: FieldProps) {
  const t = useTexts()
  const items = Array.isArray(value) ? (value as readonly FormValue[]) : []
  const item = field.item as Field
  const error = errors.get(pointer)
  const label = fieldLabel(field.name, field.title)
  return (
    <fieldset className="field group">
      <legend>{label}</legend>
      <Description id={id} field={field} />
      {items.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no keys
        <div className="list-item" key={index}>
          <FieldInput
            id={`${id}-${index}`}
            field={item}
            label={`${label} ${index + 1}`}
            value={each}
            pointer={`${pointer}/${index}`}
            errors={errors}
            onChange={next => onChange(items.with(index, next))}
          />
          <Button
            kind="quiet"
            icon="trash-2"
            label={t('removeItem', { index: index + 1 })}
            onPress={() => onChange(items.toSpliced(index, 1))}
          />
        </div>
      ))}
      {error && <p className="error">{error}</p>}
      <Button icon="plus" onPress={() => onChange([...items, emptyValue(item)])}>
        {t('addItem')}
      </Button>
    </fieldset>
  )
}
