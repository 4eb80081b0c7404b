/**
 * The model of `customers-rights.test.ts`: collections of a product of people with random rules, and who reads and writes
 * which rows. Rules have three values, as in the product: a test of a variable without a value neither holds nor fails.
 */
import fc from 'fast-check'
import type { OneCollection, OneRow, Rights, Stage, Who } from './rights-ways.ts'

export type Condition = { readonly [key: string]: unknown }
type Rules = Readonly<Record<string, Condition>>
export type Action = 'read' | 'create' | 'update' | 'delete'
export interface OpenCollection extends OneCollection {
  readonly access: Readonly<Record<Action, Rules>>
  /** Who may read the field `secret`. */
  readonly secret: readonly string[] | undefined
}
/** What references lead to. */
export interface Project {
  readonly id: string
  readonly client: {
    readonly id: string
    readonly member: string | null
    readonly practice: { readonly open: boolean }
  }
}
/** What rules compare. */
export interface Values {
  readonly level: number | null
  readonly published: boolean | null
  readonly status: string | null
  readonly audience: string | null
  readonly region: string | null
  readonly owner: string | null
  readonly project: Project | null
  readonly participants: readonly { readonly id: string; readonly member: string | null }[]
}
export interface Row extends OneRow, Values {
  readonly createdBy: string | null
}
/** A caller, and what rules ask about them. */
export interface Person extends Who {
  readonly memberId?: string
  readonly plan?: string
  readonly entitlements?: Readonly<Record<string, number | boolean>>
  readonly profile?: Readonly<Record<string, string>>
}
/** A member of the operator's workspace. */
export interface Listed {
  /** Of the membership. */
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly roles: readonly string[]
}
export interface Practice extends Stage {
  readonly collections: readonly OpenCollection[]
  readonly callers: readonly Person[]
  readonly rows: Readonly<Record<string, readonly Row[]>>
  readonly projects: readonly Project[]
  readonly members: readonly Listed[]
  /** IDs and names of the files of the operator's workspace. */
  readonly files: ReadonlyMap<string, string>
}

export const COLLECTIONS = ['alphas', 'betas', 'gammas', 'deltas', 'kappas']
/** Of a role of the staff, which no rule limits. */
export const OF_CLERKS = 'deltas'
export const STATUSES = ['draft', 'live', 'done']
export const REGIONS = ['north', 'south']
export const ROLES = ['tenant.customer', 'tenant.staff', 'tenant.clerk']
export const LEVELS: Readonly<Record<string, number>> = { free: 1, pro: 2 }

const ofRow = fc.constantFrom<Condition>(
  { published: true },
  { level: { gte: 2 } },
  { level: { in: [0, 3] } },
  { level: { exists: false } },
  { status: 'live' },
  { status: { ne: 'draft' } },
  { status: { notIn: ['draft', 'done'] } },
  { 'project.client.practice.open': true },
  { published: true, level: { lt: 3 } },
)
const ofCaller = fc.constantFrom<Condition>(
  { owner: '$member' },
  { owner: { ne: '$member' } },
  { createdBy: '$user' },
  { audience: '$role' },
  { audience: { ne: '$role' } },
  { $plan: 'pro' },
  { $plan: { in: ['free', 'pro'] }, status: 'live' },
  { level: { lte: '$entitlement(level)' } },
  { '$entitlement(archive)': true },
  { '$entitlement(archive)': false, published: true },
  { region: '$user.profile.region' },
  { '$user.profile.region': 'north' },
  { 'project.client.member': '$member' },
  { participants: { contains: '$member' } },
)
/** Alternatives and exclusions up to `depth` levels deep. */
function condition(leaf: fc.Arbitrary<Condition>, depth: number): fc.Arbitrary<Condition> {
  if (depth === 0) return leaf
  const inner = condition(leaf, depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: fc.array(inner, { minLength: 2, maxLength: 3 }).map(or => ({ or })) },
    { weight: 2, arbitrary: inner.map(not => ({ not })) },
    { weight: 1, arbitrary: fc.tuple(leaf, inner).map(([first, not]) => ({ ...first, not })) },
  )
}
const isTrue = fc.constant<Condition>({})
const forPeople = fc.oneof(
  { weight: 6, arbitrary: condition(fc.oneof(ofRow, ofCaller, ofCaller), 3) },
  { weight: 1, arbitrary: isTrue },
)
const forAnyone = fc.oneof({ weight: 4, arbitrary: condition(ofRow, 2) }, { weight: 1, arbitrary: isTrue })
const optional = <T>(value: fc.Arbitrary<T>, freq = 2) => fc.option(value, { nil: undefined, freq })
const rulesFrom = (rules: Readonly<Record<string, Condition | undefined>>): Rules =>
  Object.fromEntries(Object.entries(rules).filter((entry): entry is [string, Condition] => entry[1] !== undefined))
