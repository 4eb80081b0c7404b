/** Filters of a collection by its fields, with an operator for each. All of them are in the URL. */
import { type Dispatch, type SetStateAction, useId, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Menu } from '../components/Menu.tsx'
import { TypedInput } from '../components/TypedInput.tsx'
import {
  type Collection,
  type CollectionField,
  type Condition,
  conditionOf,
  operatorsFor,
  parameterOf,
} from '../data/collection.ts'
import { toLocalTime } from '../data/form-model.ts'
import { toMajor, toMinor } from '../data/money.ts'
import type { Resource, Scope } from '../data/resources.ts'
import { fill, stateLabel, useTexts, withDecimalSign } from '../locales/index.ts'
import { useCollectionTexts } from './collection-texts.ts'
import type { useFilterChange } from './filters.ts'
import { labelIn } from './generic.ts'
import RelationInput from './RelationInput.tsx'
import './collection.css'

interface Props {
  readonly resource: Resource
  readonly collection: Collection
  readonly scope: Scope
  readonly filters: Readonly<Record<string, string>>
  /** Parameters that the toolbar shows. */
  readonly hidden: readonly string[]
  /** Values of an enum. */
  readonly valuesOf: (field: string) => readonly string[] | undefined
  readonly onFilter: ReturnType<typeof useFilterChange>
}

export default function ConditionFilters({ resource, collection, scope, filters, hidden, valuesOf, onFilter }: Props) {
  const c = useCollectionTexts()
  const [open, setOpen] = useState<readonly string[]>([])
  const isOwn = (parameter: string) => {
    const condition = conditionOf(parameter)
    return condition !== undefined && condition.field in collection.fields && !hidden.includes(parameter)
  }
  // A filter without a value isn't in the URL yet, and keeps its place while its value is changed.
  const shown = [...new Set([...open, ...Object.keys(filters)])].filter(isOwn)
  const used = [...shown, ...hidden, ...Object.keys(scope)]
  const add = (name: string) => {
    const [operator] = freeOperators(collection, name, used)
    if (operator === undefined) return
    const parameter = parameterOf({ field: name, operator })
    setOpen([...shown, parameter])
    if (operator === 'exists') onFilter({ [parameter]: 'true' })
  }
  const fields = Object.keys(collection.fields).filter(name => freeOperators(collection, name, used).length > 0)
  return (
    <section className="conditions" aria-label={c.filters}>
      {shown.map(parameter => (
        <ConditionRow
          key={parameter}
          {...{ resource, collection, parameter, shown, valuesOf, onFilter }}
          value={filters[parameter] ?? ''}
          onOpen={setOpen}
        />
      ))}
      <Menu
        label={c.filter}
        trigger={
          <Button kind="quiet" icon="list-filter">
            {c.filter}
          </Button>
        }
        items={fields.map(name => ({ id: name, text: labelIn(resource, name), onAction: () => add(name) }))}
      />
    </section>
  )
}

/** Operators of a field that no other filter uses. */
const freeOperators = ({ fields }: Collection, field: string, used: readonly string[]): readonly string[] => {
  const found = fields[field]
  return found ? operatorsFor(found).filter(operator => !used.includes(parameterOf({ field, operator }))) : []
}

interface RowProps extends Pick<Props, 'resource' | 'collection' | 'valuesOf' | 'onFilter'> {
  readonly parameter: string
  readonly shown: readonly string[]
  readonly value: string
  readonly onOpen: Dispatch<SetStateAction<readonly string[]>>
}

