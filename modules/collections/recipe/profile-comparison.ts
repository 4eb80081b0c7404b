/** Compares the profile fields of two recipes, without a database. Stored values stay as they are, whatever changes. */
import { fingerprint, milliseconds, type Registrations } from '@larder-dev/larder/kernel'
import type { Field } from '../domain/declarations/collection.ts'
import type { DeclaredProfile } from '../domain/declarations/declaration.ts'
import { normalizeField } from '../domain/declarations/normalize.ts'

type Comparison = Registrations['comparisons'][number]
type Change = ReturnType<Comparison['changesFrom']>[number]
type Whose = keyof DeclaredProfile
type Fields = ReadonlyMap<string, Field>
type State = Readonly<Record<Whose, Fields>>

const WHOSE: readonly Whose[] = ['user', 'member']
const UNREADABLE = "stored values that don't fit are shown as missing"

export function compareProfiles(declared: DeclaredProfile = {}): Comparison {
  const state: State = { user: fieldsOf(declared.user), member: fieldsOf(declared.member) }
  return {
    topic: 'profile',
    state,
    changesFrom(former) {
      const before = (former ?? { user: new Map(), member: new Map() }) as State
      return WHOSE.flatMap(whose => fieldChanges(whose, before[whose], state[whose]))
    },
  }
}

const fieldsOf = (declared: DeclaredProfile[Whose]): Fields =>
  new Map(Object.entries(declared?.fields ?? {}).map(([name, field]) => [name, normalizeField(name, field)]))

const fieldChanges = (whose: Whose, before: Fields, after: Fields): Change[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((name): Change[] => {
    const [earlier, field] = [before.get(name), after.get(name)]
    const about = { subject: `field ${whose}.${name}`, at: [['profile', whose, 'fields', name]] }
    if (!earlier && field) {
      const { detail, breaks } = demand(whose, field)
      return [{ change: 'add', ...about, detail: [field.type, detail].filter(Boolean).join('; '), ...breaks }]
    }
    if (!field)
      return [
        {
          change: 'remove',
          ...about,
          detail: earlier?.type ?? '',
          breaks: 'its values stay stored, but nothing reads them until the field is declared again',
        },
      ]
    return earlier ? changeOf(whose, earlier, field, about) : []
  })

function changeOf(whose: Whose, before: Field, after: Field, about: Pick<Change, 'subject' | 'at'>): Change[] {
  const details: string[] = []
  const breaks: string[] = []
  if (before.type !== after.type) {
    details.push(`${before.type} → ${after.type}`)
    breaks.push(UNREADABLE)
  }
  const rules = before.type === after.type ? RULES.filter(({ key }) => !isSame(before[key], after[key])) : []
  details.push(...rules.map(({ key }) => `${key} ${textOf(before[key])} → ${textOf(after[key])}`))
  if (rules.some(({ key, narrows }) => narrows(limitOf(before, key) as never, limitOf(after, key) as never)))
    breaks.push(UNREADABLE)
  if (before.currency !== undefined && after.currency !== undefined && before.currency !== after.currency)
    breaks.push(`stored amounts count as ${after.currency}`)
  if (before.readOnly !== after.readOnly)
    details.push(after.readOnly ? 'only operators change it' : 'people change it themselves')
  if (!isSame(before.default, after.default))
    details.push(`default ${textOf(before.default)} → ${textOf(after.default)}, for those without a value`)
  if (isDemanded(whose, after) && !isDemanded(whose, before)) {
    const demanded = demand(whose, after)
    details.push(demanded.detail ?? '')
    breaks.push(...Object.values(demanded.breaks))
  } else if (before.required !== after.required) details.push(after.required ? 'required' : 'no longer required')
  if (details.length === 0) return []
  return [
    {
      change: 'change',
      ...about,
      detail: details.join('; '),
      ...(breaks.length > 0 && { breaks: breaks.join('; ') }),
    },
  ]
}

/** Whether people must give a value. A required field of a member can only not be emptied again. */
const isDemanded = (whose: Whose, { required, default: initial }: Field): boolean =>
  whose === 'user' && required && initial === undefined

function demand(whose: Whose, field: Field): { detail: string | undefined; breaks: { breaks?: string } } {
  if (!isDemanded(whose, field)) return { detail: field.required ? 'required' : undefined, breaks: {} }
  const detail = 'required: people without a value are asked for it after their next sign-in'
  return { detail, breaks: { breaks: 'registrations by API without it are refused' } }
}

type Narrows<Value> = (before: Value | undefined, after: Value | undefined) => boolean
interface Rule {
  readonly key: 'minLength' | 'maxLength' | 'min' | 'max' | 'pattern' | 'values' | 'schema' | 'currency'
  readonly narrows: Narrows<never>
}
const rises: Narrows<number | string> = (before, after) =>
  after !== undefined && !(before !== undefined && after < before)
const falls: Narrows<number | string> = (before, after) =>
  after !== undefined && !(before !== undefined && after > before)
const appears: Narrows<unknown> = (_before, after) => after !== undefined
const loses: Narrows<readonly string[]> = (before = [], after = []) => before.some(value => !after.includes(value))
const RULES: readonly Rule[] = [
  { key: 'minLength', narrows: rises },
  { key: 'maxLength', narrows: falls },
  { key: 'min', narrows: rises },
  { key: 'max', narrows: falls },
  { key: 'pattern', narrows: appears },
  { key: 'values', narrows: loses },
  { key: 'schema', narrows: appears },
  { key: 'currency', narrows: () => false },
]

/** Durations as milliseconds. */
const limitOf = (field: Field, key: Rule['key']): unknown =>
  field.type === 'duration' && typeof field[key] === 'string' ? milliseconds(field[key]) : field[key]

const isSame = (a: unknown, b: unknown): boolean => fingerprint(a ?? null) === fingerprint(b ?? null)
const textOf = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'object' ? JSON.stringify(value) : String(value)