const written = fc
  .record({ 'tenant.customer': optional(forPeople, 4), 'tenant.staff': optional(forPeople, 4) })
  .map(rulesFrom)

export const openCollection = (name: string): fc.Arbitrary<OpenCollection> =>
  fc.record({
    name: fc.constant(name),
    shared: fc.constant(false),
    access: fc.record({
      read: fc
        .record({
          anyone: optional(forAnyone, 1),
          signedIn: optional(forPeople, 1),
          'tenant.customer': optional(forPeople, 4),
          'tenant.staff': optional(forPeople, 4),
        })
        .map(rulesFrom),
      create: written,
      update: written,
      delete: written,
    }),
    secret: optional(fc.uniqueArray(fc.constantFrom('signedIn', ...ROLES), { minLength: 1, maxLength: 2 })),
  })

/** Without objects that occur twice, which YAML would write as aliases. */
const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const ruleOf = (rules: Rules) =>
  Object.fromEntries(
    Object.entries(clone(rules)).map(([role, rule]) => [role, Object.keys(rule).length === 0 ? true : rule]),
  )

export const recipeOf = (collections: readonly OpenCollection[]) => ({
  product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
  modules: { identity: { impersonation: true }, comms: {}, billing: {}, media: {}, collections: {} },
  entitlements: { level: { kind: 'gauge' }, archive: { kind: 'flag' } },
  plans: {
    free: { name: 'Free', price: 0, entitlements: { level: LEVELS.free, archive: 0 } },
    pro: { name: 'Pro', price: 0, entitlements: { level: LEVELS.pro, archive: 1 } },
  },
  roles: {
    'tenant.staff': { name: 'Staff', permissions: [] },
    'tenant.clerk': {
      name: 'Clerk',
      permissions: [`collections.${OF_CLERKS}.*`, 'identity.member.read', 'media.item.read'],
    },
  },
  profile: { user: { fields: { region: { type: 'text', readOnly: true } } } },
  collections: {
    practices: { fields: { open: { type: 'boolean' } } },
    clients: {
      fields: { member: { type: 'member' }, practice: { type: 'reference', to: 'practices' } },
      access: { read: { anyone: true } },
    },
    projects: { fields: { client: { type: 'reference', to: 'clients' } }, access: { read: { anyone: true } } },
    ...Object.fromEntries(
      collections.flatMap(({ name, access, secret }) => [
        [
          name,
          {
            fields: {
              title: { type: 'text' },
              note: { type: 'text' },
              code: { type: 'text', unique: true },
              level: { type: 'integer' },
              published: { type: 'boolean' },
              status: { type: 'enum', values: [...STATUSES] },
              audience: { type: 'text' },
              region: { type: 'text' },
              owner: { type: 'member' },
              project: { type: 'reference', to: 'projects' },
              participants: { type: 'reference', to: 'clients', many: true },
              secret: { type: 'text', ...(secret && { read: [...secret] }) },
            },
            search: ['title'],
            history: 3,
            trash: '30d',
            access: {
              read: ruleOf(access.read),
              create: ruleOf(access.create),
              update: ruleOf(access.update),
              delete: ruleOf(access.delete),
            },
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

/** Undefined: neither holds nor fails. */
type Truth = boolean | undefined
const negated = (truth: Truth): Truth => (truth === undefined ? undefined : !truth)
const every = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true
const some = (truths: readonly Truth[]): Truth =>
  truths.includes(true) ? true : truths.includes(undefined) ? undefined : false

function variable(name: string, who: Person): unknown {
  if (who.userId === undefined) return undefined
  if (name === '$member') return who.memberId
  if (name === '$user') return who.userId
  if (name === '$role') return who.roles
  if (name === '$plan') return who.plan
  if (name.startsWith('$entitlement(')) return who.entitlements?.[name.slice('$entitlement('.length, -1)]
  return who.profile?.[name.slice('$user.profile.'.length)]
}
const isVariable = (value: unknown): value is string => typeof value === 'string' && value.startsWith('$')

/** The values of a field without nulls. */
function valuesAt(path: string, row: Values & { readonly createdBy: string | null }): unknown[] {
  const value =
    path === 'project.client.member'
      ? row.project?.client.member
      : path === 'project.client.practice.open'
        ? row.project?.client.practice.open
        : path === 'participants'
          ? row.participants.map(({ member }) => member)
          : row[path as keyof Values | 'createdBy']
  return [value].flat().filter(each => each !== null && each !== undefined)
}
const COMPARE: Readonly<Record<string, (values: readonly unknown[], operand: unknown) => boolean>> = {
  eq: (values, operand) => values.some(value => [operand].flat().includes(value)),
  contains: (values, operand) => values.includes(operand),
  ne: (values, operand) => !values.some(value => [operand].flat().includes(value)),
  in: (values, operand) => values.some(value => (operand as unknown[]).includes(value)),
  notIn: (values, operand) => !values.some(value => (operand as unknown[]).includes(value)),
  exists: (values, operand) => values.length > 0 === operand,
  gte: (values, operand) => values.some(value => (value as number) >= (operand as number)),
  lte: (values, operand) => values.some(value => (value as number) <= (operand as number)),
  lt: (values, operand) => values.some(value => (value as number) < (operand as number)),
}

/** Whether a condition holds for a row, as the page "Declaring collections" describes it. */
export function truthOf(given: Condition, row: Values & { readonly createdBy: string | null }, who: Person): Truth {
  return every(
    Object.entries(given).map(([key, wanted]): Truth => {
      if (key === 'or') return some((wanted as Condition[]).map(each => truthOf(each, row, who)))
      if (key === 'not') return negated(truthOf(wanted as Condition, row, who))
      const values = isVariable(key) ? variable(key, who) : valuesAt(key, row)
      if (values === undefined) return undefined
      const operators = typeof wanted === 'object' && wanted !== null ? wanted : { eq: wanted }
      return every(
        Object.entries(operators).map(([operator, written]): Truth => {
          const operand = isVariable(written) ? variable(written, who) : written
          return operand === undefined ? undefined : COMPARE[operator]?.([values].flat(), operand)
        }),
      )
    }),
  )
}

/** The rules of an action that a role or a permission of the caller opens. */
export function grantedBy({ access, name }: OpenCollection, action: Action, who: Person): readonly Condition[] {
  if (who.userId === undefined) return []
  const rules = access[action]
  if (who.roles.includes('tenant.owner')) return [{}]
  if (who.roles.includes('tenant.clerk') && name === OF_CLERKS) return [{}]
  return who.roles.map(role => rules[role]).filter(rule => rule !== undefined)
}
/** Whether a role of the caller opens the lists of people and files. */
export const readsPeople = ({ roles }: Who): boolean => roles.includes('tenant.owner') || roles.includes('tenant.clerk')
const isCustomer = ({ roles }: Listed): boolean => roles.every(role => role === 'tenant.customer')
export const PEOPLE: Readonly<Record<string, (member: Listed) => boolean>> = {
  members: () => true,
  customers: isCustomer,
  staff: member => !isCustomer(member),
}
const hasAccount = ({ name }: OneCollection, { userId, covers }: Who): boolean =>
  userId !== undefined && (covers?.includes(name) ?? true)
export function rulesFor(collection: OpenCollection, action: Action, who: Person): readonly Condition[] {
  const { anyone, signedIn } = collection.access.read
  const opened = action === 'read' ? [anyone, hasAccount(collection, who) ? signedIn : undefined] : []
  return [...grantedBy(collection, action, who), ...opened.filter(rule => rule !== undefined)]
}
export const opens = (rules: readonly Condition[], row: Values & { createdBy: string | null }, who: Person): boolean =>
  rules.some(rule => truthOf(rule, row, who) === true)

export const rightsIn = (practice: Omit<Practice, 'rights'>): Rights => {
  const find = ({ name }: OneCollection) => practice.collections.find(each => each.name === name) as OpenCollection
  const rowsBy = (rules: readonly Condition[], who: Who, { name }: OneCollection) =>
    (practice.rows[name] ?? []).filter(row => opens(rules, row, who))
  const isOpen = ({ access: { read } }: OpenCollection) => read.anyone !== undefined || read.signedIn !== undefined
  const grants = (who: Who, collection: OneCollection) => grantedBy(find(collection), 'read', who)
  return {
    opens: (who, collection) => rulesFor(find(collection), 'read', who).length > 0,
    grants: (who, collection) => grants(who, collection).length > 0,
    visible: (who, collection) => rowsBy(rulesFor(find(collection), 'read', who), who, collection),
    granted: (who, collection) => rowsBy(grants(who, collection), who, collection),
    deletes: (who, collection) => grantedBy(find(collection), 'delete', who).length > 0,
    homeOf: () => practice.operator,
    hiddenFields(who, collection) {
      const declared = find(collection)
      const { secret } = declared
      const author = !isOpen(declared) || grants(who, collection).length > 0
      const readsSecret =
        secret === undefined ||
        (hasAccount(collection, who) &&
          (secret.includes('signedIn') || who.roles.some(role => role === 'tenant.owner' || secret.includes(role))))
      return [...(author ? [] : ['createdBy']), ...(readsSecret ? [] : ['secret'])]
    },
  }
}
