/** The model of `rights.test.ts`: collections with random rules, and who reads which rows and fields. It keeps nothing. */
import fc from 'fast-check'
import type { OneCollection, Rights, Stage, Who } from './rights-ways.ts'

type Condition = Readonly<Record<string, unknown>>
type Rule = true | Condition
type Rules = Readonly<Record<string, Rule>>
export interface Declared {
  readonly name: string
  readonly shared: boolean
  readonly read: Rules
  /** Who may read the field `secret`. */
  readonly secret: readonly string[] | undefined
}
export interface Stored {
  readonly id: string
  readonly workspace: string
  readonly level: number
  readonly published: boolean
  readonly area: { readonly id: string; readonly open: boolean }
  readonly createdBy: string | null
}
export const SHARED = ['alphas', 'betas', 'gammas', 'deltas']
export const OWN = ['kappas', 'lambdas', 'sigmas']
const READERS = ['anyone', 'signedIn', 'tenant.member', 'tenant.editor']

const rule: fc.Arbitrary<Rule> = fc.constantFrom<Rule>(
  true,
  { published: true },
  { level: { gte: 2 } },
  { createdBy: '$user' },
  { 'area.open': true },
  { published: true, level: { gte: 1 } },
)
const publicRule = rule.filter(each => each === true || !('createdBy' in each))
/** Half of the time. */
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
export const declared = (name: string): fc.Arbitrary<Declared> =>
  fc
    .record({
      anyone: optional(publicRule),
      signedIn: optional(rule),
      'tenant.member': optional(rule),
      'tenant.editor': optional(rule),
      secret: optional(fc.uniqueArray(fc.constantFrom(...READERS.slice(1)), { minLength: 1, maxLength: 2 })),
    })
    .map(({ secret, ...rules }) => ({
      name,
      shared: SHARED.includes(name),
      read: Object.fromEntries(
        Object.entries(rules).filter((entry): entry is [string, Rule] => entry[1] !== undefined),
      ),
      secret,
    }))

/** Without objects that occur twice, which YAML would write as aliases. */
const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
export const recipeOf = (collections: readonly Declared[]) => ({
  modules: { identity: { impersonation: true }, comms: {}, billing: {}, collections: {} },
  plans: { free: { name: 'Free', price: 0 } },
  roles: { 'tenant.editor': { name: 'Editor', permissions: [] } },
  collections: {
    areas: { scope: 'shared', fields: { open: { type: 'boolean' } }, access: { read: { anyone: true } } },
    ...Object.fromEntries(
      collections.flatMap(({ name, shared, read, secret }) => [
        [
          name,
          {
            ...(shared && { scope: 'shared' }),
            fields: {
              title: { type: 'text' },
              note: { type: 'text' },
              level: { type: 'integer' },
              published: { type: 'boolean' },
              area: { type: 'reference', to: 'areas' },
              secret: { type: 'text', ...(secret && { read: [...secret] }) },
            },
            search: ['title'],
            history: 3,
            trash: '30d',
            access: { read: clone(read) },
          },
        ],
        [
          `${name}_links`,
          {
            fields: {
              target: { type: 'reference', to: name },
              targets: { type: 'reference', to: name, many: true },
            },
            access: { read: { signedIn: true } },
          },
        ],
      ]),
    ),
  },
})

export interface World extends Stage {
  readonly collections: readonly Declared[]
  readonly rows: Readonly<Record<string, readonly Stored[]>>
}
type Facts = Omit<World, 'rights'>

const coversKey = (who: Who, { name }: Declared) => who.covers === undefined || who.covers.includes(name)
export const homeOf = ({ operator }: Facts, who: Who, { shared }: Declared) => (shared ? operator : who.workspace)
export const isHome = (world: Facts, who: Who, collection: Declared) =>
  who.workspace !== undefined && who.workspace === homeOf(world, who, collection)

export function granted(world: Facts, who: Who, collection: Declared): Rule[] {
  const { read, shared } = collection
  if (who.userId === undefined || !coversKey(who, collection)) return []
  const rules: Rule[] = []
  if (isHome(world, who, collection)) {
    if (who.roles.includes('tenant.owner') || who.roles.includes('tenant.spy')) return [true]
    rules.push(...who.roles.map(role => read[role]).filter(given => given !== undefined))
  }
  const ofMembers = read['tenant.member']
  if (shared && who.workspace !== undefined && ofMembers) rules.push(ofMembers)
  return rules
}
export function rulesOf(world: Facts, who: Who, collection: Declared): Rule[] {
  const { read, shared } = collection
  const account = who.userId !== undefined && coversKey(who, collection) && (shared || who.workspace !== undefined)
  return [
    ...granted(world, who, collection),
    ...(read.anyone ? [read.anyone] : []),
    ...(account && read.signedIn ? [read.signedIn] : []),
  ]
}
export function matches(given: Rule, row: Stored, who: Who): boolean {
  if (given === true) return true
  return Object.entries(given).every(([key, wanted]) => {
    if (key === 'createdBy') return row.createdBy === who.userId
    if (key === 'area.open') return row.area.open === wanted
    if (key === 'published') return row.published === wanted
    return row.level >= (wanted as { gte: number }).gte
  })
}
export const visible = (
  world: Facts,
  who: Who,
  collection: Declared,
  rules = rulesOf(world, who, collection),
): Stored[] => {
  const workspace = homeOf(world, who, collection) ?? world.operator
  return (world.rows[collection.name] ?? []).filter(
    row => row.workspace === workspace && rules.some(each => matches(each, row, who)),
  )
}
export function hiddenFields(world: Facts, who: Who, collection: Declared): string[] {
  const { read, secret, shared } = collection
  const isOpen = read.anyone !== undefined || read.signedIn !== undefined
  const author = !isOpen || granted(world, who, collection).length > 0
  const wanted = (role: string) => secret?.includes(role) ?? false
  const readsSecret =
    secret === undefined ||
    (who.userId !== undefined &&
      coversKey(who, collection) &&
      ((wanted('signedIn') && (shared || who.workspace !== undefined)) ||
        (wanted('tenant.member') && shared && who.workspace !== undefined) ||
        (isHome(world, who, collection) && who.roles.some(role => role === 'tenant.owner' || wanted(role)))))
  return [...(author ? [] : ['createdBy']), ...(readsSecret ? [] : ['secret'])]
}

export const rightsIn = (world: Omit<World, 'rights'>): Rights => {
  const find = ({ name }: OneCollection) => world.collections.find(each => each.name === name) as Declared
  return {
    opens: (who, collection) => rulesOf(world, who, find(collection)).length > 0,
    grants: (who, collection) => granted(world, who, find(collection)).length > 0,
    visible: (who, collection) => visible(world, who, find(collection)),
    granted: (who, collection) => visible(world, who, find(collection), granted(world, who, find(collection))),
    hiddenFields: (who, collection) => hiddenFields(world, who, find(collection)),
    deletes: (who, collection) =>
      who.covers === undefined &&
      (who.roles.includes('tenant.owner') || who.roles.includes('tenant.spy')) &&
      isHome(world, who, find(collection)),
    homeOf: (who, collection) => homeOf(world, who, find(collection)),
  }
}
