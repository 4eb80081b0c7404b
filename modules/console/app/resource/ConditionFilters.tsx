/** Filters of a collection by its fields, with an operator for each. All of them are in the URL. */
import { type Dispatch, type SetStateAction, useId, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Menu } from '../components/Menu.tsx'
import { TypedInput } from '../components/TypedInput.tsx'
import {
  type Collection,
  type CollectionField,
  type Condition,
  type ConditionPlace,
  conditionOf,
  MAX_GROUPS,
  operatorsFor,
  parameterOf,
} from '../data/collection.ts'
import { useDocument } from '../data/document.ts'
import { toLocalTime } from '../data/form-model.ts'
import { toMajor, toMinor } from '../data/money.ts'
import { type Resource, type Scope, useResources } from '../data/resources.ts'
import { fill, useTexts, withDecimalPoint, withDecimalSign, wordOf } from '../locales/index.ts'
import styles from './ConditionFilters.module.css'
import { useCollectionTexts } from './collection-texts.ts'
import type { useFilterChange } from './filters.ts'
import { labelIn } from './generic.ts'
import RelationInput from './RelationInput.tsx'

interface Props {
  readonly resource: Resource
  readonly collection: Collection
  readonly scope: Scope
  readonly filters: Readonly<Record<string, string>>
  /** Parameters that the toolbar shows. */
  readonly hidden: readonly string[]
  readonly onFilter: ReturnType<typeof useFilterChange>
}

export default function ConditionFilters({ resource, collection, scope, filters, hidden, onFilter }: Props) {
  const c = useCollectionTexts()
  const fields = useFilterFields(resource, collection)
  const [open, setOpen] = useState<readonly string[]>([])
  const isOwn = (parameter: string) => {
    const field = conditionOf(parameter)?.field.split('.')[0]
    return field !== undefined && field in collection.fields && !hidden.includes(parameter)
  }
  // A filter without a value isn't in the URL yet, and keeps its place while its value is changed.
  const shown = [...new Set([...open, ...Object.keys(filters)])].filter(isOwn)
  const used = [...shown, ...hidden, ...Object.keys(scope)]
  const groups = [...new Set(shown.map(parameter => conditionOf(parameter)?.group))]
    .filter(group => group !== undefined)
    .sort((a, b) => a - b)
  const add = (name: string, place: ConditionPlace) => {
    const [operator] = fields.free({ ...place, field: name }, used)
    if (operator === undefined) return
    const parameter = parameterOf({ ...place, field: name, operator })
    setOpen([...shown, parameter])
    if (operator === 'exists') onFilter({ [parameter]: 'true' })
  }
  const menuOf = (text: string, place: ConditionPlace, icon = 'plus') => (
    <FieldMenu
      resource={resource}
      text={text}
      icon={icon}
      names={fields.addable(used, place)}
      onChoose={name => add(name, place)}
    />
  )
  const isAt = (parameter: string, { group, isExcluded }: ConditionPlace) => {
    const condition = conditionOf(parameter)
    return condition?.group === group && condition?.isExcluded === isExcluded
  }
  const rowsOf = (place: ConditionPlace) =>
    shown
      .filter(parameter => isAt(parameter, place))
      .map(parameter => (
        <ConditionRow
          key={parameter}
          resource={resource}
          fields={fields}
          parameter={parameter}
          shown={shown}
          onFilter={onFilter}
          value={filters[parameter] ?? ''}
          onOpen={setOpen}
        />
      ))
  const excludedOf = (place: ConditionPlace) => {
    const excluded: ConditionPlace = { ...place, isExcluded: true }
    const rows = rowsOf(excluded)
    if (rows.length === 0) return menuOf(c.except, excluded)
    return (
      <fieldset className={styles.group} aria-label={c.excepted}>
        <span className="muted">{c.excepted}</span>
        {rows}
        {menuOf(c.and, excluded)}
      </fieldset>
    )
  }
  const next = (groups.at(-1) ?? -1) + 1
  return (
    <section className={styles.conditions} aria-label={c.filters}>
      {rowsOf({})}
      {menuOf(c.filter, {}, 'list-filter')}
      {excludedOf({})}
      {groups.map((group, index) => (
        <fieldset key={group} className={styles.group} aria-label={fill(c.alternative, { number: index + 1 })}>
          <span className="muted">{index > 0 ? c.or : c.oneOf}</span>
          {rowsOf({ group })}
          {menuOf(c.and, { group })}
          {excludedOf({ group })}
        </fieldset>
      ))}
      {shown.length > 0 && groups.length < MAX_GROUPS && menuOf(groups.length > 0 ? c.or : c.orFilter, { group: next })}
    </section>
  )
}