function ConditionRow({ resource, collection, parameter, shown, value, valuesOf, onFilter, onOpen }: RowProps) {
  const c = useCollectionTexts()
  const condition = conditionOf(parameter) as Condition
  const field = collection.fields[condition.field] as CollectionField
  const title = labelIn(resource, condition.field)
  const isDate = field.type === 'date' || field.type === 'datetime'
  const wordOf = (operator: string) =>
    (isDate ? c.dateOperators[operator] : undefined) ?? c.operators[operator] ?? operator
  const operators = [condition.operator, ...freeOperators(collection, condition.field, shown)]
  const changeOperator = (operator: string) => {
    const next = parameterOf({ field: condition.field, operator })
    onOpen(shown.map(each => (each === parameter ? next : each)))
    const kept = operator === 'exists' ? 'true' : condition.operator === 'exists' ? '' : value
    onFilter({ [parameter]: '', [next]: kept })
  }
  const remove = () => {
    onOpen(shown.filter(each => each !== parameter))
    onFilter({ [parameter]: '' })
  }
  const set = (next: string) => {
    onOpen(shown)
    onFilter({ [parameter]: next })
  }
  const label = `${title} ${wordOf(condition.operator)}`
  return (
    <fieldset className="condition" aria-label={title}>
      <span>{title}</span>
      <select
        aria-label={fill(c.operatorOf, { name: title })}
        value={condition.operator}
        onChange={({ target }) => changeOperator(target.value)}
      >
        {operatorsFor(field)
          .filter(operator => operators.includes(operator))
          .map(operator => (
            <option key={operator} value={operator}>
              {wordOf(operator)}
            </option>
          ))}
      </select>
      <Value
        {...{ label, field, value }}
        operator={condition.operator}
        values={valuesOf(condition.field)}
        onChange={set}
      />
      <Button kind="quiet" icon="x" label={fill(c.removeFilter, { name: title })} onPress={remove} />
    </fieldset>
  )
}

interface ValueProps {
  readonly label: string
  readonly field: CollectionField
  readonly operator: string
  readonly value: string
  readonly values: readonly string[] | undefined
  readonly onChange: (value: string) => void
}

function Value({ label, field, operator, value, values, onChange }: ValueProps) {
  const t = useTexts()
  const c = useCollectionTexts()
  const id = useId()
  const choice = (options: readonly (readonly [string, string])[]) => (
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      {value === '' && <option value="">–</option>}
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
  const yesNo = [
    ['true', t('yes')],
    ['false', t('no')],
  ] as const
  if (operator === 'exists' || field.type === 'boolean') return choice(yesNo)
  if (values && (operator === 'in' || operator === 'notIn')) {
    const chosen = value === '' ? [] : value.split(',')
    const words = chosen.map(stateLabel).join(', ') || c.choose
    return (
      <Menu
        label={label}
        trigger={<Button aria-label={`${label}: ${words}`}>{words}</Button>}
        items={values.map(each => ({ id: each, text: stateLabel(each) }))}
        selection="multiple"
        selected={chosen}
        onSelect={ids => onChange(values.filter(each => ids.includes(each)).join(','))}
      />
    )
  }
  if (values) return choice(values.map(each => [each, stateLabel(each)]))
  if (['reference', 'member', 'user'].includes(field.type))
    return (
      <RelationInput
        id={id}
        label={label}
        field={{ ...field, ...(field.reference && { reference: { ...field.reference, many: false } }) }}
        value={value}
        onChange={key => onChange(String(key))}
      />
    )
  if (field.type === 'date') return <TypedInput label={label} type="date" value={value} onChange={onChange} />
  if (field.type === 'datetime')
    return (
      <TypedInput
        label={label}
        type="datetime-local"
        value={value === '' ? '' : toLocalTime(value)}
        onChange={text => onChange(text === '' ? '' : new Date(text).toISOString())}
      />
    )
  if (field.type === 'money')
    return (
      <>
        <TypedInput
          label={label}
          type="text"
          value={
            value === '' || Number.isNaN(Number(value))
              ? value
              : withDecimalSign(toMajor(Number(value), field.currency))
          }
          onChange={text => onChange(minorOf(text, field.currency))}
        />
        <span className="muted">{field.currency}</span>
      </>
    )
  const isList = operator === 'in' || operator === 'notIn'
  return <TypedInput label={isList ? `${label}: ${c.values}` : label} type="text" value={value} onChange={onChange} />
}

/** A text that is no amount is sent as it is, so that the API says what is wrong. */
function minorOf(text: string, currency: string | undefined): string {
  const amount = Number(text.replace(',', '.'))
  return text === '' || Number.isNaN(amount) ? text : String(toMinor(amount, currency))
}
