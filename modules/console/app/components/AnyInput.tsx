/** A value of one of several types: the type, and the value in an input of its own. Its text is JSON, as in a code editor. */
import { useState } from 'react'
import { anyTypes, type Field } from '../data/form-model.ts'
import { useTexts, withDecimalPoint, withDecimalSign } from '../locales/index.ts'
import styles from './AnyInput.module.css'
import { CodeEditor } from './CodeEditor.tsx'

const TITLES = { boolean: 'onOrOff', string: 'text', number: 'numeric', object: 'structured' } as const
type AnyType = keyof typeof TITLES
const isAnyType = (type: string): type is AnyType => Object.hasOwn(TITLES, type)
const EMPTY: Readonly<Record<AnyType, string>> = { boolean: 'false', string: '""', number: '0', object: '{}' }

interface Props {
  readonly id: string
  readonly field: Field
  readonly label: string
  /** JSON. */
  readonly value: string
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
  readonly onChange: (value: string) => void
}

export function AnyInput({ id, field, label, value, describedBy, isInvalid, onChange }: Props) {
  const t = useTexts()
  const types = anyTypes(field.schema).filter(isAnyType)
  const [type, setType] = useState<AnyType>(() => typeOf(value) ?? types[0] ?? 'object')
  const choose = (next: AnyType) => {
    setType(next)
    onChange(EMPTY[next])
  }
  const shared = { id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid || undefined }
  return (
    <div className={styles.any}>
      <select
        aria-label={`${label}: ${t('kind')}`}
        value={type}
        onChange={({ target }) => choose(target.value as AnyType)}
      >
        {types.map(each => (
          <option key={each} value={each}>
            {t(TITLES[each])}
          </option>
        ))}
      </select>
      {type === 'boolean' ? (
        <input
          {...shared}
          type="checkbox"
          role="switch"
          className="switch"
          checked={value === 'true'}
          aria-checked={value === 'true'}
          onChange={({ target }) => onChange(String(target.checked))}
        />
      ) : type === 'object' ? (
        <CodeEditor
          label={label}
          language="json"
          value={value}
          onChange={onChange}
          {...(describedBy !== undefined && { describedBy })}
        />
      ) : (
        <input
          {...shared}
          type="text"
          autoComplete="off"
          inputMode={type === 'number' ? 'decimal' : undefined}
          value={type === 'number' ? withDecimalSign(value) : textOf(value)}
          onChange={({ target }) =>
            onChange(type === 'number' ? withDecimalPoint(target.value) : JSON.stringify(target.value))
          }
        />
      )}
    </div>
  )
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    // Not complete yet.
    return undefined
  }
}

const textOf = (value: string): string => {
  const text = parsed(value)
  return typeof text === 'string' ? text : ''
}

function typeOf(value: string): AnyType | undefined {
  const type = typeof parsed(value)
  return isAnyType(type) ? type : undefined
}