interface FieldMenuProps {
  readonly resource: Resource
  readonly text: string
  readonly icon: string
  readonly names: readonly string[]
  readonly onChoose: (name: string) => void
}

const FieldMenu = ({ resource, text, icon, names, onChoose }: FieldMenuProps) => (
  <Menu
    label={text}
    trigger={
      <Button kind="quiet" icon={icon}>
        {text}
      </Button>
    }
    items={names.map(name => ({ id: name, text: labelIn(resource, name), onAction: () => onChoose(name) }))}
  />
)

interface FilterField {
  readonly title: string
  readonly field: CollectionField
  /** The values of an enum, with their words. */
  readonly values: readonly (readonly [string, string])[] | undefined
}
interface FilterFields {
  /** @param path `price` or `category.name`. */
  at(path: string): FilterField | undefined
  /** Fields of the row that a reference leads to, with their labels. */
  behind(name: string): readonly (readonly [name: string, label: string])[]
  /** Operators that no other filter of the same field and group uses. */
  free(place: Omit<Condition, 'operator'>, used: readonly string[]): readonly string[]
  addable(used: readonly string[], place: ConditionPlace): readonly string[]
}

function useFilterFields(resource: Resource, collection: Collection): FilterFields {
  const { data: document } = useDocument()
  const { data: resources = [] } = useResources()
  const fieldOf = (from: Resource, name: string): FilterField | undefined => {
    const { id } = from.operations.list
    const field = document?.collection(id)?.fields[name]
    const schema = document?.queryParameters(id).find(each => each.name === `filter[${name}]`)?.schema
    const values = schema?.enum?.map(value => [String(value), wordOf(String(value), from.states[name])] as const)
    return field && { title: labelIn(from, name), field, values }
  }
  const targetOf = (name: string) =>
    resources.find(({ id }) => id === `collections.${collection.fields[name]?.reference?.to}`)
  const fields: FilterFields = {
    at(path) {
      const [name = '', other] = path.split('.')
      if (other === undefined) return fieldOf(resource, name)
      const target = targetOf(name)
      const title = `${labelIn(resource, name)} › ${target ? labelIn(target, other) : other}`
      const found = target && fieldOf(target, other)
      return found && { ...found, title }
    },
    behind(name) {
      const target = targetOf(name)
      if (!target) return []
      const names = Object.keys(document?.collection(target.operations.list.id)?.fields ?? {})
      return names.flatMap(other => (other === 'id' ? [] : [[other, labelIn(target, other)] as const]))
    },
    free(place, used) {
      const found = fields.at(place.field)?.field
      const isUsed = (operator: string) => used.includes(parameterOf({ ...place, operator }))
      return found ? operatorsFor(found).filter(operator => !isUsed(operator)) : []
    },
    addable: (used, place) =>
      Object.keys(collection.fields).filter(field => fields.free({ ...place, field }, used).length > 0),
  }
  return fields
}

/** A field of a row that the reader can't list. */
const UNKNOWN: FilterField = {
  title: '',
  field: { type: 'text', operators: [], sortable: false },
  values: undefined,
}

