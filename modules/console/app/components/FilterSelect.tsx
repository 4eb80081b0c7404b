import { useTexts } from '../locales/index.ts'

interface Props {
  readonly label: string
  /** Value of the chosen option; empty for all. */
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  /** Text of the option that filters nothing: by default "Any"; null if one option is always chosen. */
  readonly all?: string | null
  readonly onChange: (value: string) => void
}

/** A choice that narrows or orders a list. */
export function FilterSelect({ label, value, options, all, onChange }: Props) {
  const t = useTexts()
  return (
    <label className="filter">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {all !== null && <option value="">{all ?? t('any')}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