interface RowProps extends Pick<Props, 'resource' | 'onFilter'> {
  readonly fields: FilterFields
  readonly parameter: string
  readonly shown: readonly string[]
  readonly value: string
  readonly onOpen: Dispatch<SetStateAction<readonly string[]>>
}

function ConditionRow({ resource, fields, parameter, shown, value, onFilter, onOpen }: RowProps) {
  const c = useCollectionTexts()
  const condition = conditionOf(parameter) as Condition
  const { field, title, values } = fields.at(condition.field) ?? { ...UNKNOWN, title: condition.field }
  const [own = '', other = ''] = condition.field.split('.')
  const behind = fields.behind(own)
  const isDate = field.type === 'date' || field.type === 'datetime'
  const words: Readonly<Record<string, string>> = { ...c.operators, ...(isDate && c.dateOperators) }
  const nameOf = (operator: string) => words[operator] ?? operator
  const operators = [condition.operator, ...fields.free(condition, shown)]
  const replace = (next: Condition, kept: string) => {
    const changed = parameterOf(next)
    onOpen(shown.map(each => (each === parameter ? changed : each)))
    onFilter({ [parameter]: '', [changed]: next.operator === 'exists' ? 'true' : kept })
  }
  const changeField = (name: string) => {
    const place = { ...condition, field: name === '' ? own : `${own}.${name}` }
    const [operator] = fields.free(place, shown)
    if (operator !== undefined) replace({ ...place, operator }, '')
  }
  const remove = () => {
    onOpen(shown.filter(each => each !== parameter))
    onFilter({ [parameter]: '' })
  }
  const set = (next: string) => {
    onOpen(shown)
    onFilter({ [parameter]: next })
  }
  return (
    <fieldset className={styles.condition} aria-label={title}>
      <span>{labelIn(resource, own)}</span>
      {behind.length > 0 && (
        <select
          aria-label={fill(c.fieldOf, { name: labelIn(resource, own) })}
          value={other}
          onChange={({ target }) => changeField(target.value)}
        >
          <option value="">{c.itself}</option>
          {behind.map(([name, label]) => (
            <option key={name} value={name}>
              › {label}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label={fill(c.operatorOf, { name: title })}
        value={condition.operator}
        onChange={({ target }) =>
          replace({ ...condition, operator: target.value }, condition.operator === 'exists' ? '' : value)
        }
      >
        {[...new Set([...operatorsFor(field), condition.operator])]
          .filter(operator => operators.includes(operator))
          .map(operator => (
            <option key={operator} value={operator}>
              {nameOf(operator)}
            </option>
          ))}
      </select>
      <Value
        field={field}
        value={value}
        values={values}
        label={`${title} ${nameOf(condition.operator)}`}
        operator={condition.operator}
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
  readonly values: FilterField['values']
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
    const words = values.flatMap(([each, text]) => (chosen.includes(each) ? text : [])).join(', ') || c.choose
    return (
      <Menu
        label={label}
        trigger={<Button aria-label={`${label}: ${words}`}>{words}</Button>}
        items={values.map(([each, text]) => ({ id: each, text }))}
        selection="multiple"
        selected={chosen}
        onSelect={ids => onChange(values.flatMap(([each]) => (ids.includes(each) ? each : [])).join(','))}
      />
    )
  }
  if (values) return choice(values)
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
          onChange={text => onChange(minorOf(withDecimalPoint(text), field.currency))}
        />
        <span className="muted">{field.currency}</span>
      </>
    )
  const isList = operator === 'in' || operator === 'notIn'
  return <TypedInput label={isList ? `${label}: ${c.values}` : label} type="text" value={value} onChange={onChange} />
}

/** A text that is no amount is sent as it is, so that the API says what is wrong. */
function minorOf(text: string, currency: string | undefined): string {
  return String(toMinor(text, currency) ?? text)
}
